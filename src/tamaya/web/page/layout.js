/** How large cards can be: as large as the room allows, all hands on one screen if they fit. */

const WIDEST = 116;
const GAP = 8; // between cards, and twice that between hands side by side

/**
 * Sets the width of cards and the columns of hands. If cards would get too small, the page scrolls.
 * @param {HTMLElement} table
 * @param {number} others  hands above the own one
 * @param {number} cards  per hand
 * @param {boolean} hasOwn
 */
export function fit(table, others, cards, hasOwn) {
  const felt = table.querySelector(".felt");
  const hands = table.querySelector(".hands");
  if (!(felt instanceof HTMLElement) || !(hands instanceof HTMLElement)) return;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = hands.clientWidth;
  const strip = /** @type {HTMLElement|null} */ (table.querySelector(".panel:not(.beside) .strip"))?.offsetHeight ?? 0;
  let height = innerHeight - table.getBoundingClientRect().top - scrollY - strip - 2 * GAP;
  for (const part of felt.children) {
    if (part instanceof HTMLElement && part !== hands && getComputedStyle(part).position !== "absolute") height -= part.offsetHeight + GAP;
  }
  const isSmall = width < 40 * rem;
  let best = { size: 0, columns: 1 };
  for (let columns = 1; columns <= (isSmall ? 1 : others); columns++) {
    const rows = Math.ceil(others / columns);
    const tall = (height - rows * 2.9 * rem - (hasOwn ? 3.9 * rem : 0)) / (2.02 * rows + (hasOwn ? 1.62 : 0));
    const wide = (width - (columns - 1) * 2 * GAP - columns * 2 * GAP) / columns / cards - GAP;
    const size = Math.min(tall, wide, Math.max(WIDEST, 7 * rem));
    if (size > best.size * 1.04) best = { size, columns };
  }
  const least = isSmall ? 46 : 54;
  const isFlow = best.size < least;
  if (isFlow) best = flowing(width, cards, others, isSmall);
  table.classList.toggle("flow", isFlow);
  table.classList.toggle("sticky", isFlow && innerHeight > 34 * rem);
  felt.style.setProperty("--w", `${Math.floor(best.size * 2) / 2}px`);
  felt.style.setProperty("--columns", String(best.columns));
}

/** @param {number} width @param {number} cards @param {number} others @param {boolean} isSmall */
function flowing(width, cards, others, isSmall) {
  const columns = !isSmall && others > 1 ? 2 : 1;
  const size = (width - (columns - 1) * 2 * GAP - columns * 2 * GAP) / columns / cards - GAP;
  return { size: Math.max(44, Math.min(size, isSmall ? 64 : 76)), columns };
}
