/** What the page itself says: moves by their text, slots as a person counts them, the whole board. */

import { LETTERS, NAMES } from "./card.js";
import { isMe, mySeat, nameOf, shown, slotNumber } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").View} View
 * @typedef {import("./state.js").Event} Event
 * @typedef {"newest-1"|"oldest-0"} Count
 */

/**
 * A move in words, such as `play slot 1` or `tell Ben red`.
 * @param {State} state
 * @param {string} move
 * @param {number|null} seat  who makes it
 * @param {Count} count
 */
export function moveWords(state, move, seat, count) {
  const view = shown(state);
  if (!view || seat === null) return move;
  if (move[0] === "p" || move[0] === "d") {
    const slot = slotNumber(view, seat, Number(move[1]), count);
    return `${move[0] === "p" ? "play" : "discard"} slot ${slot}`;
  }
  if (move[0] !== "h") return "give up";
  const target = (seat + Number(move[1])) % view.hands.length;
  const colour = LETTERS.indexOf(move[2]);
  return `tell ${isMe(state, target) ? "you" : nameOf(state, target)} ${colour < 0 ? move[2] : NAMES[colour]}`;
}

/**
 * The server counts slots from the newest card; this recounts the label of a slot.
 * @param {{slot: number, label: string}} slot
 * @param {Count} count
 */
export function slotLabel({ slot, label }, count) {
  return count === "oldest-0" ? label.replace(/\bslot \d+/, `slot ${slot}`) : label;
}

/**
 * The words of an event, with slots as the person counts them.
 * @param {View} view  of now
 * @param {Event} event
 * @param {Count} count
 */
export function eventWords(view, event, count) {
  if (count !== "oldest-0" || !event.touched) return event.words;
  const held = cardsHeld(view, event);
  return event.words.replace(/: slots? .*$/, (text) => text.replace(/\d+(?:(?:, | and )\d+)*/, (list) => {
    const slots = list.split(/, | and /).map((number) => held - Number(number)).sort((a, b) => a - b);
    return slots.length < 2 ? String(slots[0]) : `${slots.slice(0, -1).join(", ")} and ${slots[slots.length - 1]}`;
  }));
}

/** How many cards the target of a hint held: fewer once the deck was empty. @param {View} view @param {Event} event */
function cardsHeld(view, event) {
  const size = view.hands[0].length;
  if (view.deck > 0) return size;
  const gone = view.past.filter(({ touched }) => !touched);
  const missing = view.hands.flat().filter(({ order }) => order < 0).length;
  const late = gone.slice(gone.length - missing).filter(({ turn, seat }) => turn < event.turn && seat === event.target);
  return size - late.length;
}

/**
 * The whole board in sentences, for those who hear it.
 * @param {State} state
 * @param {Count} count
 */
export function boardWords(state, count) {
  const view = shown(state);
  if (!view) return "";
  const stacks = view.firework.map((height, colour) => `${NAMES[colour]} ${height}`).join(", ");
  const hands = view.hands.map((hand, seat) => {
    const cards = (count === "oldest-0" ? hand : [...hand].reverse()).filter(({ order }) => order >= 0);
    return cards.map((slot) => slotLabel(slot, count)).join("; ");
  });
  const me = mySeat(state);
  const around = hands.map((_, k) => hands[((me ?? -1) + 1 + k) % hands.length]);
  const whose = view.mover === null ? "" : isMe(state, view.mover) ? " Your turn." : ` ${nameOf(state, view.mover)} to move.`;
  return `${state.look ? `After turn ${view.turn}.` : `Turn ${view.turn + 1}.`}${whose} Fireworks: ${stacks}. `
    + `${view.tokens} tokens, ${view.lives} lives, ${view.deck} cards in the deck. Score ${view.score}. `
    + `${view.last ? `Last move: ${eventWords(view, view.last, count)}. ` : ""}${around.join(". ")}.`;
}
