/** Before and after a game: the seats that wait for players, and how it ended. */

import { lost, toasted } from "./actions.js";
import { button } from "./card.js";
import { pastBar } from "./log.js";
import { agentOptions } from "./parts.js";
import { hasReasons, isMe, shown } from "./state.js";
import { html, nothing, svg } from "./vendor/lit-html.js";
import { capital, count } from "./words.js";

/** Whoever sits down should know that somebody may have seen the cards. @param {Welcome|null} welcome */
export const dealWords = (welcome) => (welcome?.chosen_deal && welcome.kind === "play" ? " The host chose the deal." : "");

/** A table that waits for players. @param {Ui} ui */
export function waitingRoom(ui) {
  const { state, to } = ui;
  const { welcome, seats } = state;
  const { host, seat: mine } = welcome;
  const address = ui.address();
  const open = seats.filter(({ kind }) => kind === "open").length;
  return html`<section class="room" aria-label="Waiting room"><h1>Waiting for players</h1>
    <p class="hush">${open === 1 ? "One seat is" : `${open} seats are`} open. The game begins when all are taken${host ? ", or when you start it" : ""}.${dealWords(welcome)}</p>
    ${
      address.includes("#")
        ? html`<div class="invite"><label for="invite">Send this link to your friends</label>
      <input id="invite" readonly .value=${address} @focus=${(event) => event.target.select()}>
      ${button("Copy", () => to.copy(address, "The invite is copied."), "main")}
      ${/^(127\.|localhost)/.test(location.hostname) ? html`<small>It works on this computer only; <code>tamaya serve --host 0.0.0.0</code> lets others in.</small>` : nothing}</div>`
        : nothing
    }
    <ol class="chairs">${seats.map(
      ({ seat, kind, name, label, present }) => html`<li class=${kind}><b aria-hidden="true">${seat + 1}</b>
      <span>${
        seat === mine
          ? html`<input aria-label="Your name" maxlength="40" autocomplete="nickname" .value=${name}
        @change=${({ target }) => to.rename(target.value)}>`
          : kind === "open"
            ? "open seat"
            : name
      } <small>${
        seat === mine ? "you" : kind === "agent" ? label : kind === "person" && !present ? "away" : ""
      }</small></span>
      ${kind === "open" && mine === null && address.includes("#") ? button("Sit here", () => to.sit(seat)) : nothing}
      ${
        host && (kind !== "person" || !present)
          ? button(kind === "agent" ? "Another agent" : "Give to an agent", () => to.askFill(seat), "quiet")
          : nothing
      }
      ${isMe(state, seat) && !host ? button("Get up", () => to.ask({ type: "leave" }), "quiet") : nothing}</li>`,
    )}</ol>
    ${host ? button(`Start${open ? " with open seats" : ""}`, () => to.ask({ type: "start" }), "main") : nothing}</section>`;
}

/** The form in which the host chooses an agent for a seat. */
export function fillForm(to, seat, catalogue) {
  const { seats } = to.state;
  const { kind, name } = seats[seat];
  const submit = ({ submitter, target }) =>
    submitter.value && to.ask({ type: "fill", seat, agent: target.elements.agent.value });
  return html`<form method="dialog" @submit=${submit}><h2>An agent for seat ${seat + 1}</h2>
    <p>${kind === "open" ? "Nobody sits there." : `It takes the place of ${name}.`}</p>
    <label>Agent <select name="agent">${agentOptions(catalogue.agents, seats.length, catalogue.default)}</select></label>
    <p class="choices"><button class="button" value="">Cancel</button><button class="button main" value="yes">Give the seat</button></p></form>`;
}

const ENDS = {
  complete: "All fireworks are complete",
  "gave up": "An agent gave up",
  "out of cards": "The deck has run out",
  "out of lives": "The last life is lost",
};

/** What not every game needs. */
const further = () => import("./further.js");

/** How the game ended, or the turn that is looked at since. @param {Ui} ui */
export function ending(ui) {
  const { state, to } = ui;
  const { over, welcome, again, look } = state;
  if (!over) return nothing;
  const onward = again
    ? button("To the next game", () => to.follow(), "main")
    : welcome.host && button(welcome.line ? "Try again" : welcome.kind === "watch" ? "Watch again" : "Play again", () => to.ask({ type: "again" }), "main");
  const hasWhy = hasReasons(state, shown(state).last);
  return html`<section class="ending" aria-label="The end">
    ${state.toast ? toasted(ui) : state.wire !== "open" ? lost(state.wire) : look ? pastBar(ui) : result(over, ui)}
    <div class="choices">${onward || html`<small>The host can deal again.</small>`}<a class="button ${onward ? "" : "main"}" href="/g/${over.game}#0">Review</a>
      ${hasWhy ? button("Why?", () => to.why(), "", { title: "Why was the last move made? (y)" }) : nothing}${saveMenu(over.game, over.link && (() => to.copy(over.link, "The link is copied.")))}</div></section>`;
}

function result({ score, points, max_score: most, undos, status, turns, perfect }, ui) {
  const { welcome } = ui.state;
  const ray = (k) =>
    svg`<path class=${k % 2 ? "b" : "o"} d="M0-7V-${Math.round(11 + ((k % 2 ? 6 : 11) * score) / most)}" transform="rotate(${30 * k})"/>`;
  const how = ENDS[status] ?? capital(status);
  return html`<div class="result"><svg class="mark burst" viewBox="-24 -24 48 48" aria-hidden="true">${Array.from({ length: 12 }, (_, k) => ray(k))}</svg>
    <div><h2><b>${score}</b> of ${most}${perfect ? ": perfect!" : ""}</h2>
      <p class="hush">${how} after ${count(turns, "turn")}${score === points ? "" : `, with ${count(points, "point")} made`}${
        undos ? `, ${count(undos, "move")} taken back` : ""
      }. ${
        welcome.line || (welcome.seat === null && welcome.kind === "play")
          ? nothing
          : html`<button class="link" @click=${() => further().then(({ sameDeal }) => sameDeal(ui))}>How did others do on this deal?</button>`
      }</p></div></div>`;
}

/** A game as a file or a link, behind one button. @param {string} game @param {(() => void)|null} copy  puts a link on the clipboard */
export function saveMenu(game, copy) {
  const file = (as, name, words) => button(words, ({ currentTarget: to }) => further().then(({ download }) => download(to, game, as, `tamaya-${game}.${name}`)), "quiet");
  return html`<details class="menu"><summary class="button">Save</summary><div>${file("json", "json", "JSON file")}${file(
    "text",
    "txt",
    "Text file",
  )}${copy ? button("hanab.live link", copy, "quiet") : nothing}</div></details>`;
}
