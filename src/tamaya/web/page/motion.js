/**
 * Motion. A card that lies elsewhere after a move glides there: cards are known by their order, so it does not
 * matter which element draws them.
 */

import { cardFace } from "./card.js";
import { render } from "./lit.js";

const GLIDE = { duration: 180, easing: "cubic-bezier(.2, .7, .2, 1)", id: "card" };

/** Where the cards lie, once all have arrived. @param {Element} root @returns {Map<string, DOMRect>} */
export function places(root) {
  for (const animation of root.getAnimations({ subtree: true })) if (animation.id === GLIDE.id) animation.finish();
  return new Map(
    [...root.querySelectorAll("[data-order]")].map((element) => [
      element.getAttribute("data-order"),
      element.getBoundingClientRect(),
    ]),
  );
}

/**
 * Glides cards from where they were; new ones come from the deck, a discard that is drawn nowhere goes to its tab.
 * @param {Element} root
 * @param {Map<string, DOMRect>} before
 * @param {Move|null} last
 */
export function glide(root, before, last) {
  const deck = root.querySelector("[data-deck]").getBoundingClientRect();
  for (const element of root.querySelectorAll("[data-order]")) {
    const old = before.get(element.getAttribute("data-order"));
    const [from, to] = [old ?? deck, element.getBoundingClientRect()];
    const start = { transform: way(from, to, old ? from.width / to.width : 0.5), opacity: old ? 1 : 0, zIndex: 3 };
    if (from.x !== to.x || from.y !== to.y) element.animate([start, { zIndex: 3 }], GLIDE);
  }
  const box = before.get(String(last?.order));
  const tab = root.querySelector("#tab-discards")?.getBoundingClientRect();
  if (!box || !tab || root.querySelector(`[data-order="${last.order}"]`)) return;
  const ghost = document.createElement("span");
  ghost.className = "ghost";
  ghost.style.cssText = `left:${box.x}px;top:${box.y}px;width:${box.width}px`;
  render(cardFace(last.card), ghost);
  document.body.append(ghost);
  ghost.animate([{}, { transform: way(tab, box, 0.3), opacity: 0 }], GLIDE).onfinish = () => ghost.remove();
}

/** From one box to the middle of another. @param {DOMRect} from @param {DOMRect} to @param {number} scale */
const way = (from, to, scale) =>
  `translate(${from.x - to.x + (from.width - to.width) / 2}px, ${
    from.y - to.y + (from.height - to.height) / 2
  }px) scale(${scale})`;
