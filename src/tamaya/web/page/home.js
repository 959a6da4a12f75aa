/** The first screen: one button to play, and the ways to everything else. */

import { agents, get, openTable } from "./api.js";
import { cardFace } from "./card.js";
import { agentOptions, canSit, playersChoice, strength, tagList, tick } from "./pick.js";
import { html, nothing, render, svg } from "./vendor/lit-html.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {{id: string, names: string[], rules: string, phase: string, score: number|null, turn: number}} Recent */

const FAN = [0, 6, 12, 18, 24]; // R1 Y2 G3 W4 B5
/** Bursts of the fireworks behind the cards: centre, radius, number of rays, colour. */
const BURSTS = /** @type {[number, number, number, number, string][]} */ ([
  [92, 74, 58, 12, "r"], [330, 52, 44, 10, "b"], [222, 38, 30, 8, "y"], [396, 150, 26, 8, "g"], [30, 172, 24, 8, "w"],
]);

/** @type {import("./main.js").Open} */
export function open(root, _, app) {
  const state = {
    partner: new URLSearchParams(location.search).get("partner") ?? "tamaya-mixed",
    players: 2,
    friends: 2,
    busy: "",
    error: "",
    /** @type {import("./api.js").Agent[]} */
    agents: [],
    /** @type {Recent[]} */
    recent: [],
  };
  let isOpen = true;

  const draw = () => isOpen && render(page(), root);
  const set = (/** @type {Partial<typeof state>} */ change) => {
    Object.assign(state, change);
    draw();
  };

  /** @param {number} players */
  function seatMany(players) {
    const agent = state.agents.find(({ name }) => name === state.partner);
    set({ players, partner: agent && !canSit(agent, players) ? "tamaya-mixed" : state.partner });
  }

  /**
   * @param {string} busy
   * @param {number} players
   * @param {import("./api.js").SeatWish} other  who sits on the other seats
   */
  async function start(busy, players, other) {
    if (state.busy) return;
    set({ busy, error: "" });
    const me = /** @type {const} */ ({ kind: "person", name: app.settings.get("name") || "You" });
    const seats = [me, ...Array(players - 1).fill(other)];
    const options = { pace_ms: 500, undo: true };
    try {
      await openTable(app, { rules: `players=${players}`, seats, seed: null, index: null, options });
    } catch (error) {
      set({ busy: "", error: /** @type {Error} */ (error).message });
    }
  }

  const play = () => start("play", state.players, { kind: "agent", agent: state.partner });

  function page() {
    const agent = state.agents.find(({ name }) => name === state.partner);
    const points = agent ? strength(agent, state.players) : "";
    return html`<div class="sheet hero">
      <div>
        <h1>Hanabi, with a partner who is always there.</h1>
        <p class="lead">You see everybody’s cards but your own. Five fireworks, eight hints, three lives: tell each
          other enough to light them all.</p>
        <button class="button main big" ?disabled=${!!state.busy} @click=${play}>
          ${state.busy === "play" ? "Setting the table …" : "Play"}</button>
        <div class="wish">
          ${playersChoice(state.players, seatMany)}
          <label class="field"><span>${state.players > 2 ? "Partners" : "Partner"}</span>
            <select @change=${(/** @type {any} */ event) => set({ partner: event.target.value })}>
              ${agentOptions(state.agents, state.players, state.partner)}</select></label>
        </div>
        <p class="note about">${agent ? html`${agent.description}${tagList(agent)}
          ${points ? html`<br>With its like it scores ${points}.` : nothing}` : "\u00a0"}</p>
        ${state.error ? html`<p class="error" role="alert">${state.error}</p>` : nothing}
      </div>
      ${picture()}
    </div>
    <div class="sheet ways">
      <section aria-labelledby="new"><h2 id="new">New to Hanabi?</h2>
        <p>Read <a href="/rules">the rules in three minutes</a>. At the table, <em>Advise</em> names a good move and says
          why, from nothing but what you can see.</p>
        ${tick("Practice mode", app.settings.get("pips") === "positive",
          (isOn) => app.settings.set("pips", isOn ? "positive" : "full"),
          "Your cards show only what you were told, not everything that follows from it.")}
      </section>
      <section aria-labelledby="friends"><h2 id="friends">With friends</h2>
        <p>Open a table and send its link. Seats that stay empty can go to agents.</p>
        <div class="row"><label class="field"><span>Seats</span>
          <select @change=${(/** @type {any} */ event) => set({ friends: Number(event.target.value) })}>
            ${[2, 3, 4, 5].map((n) => html`<option ?selected=${n === state.friends}>${n}</option>`)}</select></label>
          <button class="button" ?disabled=${!!state.busy} @click=${() => start("friends", state.friends, { kind: "open" })}>
            ${state.busy === "friends" ? "Opening …" : "Open a table"}</button></div>
      </section>
      <section aria-labelledby="more"><h2 id="more">More</h2>
        <ul><li><a href="/watch">Watch agents</a> play, and ask them why</li>
          <li><a href="/new">A table of your own</a>: seats, rules, deal</li>
          <li><a href="/agents">Who the agents are</a></li></ul>
      </section>
      ${state.recent.length ? recentList(state.recent, app) : nothing}
    </div>`;
  }

  draw();
  agents().then((found) => set({ agents: found.agents }), () => undefined); // the default will do
  get("/api/tables").then((found) => set({ recent: found.tables.slice(0, 8) }), () => undefined);
  const off = app.settings.on(draw);
  return {
    close() {
      isOpen = false;
      off();
    },
  };
}

/**
 * @param {Recent[]} tables
 * @param {App} app
 */
function recentList(tables, app) {
  return html`<section class="recent" aria-labelledby="recent"><h2 id="recent">Recent tables</h2><ul>
    ${tables.map((table) => html`<li><a href="/t/${table.id}">${table.names.join(", ") || "Open table"}</a>
      <small>${app.settings.token(table.id) ? "yours, " : ""}${phase(table)}${table.rules.includes(" ")
        ? `, ${table.rules}` : ""}</small></li>`)}</ul></section>`;
}

/** @param {Recent} table */
function phase({ phase, score, turn }) {
  if (phase === "over") return `${score} points`;
  return phase === "waiting" ? "waits for players" : `turn ${turn + 1}`;
}

function picture() {
  return html`<div class="fan" aria-hidden="true">
    <svg viewBox="0 0 430 210">${BURSTS.map(([x, y, radius, rays, colour]) => svg`<g class="burst ${colour}"
      transform="translate(${x} ${y})">${Array.from({ length: rays }, (_, ray) => {
        const reach = ray % 2 ? radius : 0.72 * radius;
        return svg`<path d="M${0.3 * reach} 0H${reach}" transform="rotate(${(360 * ray) / rays + 7})"/>`;
      })}<circle r="2"/></g>`)}</svg>
    <div>${FAN.map((card) => html`<span>${cardFace(card, {})}</span>`)}</div>
  </div>`;
}
