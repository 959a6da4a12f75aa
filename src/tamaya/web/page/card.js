/**
 * What is drawn: cards, marks, signs. Every face has a letter, a symbol and a rank: no colour needs to be seen.
 * A card is `5 * colour + rank`, a set of cards a mask; a face is 50 by 70.
 */

import { html, nothing, svg } from "./lit.js";

/** Letters and names of the colours, ours or those of games from hanab.live: `paint` chooses. */
const PALETTES = {
  tamaya: ["RYGWB", ["red", "yellow", "green", "white", "blue"]],
  "hanab.live": ["RYGBP", ["red", "yellow", "green", "blue", "purple"]],
};
export let [LETTERS, NAMES] = /** @type {[string, string[]]} */ (PALETTES.tamaya);
/** The colours in the texts of moves, whatever they look like. */
export const MOVE_LETTERS = "RYGWB";
/** @param {keyof typeof PALETTES} [palette] */
export const paint = (palette = "tamaya") => {
  [LETTERS, NAMES] = /** @type {[string, string[]]} */ (PALETTES[palette]);
};
export const FIVE = [0, 1, 2, 3, 4];
const SYMBOLS = {
  // around (0, 0), reaching to 1: triangle, star, square, ring, crescent, cross
  R: "M0-.95L1 .8H-1Z",
  Y: "M0-1L.26-.32 .98-.29 .42.16 .62.86 0 .46-.62.86-.42.16-.98-.29-.26-.32Z",
  G: "M-.82-.82H.82V.82H-.82Z",
  W: "M0-.95A.95.95 0 1 0 0 .95A.95.95 0 1 0 0-.95ZM0-.46A.46.46 0 1 1 0 .46A.46.46 0 1 1 0-.46Z",
  B: "M.5-.86A1 1 0 1 0 .5.86A.76.76 0 1 1 .5-.86Z",
  P: "M-.33-.95H.33V-.33H.95V.33H.33V.95H-.33V.33H-.95V-.33H-.33Z",
};
const GLYPHS = {
  // lines around (0, 0), 8 high; drawn, not written: names of controls are in words
  1: "M-1.9-2L.5-4V4",
  2: "M-2.5-1.8A2.6 2.4 0 0 1 2.5-1.6C2.5.2-1.9 1.6-2.5 4H2.7",
  3: "M-2.3-4H2.3L-.1-.8A2.5 2.45 0 1 1-2.5 2.6",
  4: "M1.1 4V-4L-2.5 1.6H2.9",
  5: "M2.3-4H-1.6L-2-.4A2.6 2.5 0 1 1-2.4 3.2",
  R: "M-2.5 4V-4H.1A2.2 2.2 0 0 1 .1.4H-2.5M.3.4L2.5 4",
  Y: "M-2.7-4L0 0 2.7-4M0 0V4",
  G: "M2.5-2.8A3.3 4 0 1 0 2.5 2.8V.4H.5",
  W: "M-3.4-4L-1.7 4 0-1.6 1.7 4 3.4-4",
  B: "M-2.5 4V-4H.1A2 1.95 0 0 1 .1-.1H-2.5M.1-.1A2.1 2.05 0 0 1 .1 4H-2.5",
  P: "M-2.5 4V-4H.1A2.2 2.2 0 0 1 .1.4H-2.5",
};
const MARKS = {
  playable: "M-3.2.3L-1 2.8 3.2-2.6",
  critical: "M0-4V.8M0 3.6V3.7",
  dead: "M-2.6-2.6L2.6 2.6M2.6-2.6L-2.6 2.6",
};
/** What the marks mean. */
export const MARK_WORDS = {
  playable: "can be played now", critical: "last copy, still needed", dead: "never scores again",
};
const SIGNS = {
  // in a box of 24 by 24
  eye: "M2 12S6 5.5 12 5.5 22 12 22 12 18 18.5 12 18.5 2 12 2 12ZM12 9.2a2.8 2.8 0 1 0 .01 0Z",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  voice: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.1",
  first: "M6 5v14M18 6l-8 6 8 6Z",
  back: "M16 6l-8 6 8 6Z",
  next: "M8 6l8 6-8 6Z",
  last: "M18 5v14M6 6l8 6-8 6Z",
  undo: "M9 5L4.5 9.5 9 14M5 9.5h9a5 5 0 0 1 0 10h-2",
  close: "M6 6l12 12M18 6L6 18",
  bulb: "M9 18.5h6M10 21.5h4M8.5 15.5a6 6 0 1 1 7 0c-.6.5-.8 1-.8 1.5H9.3c0-.5-.2-1-.8-1.5Z",
};

