/** The move of a turn: what it was worth, what else could have been done, and what agents would do. */

import { button, MOVE_LETTERS, moveSign } from "./card.js";
import { figures, markSign } from "./graph.js";
import { inspector } from "./hand.js";
import { reasons } from "./panel.js";
import { question, startQuiz } from "./quiz.js";
import { hintArrows, nameOf } from "./state.js";
import { asking, caution, figure, isQuizzed, isWorking, LOSSES, moveAt, ordersOf, turnNow, valueAt } from "./study.js";
import { html, svg } from "./lit.js";
import { count, eventWords, moveWords, sentence } from "./words.js";

/** @param {Reviewer} ui */
export function turn(ui) {
  const { state } = ui;
  const at = turnNow(state);
  const made = moveAt(state, at);
  const value = valueAt(state, at);
  const card = state.picked < 0 ? "" : html`<section class="about-card">${inspector(ui)}</section>`;
  if (!made) return html`${state.look.mover === null ? ended(ui) : unseen(ui)}${card}`;
  if (isQuizzed(state) && value) return html`${question(ui, made, value)}${card}`;
  return html`<section class="verdict"><p class="made">${moveSign(made)} <b>${eventWords(ui, made)}</b> ${markSign(value?.mark ?? "")}</p>
      ${value ? answer(ui, made, value) : waits(ui)}</section>
    ${state.waits || state.reasons ? html`<section class="reasons-of" tabindex="-1">${reasons(ui)}</section>` : ""}
    ${card}${value ? html`${alternatives(ui, made, value)}${agents(ui, made)}` : ""}`;
}

const ended = (ui) => {
  const { score, max_score: most, status } = ui.state.look;
  return html`<p>The game is over: <b>${score} of ${most}</b>, ${status}.</p>${openHands(ui)}`;
};

/** Up to which turn a lost game could be won with open hands. @param {Reviewer} ui */
export function openHands(ui) {
  const { lost } = ui.state;
  if (!lost) return "";
  const name = `turn ${lost.turn + 1}`;
  const [before, after] = sentence(lost.words).split(name);
  return html`<p>${before}${after && html`<button class="link" @click=${() => ui.look(lost.turn)}>${name}</button>${after}`}</p>`;
}

/** Nobody is told what they do not want to know. */
const unseen = (ui) =>
  ui.state.isSafe && ui.mayGoOn
    ? html`<p><b>What would you do as ${nameOf(ui.state, ui.state.look.mover)}?</b> Their hand is hidden, as it was for them; press the eye to show it.
        The move that was made, and its value, are shown when you ask.</p>
      <p class="row">${button("Show the move", () => ui.reveal(), "main")}${button("Show the whole game", () => ui.setSafe(false), "quiet")}</p>`
    : html`<p class="hush">Nobody moved here.</p>`;

const waits = ({ state }) =>
  html`<p class="hush ${isWorking(state) ? "busy" : ""}">${
    isWorking(state)
      ? state.waiting
        ? `${count(state.waiting, "analysis").replace("analysiss", "analyses")} before this one…`
        : "Imagining deals…"
      : "Not analysed."
  }</p>`;

const words = (ui, move, seat) => moveWords(ui, move, seat, ordersOf(ui.state.look));

/** What the move cost, and what more can be asked. */
function answer(ui, made, value) {
  const { state } = ui;
  const { mark, loss, loss_se: se, deals, best } = value;
  const better = html`${sign(ui, best, made.seat)} <b>${words(ui, best, made.seat)}</b>`;
  const guess = state.quiz?.turn === value.turn ? state.quiz.move : null;
  const risk = state.look.risks[made.move];
  const found = guess && value.moves.find(({ move }) => move === guess);
  const said = {
    "": value.sure > 0 ? html`Nothing was better by enough to mark.` : html`Nothing was surely better.`,
    "…": html`Too close to tell on ${deals} deals: perhaps ${better}, by ${figure(loss, se, true)}.`,
    "□": html`The only legal move.`,
  }[mark] ?? html`${nameOf(state, made.seat)}’s move lost <b>${figure(loss, se)}</b> points. Better: ${better}.`;
  return html`${found ? html`<p id="quiz" tabindex="-1">You chose <b>${words(ui, guess, made.seat)}</b>: ${
      guess === best || found.gain > loss - 2 * found.gain_se ? "about as good as the best." : found.gain > 2 * found.gain_se ? "better than the move made, not the best." : "no better than the move made."
    } ${figure(found.gain, found.gain_se, true)}</p>` : ""}
    <p>${said}</p>${LOSSES.includes(mark) && caution(state) ? html`<p class="hush">${sentence(caution(state))}</p>` : ""}${risk ? html`<p>${sentence(risk.replace("you know", `${nameOf(state, made.seat)} could know`))}</p>` : ""}
    <p class="row">${state.quiz?.turn === value.turn ? button("Next one", () => startQuiz(ui, value.turn), "main") : ""}
      ${state.reviewing.may_analyse && mark !== "□" && deals < 8000 ? button("More deals", () => ui.ask({ type: "more", turn: value.turn }), "quiet", {
        title: "Imagine up to 8,000 deals at this turn",
      }) : ""}
      ${state.seats[made.seat].kind === "agent" ? button("Why?", () => ui.why(), "quiet", { title: `Ask ${nameOf(state, made.seat)} (y)` }) : ""}</p>`;
}

