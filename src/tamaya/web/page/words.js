/** What the page itself says: moves by their text, slots as a person counts them, the whole board. */

import { LETTERS, NAMES } from "./card.js";
import { isMe, mySeat, nameOf, others, shown } from "./state.js";

/** With a capital. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** With a capital and a full stop. @param {string} text */
export const sentence = (text) => capital(text) + (/[.!?…]$/.test(text) ? "" : ".");

/**
 * The number of a slot: 1 for the newest card, or tamaya's own, 0 for the oldest slot.
 * @param {Ui} ui
 * @param {number} seat
 * @param {number} slot
 */
export const slotNumber = ({ state, values }, seat, slot) => (values.slots === "oldest-0" ? slot
  : shown(state).hands[seat].filter((other) => other.order >= 0 && other.slot >= slot).length);

/**
 * A move in words, such as `play slot 1` or `tell Ben red`.
 * @param {Ui} ui
 * @param {string} move
 * @param {number} [seat]  who makes it
 */
export function moveWords(ui, move, seat = mySeat(ui.state)) {
  const { state } = ui;
  if (move[0] !== "h") return move === "x" ? "give up" : `${move[0] === "p" ? "play" : "discard"} slot ${slotNumber(ui, seat, Number(move[1]))}`;
  const to = (seat + Number(move[1])) % state.view.hands.length;
  return `tell ${isMe(state, to) ? "you" : nameOf(state, to)} ${NAMES[LETTERS.indexOf(move[2])] ?? move[2]}`;
}

/** The server counts slots from the newest card; this is the label as the person counts. @param {Ui} ui @param {Slot} slot */
export const slotLabel = ({ values }, { slot, label }) => (values.slots === "oldest-0" ? label.replace(/\bslot \d+/, `slot ${slot}`) : label);

/** The words of a move, with slots as the person counts them. @param {Ui} ui @param {Move} move */
export function eventWords({ state, values }, move) {
  if (values.slots !== "oldest-0" || !move.touched) return move.words;
  const { hands, past } = state.view;
  // Since the deck is empty, hands are smaller by the cards that left them.
  const missing = hands.flat().filter(({ order }) => order < 0).length;
  const late = missing ? past.filter(({ touched }) => !touched).slice(-missing) : [];
  const held = hands[0].length - late.filter(({ turn, seat }) => turn < move.turn && seat === move.target).length;
  return move.words.replace(/(: slots? )(.*)/, (_, start, list) => start
    + list.match(/\d+/g).map((number) => held - number).reverse().join(", ").replace(/, (\d+)$/, " and $1"));
}

/** The whole board in sentences, for those who hear it. @param {Ui} ui */
export function boardWords(ui) {
  const { state, values } = ui;
  const view = shown(state);
  const seats = [...others(state), ...(mySeat(state) === null ? [] : [mySeat(state)])];
  const hands = seats.map((seat) => {
    const cards = view.hands[seat].filter(({ order }) => order >= 0).map((slot) => slotLabel(ui, slot));
    return (values.slots === "oldest-0" ? cards : cards.reverse()).join("; ");
  });
  return [
    state.look ? `After turn ${view.turn}` : `Turn ${view.turn + 1}`,
    view.mover === null ? view.status : isMe(state, view.mover) ? "Your turn" : `${nameOf(state, view.mover)} to move`,
    `Fireworks: ${view.firework.map((height, colour) => `${NAMES[colour]} ${height}`).join(", ")}`,
    `${view.tokens} tokens, ${view.lives} lives, ${view.deck} cards in the deck, score ${view.score}`,
    view.last ? `Last: ${eventWords(ui, view.last)}` : "The cards are dealt", ...hands,
  ].join(". ");
}
