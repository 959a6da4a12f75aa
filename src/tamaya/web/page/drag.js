/** A pointer on a hand: an own card is dragged to where it is played or discarded, another hand is held. */

import { isMe, mayMove } from "./state.js";

const THRESHOLD = 8; // pixels that make a drag
const HOLD = 350; // milliseconds that make a hold

/** @param {Ui} ui */
export function dragging(ui) {
  /** @type {HTMLElement|null} the card that lies where it was dropped until the server has answered */
  let dropped = null;

  /** @param {PointerEvent} event */
  function press(event) {
    const card = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest(".card[data-order]"));
    if (!card || event.button || !event.isPrimary) return;
    const seat = Number(card.dataset.seat);
    if (!isMe(ui.state, seat)) hold(seat);
    else if (mayMove(ui.state)) drag(event, card);
  }

  /** Shows the hand as its holder sees it, as long as it is held. @param {number} seat */
  function hold(seat) {
    let isHeld = false;
    const timer = setTimeout(() => {
      isHeld = true;
      ui.to.put({ eyes: seat });
    }, HOLD);
    follow(null, () => {
      clearTimeout(timer);
      if (!isHeld) return;
      ui.to.put({ eyes: null });
      swallowClick();
    });
  }

  /** @param {PointerEvent} start @param {HTMLElement} card */
  function drag(start, card) {
    let isDragged = false;
    /** @type {HTMLElement|null|undefined} */
    let zone;
    follow(({ clientX, clientY }) => {
      const [x, y] = [clientX - start.clientX, clientY - start.clientY];
      if (!isDragged && Math.hypot(x, y) < THRESHOLD) return;
      isDragged = true;
      card.classList.add("dragged");
      document.body.dataset.dragging = "";
      card.style.transform = `translate(${x}px, ${y}px)`;
      zone?.classList.remove("over");
      zone = document.elementFromPoint(clientX, clientY)?.closest("[data-zone]");
      zone?.classList.add("over");
    }, (isDone) => {
      delete document.body.dataset.dragging;
      zone?.classList.remove("over");
      if (!isDragged) return;
      swallowClick();
      dropped = card;
      if (zone && isDone) ui.to.make(zone.dataset.zone + card.dataset.slot);
      if (!ui.state.pending && !ui.state.confirm) release();
    });
  }

  function release() {
    dropped?.classList.remove("dragged");
    dropped?.style.removeProperty("transform");
    dropped = null;
  }
  return { press, release };
}

/**
 * Follows a pointer until it is lifted, or taken away by the browser or Escape.
 * @param {((event: PointerEvent) => void)|null} move
 * @param {(isDone: boolean) => void} end
 */
function follow(move, end) {
  const stop = new AbortController();
  const finish = (isDone) => () => {
    stop.abort();
    end(isDone);
  };
  if (move) addEventListener("pointermove", move, stop);
  addEventListener("pointerup", finish(true), stop);
  addEventListener("pointercancel", finish(false), stop);
  addEventListener("contextmenu", (event) => event.preventDefault(), stop);
  addEventListener("keydown", ({ key }) => key === "Escape" && finish(false)(), stop);
}

/** A drag or a hold is no click. */
function swallowClick() {
  const stop = new AbortController();
  addEventListener("click", (event) => event.stopPropagation(), { capture: true, signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
}
