/** What is told beside the board of a review, in tabs. */

import { discards } from "./board.js";
import { button } from "./card.js";
import { markSign } from "./graph.js";
import { inspector } from "./hand.js";
import { beliefs } from "./heat.js";
import { moveList } from "./log.js";
import { notes } from "./notes.js";
import { summary } from "./summary.js";
import { isQuizzed, turnNow, valueAt } from "./study.js";
import { turn } from "./turn.js";
import { html } from "./lit.js";

/** While a better move is to be found, only those that led there. @param {Reviewer} ui */
function moves(ui) {
  const { state } = ui;
  const mark = (at) => markSign(valueAt(state, at)?.mark ?? "");
  return html`${moveList(ui, { isBefore: true, mark, last: isQuizzed(state) ? turnNow(state) : Infinity })}<h2>Discards</h2>${discards(ui)}${state.picked < 0 ? "" : inspector(ui)}`;
}

/** What could name the answer waits for it. */
const after = (tab) => (ui) =>
  isQuizzed(ui.state)
    ? html`<p>This could give the answer away. It comes back when you have chosen a move.</p>
      <p>${button("To the question", () => ui.put({ tab: "turn" }))}</p>`
    : tab(ui);

/** @type {Record<string, (ui: any) => unknown>} */
export const TABS = { turn, moves, beliefs, notes: after(notes), game: after(summary) };
