/** A pointer on a hand: an own card is dragged to where it is played or discarded, another hand is held. */

import { canDrag } from "./keys.js";

/** @typedef {import("./table.js").Ui} Ui */

const THRESHOLD = 8;
const HOLD = 350;

/**
 * @param {Ui} ui
 * @returns {{press: (event: PointerEvent) => void, release: () => void}} `release` lets a dropped card go back
 */
export function dragging(ui) {
  /** @type {HTMLElement|null} */
  let dropped = null;

  /** @param {PointerEvent} event */
  function press(event) {
    const card = /** @type {Element} */ (event.target).closest?.(".card[data-order]");
    if (!(card instanceof HTMLElement) || event.button || !event.isPrimary) return;
    const seat = Number(card.dataset.seat);
    if (canDrag(ui, seat)) drag(event, card);
    else if (seat !== ui.state.welcome?.seat) hold(seat);
  }

  /** Shows the hand as its holder sees it, as long as it is held. @param {number} seat */
  function hold(seat) {
    let isHeld = false;
    const timer = setTimeout(() => {
      isHeld = true;
      ui.to.eyes(seat);
    }, HOLD);
    follow({}, () => {
      clearTimeout(timer);
      if (!isHeld) return;
      ui.to.eyes(null);
      swallowClick();
    });
  }

  /** @param {PointerEvent} start @param {HTMLElement} card */
  function drag(start, card) {
    let isDragged = false;
    /** @type {HTMLElement|null} */
    let zone = null;
    follow({
      move(event) {
        const x = event.clientX - start.clientX;
        const y = event.clientY - start.clientY;
        if (!isDragged && Math.hypot(x, y) < THRESHOLD) return;
        if (!isDragged) begin(card);
        isDragged = true;
        card.style.transform = `translate(${x}px, ${y}px)`;
        const below = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.closest("[data-zone]"));
        const next = /** @type {HTMLElement|null} */ (below?.closest("[data-zone]") ?? null);
        if (next === zone) return;
        zone?.classList.remove("over");
        next?.classList.add("over");
        zone = next;
      },
    }, (isDone) => {
      delete document.body.dataset.dragging;
      zone?.classList.remove("over");
      if (!isDragged) return;
      swallowClick();
      dropped = card;
      if (zone && isDone) ui.to.make(`${zone.dataset.zone}${card.dataset.slot}`);
      const { pending, confirm } = ui.state;
      if (!pending && !confirm) release();
    });
  }

  /** @param {HTMLElement} card */
  function begin(card) {
    release();
    card.classList.add("dragged");
    document.body.dataset.dragging = "true";
  }

  function release() {
    dropped?.classList.remove("dragged");
    dropped?.style.removeProperty("transform");
    dropped = null;
  }

  return { press, release };
}

/**
 * Follows a pointer until it is lifted.
 * @param {{move?: (event: PointerEvent) => void}} listener
 * @param {(isDone: boolean) => void} end  false if the browser took the pointer away
 */
function follow({ move }, end) {
  const stop = new AbortController();
  const { signal } = stop;
  /** @param {boolean} isDone */
  const finish = (isDone) => {
    stop.abort();
    end(isDone);
  };
  if (move) addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", () => finish(true), { signal });
  addEventListener("pointercancel", () => finish(false), { signal });
  addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  addEventListener("keydown", (event) => event.key === "Escape" && finish(false), { signal });
}

/** A drag or a hold is no click. */
function swallowClick() {
  /** @param {Event} event */
  const swallow = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
}
