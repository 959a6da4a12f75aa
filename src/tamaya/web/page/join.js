/** Behind an invite: who sits at the table, a name, a seat. */

import { drawn, nameField, problem, remembering } from "./parts.js";
import { html } from "./lit.js";
import { dealWords } from "./words.js";

/** @type {Open} */
export function open(root, { id, invite }, app) {
  const wire = app.wire({ table: id, invite });
  const state = {
    name: app.settings.get("name"), busy: false, error: "", isGone: false,
    seats: /** @type {any[]|null} */ (null), welcome: /** @type {any} */ (null),
  };
  const { set, draw, attempt, close } = drawn(root, state, page);

  function sit(event) {
    event.preventDefault();
    const seat = state.seats?.find(({ kind }) => kind === "open")?.seat;
    if (seat === undefined) return;
    const name = state.name || "Player";
    app.settings.set("name", name);
    app.settings.keep(id, { invite }); // who gets up may sit down again
    attempt(async () => {
      await wire.send({ type: "sit", seat, name });
      go();
    });
  }

  const go = () => app.go(`/t/${id}`, true);

  function page() {
    const { seats } = state;
    if (state.isGone) return html`<div class="sheet"><h1>No such table</h1><p>The link is old or incomplete.</p></div>`;
    if (!seats) return html`<div class="sheet"><h1>Looking for the table …</h1></div>`;
    const open = seats.filter(({ kind }) => kind === "open").length;
    const taken = seats.filter(({ kind }) => kind !== "open").map(({ name, agent }) => name || agent);
    return html`<form class="sheet form" @submit=${sit}>
      <h1>${open ? "Sit down" : "All seats are taken"}</h1>
      <p>${taken.length ? `At the table: ${taken.join(", ")}. ` : ""}${open ? `Open seats: ${open} of ${seats.length}.`
        : "You can watch; cards are hidden from watchers while people play."}${dealWords(state.welcome)}</p>
      ${open ? html`${nameField(state.name, (name) => { state.name = name; })}${remembering(seats.map(({ agent }) => agent))}
        <div class="fields"><button class="button main" ?disabled=${state.busy}>Sit down</button>
        <button class="button quiet" type="button" @click=${go}>Only watch</button></div>`
        : html`<button class="button" type="button" @click=${go}>Watch</button>`}
      ${problem(state.error)}
    </form>`;
  }

  wire.on("welcome", (welcome) => { state.welcome = welcome; });
  wire.on("seats", ({ seats }) => set({ seats }));
  wire.on("gone", () => set({ isGone: true }));
  wire.on("error", ({ text, re }) => { if (re === undefined) set({ error: text, isGone: !state.seats }); });
  draw();
  return { close: () => { close(); wire.close(); } };
}
