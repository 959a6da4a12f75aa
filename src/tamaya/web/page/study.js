/**
 * What the review of a game knows besides the table: a pure function from frames to the next state, and
 * questions about it. A value belongs to the move that was made at its turn, after so many moves.
 */

import { INITIAL, reduce } from "./state.js";
import { eventWords } from "./words.js";

/** What marks mean, the worst first; the last two are no losses. */
export const MARKS = {
  "??": "blunder",
  "?": "mistake",
  "?!": "inaccuracy",
  "…": "open: too close to tell yet",
  "□": "the only legal move",
};
export const LOSSES = ["??", "?", "?!"];

export const NO_QUIZ = { quiz: null, isPeeking: false };
/** Nothing is known of the game. */
export const UNKNOWN = {
  ...NO_QUIZ,
  turns: null,
  values: new Map(),
  valued: -1,
  players: null,
  lost: null,
  choices: new Map(),
  disagreements: null,
  beliefs: null,
  notes: [],
  noted: new Set(),
};

/** @type {StudyState} */
export const START = {
  ...INITIAL,
  ...UNKNOWN,
  tab: /** @type {any} */ ("turn"),
  reviewing: null,
  isSafe: false,
  isPeeking: false,
  furthest: 0,
  through: null,
  blueprint: "",
  job: null,
  waiting: 0,
  progress: null,
  failure: "",
  isAsking: false,
  believer: "",
  holder: null,
};

/** @param {StudyState} state @param {any} frame @returns {StudyState} */
export function study(state, frame) {
  if (state.compiling && !["compiling", "progress", "set"].includes(frame.type)) state = { ...state, compiling: null };
  switch (frame.type) {
    case "reviewing":
      return { ...state, ...opened(frame), blueprint: state.blueprint || frame.blueprint, ...noted(frame.notes) };
    case "analysing":
      return { ...state, job: frame.job, waiting: frame.waiting, progress: null, players: null, failure: "" };
    case "value":
      return frame.job === state.job ? { ...state, values: new Map(state.values).set(frame.turn, frame), waiting: 0 } : state;
    case "progress":
    case "lost":
      return frame.job === state.job ? { ...state, [frame.type]: frame } : state;
    case "done":
      return frame.job === state.job ? { ...state, players: frame.players, waiting: 0 } : state;
    case "cancelled":
      return { ...state, job: null, waiting: 0 };
    case "choice":
      return { ...state, choices: new Map(state.choices).set(frame.turn, [...(state.choices.get(frame.turn) ?? []), frame]) };
    case "disagreement":
      return { ...state, disagreements: [...(state.disagreements ?? []), frame] };
    case "beliefs":
      return { ...state, beliefs: frame };
    case "notes":
      return { ...state, ...noted(frame.notes) };
    case "error":
      return "job" in frame ? { ...state, failure: frame.text, job: null } : state;
    default:
      return /** @type {StudyState} */ (reduce(state, frame));
  }
}

/** The game takes the place of a table that nobody sits at. @param {Reviewing} frame */
const opened = (frame) => ({
  reviewing: frame,
  seats: frame.seats,
  turns: frame.turns,
  welcome: /** @type {any} */ ({ kind: "review", seat: null, host: false, rules: frame.rules, options: {}, adviser: "" }),
});

/** @param {GameNote[]} notes */
const noted = (notes) => ({ notes, noted: new Set(notes.map(({ order }) => order)) });

/** @param {StudyState} state */
export const turnNow = (state) => state.look?.turn ?? 0;
/** The move that was made at a turn, if it may be known. @param {StudyState} state */
export const moveAt = (state, turn) => state.view?.past[turn] ?? null;
/** The value of the move made at a turn, if it may be known. @param {StudyState} state @returns {TurnValue|undefined} */
export const valueAt = (state, turn) => (moveAt(state, turn) ? state.values.get(turn) : undefined);
/** Turns whose move surely lost something, in their order. @param {StudyState} state */
export const losses = (state) =>
  [...state.values.values()]
    .filter(({ mark, turn }) => LOSSES.includes(mark) && moveAt(state, turn))
    .sort((a, b) => a.turn - b.turn);
/** The same, the worst first. @param {StudyState} state */
export const worst = (state) => losses(state).sort((a, b) => b.sure - a.sure);
/** Whether the answer is still to be found at the turn on the screen. @param {StudyState} state */
export const isQuizzed = ({ quiz, look }) => Boolean(quiz && quiz.turn === look?.turn && !quiz.isOver);
/** Whether who fears spoilers is still to see the move of the turn on the screen. @param {StudyState} state */
export const isUnseen = (state) => Boolean(state.isSafe && state.look?.mover != null && !moveAt(state, turnNow(state)));
/** What is said of the turn on the screen. @param {Eyes & {state: StudyState}} ui */
export function turnWords(ui) {
  const { turn, last } = ui.state.look;
  const mark = isQuizzed(ui.state) ? "" : valueAt(ui.state, turn)?.mark;
  return `Turn ${turn + 1}${last ? `, after ${eventWords(ui, last)}` : ""}${mark ? `, ${MARKS[mark]}` : ""}`;
}

/** What to bear in mind about marks by the blueprint. @param {StudyState} state */
export const caution = ({ reviewing, blueprint }) => reviewing.blueprints.find(({ text }) => text === blueprint)?.warning ?? "";

/** What is waited for while agents are asked. @param {StudyState} state */
export const asking = ({ compiling }) => (compiling ? `Preparing ${compiling.agent}…` : "Asking…");
/** Whether all that was asked for is there. @param {StudyState} state */
export const isWorking = ({ job, players, failure }) => job !== null && !players && !failure;
/** The orders in all hands on the screen. @param {View} view */
export const ordersOf = (view) => view.hands.map((hand) => hand.map(({ order }) => order));

/** A figure with its error, to as many digits as a small one needs. @param {number} mean @param {number} se */
export function figure(mean, se, sign = false) {
  const digits = se > 0 && se < 0.1 ? 2 : 1;
  const text = mean.toFixed(digits).replace(/^-(0\.0+)$/, "$1");
  return `${sign && Number(text) > 0 ? "+" : ""}${text.replace("-", "−")} ± ${se.toFixed(digits)}`;
}
