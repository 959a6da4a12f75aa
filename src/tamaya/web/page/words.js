/** What the page itself says: moves by their text, slots as a person counts them, the whole board. */

import { MOVE_LETTERS, NAMES } from "./card.js";
import { isHidden, isMe, mySeat, nameOf, shown } from "./state.js";

const LONGEST = 9; // letters of a name on a button

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** With a capital and a full stop. @param {string} text */
export const sentence = (text) => capital(text) + (/[.!?…]$/.test(text) ? "" : ".");
/** Whether a person counts slots as tamaya does. @param {Eyes} ui */
const isOldest = ({ values }) => values.slots === "oldest-0";

/** The orders in all hands on the screen. @param {Eyes} ui @returns {number[][]} */
const ordersNow = (ui) => shown(ui.state).hands.map((hand) => hand.map(({ order }) => order));

/**
 * The number of a slot: 1 for the newest card, or tamaya's own, 0 for the oldest slot.
 * @param {Eyes} ui
 * @param {number} seat
 * @param {number} slot
 * @param {number[][]} [orders]  in the hands of the time that is spoken of
 */
export const slotNumber = (ui, seat, slot, orders = ordersNow(ui)) =>
  isOldest(ui) ? slot : orders[seat].filter((order, other) => order >= 0 && other >= slot).length;

/**
 * A move in words, such as `play slot 1`, `tell Ben red` or `tell Ben rank 1`.
 * @param {Eyes} ui
 * @param {string} move
 * @param {number} [seat]  who makes it
 * @param {number[][]} [orders]  in the hands of that time
 * @param {string[]} [names]  other than those of the seats
 */
export function moveWords(ui, move, seat = mySeat(ui.state), orders = undefined, names = []) {
  const { state } = ui;
  if (move[0] !== "h")
    return move === "x"
      ? "give up"
      : `${move[0] === "p" ? "play" : "discard"} slot ${slotNumber(ui, seat, Number(move[1]), orders)}`;
  const to = (seat + Number(move[1])) % state.seats.length;
  return `tell ${isMe(state, to) ? "you" : (names[to] ?? nameOf(state, to))} ${NAMES[MOVE_LETTERS.indexOf(move[2])] ?? `rank ${move[2]}`}`;
}

/**
 * Names for buttons: without the family name of our agents, cut if they are long, and still distinct.
 * @param {string[]} names
 */
export function shortNames(names) {
  const parts = names.map((name) => /^(?:tamaya-)?(.+?)( \d+)?$/.exec(name)?.slice(1) ?? [name]);
  const cut = (stem) => (stem.length > LONGEST ? `${stem.slice(0, LONGEST - 1)}…` : stem);
  const labels = parts.map(([stem, number = ""]) => {
    const isLike = ([other]) => other !== stem && cut(other) === cut(stem);
    return (parts.some(isLike) ? `${stem.slice(0, 4)}…${stem.slice(-4)}` : cut(stem)) + number;
  });
  return labels.map((label, k) => (labels.indexOf(label) === labels.lastIndexOf(label) ? label : names[k]));
}

/** A number of things. @param {number} n @param {string} one */
export const count = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/**
 * The label of a slot; the server counts from the newest card. Who practises draws conclusions without help: of a
 * hidden card it has only what was told.
 * @param {Eyes} ui
 * @param {number} seat
 * @param {Slot} held
 */
export function slotLabel(ui, seat, held) {
  const { slot, label, card } = held;
  const told = label.match(/^.*?slot \d+(, newest)?|(told|knows) .*?( at turn \d+|$)/g);
  const words = isHidden(ui, seat, held) && (card !== null || ui.values.pips === "positive") ? told.join(", ") : label;
  return isOldest(ui) ? words.replace(/\bslot \d+/, `slot ${slot}`) : words;
}

/** The words of a move, with slots as the person counts them; numbers stay on the line of their word. @param {Eyes} ui @param {Move} move */
export const eventWords = (ui, move) => recounted(ui, move).replace(/ (?=\d)/g, "\u00a0");

function recounted(ui, move) {
  if (!isOldest(ui) || !move.touched) return move.words;
  const { hands, past } = ui.state.view;
  // Since the deck is empty, hands are smaller by the cards that left them.
  const missing = hands.flat().filter(({ order }) => order < 0).length;
  const late = missing ? past.filter(({ touched }) => !touched).slice(-missing) : [];
  const held = hands[0].length - late.filter(({ turn, seat }) => turn < move.turn && seat === move.target).length;
  return move.words.replace(
    /(: slots? )(.*)/,
    (_, start, list) =>
      start +
      list
        .match(/\d+/g)
        .map((number) => held - number)
        .reverse()
        .join(", ")
        .replace(/, (\d+)$/, " and $1"),
  );
}

/** Whoever sits down should know that somebody may have seen the cards. @param {Welcome|null} welcome */
export const dealWords = (welcome) => (welcome?.chosen_deal && welcome.kind === "play" ? " The host chose the deal." : "");
