/** Another line from a turn of a game: who plays on, and whether all hands are open. */

import { agents, openTable, tokenHeader } from "./api.js";
import { agentOptions, chosen, labelled, problem, tick, wear } from "./parts.js";
import { html, nothing, render } from "./vendor/lit-html.js";

const ME = "@me";
const OPEN = "@open";
const DEFAULT = "tamaya-mixed";

/**
 * The form of a dialog that opens a branch: who sits where, and what they see.
 * @param {App} app
 * @param {{id: string, turn: number, seats: {name: string, agent: string}[], mine: number, isRunning?: boolean}} game  `mine`: where I sat, or who moves
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
  const set = (change) => { Object.assign(state, change); draw(); };

  /** I cannot sit twice: my old seat goes to who sat here. */
  function sit(seat, who) {
    const all = state.who.map((old) => (old === ME && who === ME ? state.who[seat] : old));
    all[seat] = who;
    set({ who: all });
  }

  async function start(event) {
    event.preventDefault();
    if (event.submitter?.value === "no") return place.closest("dialog")?.close();
    if (state.busy) return undefined;
    set({ busy: true, error: "" });
    const name = app.settings.get("name") || "Player";
    const wish = {
      turn, open: state.open, options: { pace_ms: 500, undo: true },
      seats: state.who.map((who) => (who === ME ? { kind: "person", name } : who === OPEN ? { kind: "open" } : { kind: "agent", agent: who })),
    };
    try {
      const from = isRunning ? `/t/${id}` : `/g/${id}#${turn}`;
      await openTable(app, wish, `/api/games/${id}/branch`, tokenHeader(app.settings.token(id)), { from });
    } catch (error) {
      set({ busy: false, error: /** @type {Error} */ (error).message });
    }
    return undefined;
  }

  const draw = () => render(html`<form class="take-over" @submit=${start}>
    <h2>Play from turn ${turn + 1}</h2>
    <p>The same cards lie in the same order. The game itself stays as it is; <em>Leave</em> brings you back to it.</p>
    <ol>${state.who.map((who, seat) => html`<li>${labelled(`Seat ${seat + 1}: ${seats[seat].name}`, html`<select @change=${chosen((now) => sit(seat, now))}>
      <option value=${ME} .selected=${who === ME}>You</option>
      <option value=${OPEN} .selected=${who === OPEN}>A friend, by link</option>
      ${agentOptions(catalogue.agents, seats.length, who)}</select>`)}</li>`)}</ol>
    ${state.who.includes(ME) ? tick("Show my own hand", state.open, (open) => set({ open }),
      "A table for analysis: all hands are open, and any card can become another.") : nothing}
    ${problem(state.error)}
    <p class="choices"><button class="button" value="no" formnovalidate>Cancel</button>
      <button class="button main" ?disabled=${state.busy}>${state.busy ? "Setting the table …" : "Play"}</button></p></form>`, place);
  draw();
  return place;
}