/** @param {number} card */
export const colourOf = (card) => Math.floor(card / 5);
/** @param {number} card */
export const cardName = (card) => `${NAMES[colourOf(card)]} ${(card % 5) + 1}`;
/** The class of a colour; -1 is no colour. @param {number} colour */
export const roles = (colour) => `c-${colour < 0 ? "x" : LETTERS[colour].toLowerCase()}`;
const colourMask = (colour) => 31 << (5 * colour);
const rankMask = (rank) => 0x108421 << rank;

const drawing = (look, box, inside) => html`<svg class=${look} viewBox=${box} aria-hidden="true">${inside}</svg>`;
const symbol = (colour, x, y, radius, look = "on") =>
  svg`<path class=${look} d=${SYMBOLS[LETTERS[colour]]} transform="translate(${x} ${y}) scale(${radius})"/>`;
const char = (name, x, y, scale, look = "on") =>
  svg`<path class="ink ${look}" d=${GLYPHS[name]} transform="translate(${x} ${y}) scale(${scale})"/>`;
const badge = (mark) => svg`<g class="badge ${mark}"><circle r="7.5"/><path d=${MARKS[mark]}/></g>`;
const badges = (marks) => marks.map((mark, k) => svg`<g transform="translate(44.5 ${6 + 16 * k})">${badge(mark)}</g>`);

/**
 * One that is off stays in reach of Tab, and says why when it is pressed.
 * @type {(inside: unknown, act: () => void, look?: string, more?: ButtonLook) => unknown}
 */
export const button = (
  inside,
  act,
  look = "",
  { label, title = label, zone, pressed, isOff } = {},
) => html`<button class="button ${look}" @click=${act}
  aria-label=${label ?? nothing} title=${title ?? nothing} data-zone=${zone ?? nothing} aria-pressed=${pressed ?? nothing}
  aria-disabled=${isOff ?? nothing}>${inside}</button>`;
/** A sign. @param {keyof typeof SIGNS} sign */
export const icon = (sign) => drawing("sign", "0 0 24 24", svg`<path d=${SIGNS[sign]}/>`);
/**
 * A button with nothing but a sign.
 * @param {keyof typeof SIGNS} sign
 * @param {string} label
 * @param {() => void} act
 * @param {ButtonLook} [more]
 */
export const tool = (sign, label, act, more = {}) => button(icon(sign), act, "icon", { label, ...more });

/** The symbol of a colour. @param {number} colour */
export const glyph = (colour) => drawing(`glyph ${roles(colour)}`, "-1.1 -1.1 2.2 2.2", symbol(colour, 0, 0, 1, "edge"));
/** The letter of a colour. @param {number} colour */
export const letterGlyph = (colour) => drawing(`glyph ${roles(colour)}`, "-5 -5 10 10", char(LETTERS[colour], 0, 0, 1));
/** A mark by itself. @param {string} mark */
export const markGlyph = (mark) => drawing("glyph large", "-9 -9 18 18", badge(mark));

/** A card of a colour with what is on it. @param {number} colour @param {unknown} [inside] */
export const paper = (colour, inside = "") =>
  drawing(
    `face ${roles(colour)}`,
    "0 0 50 70",
    svg`<rect class="paper" x=".6" y=".6" width="48.8" height="68.8" rx="6.5"/>${inside}`,
  );
const bigRank = (rank) => char(rank + 1, 15.5, 20, 2.5);
const suit = (colour, look = "on") => svg`${char(LETTERS[colour], 13, 57, 0.95, look)}${symbol(colour, 34, 51, 11, look)}`;

/** A card that is seen. @param {number} card @param {FaceLook} [look] */
export const cardFace = (card, { marks = [], pin = "" } = {}) =>
  paper(colourOf(card), svg`${bigRank(card % 5)}${suit(colourOf(card))}${badges(marks)}${pin}`);

/**
 * A card that is not seen: what hints leave of it, and what counting leaves of that. A colour or rank that is
 * certain stands in its usual place, others as pips; `positive` shows only what was told.
 * @param {HiddenSlot} slot @param {FaceLook & {left: number}} options
 */
