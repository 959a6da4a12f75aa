/** The first screen: one button to play, and the ways to everything else. */

import { agents, get, openTable } from "./api.js";
import { cardFace } from "./card.js";
import { about, agentOptions, canSit, chosen, drawn, labelled, playersChoice, PRACTICE, problem, tick } from "./parts.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

const FAN = [0, 6, 12, 18, 24]; // R1 Y2 G3 W4 B5
/** The fireworks behind the cards: colour, then centre, radius and number of rays. @type {Record<string, number[]>} */
const BURSTS = { r: [96, 92, 76, 16], b: [338, 78, 62, 14], y: [222, 44, 40, 12], g: [414, 158, 26, 10] };
const DEFAULT = "tamaya-mixed";
const MORE = "@more";
/** Who understands plain hints best (docs/web.md); the others are one choice away. */
const FEW = [DEFAULT, "mixed-situational", "piers", "iggi", "van-den-bergh"];

/** @type {Open} */
export function open(root, _, app) {
  const state = {
    partner: new URLSearchParams(location.search).get("partner") ?? DEFAULT,
    players: 2, friends: 2, busy: "", error: "", hasAll: false,
    agents: /** @type {Agent[]} */ ([]),
    recent: /** @type {Recent[]} */ ([]),
  };
  const { set, draw, close } = drawn(root, state, page);
  const partner = () => state.agents.find(({ name }) => name === state.partner);

  /** @param {SeatWish} other  who sits on the other seats */
  async function start(other, players, busy) {
    if (state.busy) return;
    set({ busy, error: "" });
    const seats = [{ kind: "person", name: app.settings.get("name") || "Player" }, ...Array(players - 1).fill(other)];
    try {
      await openTable(app, { rules: `players=${players}`, seats, seed: null, index: null, options: { pace_ms: 500, undo: true } });
    } catch (error) {
      set({ busy: "", error: /** @type {Error} */ (error).message });
    }
  }

  function partners() {
    const { agents, players, partner, hasAll } = state;
    const few = agents.filter(({ name }) => FEW.includes(name) || name === partner);
    if (hasAll || few.length === agents.length) return agentOptions(agents, players, partner);
    return html`${agentOptions(few, players, partner)}<option value=${MORE}>More…</option>`;
  }

  function page() {
    const { players, friends, busy } = state;
    return html`<div class="sheet hero">
      <div>
        <h1>Hanabi, with a partner who is always there.</h1>
        <p class="lead">You see everybody’s cards but your own. Five fireworks, eight hints, three lives: tell each other enough
          to light them all.</p>
        <button class="button main big" ?disabled=${!!busy} @click=${() => start({ kind: "agent", agent: state.partner },
          players, "play")}>${busy === "play" ? "Setting the table …" : "Play"}</button>
        ${problem(state.error)}
        <div class="fields">
          ${playersChoice(players, (players) => set({ players, partner: canSit(partner(), players) ? state.partner : DEFAULT }))}
          ${labelled(players > 2 ? "Partners" : "Partner", html`<select @change=${chosen((partner) => set(partner === MORE ? { hasAll: true } : { partner }))}>
            ${partners()}</select>`)}
        </div>
        <p class="note about">${about(partner(), players)}</p>
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
        <div class="fields">${labelled("Your name", html`<input class="name" maxlength="40" autocomplete="nickname" placeholder="Player"
            .value=${app.settings.get("name")} @change=${chosen((name) => app.settings.set("name", name.trim()))}>`)}
          ${labelled("Seats", html`<select @change=${chosen((n) => set({ friends: Number(n) }))}>
            ${[2, 3, 4, 5].map((n) => html`<option .selected=${n === friends}>${n}</option>`)}</select>`)}
          <button class="button" ?disabled=${!!busy} @click=${() => start({ kind: "open" }, friends, "friends")}>
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
      ${state.recent.length ? html`<section class="recent"><h2>Recent tables</h2><ul>${state.recent.map((table) => html`<li>
        <a href="/${table.phase === "over" ? "g" : "t"}/${table.id}">${table.names.join(", ")}</a> <small>${app.settings.token(table.id) ? "yours, "
          : ""}${phase(table)}</small></li>`)}</ul></section>` : nothing}
    </div>`;
  }

  draw();
  agents().then((found) => set({ agents: found.agents }), () => undefined); // the default will do
  get("/api/tables").then((found) => set({ recent: found.tables.filter(isNews).slice(0, 8) }), () => undefined);
  const off = app.settings.on(draw);
  return { close: () => { close(); off(); } };
}

const isLeft = ({ phase, turn }) => phase === "playing" && !turn;
const isNews = (table, k, all) => !isLeft(table) || all.findIndex(isLeft) === k; // of those that were left at once one will do
const phase = ({ phase, score, turn }) =>
  ({ over: `${score} points`, waiting: "waits for players" })[phase] ?? `turn ${turn + 1}`;

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
