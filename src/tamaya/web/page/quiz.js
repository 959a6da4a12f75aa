/** Mistakes: the way from one to the next, and *find the better move*, which hides the answer. */

import { button, glyph, letterGlyph, MOVE_LETTERS, roles } from "./card.js";
import { nameOf } from "./state.js";
import { losses, NO_QUIZ, ordersOf, turnNow, worst } from "./study.js";
import { html } from "./lit.js";
import { capital, moveWords, sentence } from "./words.js";

/** To the next move that lost something, or to the one before. @param {Reviewer} ui @param {1|-1} way */
export async function nextLoss(ui, way) {
  const now = turnNow(ui.state);
  const all = losses(ui.state).map(({ turn }) => turn);
  const turn = way > 0 ? all.find((at) => at > now) : all.findLast((at) => at < now);
  if (turn === undefined) return ui.toast(all.length ? `No ${way > 0 ? "later" : "earlier"} mistake.` : "No mistake is known yet.");
  await ui.look(turn);
  ui.put({ tab: "turn" });
}

/**
 * Hides the answer at the mistake on the screen, or at the worst one, or at the next after another. Who moves there
 * sees no own card.
 * @param {Reviewer} ui @param {number} [after]  turn of the one before
 */
export function startQuiz(ui, after = -1) {
  const all = worst(ui.state);
  const { quiz } = ui.state;
  if (after < 0 && quiz?.isOver && quiz.turn === turnNow(ui.state)) after = quiz.turn; // answered: the next one
  const at = (turn) => all.findIndex((value) => value.turn === turn);
  const found = after < 0 ? (all[at(turnNow(ui.state))] ?? all[0]) : all[(at(after) + 1) % all.length];
  if (!found) return ui.toast("No mistake is known yet.");
  ui.put({ ...NO_QUIZ, quiz: { turn: found.turn, move: null, isOver: false }, tab: "turn" });
  ui.look(found.turn);
  ui.focus("#quiz");
}

/** @param {Reviewer} ui @param {string|null} move  null gives up */
function guess(ui, move) {
  ui.put({ quiz: { ...ui.state.quiz, move, isOver: true } });
  ui.focus("#quiz");
}

/** @param {Reviewer} ui */
function leave(ui) {
  ui.put(NO_QUIZ);
  ui.focus("#tab");
}

const PAST = { play: "played", discard: "discarded", tell: "told", give: "gave" };

const ORDER = "pdhxRYGWB012345"; // of moves by their letters, as the table has them
const kindOf = (move) => move.slice(0, move[0] === "h" ? 2 : 1);

/** All that could be done, by kind and in no order that tells. @param {Reviewer} ui @param {Move} made @param {TurnValue} value */
export function question(ui, made, { moves }) {
  const { state } = ui;
  const words = (move) => moveWords(ui, move, made.seat, ordersOf(state.look));
  const name = nameOf(state, made.seat);
  const done = words(made.move).replace(/^\w+/, (verb) => PAST[verb]); // not which card it was: the mover did not see it
  const place = (move) => [...move].map((letter) => ORDER.indexOf(letter).toString(16)).join("");
  const others = moves.map(({ move }) => move).filter((move) => move !== made.move).sort((a, b) => (place(a) < place(b) ? -1 : 1));
  const chip = (move) => {
    const colour = move[0] === "h" ? MOVE_LETTERS.indexOf(move[2]) : -1;
    const inside = colour < 0 ? words(move).split(" ").at(-1) : html`${glyph(colour)}${letterGlyph(colour)}`;
    return button(inside, () => guess(ui, move), `chip ${colour < 0 ? "" : roles(colour)}`, { label: capital(words(move)) });
  };
  const row = (kind) => {
    const all = others.filter((move) => kindOf(move) === kind);
    const label = capital(words(all[0]).replace(/( rank)? \S+$/, ""));
    return html`<div role="group" aria-label=${label}><span aria-hidden="true">${label}</span><div>${(kind[0] === "h" ? all : all.reverse()).map(chip)}</div></div>`;
  };
  return html`<section class="quiz"><h2 id="quiz" tabindex="-1">Find the better move</h2>
    <p>${sentence(`${name} ${done}`)} That lost something. What would you do as ${name}?</p>
    ${[...new Set(others.map(kindOf))].map(row)}
    <p class="row">${button("Show me", () => guess(ui, null), "quiet")}${button("Leave", () => leave(ui), "quiet", { title: "Without an answer (Escape)" })}</p></section>`;
}
