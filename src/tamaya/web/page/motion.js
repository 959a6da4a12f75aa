/** Motion and size: cards glide to where they lie after a move, whichever element draws them, and are as large as the room allows. */

const GLIDE = { duration: 180, easing: "cubic-bezier(.2, .7, .2, 1)", id: "card" };
const WIDEST = 116;
const GAP = 8; // between cards, and twice that between hands side by side

/** Where the cards lie, once all have arrived. @param {Element} root */
export function places(root) {
  for (const animation of root.getAnimations({ subtree: true })) if (animation.id === GLIDE.id) animation.finish();
  return new Map([...root.querySelectorAll("[data-order]")].map((element) => [element.getAttribute("data-order"), element.getBoundingClientRect()]));
}

/** Glides cards from where they were; new ones come from the deck. @param {Element} root */
export function glide(root, before) {
  const deck = root.querySelector("[data-deck]").getBoundingClientRect();
  for (const element of root.querySelectorAll("[data-order]")) {
    const old = before.get(element.getAttribute("data-order"));
    const [from, to] = [old ?? deck, element.getBoundingClientRect()];
    const [x, y] = [from.x - to.x + (from.width - to.width) / 2, from.y - to.y + (from.height - to.height) / 2];
    const scale = old ? from.width / to.width : 0.5;
    if (x || y) element.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: old ? 1 : 0, zIndex: 3 }, { zIndex: 3 }], GLIDE);
  }
}

/** Sets the width of cards and the columns of the other hands. If they do not fit on the screen, the page scrolls. @param {HTMLElement} table */
export function fit(table, others, cards, hasOwn) {
  const [felt, hands] = /** @type {HTMLElement[]} */ ([".felt", ".hands"].map((part) => table.querySelector(part)));
  if (!hands) return;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  table.classList.toggle("plain", rem < 20); // the text is not much larger than usual
  const width = hands.clientWidth;
  const screen = document.documentElement; // what a phone calls inner grows with what sticks out
  const isSmall = screen.clientWidth < 40 * rem;
  let height = screen.clientHeight - table.getBoundingClientRect().top - scrollY - (table.querySelector(".panel:not(.beside) .strip")?.clientHeight ?? 0) - GAP;
  for (const part of felt.children) if (part !== hands) height -= part.clientHeight + parseFloat(getComputedStyle(part).marginTop) + GAP;
  const across = (n) => (width - 4 * GAP * n + 2 * GAP) / n / cards - GAP;
  let [size, columns] = [0, 1];
  for (let n = 1; n <= (isSmall ? 1 : others); n++) {
    const rows = Math.ceil(others / n);
    const tall = (height - rows * 2.8 * rem - (hasOwn ? 4 * rem : 0)) / (2.12 * rows + (hasOwn ? 1.66 : 0));
    const fits = Math.min(tall, across(n), Math.max(WIDEST, 7 * rem)) * (others % n ? 0.85 : 1); // rows of one length look better
    if (fits > size * 1.04) [size, columns] = [fits, n];
  }
  const isFlow = size < (isSmall ? 46 : 52);
  if (isFlow) {
    columns = isSmall || others < 2 ? 1 : 2;
    size = Math.max(44, Math.min(across(columns), isSmall ? 60 : 76));
  }
  table.classList.toggle("flow", isFlow);
  felt.style.setProperty("--w", `${Math.floor(size)}px`);
  felt.style.setProperty("--columns", String(columns));
}
