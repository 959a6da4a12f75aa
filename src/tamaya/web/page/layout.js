/**
 * The size of the cards, and how the parts of the table lie: as classes of the element around it, which no drawing
 * touches. `phone` is a small screen, `low` one that lies on its side: there the own hand is beside the others. `side` puts
 * names beside the cards. If not all fits the page `flow`s, and the own hand is `docked` at the bottom.
 */

const WIDEST = 116;
const LEAST = 44;
const GAP = 8; // between cards, and twice that between hands side by side
const MOST_DOCKED = 0.6; // of the screen
// Heights of hands in widths of a card (table.css): padding, face, knowledge.
const [OTHER, OWN] = [2, 1.54];

/**
 * @param {HTMLElement} root
 * @param {number} others  hands above the own one
 * @param {number} cards  per hand
 * @param {boolean} hasOwn
 * @param {number} [least]  width of cards below which the page rather scrolls
 */
export function lay(root, others, cards, hasOwn, least = 0) {
  const part = (name) => /** @type {HTMLElement} */ (root.querySelector(name));
  const screen = document.documentElement; // what a phone calls inner grows with what sticks out
  const rem = parseFloat(getComputedStyle(screen).fontSize);
  const isLow = hasOwn && screen.clientHeight < 34 * rem && screen.clientWidth >= 40 * rem;
  const isSmall = isLow || screen.clientWidth < 40 * rem;
  const look = (name, isOn) => root.classList.toggle(name, isOn);
  root.className = "";
  look("plain", rem < 20); // the text is not much larger than usual
  look("phone", isSmall);
  look("low", isLow);
  const [felt, dock, foot] = [".felt", ".dock", ".foot"].map(part);
  if (!dock) return;
  foot.style.minHeight = "";
  const strip = part(".bar, .panel:not(.beside) .strip")?.offsetHeight ?? 0;
  const footHeight = foot.offsetHeight;
  const top = root.getBoundingClientRect().top + scrollY;
  const gap = parseFloat(getComputedStyle(felt).rowGap);
  const above = [".status", ".line-bar", ".board"].map(part).filter(Boolean);
  let height = screen.clientHeight - top - strip - parseFloat(getComputedStyle(above[0]).marginTop) - gap * (above.length - 2);
  for (const { offsetHeight } of above) height -= offsetHeight;
  height -= isLow ? 3 * gap : footHeight + 5 * gap;
  const width = part(".others").clientWidth;
  const plate = (isSmall ? 1.95 : 2.65) * rem; // above the cards of a hand
  const [beside, number, rim] = [(isLow ? 5 : 5.4) * rem, (isSmall ? 1.1 : 1.5) * rem, isSmall ? 7.5 : 12];
  const across = (n, room = width) => (room - 4 * GAP * n + 2 * GAP) / n / cards - GAP + (isSmall ? 2 : 0);
  const tall = (rows, name, own = hasOwn && !isLow) =>
    (height - rows * (name + rim) - (own ? name + rim + number : 0)) / (OTHER * rows + (own ? OWN : 0));
  let [size, columns, isSide, best] = [0, 1, false, 0];
  for (let n = 1; n <= (isSmall ? 1 : others); n++) {
    const fits = Math.min(tall(Math.ceil(others / n), plate), across(n), Math.max(WIDEST, 7 * rem));
    const worth = fits * (others % n ? 0.85 : 1); // rows of one length look better
    if (worth > best * 1.04) [size, columns, best] = [fits, n, worth];
  }
  const slim = Math.min(tall(others, 0), across(1, width - beside));
  if (isSmall && slim > size) [size, isSide] = [slim, true];
  const isFlow = size < (least || (isSmall ? LEAST : 50));
  if (isFlow) {
    isSide = isSmall && across(1, width - beside) >= LEAST;
    columns = isSmall || others < 2 ? 1 : 2;
    size = Math.max(LEAST, Math.min(across(columns, width - (isSide ? beside : 0)), isSmall ? 48 : 76));
  }
  const pixels = (value) => `${Math.floor(value)}px`;
  felt.style.setProperty("--w", pixels(size));
  felt.style.setProperty("--columns", String(columns));
  look("side", isSide);
  look("flow", isFlow);
  dock.style.cssText = `bottom: ${strip}px`; // of the screen, where it sticks
  if (isLow) {
    const room = (screen.clientHeight - top - strip - footHeight - number - 3 * rim) / OWN;
    dock.style.setProperty("--w", pixels(Math.max(36, Math.min(room, across(1, dock.clientWidth - (isSide ? beside : 0)), 2 * size))));
  } else foot.style.minHeight = pixels(footHeight); // what says how it ended is no higher than the controls
  const isDocked = isFlow && dock.offsetHeight + strip < (isLow ? 1 : MOST_DOCKED) * screen.clientHeight;
  look("docked", isDocked);
  felt.style.setProperty("--under", pixels(strip + GAP + (isDocked && !isLow ? dock.offsetHeight : 0))); // what hides the end of the page
}
