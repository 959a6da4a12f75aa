/** Before and after a game: the seats that wait for players, and how it ended. */

import { agentOptions } from "./parts.js";
import { isMe } from "./state.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

/** A table that waits for players. @param {Ui} ui */
export function waitingRoom(ui) {
  const { state: { welcome, seats }, to } = ui;
  const address = ui.address();
  const open = seats.filter(({ kind }) => kind === "open").length;
  const choices = ({ seat, kind, present }) => html`
    ${kind === "open" && welcome.seat === null ? html`<button class="button" @click=${() => to.sit(seat)}>Sit here</button>` : nothing}
    ${welcome.host && (kind !== "person" || !present) ? html`<button class="button quiet" @click=${() => to.askFill(seat)}>${
      kind === "agent" ? "Another agent" : "Give to an agent"}</button>` : nothing}
    ${isMe(ui.state, seat) && !welcome.host ? html`<button class="button quiet" @click=${() => to.ask({ type: "leave" })}>Get up</button>` : nothing}`;
  return html`<section class="room" aria-label="Waiting room"><h1>Waiting for players</h1>
    <p>${open === 1 ? "One seat is" : `${open} seats are`} open. The game begins when all are taken${welcome.host ? ", or when you start it" : ""}.</p>
    ${address.includes("#") ? html`<div class="invite"><label for="invite">Send this link to your friends</label>
      <input id="invite" readonly .value=${address} @focus=${(event) => event.target.select()}>
      <button class="button main" @click=${() => to.copy(address, "The invite is copied.")}>Copy</button></div>` : nothing}
    <ol class="chairs">${seats.map((sitter) => html`<li class=${sitter.kind}><b aria-hidden="true">${sitter.seat + 1}</b>
      <span>${sitter.kind === "open" ? "open seat" : sitter.name} <small>${isMe(ui.state, sitter.seat) ? "you" : sitter.kind === "agent"
        ? sitter.label : sitter.kind === "person" && !sitter.present ? "away" : ""}</small></span>${choices(sitter)}</li>`)}</ol>
    ${welcome.host ? html`<button class="button main" @click=${() => to.ask({ type: "start" })}>Start${open ? " with open seats" : ""}</button>` : nothing}
  </section>`;
}

/** The form in which the host chooses an agent for a seat. @param {Ui} ui */
export function fillForm({ catalogue, filling, state, to }) {
  const { kind, name } = state.seats[filling];
  const submit = ({ submitter, target }) => submitter.value && to.ask({ type: "fill", seat: filling, agent: target.elements.agent.value });
  return html`<form method="dialog" @submit=${submit}><h2>An agent for seat ${filling + 1}</h2>
    <p>${kind === "open" ? "Nobody sits there." : `It takes the place of ${name}.`}</p>
    <label>Agent <select name="agent">${agentOptions(catalogue.agents, state.welcome.rules.players, catalogue.default)}</select></label>
    <p class="choices"><button class="button" value="">Cancel</button><button class="button main" value="yes">Give the seat</button></p></form>`;
}

const ENDS = { "out of lives": "Out of lives", "out of cards": "Out of cards", complete: "All fireworks are complete", "gave up": "An agent gave up" };

/** How the game ended. @param {Ui} ui */
export function ending({ state: { over, welcome, next, look }, to }) {
  if (!over) return nothing;
  const { score, points, max_score: most, undos, game, link } = over;
  const ray = (k) => svg`<path class=${k % 2 ? "b" : "o"} d="M0-7V-${Math.round(11 + (k % 2 ? 6 : 11) * score / most)}" transform="rotate(${30 * k})"/>`;
  const file = (as, words) => html`<a class="button quiet" href="/api/games/${game}/export?as=${as}" download="tamaya-${game}.${as === "json" ? as : "txt"}">${words}</a>`;
  return html`<section class="ending" aria-label="The end">
    <svg class="burst" viewBox="-24 -24 48 48" aria-hidden="true">${Array.from({ length: 12 }, (_, k) => ray(k))}</svg>
    <div><h2><b>${score}</b> of ${most}${over.perfect ? ": perfect!" : ""}</h2>
      <p>${ENDS[over.status]} after ${over.turns} turns${score === points ? "" : `, with ${points} points on the table`}${
        undos ? `, ${undos} ${undos === 1 ? "move" : "moves"} taken back` : ""}.</p></div>
    <div class="choices">${next ? html`<button class="button main" @click=${() => to.follow()}>To the next game</button>`
      : welcome.host ? html`<button class="button main" @click=${() => to.ask({ type: "again" })}>Play again</button>` : nothing}
      ${look ? nothing : html`<button class="button" @click=${() => to.look(0)}>Look back</button>`}
      <button class="button quiet" @click=${() => to.why()}>Why?</button>
      ${file("json", "JSON")}${file("text", "Text")}${link ? html`<button class="button quiet" @click=${() => to.copy(link, "The link is copied.")}>hanab.live link</button>` : nothing}</div>
  </section>`;
}
