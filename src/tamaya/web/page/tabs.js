/** What is told beside the board of a review, in tabs. */

import { discards } from "./board.js";
import { markSign } from "./graph.js";
import { inspector } from "./hand.js";
import { beliefs } from "./heat.js";
import { moveList } from "./log.js";
import { notes } from "./notes.js";
import { summary } from "./summary.js";
import { isQuizzed, valueAt } from "./study.js";
import { turn } from "./turn.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @param {Reviewer} ui */
function moves(ui) {
  const { state } = ui;
  const mark = (at) => (isQuizzed(state) && at === state.quiz.turn ? nothing : markSign(valueAt(state, at)?.mark ?? ""));
  return html`${moveList(ui, { isBefore: true, mark })}<h2>Discards</h2>${discards(ui)}${state.picked < 0 ? nothing : inspector(ui)}`;
}

/** @type {Record<string, (ui: any) => unknown>} */
export const TABS = { turn, moves, beliefs, notes, game: summary };
