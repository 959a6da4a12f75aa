/** The board for those who hear it. Loaded when it is asked for. */

import { NAMES } from "./card.js";
import { isMe, mySeat, nameOf, others, shown } from "./state.js";
import { count, eventWords, slotLabel } from "./words.js";

/** All of it in sentences. @param {Eyes} ui */
export function boardWords(ui) {
  const { state } = ui;
  const { hands, turn, mover, status, firework, tokens, lives, deck, score, last } = shown(state);
  const me = mySeat(state);
  const words = [...others(state), ...(me === null ? [] : [me])].map((seat) => {
    const cards = hands[seat].filter(({ order }) => order >= 0).map((slot) => slotLabel(ui, seat, slot));
    return (ui.values.slots === "oldest-0" ? cards : cards.reverse()).join("; ");
  });
  return [
    state.look ? `After turn ${turn}` : `Turn ${turn + 1}`,
    mover === null ? status : isMe(state, mover) ? "Your turn" : `${nameOf(state, mover)} to move`,
    `Fireworks: ${firework.map((height, colour) => `${NAMES[colour]} ${height}`).join(", ")}`,
    `${count(tokens, "token")}, ${lives === 1 ? "1 life" : `${lives} lives`}, ${count(deck, "card")} in the deck, score ${score}`,
    last ? `Last: ${eventWords(ui, last)}` : "The cards are dealt",
    ...words,
  ].join(". ");
}
