/** After a game: how it ended, and what can be done with it. */

import { lost, toasted } from "./actions.js";
import { button } from "./card.js";
import { pastBar } from "./log.js";
import { hasReasons, shown } from "./state.js";
import { html, svg } from "./lit.js";
import { capital, count } from "./words.js";

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
  if (!over) return "";
  const onward = again
    ? button("To the next game", () => to.follow(), "main")
    : welcome.host && button(welcome.line ? "Try again" : welcome.kind === "watch" ? "Watch again" : "Play again", () => to.ask({ type: "again" }), "main");
  const hasWhy = hasReasons(state, shown(state).last);
  return html`<section class="ending" aria-label="The end">
    ${state.toast ? toasted(ui) : state.wire !== "open" ? lost(state.wire) : look ? pastBar(ui) : result(over, ui)}
    <div class="choices">${onward || html`<small>The host can deal again.</small>`}<a class="button ${onward ? "" : "main"}" href="/g/${over.game}#0">Review</a>
      ${hasWhy ? button("Why?", () => to.why(), "", { title: "Why was the last move made? (y)" }) : ""}${saveMenu(over.game, over.link && (() => to.copy(over.link, "The link is copied.")))}</div></section>`;
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
          ? ""
          : html`<button class="link" @click=${() => further().then(({ sameDeal }) => sameDeal(ui))}>How did others do on this deal?</button>`
      }</p></div></div>`;
}

/** A game as a file or a link, behind one button. @param {string} game @param {(() => void)|null} copy  puts a link on the clipboard */
export function saveMenu(game, copy) {
  const file = (as, name, words) => button(words, ({ currentTarget: to }) => further().then(({ download }) => download(to, game, as, `tamaya-${game}.${name}`)), "quiet");
  return html`<button class="button" popovertarget="save">Save</button><div id="save" class="menu" popover>${file("json", "json", "JSON file")}
    ${file("text", "txt", "Text file")}${copy ? button("hanab.live link", copy, "quiet") : ""}</div>`;
}
