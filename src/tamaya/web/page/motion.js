/**
 * Motion: a card that lies elsewhere after a move glides there. Cards are known by their order, so it does
 * not matter which element draws them (first, last, invert, play).
 */

import { cardFace } from "./card.js";
import { render } from "./vendor/lit-html.js";

const LENGTH = 180;
const EASE = "cubic-bezier(.2, .7, .2, 1)";

/** @typedef {Map<string, {box: DOMRect, element: Element}>} Places */

/** Where the cards lie. @param {Element} root @returns {Places} */
export function places(root) {
  /** @type {Places} */
  const found = new Map();
  for (const element of root.querySelectorAll("[data-order]")) {
    const order = element.getAttribute("data-order") ?? "";
    const box = element.getBoundingClientRect();
    if (order !== "-1" && box.width && !found.has(order)) found.set(order, { box, element });
  }
  return found;
}

/** Lets all cards arrive at once. @param {Element} root */
export function settle(root) {
  for (const animation of root.getAnimations({ subtree: true })) {
    if (animation.id === "card") animation.finish();
  }
}

/**
 * Glides cards from where they were; new ones come from the deck, what nobody draws any more goes to the pile.
 * @param {Element} root
 * @param {Places} before
 * @param {import("./state.js").Event|null} last
 */
export function glide(root, before, last) {
  const after = places(root);
  const deck = root.querySelector("[data-deck]")?.getBoundingClientRect();
  for (const [order, { box, element }] of after) {
    const from = before.get(order)?.box ?? (before.size && element.matches(".card") ? deck : null);
    if (from) move(element, from, box, !before.has(order));
  }
  const gone = before.get(String(last?.order));
  const pile = root.querySelector("[data-pile]")?.getBoundingClientRect();
  if (gone && pile?.width && last?.card !== undefined && !after.has(String(last.order))) leave(last.card, gone.box, pile);
}

/**
 * @param {Element} element
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {boolean} isNew
 */
function move(element, from, to, isNew) {
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const scale = isNew ? 0.5 : Math.max(0.3, Math.min(2, from.width / to.width));
  element.animate([
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: isNew ? 0 : 1, zIndex: 3 },
    { transform: "none", opacity: 1, zIndex: 3 },
  ], { duration: LENGTH, easing: EASE, id: "card" });
}

/**
 * A card that has left the table goes to the pile and fades.
 * @param {number} card
 * @param {DOMRect} box
 * @param {DOMRect} pile
 */
function leave(card, box, pile) {
  const ghost = document.createElement("span");
  ghost.className = "ghost";
  ghost.style.cssText = `left:${box.left}px;top:${box.top}px;width:${box.width}px`;
  render(cardFace(card), ghost);
  document.body.append(ghost);
  const x = pile.left + pile.width / 2 - box.left - box.width / 2;
  const y = pile.top - box.top;
  const flight = ghost.animate([{ transform: "none", opacity: 1 }, { transform: `translate(${x}px, ${y}px) scale(.3)`, opacity: 0 }],
    { duration: LENGTH, easing: EASE });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
