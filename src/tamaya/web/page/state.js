/**
 * What the table screen knows: a pure function from frames, the server's and its own, to the next state.
 *
 * The page knows no rules of Hanabi. A `view` is complete; what can be done is in its `legal`.
 *
 * @typedef {{slot: number, order: number, card: number|null, told: {colour: boolean, rank: boolean},
 *   hints: number, sight: number, empathy: number, marks: string[], drawn: number, touched: number[],
 *   label: string}} Slot  empty ones have the order -1 and nothing else
 * @typedef {{turn: number, seat: number, kind: "play"|"discard"|"colour"|"rank", move: string, words: string,
 *   slot?: number, card?: number, order?: number, scored?: boolean, token?: boolean, blind?: boolean,
 *   target?: number, value?: number, touched?: number[], newly?: number[]}} Event
 * @typedef {{turn: number, now: number, phase: "waiting"|"playing"|"over", mover: number|null,
 *   seat: number|null, tokens: number, max_tokens: number, lives: number, max_lives: number, deck: number,
 *   turns_left: number|null, firework: number[], reach: number[], points: number, score: number,
 *   max_score: number, pace: number|null, efficiency: {now: number|null, required: number|null},
 *   discarded: {card: number, order: number, turn: number, failed: boolean}[],
 *   played: {card: number, order: number, turn: number}[], hands: Slot[][], last: Event|null,
 *   past: Event[], legal: string[]|null, risks: Record<string, string>, status: string, said: string,
 *   call: string}} View
 * @typedef {{seat: number, kind: "person"|"agent"|"open", name: string, agent: string, label: string,
 *   version: string, present: boolean, tabs: number, away: number, stuck: string|null}} Seat
 * @typedef {{text: string} | {slot: number, seat: number} | {card: number} | {move: string, text: string}} Part
 * @typedef {{kind: "advise"|"why", turn: number, seat: number, agent: string, move: string|null, words: string,
 *   rows: {parts: Part[], value: Part[]}[]}} Reasons
 * @typedef {{target: number|null, kind: "colour"|"rank"|null, value: number}} Aim  a hint in the making
 * @typedef {"log"|"card"|"why"|"discards"} Tab
 *
 * @typedef {object} State
 * @property {"connecting"|"open"|"offline"} wire
 * @property {number} gone  code with which the server refused the table for good, or 0
 * @property {any} welcome
 * @property {Seat[]} seats
 * @property {View|null} view  of now
 * @property {View|null} look  of the turn that is looked at, if that is not now
 * @property {any} over
 * @property {{by: number, turn: number, agreed: number[], open: boolean}|null} asked
 * @property {{seat: number, seconds: number, done: number|null, of: number|null}|null} thinking
 * @property {{agent: string, kernel: string, done: number, of: number}|null} compiling
 * @property {Reasons|null} reasons
 * @property {"advise"|"why"|""} waits  for such reasons
 * @property {number} picked  order of the chosen card, or -1
 * @property {"p"|"d"|""} armed  to play or to discard the card that is chosen next
 * @property {Aim} aim
 * @property {{move: string, words: string}|null} confirm
 * @property {{move: string, turn: number, seconds: number}|null} pending  move on its way
 * @property {number|"all"|null} eyes  seat whose hand is shown as its holder sees it
 * @property {Tab} tab
 * @property {boolean} isOpen  whether the drawer is, on small screens
 * @property {{seat: number, slot: number}|null} lit  slot that a reason speaks of
 * @property {{text: string, isBad: boolean, at: number}|null} toast
 */

import { colourOf, LETTERS, rankOf } from "./card.js";

/** @type {Aim} */
const NO_AIM = Object.freeze({ target: null, kind: null, value: -1 });

/** @returns {State} */
export function initial() {
  return {
    wire: "connecting", gone: 0, welcome: null, seats: [], view: null, look: null, over: null, asked: null,
    thinking: null, compiling: null, reasons: null, waits: "", picked: -1, armed: "", aim: NO_AIM, confirm: null,
    pending: null, eyes: null, tab: "log", isOpen: false, lit: null, toast: null,
  };
}

/**
 * The state after a frame. Frames of the page itself are of the type `set`.
 * @param {State} state
 * @param {{type: string, [field: string]: any}} frame
 * @returns {State}
 */
export function reduce(state, frame) {
  switch (frame.type) {
    case "set": return { ...state, ...frame.values };
    case "state": return { ...state, wire: frame.state };
    case "gone": return { ...state, gone: frame.code };
    case "welcome": return { ...state, welcome: frame, compiling: null, thinking: null };
    case "seats": return { ...state, seats: frame.seats };
    case "view": return seen(state, /** @type {View & {type: string}} */ (frame));
    case "thinking": return { ...state, thinking: /** @type {any} */ (frame), compiling: null };
    case "compiling": return { ...state, compiling: frame.agent ? /** @type {any} */ (frame) : null };
    case "asked": return { ...state, asked: frame.open ? /** @type {any} */ (frame) : null };
    case "reasons": return { ...state, reasons: /** @type {any} */ (frame), waits: "" };
    case "over": return { ...state, over: frame };
    default: return state;
  }
}