export function hiddenFace({ hints, told, marks = [] }, { left, pips = "full", pin = "" }) {
  const isFull = pips === "full";
  const only = (maskOf, isTold) => {
    const open = FIVE.filter((k) => ((isFull && left) || hints) & maskOf(k));
    return open.length === 1 && (isFull || isTold) ? open[0] : -1;
  };
  const [colour, rank] = [only(colourMask, told.colour), only(rankMask, told.rank)];
  return paper(
    colour,
    svg`${isFull || rank >= 0 || colour >= 0 ? "" : BURST}
    ${rank >= 0 ? bigRank(rank) : isFull ? rankPips(hints, left, inRows(18), 1.05, "on") : ""}
    ${colour >= 0 ? suit(colour) : isFull ? colourPips(hints, left, inRows(46), 5) : ""}${badges(marks)}${pin}`,
  );
}

const BURST = svg`<g class="ornament">${FIVE.concat(5, 6, 7).map((k) => svg`<path d="M25 29V22.5" transform="rotate(${45 * k} 25 35)"/>`)}</g>`;

/** A place without a card. @param {number} [colour] */
export const emptyPlace = (colour = -1) =>
  drawing(
    "face place",
    "0 0 50 70",
    svg`<rect x="1" y="1" width="48" height="68" rx="6.5"/>${colour < 0 ? "" : suit(colour, "")}`,
  );

/** What the holder of a card knows of it; `all` are the cards of the game. @param {Slot} slot */
export function knowledge({ told, hints, empathy }, pips, all) {
  const isFull = pips === "full";
  const left = isFull ? empathy : hints;
  return drawing(
    "knowledge",
    "0 0 50 21",
    isFull && hints === all
      ? ""
      : svg`
    ${isFull || told.rank ? rankPips(hints, left, inLine(5.2), 0.85, "soft") : ""}
    ${isFull || told.colour ? colourPips(hints, left, inLine(16.5), 3.9) : ""}`,
  );
}

const rankPips = (hints, left, places, scale, look) =>
  pips(rankMask, hints, left, places, look, (rank, x, y) => char(rank + 1, x, y, scale, look));
const colourPips = (hints, left, places, radius) =>
  pips(
    colourMask,
    hints,
    left,
    places,
    "soft",
    (colour, x, y) => svg`<g class=${roles(colour)}>${symbol(colour, x, y, radius, "edge")}</g>`,
  );

/** Places of five pips: in a line, or three above two. */
const inLine = (y) => FIVE.map((k) => [6.6 + 9.2 * k, y]);
const inRows = (y) => FIVE.map((k) => (k < 3 ? [11 + 14 * k, y] : [18 + 14 * (k - 3), y + 13]));

/** Each in a place of its own, or alone in the middle; faint and struck out if all such cards are in sight. */
const pips = (maskOf, hints, left, places, look, draw) => {
  const open = FIVE.filter((k) => hints & maskOf(k));
  return open.map((k) => {
    const [x, y] = open.length > 1 ? places[k] : [25, places[0][1]];
    return left & maskOf(k)
      ? draw(k, x, y)
      : svg`<g class="faint">${draw(k, x, y)}</g><path class="strike ${look}" d="M${x - 4} ${y + 4.5}l8-9"/>`;
  });
};

/** A small card: rank and symbol. @param {number} card */
export const smallCard = (card) =>
  drawing(
    `small ${roles(colourOf(card))}`,
    "0 0 30 22",
    svg`<rect class="paper" x=".5" y=".5" width="29" height="21" rx="4"/>
      ${char((card % 5) + 1, 9.5, 11, 1.2)}${symbol(colourOf(card), 20.5, 11, 5.5)}`,
  );

/** What a hint names, on a disc: filled if it is news. */
const disc = (kind, value, isNew) =>
  svg`<g class=${isNew ? "disc new" : "disc"}><circle r="8.5"/>${
    kind === "colour" ? symbol(value, 0, 0, 4.8, "named") : char(value + 1, 0, 0, 1, "named")
  }</g>`;

/** The arrow of a hint at a card that it touches, in the box of its face. @param {Arrows|null} hint */
export function arrow(hint, order) {
  if (!hint?.touched.includes(order)) return "";
  const isNew = hint.newly.includes(order);
  return svg`<g transform="translate(30 1)">
    <path class=${isNew ? "tip new" : "tip"} d="M0 15L-5 6.5H5Z"/>${disc(hint.kind, hint.value, isNew)}</g>`;
}

/** A move in one sign: the card that was played or discarded, or what was told. @param {Move} move */
export const moveSign = ({ card, kind, value, newly }) =>
  newly ? drawing("told-sign", "-10 -10 20 20", disc(kind, value, newly.length)) : smallCard(card);
