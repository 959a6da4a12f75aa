/** What the page itself says: moves by their text, slots as a person counts them, the whole board. */

import { LETTERS, NAMES } from "./card.js";
import { isMe, mySeat, nameOf, others, shown } from "./state.js";

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const sentence = (text) => capital(text) + (/[.!?…]$/.test(text) ? "" : ".");
const isOldest = ({ values }) => values.slots === "oldest-0";

/** The number of a slot: 1 for the newest card, or tamaya's own, 0 for the oldest slot. @param {Eyes} ui */
export const slotNumber = (ui, seat, slot) => (isOldest(ui) ? slot
  : shown(ui.state).hands[seat].filter((other) => other.order >= 0 && other.slot >= slot).length);

/** A move in words, such as `play slot 1` or `tell Ben red`. @param {Eyes} ui @param {string} move @param {number} [seat]  who makes it */
export function moveWords(ui, move, seat = mySeat(ui.state)) {
  const { state } = ui;
  if (move[0] !== "h") return move === "x" ? "give up" : `${move[0] === "p" ? "play" : "discard"} slot ${slotNumber(ui, seat, Number(move[1]))}`;
  const to = (seat + Number(move[1])) % state.seats.length;
  return `tell ${isMe(state, to) ? "you" : nameOf(state, to)} ${NAMES[LETTERS.indexOf(move[2])] ?? move[2]}`;
}

/** The label of a slot; the server counts from the newest card. @param {Eyes} ui @param {Slot} slot */
export const slotLabel = (ui, { slot, label }) => (isOldest(ui) ? label.replace(/\bslot \d+/, `slot ${slot}`) : label);

/** The words of a move; its slots are left to the arrows if the person counts otherwise. @param {Eyes} ui @param {Move} move */
export const eventWords = (ui, { words }) => (isOldest(ui) ? words.replace(/: slots? .*/, "") : words);

/** The whole board in sentences, for those who hear it. @param {Eyes} ui */
export function boardWords(ui) {
  const { state } = ui;
  const { hands, turn, mover, status, firework, tokens, lives, deck, score, last } = shown(state);
  const me = mySeat(state);
  const words = [...others(state), ...(me === null ? [] : [me])].map((seat) => {
    const cards = hands[seat].filter(({ order }) => order >= 0).map((slot) => slotLabel(ui, slot));
    return (isOldest(ui) ? cards : cards.reverse()).join("; ");
  });
  return [
    state.look ? `After turn ${turn}` : `Turn ${turn + 1}`, mover === null ? status : isMe(state, mover) ? "Your turn" : `${nameOf(state, mover)} to move`,
    `Fireworks: ${firework.map((height, colour) => `${NAMES[colour]} ${height}`).join(", ")}`,
    `${tokens} tokens, ${lives} lives, ${deck} cards in the deck, score ${score}`, last ? `Last: ${eventWords(ui, last)}` : "The cards are dealt", ...words,
  ].join(". ");
}