const NOT_POINTED = { lit: -1, arrows: null };

/** The cards of a move light up on the table while the pointer is on its words. */
function pointed({ state }, move, seat) {
  const { hands } = state.look;
  if (move[0] !== "h") return { lit: hands[seat][Number(move[1])]?.order ?? -1, arrows: null };
  const hand = hands[(seat + Number(move[1])) % hands.length];
  const colour = MOVE_LETTERS.indexOf(move[2]);
  const arrows = colour < 0 ? hintArrows(hand, "rank", Number(move[2]) - 1) : hintArrows(hand, "colour", colour);
  return { lit: -1, arrows: hand.some(({ card }) => card === null) ? null : arrows };
}

/** A move as its card, as far as it is seen, or as what it tells. */
function sign({ state }, move, seat) {
  const { card } = state.look.hands[seat][Number(move[1])] ?? {};
  const colour = MOVE_LETTERS.indexOf(move[2]);
  if (move[0] === "h") return moveSign(/** @type {any} */ ({ kind: colour < 0 ? "rank" : "colour", value: colour < 0 ? Number(move[2]) - 1 : colour, newly: [0] }));
  return card == null ? "" : moveSign(/** @type {any} */ ({ card }));
}

/** All legal moves with their values; the same scale for all. */
function alternatives(ui, made, { moves, best, deals }) {
  const [low, high] = [Math.min(...moves.map(({ mean, se }) => mean - 2 * se)), Math.max(...moves.map(({ mean, se }) => mean + 2 * se))];
  const x = (score) => (100 * (score - low)) / Math.max(0.5, high - low);
  const row = ({ move, mean, se, gain, gain_se: error }) => {
    const isMade = move === made.move;
    return html`<tr @mouseenter=${() => ui.put(pointed(ui, move, made.seat))} @mouseleave=${() => ui.put(NOT_POINTED)} class="${isMade ? "is-made" : ""} ${move === best ? "is-best" : ""}"><th scope="row"><span class="sign-place">${sign(ui, move, made.seat)}</span> ${words(ui, move, made.seat)}${
      isMade ? html` <small>made</small>` : move === best && moves.length > 1 ? html` <small>best</small>` : ""
    }<svg class="whisker" viewBox="-2 0 104 6" preserveAspectRatio="none" aria-hidden="true">${svg`<path d="M0 3H100"/><path class="range" d="M${x(
      mean - 2 * se,
    )} 3H${x(mean + 2 * se)}"/><path class="mean" d="M${x(mean)} 0V6"/>`}</svg></th>
      <td>${figure(mean, se)}</td><td>${isMade ? html`<span aria-hidden="true">–</span><span class="unseen">this was made</span>` : figure(gain, error, true)}</td></tr>`;
  };
  const { blueprints } = ui.state.reviewing;
  return html`<section>${figures(`All legal moves on ${deals} imagined deals, ${blueprints.find(({ text }) => text === ui.state.blueprint)?.meaning ?? ""}`,
    ["Move", "Expected", "Gain"], moves.map(row))}</section>`;
}

/** Moves of agents, the most frequent first, and who would make each. */
function agents(ui, made) {
  const { state } = ui;
  if (!state.reviewing.may_analyse) return "";
  const all = state.choices.get(made.turn);
  if (!all) return html`<section><h2>What agents would do</h2><p>${button("Ask the agents", () => ui.askAgents(), "", {
    title: "Each quick agent sits down here with what this seat has seen",
  })}</p></section>`;
  const told = all.filter(({ agent, move }) => agent && move);
  const moves = [...new Set(told.map(({ move }) => move))].map((move) => told.filter((choice) => choice.move === move));
  moves.sort((a, b) => b.length - a.length);
  return html`<section class="agents-here"><h2>What agents would do</h2>
    ${all.some(({ agent }) => !agent) ? html`<p class="hush">${count(moves.length, "different move")} of ${count(told.length, "agent")}</p>`
      : html`<p class="hush busy">${asking(state)} ${told.length} of ${state.reviewing.agents.length}</p>`}
    <ul>${moves.map((some) => html`<li class=${some[0].same ? "is-made" : ""}>${sign(ui, some[0].move, made.seat)} <b>${words(ui, some[0].move, made.seat)}</b>${some[0].same ? html` <small>made</small>` : ""}
      <span>${some.map(({ agent, code }) => html`<button class="link" title="Why? ${code ? "It speaks a code: these hints mean something else to it" : ""}"
        @click=${() => ui.why(agent)}>${agent}${code ? "*" : ""}</button> `)}</span></li>`)}</ul>
    ${told.some(({ code }) => code) ? html`<p class="hush">* speaks a code: hints of others mean something else to it</p>` : ""}</section>`;
}
