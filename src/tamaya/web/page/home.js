/** The first screen: one button to play, and the ways to everything else. */

import { agents, get, openTable } from "./api.js";
import { cardFace } from "./card.js";
import { about, canSit, chosen, DEFAULT, drawn, FRIEND, labelled, ME, nameField, playersChoice, PRACTICE, problem, remembering, tableList, tick, wishes } from "./parts.js";
import { picker } from "./picker.js";
import { html, svg } from "./lit.js";

const FAN = [0, 6, 12, 18, 24]; // R1 Y2 G3 W4 B5
/** The fireworks behind the cards: colour, then centre, radius and number of rays. @type {Record<string, number[]>} */
const BURSTS = { r: [96, 92, 76, 16], b: [338, 78, 62, 14], y: [222, 44, 40, 12], g: [414, 158, 26, 10] };
const MANY = 6; // tables of a list

/** @type {Open} */
export function open(root, _, app) {
  const state = {
    partner: new URLSearchParams(location.search).get("partner") ?? DEFAULT,
    players: 2, friends: 2, busy: "", error: "",
    agents: /** @type {Agent[]} */ ([]),
    recent: /** @type {Recent[]} */ ([]),
  };
  const { set, draw, attempt, close } = drawn(root, state, page);
  const partner = () => state.agents.find(({ name }) => name === state.partner);

  /** @param {string} other  who sits on the other seats */
  const start = (other, players, busy) => attempt(() => openTable(app, {
    rules: `players=${players}`, seats: wishes([ME, ...Array(players - 1).fill(other)], app.settings.get("name")), seed: null, index: null,
    options: { pace_ms: 500, undo: true },
  }), busy);

  function page() {
    const { players, friends, busy } = state;
    return html`<div class="sheet hero">
      <div>
        <h1>Hanabi, with a partner who is always there.</h1>
        <p class="lead">You see everybody’s cards but your own. Five fireworks, eight hints, three lives: tell each other enough
          to light them all.</p>
        <button class="button main big" ?disabled=${!!busy} @click=${() => start(state.partner, players, "play")}>${busy === "play" ? "Setting the table …" : "Play"}</button>
        ${problem(state.error)}
        <div class="fields">
          ${playersChoice(players, (players) => set({ players, partner: canSit(partner(), players) ? state.partner : DEFAULT }))}
          ${picker({ label: players > 2 ? "Partners" : "Partner", agents: state.agents, players, now: state.partner, choose: (partner) => set({ partner }) })}
        </div>
        <p class="note about">${about(partner(), players)}</p>${remembering([state.partner])}
      </div>
      ${picture()}
    </div>
    <div class="sheet ways">
      <section><h2>New to Hanabi?</h2>
        <p>Read <a href="/rules">the rules in three minutes</a>. At the table, <em>Advise</em> names a good move and says why, from
          nothing but what you can see.</p>
        ${tick("Practice mode", app.settings.get("pips") === "positive", (isOn) => app.settings.set("pips",
          isOn ? "positive" : "full"), PRACTICE)}
      </section>
      <section><h2>With friends</h2>
        <p>Open a table and send its link. Seats that stay empty can go to agents.</p>
        <div class="fields">${nameField(app.settings.get("name"), (name) => app.settings.set("name", name))}
          ${labelled("Seats", html`<select @change=${chosen((n) => set({ friends: Number(n) }))}>
            ${[2, 3, 4, 5].map((n) => html`<option .selected=${n === friends}>${n}</option>`)}</select>`)}
          <button class="button" ?disabled=${!!busy} @click=${() => start(FRIEND, friends, "friends")}>
            ${busy === "friends" ? "Opening …" : "Open a table"}</button></div>
      </section>
      <section><h2>More</h2>
        <ul><li><a href="/watch">Watch agents</a> play, and ask them why</li>
          <li><a href="/import">Review a game</a>: what every move was worth</li>
          <li><a href="/new">A table of your own</a>: seats, rules, deal</li>
          <li><a href="/d/today">Deal of the day</a>: the same cards for everybody, and for all agents</li>
          <li><a href="/agents">Who the agents are</a>, and a <a href="/report">report</a> on how well they play</li>
          <li><a href="/lab">The lab</a>: runs of evolution and training</li></ul>
      </section>
      ${recent("Tables", (table) => table.phase !== "over")}
      ${recent("Games to review", (table) => table.phase === "over", html`<p><a href="/import">All games, and import others</a></p>`)}
    </div>`;
  }

  function recent(title, isOne, more = "") {
    const found = state.recent.filter(isOne).slice(0, MANY);
    return found.length ? html`<section class="recent"><h2>${title}</h2>${tableList(found, app.settings)}${more}</section>` : "";
  }

  draw();
  agents().then((found) => set({ agents: found.agents }), () => undefined); // the default will do
  get("/api/tables").then((found) => set({ recent: found.tables.filter(isNews) }), () => undefined);
  const off = app.settings.on(draw);
  return { close: () => { close(); off(); } };
}

const isLeft = ({ phase, turn }) => phase === "playing" && !turn;
const isNews = (table, k, all) => !isLeft(table) || all.findIndex(isLeft) === k; // of those that were left at once one will do

function picture() {
  return html`<div class="fan" aria-hidden="true">
    <svg viewBox="0 0 440 220">${Object.entries(BURSTS).map(([colour, [x, y, radius, rays]]) => svg`<g class="c-${colour}"
      transform="translate(${x} ${y})">${Array.from({ length: rays }, (_, ray) => {
        const reach = ray % 2 ? radius : 0.66 * radius;
        return svg`<path d="M${0.28 * reach} 0H${0.84 * reach}M${reach} 0h.01" transform="rotate(${(360 * ray) / rays + 7})"/>`;
      })}</g>`)}</svg>
    <div>${FAN.map((card) => html`<span>${cardFace(card)}</span>`)}</div>
  </div>`;
}
