/** Why something cannot be done now, in words: whoever presses a button that is off hears it. */

import { isMe, isReplaced, nameOf } from "./state.js";
import { moveWords } from "./words.js";

/** Why a move, or any of its kind (`d`, `h`), is not legal. @param {Eyes} ui @param {string} move */
export function refusal(ui, move) {
  const what = move.length > 1 ? moveWords(ui, move) : move === "d" ? "discard" : "give a hint";
  const why =
    move[0] === "d"
      ? "all tokens are there, so none can be won back"
      : ui.state.view.tokens
        ? "it touches no card"
        : "no token is left; a discard wins one back";
  return `You cannot ${what} now: ${why}.`;
}

/** Why I cannot move. @param {TableState} state */
export function whyNoMove(state) {
  const { mover } = state.view;
  if (mover === null) return "Nobody moves now.";
  if (state.look) return "You look at the past: go back to now first.";
  if (state.pending) return "Your move is on its way.";
  if (isReplaced(state)) return "You do not sit in your seat: take it back first.";
  return isMe(state, mover) ? "The server waits." : `It is the turn of ${nameOf(state, mover)}.`;
}

/**
 * Why no reasons are told. They come from the eyes of who moved, which see the own hand: during a game they stay theirs.
 * @param {TableState} state
 * @param {Move|null} last
 */
export function whyNoReasons(state, last) {
  if (!last) return "No move has been made yet.";
  const name = nameOf(state, last.seat);
  if (state.seats[last.seat].kind === "agent")
    return `What ${name} thinks is told after the game: it sees ${
      state.welcome.seat === null ? "hands that you do not see" : "your hand"
    }.`;
  return isMe(state, last.seat)
    ? "That was your own move. Before a move, Advise gives reasons for one."
    : `Only agents give reasons, and ${name} is a person.`;
}
