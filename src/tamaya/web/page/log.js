/** Time: the moves so far, newest on top, and the ways to go back to any of them. */

import { button, moveSign, tool } from "./card.js";
import { shown } from "./state.js";
import { html } from "./lit.js";
import { eventWords } from "./words.js";

/** @param {Ui} ui */
export const log = (ui) => html`<section class="log" aria-label="Log">${timeBar(ui)}${moveList(ui)}</section>`;

/** The ways through time; `more` turns may be beyond the last that is known. @param {Ui} ui */
export function timeBar({ state, to }, more = 0) {
  const [{ turn: at }, { turn: now }] = [shown(state), state.view];
  return html`<div class="time" role="group" aria-label="Turns">
    ${jump(to, "first", "To the deal (Home)", 0, at === 0)}${jump(to, "back", "One turn back (left arrow)", at - 1, at === 0)}
    <input type="range" min="0" max=${now} .value=${String(at)} aria-label="Turn" aria-valuetext="${at} of ${now}"
      @input=${(event) => to.look(Number(event.target.value))}>
    ${jump(to, "next", "One turn on (right arrow)", at + 1, at >= now + more)}${jump(to, "last", "To the last turn (End)", now, at >= now)}</div>`;
}

/**
 * The moves, newest on top. A line leads to the position after its move, or before it, where the choice was.
 * @param {Ui} ui
 * @param {{isBefore?: boolean, mark?: (turn: number) => unknown, last?: number}} [look]
 */
export function moveList(ui, { isBefore = false, mark = () => "", last = Infinity } = {}) {
  const { state, to } = ui;
  const at = shown(state).turn;
  const line = (
    turn,
    leads,
    sign,
    words,
    look = "",
  ) => html`<li class=${look}><button aria-current=${leads === at} @click=${() => {
    to.put({ isOpen: false }); // a drawer would cover what was asked for
    to.look(leads);
  }}>
    <small>${turn}</small><span class="sign-place">${sign}</span><span>${words}</span></button></li>`;
  return html`<ol reversed class="moves">${state.view.past
    .slice(0, last)
    .reverse()
    .map((move) =>
      line(
        move.turn + 1,
        move.turn + (isBefore ? 0 : 1),
        moveSign(move),
        html`${eventWords(ui, move)} ${mark(move.turn)}`,
        move.scored === false ? "failed" : "",
      ),
    )}
    ${isBefore ? "" : line(0, 0, "", "The cards are dealt")}</ol>`;
}

const jump = (to, sign, words, turn, isOff) => tool(sign, words, () => to.look(turn), { isOff });

/** Says that the past is on the screen, and leads back. @param {Ui} ui */
export const pastBar = ({ state: { look, view }, to }) =>
  html`<div class="notice past" role="group" aria-label="Looking back">
  ${jump(to, "back", "One turn back", look.turn - 1, look.turn === 0)}<span>after turn <b>${look.turn}</b> of ${view.turn}</span>
  ${jump(to, "next", "One turn on", look.turn + 1, false)}${button(
    view.phase === "over" ? "To the end" : "Back to now",
    () => to.look(view.turn),
    "main",
  )}</div>`;

/** Words that lead to a turn. @param {Ui} ui @param {number} turn @param {string} words */
export const turnLink = ({ to }, turn, words) => html`<button class="link" @click=${() => to.look(turn)}>${words}</button>`;
