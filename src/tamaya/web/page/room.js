/** Before and after a game: the seats that wait for players, and how it ended. */

import { agentOptions } from "./parts.js";
import { icon } from "./icons.js";
import { isMe } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./table.js").Ui} Ui */

/** A table that waits for players. @param {Ui} ui */
export function waitingRoom(ui) {
  const { state, to, id, app } = ui;
  const { welcome, seats } = state;
  const invite = app.settings.invite(id);
  const address = `${location.origin}/t/${id}${invite ? `#${invite}` : ""}`;
  const hasSeat = welcome.seat !== null;
  const open = seats.filter(({ kind }) => kind === "open").length;
  return html`<section class="room" aria-label="Waiting room">
    <h1>Waiting for players</h1>
    <p>${open ? `${open} ${open === 1 ? "seat is" : "seats are"} open. The game begins when all are taken${welcome.host ? ", or when you start it" : ""}.` : "All seats are taken."}</p>
    ${invite ? html`<div class="invite"><label for="invite">Send this link to your friends</label>
      <div><input id="invite" readonly .value=${address} @focus=${(/** @type {any} */ event) => event.target.select()}>
      <button class="button main" @click=${() => to.copy(address, "The invite is copied.")}>${icon("copy")}Copy</button></div></div>` : nothing}
    <ol class="seats">${seats.map((seat) => html`<li class=${seat.kind}>
      <span class="chair" aria-hidden="true">${seat.seat + 1}</span>
      <span class="who">${seat.kind === "open" ? "Open seat" : seat.name}${isMe(state, seat.seat) ? html` <small>you</small>` : nothing}
        ${seat.kind === "agent" && seat.label !== seat.name ? html`<small>${seat.label}</small>` : nothing}
        ${seat.kind === "person" && !seat.present ? html`<small>away</small>` : nothing}</span>
      <span class="choices">${seat.kind === "open" && !hasSeat ? html`<button class="button" @click=${() => to.sit(seat.seat)}>Sit here</button>` : nothing}
        ${welcome.host && (seat.kind === "open" || seat.kind === "agent" || !seat.present)
          ? html`<button class="button quiet" @click=${() => to.askFill(seat.seat)}>${seat.kind === "agent" ? "Another agent" : "Give to an agent"}</button>` : nothing}
        ${isMe(state, seat.seat) && !welcome.host ? html`<button class="button quiet" @click=${() => to.ask({ type: "leave" })}>Get up</button>` : nothing}</span>
    </li>`)}</ol>
    ${welcome.host ? html`<button class="button main large" @click=${() => to.ask({ type: "start" })}>Start${open ? " with open seats" : ""}</button>` : nothing}
  </section>`;
}

/** The form in which the host chooses an agent for a seat. @param {Ui} ui */
export function fillForm(ui) {
  const { catalogue, filling, state, to } = ui;
  const { name } = state.seats[filling] ?? {};
  return html`<form method="dialog" @submit=${(/** @type {SubmitEvent} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const agent = /** @type {any} */ (form.elements.namedItem("agent")).value;
    if (/** @type {any} */ (event.submitter)?.value === "yes") to.ask({ type: "fill", seat: filling, agent, params: {} });
  }}>
    <h2>An agent for seat ${filling + 1}</h2>
    <p>${state.seats[filling]?.kind === "open" ? "The seat is open." : `It takes the place of ${name}.`}</p>
    <label for="agent">Agent</label>
    <select id="agent" name="agent">${agentOptions(catalogue?.agents ?? [], state.welcome.rules.players, catalogue?.default ?? "tamaya-mixed")}</select>
    <p class="choices"><button class="button" value="no">Cancel</button><button class="button main" value="yes">Give the seat</button></p>
  </form>`;
}

/** How the game ended. @param {Ui} ui */
export function ending(ui) {
  const { state, to } = ui;
  const { over, welcome, look } = state;
  if (!over) return nothing;
  const share = over.max_score ? over.score / over.max_score : 0;
  const place = `/api/games/${over.game}/export?as=`;
  return html`<section class="ending ${over.perfect ? "perfect" : ""}" aria-label="The end">
    ${burst(share)}
    <div class="result"><h2><b>${over.score}</b> of ${over.max_score}${over.perfect ? " – perfect!" : ""}</h2>
      <p>${verdict(over.status)} after ${over.turns} turns${over.score === over.points ? "" : `, ${over.points} points on the table`}${
        over.undos ? html`, ${over.undos} ${over.undos === 1 ? "move" : "moves"} taken back` : nothing}.</p></div>
    <div class="choices">
      ${welcome.host ? html`<button class="button main" @click=${() => to.ask({ type: "again" })}>Play again</button>` : nothing}
      ${look ? nothing : html`<button class="button" @click=${() => to.look(0)}>Look back</button>`}
      <details class="export"><summary class="button">Export</summary><div>
        <a href="${place}json" download="tamaya-${over.game}.json">hanab.live JSON</a>
        <a href="${place}text" download="tamaya-${over.game}.txt">text</a>
        ${over.link ? html`<button class="link" @click=${() => to.copy(over.link, "The link is copied.")}>copy a hanab.live link</button>` : nothing}
      </div></details>
    </div>
  </section>`;
}

/** @param {string} status */
function verdict(status) {
  return { "out of lives": "Out of lives", "out of cards": "Out of cards", complete: "All fireworks are complete", "gave up": "An agent gave up" }[status] ?? status;
}

/** A firework that is the larger the better the game was. @param {number} share */
function burst(share) {
  const rays = Array.from({ length: 12 }, (_, k) => html`<svg class="ray" viewBox="-24 -24 48 48"><path class=${k % 2 ? "b" : "o"} d="M0-${k % 2 ? 7 : 8}V-${(k % 2 ? 10 : 12) + Math.round(10 * share)}" transform="rotate(${30 * k})"/></svg>`);
  return html`<span class="burst" aria-hidden="true">${rays}</span>`;
}
