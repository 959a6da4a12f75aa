/**
 * What the table screen knows: a pure function from frames, the server's and its own, to the next state.
 * The page knows no rules of Hanabi: a `view` is complete, and what can be done is in its `legal`.
 */

import { colourOf, MOVE_LETTERS } from "./card.js";

/** @type {Aim} */
export const NO_AIM = { target: null, kind: null, value: -1 };
/** Nothing is asked of who sits here. */
export const QUIET = { armed: /** @type {const} */ (""), confirm: "" };

/** @type {TableState} */
export const INITIAL = {
  wire: "connecting",
  gone: null,
  welcome: null,
  seats: [],
  view: null,
  look: null,
  over: null,
  again: null,
  asked: null,
  thinking: null,
  compiling: null,
  reasons: null,
  waits: "",
  picked: -1,
  ...QUIET,
  aim: NO_AIM,
  pending: null,
  eyes: null,
  tab: "discards",
  isOpen: false,
  lit: -1,
  toast: null,
};

/**
 * The state after a frame; the page's own are of the type `set`.
 * @param {TableState} state
 * @param {any} frame
 * @returns {TableState}
 */
export function reduce(state, frame) {
  switch (frame.type) {
    case "set":
      return { ...state, ...frame.values };
    case "state":
      return { ...state, wire: frame.state };
    case "seats":
      return { ...state, seats: frame.seats, thinking: null, compiling: null }; // who still does says so again
    case "view":
      return seen(state, frame);
    case "welcome":
      return { ...state, welcome: frame, compiling: null, thinking: null };
    case "compiling":
      return { ...state, compiling: frame.agent ? frame : null };
    case "asked":
      return { ...state, asked: frame.open ? frame : null, isOpen: state.isOpen && !frame.open };
    case "reasons":
      return { ...state, reasons: frame, waits: "" };
    case "gone":
    case "thinking":
    case "over":
    case "again":
      return { ...state, [frame.type]: frame };
    default:
      return state;
  }
}

/** A view of now makes void what was in the making; one of the past is only looked at. @param {TableState} state @param {View} view */
function seen(state, view) {
  if (view.turn < view.now) return { ...state, look: view };
  const look = state.look && state.look.turn < view.turn ? state.look : null;
  if (state.view?.turn === view.turn && state.view.phase === view.phase) return { ...state, view, look };
  return {
    ...state,
    view,
    look,
    thinking: null,
    compiling: null,
    aim: NO_AIM,
    ...QUIET,
    pending: null,
    picked: findSlot(view, state.picked) ? state.picked : -1,
    reasons: state.reasons?.kind === "advise" ? null : state.reasons,
  };
}

/** The view on the screen. @param {TableState} state */
export const shown = (state) => state.look ?? state.view;
/** The own seat, or null. @param {TableState} state */
export const mySeat = (state) => state.welcome?.seat ?? null;
/** @param {TableState} state @param {number|null} seat */
export const isMe = (state, seat) => seat !== null && seat === mySeat(state);
/** Whether I left my seat, or somebody else plays there. @param {TableState} state */
export const isReplaced = (state) => mySeat(state) !== null && state.seats[mySeat(state)].kind !== "person";
/** The seat that the game waits for in vain: its agent is stuck, or nobody is there. @param {TableState} state */
export const idle = ({ view, seats }) =>
  view.phase === "playing" && view.mover !== null && (seats[view.mover].stuck || !seats[view.mover].present) ? seats[view.mover] : null;
/** Whether a hand that others see is drawn as its holder knows it. @param {Eyes} ui @param {number} seat */
export const isShut = ({ state, shut }, seat) => [shut, state.eyes].includes(seat) || state.eyes === "all";
/** The same of a card. @param {Eyes} ui @param {number} seat @param {Slot} slot */
export const isHidden = (ui, seat, { card }) => card === null || isShut(ui, seat);
/** Whether a move can be made. @param {TableState} state */
export const mayMove = (state) =>
  Boolean(state.view?.legal?.length && !state.look && !state.pending && !isReplaced(state));
/** @param {TableState} state @param {string} move */
export const isLegal = (state, move) => mayMove(state) && state.view.legal.includes(move);
/** @param {TableState} state @param {number} seat */
export const nameOf = (state, seat) => state.seats[seat].name;

/** Whether the reasons of a move are told: an agent's, to who watches or once the game is over. @param {TableState} state @param {Move|null} move */
export const hasReasons = (state, move) =>
  Boolean(move) &&
  state.seats[move.seat].kind === "agent" &&
  (state.view.phase === "over" || state.welcome.line?.open || state.seats.every(({ kind }) => kind === "agent"));

/** The other seats, from the next one on; for who watches, all. @param {TableState} state */
export function others(state) {
  const count = state.seats.length;
  const me = mySeat(state);
  return Array.from({ length: count }, (_, k) => ((me ?? -1) + 1 + k) % count).filter((seat) => seat !== me);
}

/** The seat that a hint goes to: the chosen one, or the only one. @param {TableState} state */
export function target(state) {
  const all = others(state);
  return state.aim.target ?? (all.length === 1 ? all[0] : null);
}

/** The text of a hint, empty if it is not complete. @param {TableState} state @param {Partial<Aim>} [part] */
export function hintText(state, part) {
  const { kind, value, target: to } = { ...state.aim, target: target(state), ...part };
  const count = state.seats.length;
  return to === null || !kind
    ? ""
    : `h${(to - mySeat(state) + count) % count}${kind === "colour" ? MOVE_LETTERS[value] : value + 1}`;
}

/** The arrows on the screen: of a hint that is spoken of or in the making, or of the last move. @param {TableState} state */
export function arrowsOf(state) {
  const view = shown(state);
  const { kind, value } = state.aim;
  if (state.arrows) return state.arrows;
  if (kind && target(state) !== null && mayMove(state)) return hintArrows(view.hands[target(state)], kind, value);
  return view.last?.touched ? view.last : null;
}

/** What a hint would touch in a hand. @param {Slot[]} hand @param {"colour"|"rank"} kind @param {number} value @returns {Arrows} */
export function hintArrows(hand, kind, value) {
  const touched = hand.filter(({ order, card }) => order >= 0 && (kind === "colour" ? colourOf(card) : card % 5) === value);
  return {
    kind,
    value,
    touched: touched.map(({ order }) => order),
    newly: touched.filter(({ told }) => !told[kind]).map(({ order }) => order),
  };
}

/** The seat and slot of a card, by its order. @param {View} view @param {number} order */
export function findSlot(view, order) {
  const seat = order < 0 ? -1 : view.hands.findIndex((hand) => hand.some((slot) => slot.order === order));
  return seat < 0 ? null : { seat, slot: view.hands[seat].find((slot) => slot.order === order) };
}
