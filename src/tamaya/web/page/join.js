/** Behind an invite: who sits at the table, a name, a seat. */

import { html, nothing, render } from "./vendor/lit-html.js";

/** @typedef {{seat: number, kind: string, name: string, agent: string}} Seat */

/** @type {import("./main.js").Open} */
export function open(root, { id, invite }, app) {
  const wire = app.wire({ table: id, invite });
  const state = {
    name: app.settings.get("name"),
    /** @type {Seat[]|null} */
    seats: null,
    busy: false,
    error: "",
    isGone: false,
  };
  const set = (/** @type {Partial<typeof state>} */ change) => {
    Object.assign(state, change);
    render(page(), root);
  };

  /** @param {Event} event */
  async function sit(event) {
    event.preventDefault();
    const seat = state.seats?.find(({ kind }) => kind === "open")?.seat;
    if (seat === undefined || state.busy) return;
    const name = state.name.trim() || "Guest";
    app.settings.set("name", state.name.trim());
    set({ busy: true, error: "" });
    try {
      await wire.send({ type: "sit", seat, name });
      leave();
    } catch (error) {
      set({ busy: false, error: /** @type {Error} */ (error).message });
    }
  }

  function leave() {
    wire.close();
    app.go(`/t/${id}`, true);
  }

  function page() {
    const { seats } = state;
    const open = (seats ?? []).filter(({ kind }) => kind === "open").length;
    const taken = (seats ?? []).filter(({ kind }) => kind !== "open").map(({ name, agent }) => name || agent);
    if (state.isGone) return html`<div class="sheet"><h1>No such table</h1><p>The link is old or incomplete.
      <a href="/">Play instead.</a></p></div>`;
    if (!seats) return html`<div class="sheet"><h1>Sit down</h1><p class="note">Looking for the table …</p></div>`;
    return html`<form class="sheet form" @submit=${sit}>
      <h1>${open ? "Sit down" : "All seats are taken"}</h1>
      <p>${taken.length ? `At the table: ${taken.join(", ")}. ` : ""}${open ? `${open} of ${seats.length} seats are open.`
        : "You can watch; cards are hidden from watchers while people play."}</p>
      ${open ? html`<label class="field"><span>Your name</span><input maxlength="40" autocomplete="nickname" required
        .value=${state.name} @input=${(/** @type {any} */ event) => { state.name = event.target.value; }}></label>
        <button class="button main" ?disabled=${state.busy}>Sit down</button>` : nothing}
      <button class="button quiet" type="button" @click=${leave}>Watch</button>
      ${state.error ? html`<p class="error" role="alert">${state.error}</p>` : nothing}
    </form>`;
  }

  wire.on("seats", ({ seats }) => set({ seats }));
  wire.on("gone", () => set({ isGone: true }));
  wire.on("error", ({ text, re }) => re === undefined && set({ error: text }));
  set({});
  return { close: () => wire.close() };
}
