/**
 * Motion and size. A card that lies elsewhere after a move glides there: cards are known by their order, so it
 * does not matter which element draws them. And cards are as large as the room allows.
 */

import { cardFace } from "./card.js";
import { render } from "./vendor/lit-html.js";

const GLIDE = { duration: 180, easing: "cubic-bezier(.2, .7, .2, 1)", id: "card" };
const WIDEST = 116;
const GAP = 8; // between cards, and twice that between hands side by side
const MOST_DOCKED = 0.64; // of the screen

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

/**
 * Sets the width of cards and the columns of hands. If they do not all fit on the screen, the page scrolls, and the
 * own hand stays in sight with the controls below it, unless the two would take most of the screen.
 * @param {HTMLElement} table
 * @param {number} others  hands above the own one
 * @param {number} cards  per hand
 * @param {boolean} hasOwn
 * @param {number} [least]  width of cards below which the page rather scrolls
 */
export function fit(table, others, cards, hasOwn, least = 0) {
  const part = (name) => /** @type {HTMLElement} */ (table.querySelector(name));
  const [felt, dock, foot] = [".felt", ".dock", ".foot"].map(part);
  if (!dock) return;
  table.classList.remove("flow", "docked");
  foot.style.minHeight = "";
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  table.classList.toggle("plain", rem < 20); // the text is not much larger than usual
  const screen = document.documentElement; // what a phone calls inner grows with what sticks out
  const isSmall = screen.clientWidth < 40 * rem;
  const strip = part(".bar, .panel:not(.beside) .strip")?.offsetHeight ?? 0;
  const footHeight = foot.offsetHeight;
  let height = screen.clientHeight - table.getBoundingClientRect().top - scrollY - strip - footHeight - 3 * GAP;
  for (const above of [".status", ".line-bar", ".board"].map(part).filter(Boolean))
    height -= above.offsetHeight + parseFloat(getComputedStyle(above).marginTop) + GAP;
  const width = part(".others").clientWidth;
  const [plate, number] = [(isSmall ? 2.1 : 2.75) * rem, 1.6 * rem]; // above the cards of a hand, and below the own ones
  const across = (n) => (width - 4 * GAP * n + 2 * GAP) / n / cards - GAP;
  let [size, columns] = [0, 1];
  for (let n = 1; n <= (isSmall ? 1 : others); n++) {
    const rows = Math.ceil(others / n);
    const tall = (height - rows * plate - (hasOwn ? plate + number : 0)) / (2.12 * rows + (hasOwn ? 1.66 : 0));
    const fits = Math.min(tall, across(n), Math.max(WIDEST, 7 * rem)) * (others % n ? 0.85 : 1); // rows of one length look better
    if (fits > size * 1.04) [size, columns] = [fits, n];
  }
  const isFlow = size < (least || (isSmall ? 44 : 50));
  if (isFlow) {
    columns = isSmall || others < 2 ? 1 : 2;
    size = Math.max(44, Math.min(across(columns), isSmall ? 54 : 76));
  }
  felt.style.setProperty("--w", `${Math.floor(size)}px`);
  felt.style.setProperty("--columns", String(columns));
  foot.style.minHeight = `${footHeight}px`; // what says how it ended is no higher than the controls
  table.classList.toggle("flow", isFlow);
  table.classList.toggle("docked", isFlow && dock.offsetHeight + strip < MOST_DOCKED * screen.clientHeight);
}
