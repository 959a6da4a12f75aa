/** A pointer on a hand: an own card is dragged to where it is played or discarded, another hand is held. */

import { isMe, mayMove } from "./state.js";

const THRESHOLD = 8; // pixels that make a drag
const HOLD = 350; // milliseconds that make a hold

/** @param {Ui} ui */
export function dragging(ui) {
  let dropped = null; // card that lies where it was dropped until the server has answered

  function press(start) {
    const card = start.target.closest(".card[data-order]");
    if (!card || start.button || !start.isPrimary) return;
    const seat = Number(card.dataset.seat);
    if (!isMe(ui.state, seat)) hold(seat);
    else if (mayMove(ui.state)) drag(start, card);
  }

  /** Shows the hand as its holder sees it, as long as it is held. */
  function hold(seat) {
    const timer = setTimeout(() => ui.to.put({ eyes: seat }), HOLD);
    follow(
      () => undefined,
      () => {
        clearTimeout(timer);
        if (ui.state.eyes !== seat) return false;
        ui.to.put({ eyes: null });
        return true;
      },
    );
  }

  function drag(start, card) {
    let zone;
    follow(
      ({ clientX, clientY }) => {
        const [x, y] = [clientX - start.clientX, clientY - start.clientY];
        if (card !== dropped && Math.hypot(x, y) < THRESHOLD) return;
        dropped = card;
        card.classList.add("dragged");
        document.body.dataset.dragging = "";
        card.style.transform = `translate(${x}px, ${y}px)`;
        zone?.classList.remove("drop");
        zone = document.elementFromPoint(clientX, clientY)?.closest("[data-zone]");
        zone?.classList.add("drop");
      },
      (isDone) => {
        delete document.body.dataset.dragging;
        zone?.classList.remove("drop");
        const isDragged = card === dropped;
        if (zone && isDone) ui.to.make(zone.dataset.zone + card.dataset.slot);
        if (!ui.state.pending && !ui.state.confirm) release();
        return isDragged;
      },
    );
  }

  function release() {
    dropped?.classList.remove("dragged");
    dropped?.style.removeProperty("transform");
    dropped = null;
  }
  return { press, release };
}

/** Follows a pointer until it is lifted or taken away; `end` says whether that was more than a click. */
function follow(move, end) {
  const [stop, quiet] = [new AbortController(), new AbortController()];
  const finish = (isDone) => {
    stop.abort();
    if (end(isDone)) addEventListener("click", (event) => event.stopPropagation(), { capture: true, signal: quiet.signal });
    setTimeout(() => quiet.abort(), 50);
  };
  addEventListener("pointermove", move, stop);
  addEventListener("pointerup", () => finish(true), stop);
  addEventListener("pointercancel", () => finish(false), stop);
  addEventListener("contextmenu", (event) => event.preventDefault(), stop);
  addEventListener("keydown", ({ key }) => key === "Escape" && finish(false), stop);
}
