/** Another line from a turn of a game: who plays on, and whether all hands are open. */

import { agents, openTable, tokenHeader } from "./api.js";
import { DEFAULT, drawn, ME, PEOPLE, problem, seated, tick, wear, wishes } from "./parts.js";
import { picker } from "./picker.js";
import { html } from "./lit.js";

/**
 * The form of a dialog that opens a branch: who sits where, and what they see.
 * @param {App} app
 * @param {{id: string, turn: number, seats: {kind: string, name: string, agent: string}[], mine: number, isRunning?: boolean}} game  `mine`: where I sat, or who moves
 */
export async function takeOverForm(app, { id, turn, seats, mine, isRunning = false }) {
  wear("deal");
  const catalogue = await agents().catch(() => ({ agents: /** @type {Agent[]} */ ([]) }));
  const known = (name) => catalogue.agents.some((agent) => agent.name === name);
  const state = {
    who: seats.map(({ agent }, seat) => (seat === mine ? ME : known(agent) ? agent : DEFAULT)),
    open: false, busy: false, error: "",
  };
  const place = document.createElement("div");
  const { set, draw, attempt } = drawn(place, state, page);
  // Who takes a person's seat without a name of their own goes by that person's.
  const name = () => app.settings.get("name") || (seats[state.who.indexOf(ME)]?.kind === "person" && seats[state.who.indexOf(ME)].name);

  function start(event) {
    event.preventDefault();
    if (event.submitter?.value === "no") return place.closest("dialog")?.close();
    const wish = { turn, open: state.open, options: { pace_ms: 500, undo: true }, seats: wishes(state.who, name()) };
    const from = isRunning ? `/t/${id}` : `/g/${id}#${turn}`;
    return attempt(() => openTable(app, wish, `/api/games/${id}/branch`, tokenHeader(app.settings.token(id)), { from }));
  }

  function page() {
    return html`<form class="take-over" @submit=${start}>
      <h2>Play from turn ${turn + 1}</h2>
      <p>The same cards lie in the same order. The game itself stays as it is; <em>Leave</em> brings you back to it.</p>
      <ol>${state.who.map((who, seat) => html`<li>${picker({ label: `Seat ${seat + 1}: ${seats[seat].name}`, agents: catalogue.agents, players: seats.length,
        now: who, others: PEOPLE, choose: (now) => set({ who: seated(state.who, seat, now) }) })}</li>`)}</ol>
      ${state.who.includes(ME) ? tick("Show my own hand", state.open, (open) => set({ open }),
        "A table for analysis: all hands are open, and any card can become another.") : ""}
      ${problem(state.error)}
      <p class="choices"><button class="button" value="no" formnovalidate>Cancel</button>
        <button class="button main" ?disabled=${state.busy}>${state.busy ? "Setting the table …" : "Play"}</button></p></form>`;
  }

  draw();
  return place;
}