/**
 * A view of now makes everything that was in the making void; one of the past is only looked at.
 * @param {State} state
 * @param {View} view
 * @returns {State}
 */
function seen(state, view) {
  if (view.turn < view.now) return { ...state, look: view };
  const isSame = state.view?.turn === view.turn && state.view.phase === view.phase;
  const look = state.look && state.look.turn < view.turn ? state.look : null;
  if (isSame) return { ...state, view, look };
  const orders = view.hands.flat().map((slot) => slot.order);
  return {
    ...state, view, look, thinking: null, asked: null, armed: "", confirm: null, aim: NO_AIM, pending: null,
    over: view.phase === "over" ? state.over : null,
    picked: orders.includes(state.picked) ? state.picked : -1,
    reasons: state.reasons?.kind === "advise" ? null : state.reasons,
  };
}

/** The view on the screen. @param {State} state */
export const shown = (state) => state.look ?? state.view;

/** The own seat, or null. @param {State} state @returns {number|null} */
export const mySeat = (state) => state.welcome?.seat ?? null;

/** Whether a move can be made. @param {State} state */
export const mayMove = (state) =>
  Boolean(state.view?.legal?.length && !state.look && !state.pending && state.wire !== "connecting");

/** Whether a move is legal now. @param {State} state @param {string} move */
export const isLegal = (state, move) => mayMove(state) && Boolean(state.view?.legal?.includes(move));

/** @param {State} state @param {number|null} seat */
export const isMe = (state, seat) => seat !== null && seat === mySeat(state);

/** Name of a seat, for sentences. @param {State} state @param {number} seat */
export const nameOf = (state, seat) => state.seats[seat]?.name || `Seat ${seat + 1}`;

/** The seats in the order of the table, from the next one on; the own seat, if any, is last. @param {State} state */
export function seatsAround(state) {
  const count = state.view?.hands.length ?? 0;
  const first = (mySeat(state) ?? -1) + 1;
  return Array.from({ length: count }, (_, k) => (first + k) % count);
}

/** The text of a hint. @param {State} state @param {Aim} aim */
export function hintText(state, { target, kind, value }) {
  const count = state.view?.hands.length ?? 0;
  const me = mySeat(state);
  if (target === null || kind === null || me === null) return "";
  return `h${(target - me + count) % count}${kind === "colour" ? LETTERS[value] : value + 1}`;
}

/** Where a hint would go that names no seat: the chosen one, or the only one. @param {State} state */
export function aimedAt(state) {
  const others = seatsAround(state).filter((seat) => !isMe(state, seat));
  return state.aim.target ?? (others.length === 1 ? others[0] : null);
}

/**
 * The arrows of a hint: the last move, or the one in the making.
 * @param {State} state
 * @returns {{from: number, target: number, kind: "colour"|"rank", value: number, touched: number[],
 *   newly: number[], isPreview: boolean}|null}
 */
export function arrowsOf(state) {
  const view = shown(state);
  const { kind, value } = state.aim;
  const target = aimedAt(state);
  const me = mySeat(state);
  if (kind && target !== null && me !== null && mayMove(state) && view) {
    const part = kind === "colour" ? colourOf : rankOf;
    const touched = view.hands[target].filter((slot) => slot.order >= 0 && slot.card !== null && part(slot.card) === value);
    const newly = touched.filter((slot) => !slot.told[kind]).map((slot) => slot.order);
    return { from: me, target, kind, value, touched: touched.map((slot) => slot.order), newly, isPreview: true };
  }
  const last = view?.last;
  if (!last || last.target === undefined || last.target === null) return null;
  return {
    from: last.seat, target: last.target, kind: /** @type {"colour"|"rank"} */ (last.kind), value: last.value ?? 0,
    touched: last.touched ?? [], newly: last.newly ?? [], isPreview: false,
  };
}

/** The slot of a card in the view, by its order. @param {View} view @param {number} order */
export function findSlot(view, order) {
  for (const [seat, hand] of view.hands.entries()) {
    for (const slot of hand) if (slot.order === order && order >= 0) return { seat, slot };
  }
  return null;
}

/**
 * The number of a slot as people count: from the newest card, 1, or tamaya's own from the oldest slot, 0.
 * @param {View} view
 * @param {number} seat
 * @param {number} slot
 * @param {"newest-1"|"oldest-0"} count
 */
export function slotNumber(view, seat, slot, count) {
  if (count === "oldest-0") return slot;
  return view.hands[seat].filter((other) => other.order >= 0 && other.slot >= slot).length;
}
