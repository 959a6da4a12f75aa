/**
 * Motion and size. A card that lies elsewhere after a move glides there: cards are known by their order, so it
 * does not matter which element draws them. And cards are as large as the room allows.
 */

import { cardFace } from "./card.js";
import { render } from "./vendor/lit-html.js";

const GLIDE = { duration: 180, easing: "cubic-bezier(.2, .7, .2, 1)", id: "card" };

/** Where the cards lie. @param {Element} root @returns {Map<string, {box: DOMRect, element: Element}>} */
export function places(root) {
  const found = new Map();
  for (const element of root.querySelectorAll("[data-order]")) {
    const box = element.getBoundingClientRect();
    if (box.width) found.set(element.getAttribute("data-order"), { box, element });
  }
  return found;
}

/** Lets all cards arrive at once. @param {Element} root */
export function settle(root) {
  for (const animation of root.getAnimations({ subtree: true })) if (animation.id === GLIDE.id) animation.finish();
}

/**
 * Glides cards from where they were; new ones come from the deck, what is drawn nowhere goes to the pile.
 * @param {Element} root
 * @param {ReturnType<typeof places>} before
 * @param {Move|null} last
 */
export function glide(root, before, last) {
  const after = places(root);
  const deck = root.querySelector("[data-deck]").getBoundingClientRect();
  for (const [order, { box, element }] of after) {
    const from = before.get(order)?.box ?? deck;
    const isNew = !before.has(order);
    const way = between(from, box, isNew ? 0.5 : from.width / box.width);
    if (from.left !== box.left || from.top !== box.top) element.animate([{ transform: way, opacity: isNew ? 0 : 1, zIndex: 3 }, { zIndex: 3 }], GLIDE);
  }
  const gone = before.get(String(last?.order));
  if (!gone || after.has(String(last.order))) return;
  const { box } = gone;
  const ghost = document.createElement("span");
  ghost.className = "ghost";
  ghost.style.cssText = `left:${box.left}px;top:${box.top}px;width:${box.width}px`;
  render(cardFace(last.card), ghost);
  document.body.append(ghost);
  const way = between(root.querySelector("[data-pile]").getBoundingClientRect(), box, 0.3);
  ghost.animate([{}, { transform: way, opacity: 0 }], GLIDE).onfinish = () => ghost.remove();
}

/** @param {DOMRect} from @param {DOMRect} to @param {number} scale */
const between = (from, to, scale) => `translate(${from.left - to.left + (from.width - to.width) / 2}px, ${
  from.top - to.top + (from.height - to.height) / 2}px) scale(${scale})`;

const WIDEST = 116;
const GAP = 8; // between cards, and twice that between hands side by side

/**
 * Sets the width of cards and the columns of hands. If they do not all fit on the screen, the page scrolls.
 * @param {HTMLElement} table
 * @param {number} others  hands above the own one
 * @param {number} cards  per hand
 * @param {boolean} hasOwn
 */
export function fit(table, others, cards, hasOwn) {
  const [felt, hands] = /** @type {HTMLElement[]} */ ([".felt", ".hands"].map((part) => table.querySelector(part)));
  if (!hands) return;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = hands.clientWidth;
  const isSmall = width < 40 * rem;
  const strip = table.querySelector(".panel:not(.beside) .strip")?.clientHeight ?? 0;
  let height = innerHeight - table.getBoundingClientRect().top - scrollY - strip - GAP;
  for (const part of felt.children) if (part !== hands) height -= part.clientHeight + parseFloat(getComputedStyle(part).marginTop) + GAP;
  const across = (columns) => (width - 4 * GAP * columns + 2 * GAP) / columns / cards - GAP;
  let [size, columns] = [0, 1];
  for (let n = 1; n <= (isSmall ? 1 : others); n++) {
    const rows = Math.ceil(others / n);
    const tall = (height - rows * 2.8 * rem - (hasOwn ? 4 * rem : 0)) / (2.04 * rows + (hasOwn ? 1.6 : 0));
    const fits = Math.min(tall, across(n), Math.max(WIDEST, 7 * rem)) * (others % n ? 0.85 : 1); // rows of one length look better
    if (fits > size * 1.04) [size, columns] = [fits, n];
  }
  const isFlow = size < (isSmall ? 46 : 52);
  if (isFlow) {
    columns = isSmall || others < 2 ? 1 : 2;
    size = Math.max(44, Math.min(across(columns), isSmall ? 60 : 76));
  }
  table.classList.toggle("flow", isFlow);
  felt.style.setProperty("--w", `${Math.floor(size * 2) / 2}px`);
  felt.style.setProperty("--columns", String(columns));
}
