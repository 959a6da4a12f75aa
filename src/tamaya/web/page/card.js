/**
 * Cards: every face has a letter, a symbol and a rank, so no colour needs to be seen to tell them apart.
 *
 * A card is `5 * colour + rank`, a set of cards a mask with a bit for each. Faces are drawn as those of
 * `tamaya.drawing.faces`, in a box of 50 by 70.
 */

import { html, nothing, svg } from "./vendor/lit-html.js";

export const LETTERS = "RYGWB";
export const NAMES = ["red", "yellow", "green", "white", "blue"];

/** Around (0, 0), reaching to 1: triangle, star, square, ring, crescent. */
const SYMBOLS = [
  "M0-.95L1 .8H-1Z",
  "M0-1L.26-.32 .98-.29 .42.16 .62.86 0 .46-.62.86-.42.16-.98-.29-.26-.32Z",
  "M-.82-.82H.82V.82H-.82Z",
  "M0-.95A.95.95 0 1 0 0 .95A.95.95 0 1 0 0-.95ZM0-.46A.46.46 0 1 1 0 .46A.46.46 0 1 1 0-.46Z",
  "M.5-.86A1 1 0 1 0 .5.86A.76.76 0 1 1 .5-.86Z",
];
/** @type {Record<string, string>} */
const MARKS = {
  playable: "M-3.2.3L-1 2.8 3.2-2.6",
  critical: "M0-4V.8M0 3.6V3.7",
  dead: "M-2.6-2.6L2.6 2.6M2.6-2.6L-2.6 2.6",
};
const FIVE = [0, 1, 2, 3, 4];

/** @param {number} card */
export const colourOf = (card) => Math.floor(card / 5);
/** @param {number} card */
export const rankOf = (card) => card % 5;
/** @param {number} card */
export const cardName = (card) => `${NAMES[colourOf(card)]} ${rankOf(card) + 1}`;
/** All cards of a colour. @param {number} colour */
export const colourMask = (colour) => 31 << (5 * colour);
/** All cards of a rank. @param {number} rank */
export const rankMask = (rank) => 0x108421 << rank;
/** The classes of a colour's roles; -1 is no colour. @param {number} colour */
export const roles = (colour) => `c-${colour < 0 ? "x" : LETTERS[colour].toLowerCase()}`;

/**
 * The symbol of a colour around a point.
 * @param {number} colour
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} [look]
 */
export function symbol(colour, x, y, radius, look = "on") {
  return svg`<path class=${look} d=${SYMBOLS[colour]} transform="translate(${x} ${y}) scale(${radius})"/>`;
}

/** A symbol by itself, as large as the text beside it. @param {number} colour */
export function glyph(colour) {
  return html`<svg class="glyph ${roles(colour)}" viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
    ${symbol(colour, 0, 0, 1, "edge")}
  </svg>`;
}

/**
 * @param {number} colour
 * @param {unknown} inside
 * @param {string} [look]
 */
function paper(colour, inside, look = "") {
  return html`<svg class="face ${roles(colour)} ${look}" viewBox="0 0 50 70" aria-hidden="true">
    <rect class="paper" x=".6" y=".6" width="48.8" height="68.8" rx="6.5"/>${inside}
  </svg>`;
}

/** @param {number} rank */
const bigRank = (rank) => svg`<text class="on rank" x="7" y="31">${rank + 1}</text>`;
/** @param {number} colour */
const suit = (colour) => svg`<text class="on letter" x="9" y="61">${LETTERS[colour]}</text>${symbol(colour, 34, 51, 11)}`;

/**
 * A card that is seen.
 * @param {number} card
 * @param {{marks?: string[]}} [options]
 */
export function cardFace(card, { marks = [] } = {}) {
  const colour = colourOf(card);
  return paper(colour, svg`${bigRank(rankOf(card))}${suit(colour)}${badges(marks)}`);
}

/**
 * A card that is not seen: what hints leave of it, and what counting leaves of that.
 *
 * A colour or rank that is certain stands in its usual place, others as pips; `positive` shows only
 * what was told.
 * @param {{hints: number, told: {colour: boolean, rank: boolean}, marks?: string[]}} slot
 * @param {{left: number, pips?: "full"|"positive"}} options
 */
export function hiddenFace(slot, { left, pips = "full" }) {
  const only = pips === "positive";
  const mask = only ? slot.hints : left || slot.hints;
  const colours = FIVE.filter((colour) => mask & colourMask(colour));
  const ranks = FIVE.filter((rank) => mask & rankMask(rank));
  const colour = colours.length === 1 && (!only || slot.told.colour) ? colours[0] : -1;
  const rank = ranks.length === 1 && (!only || slot.told.rank) ? ranks[0] : -1;
  const high = rank >= 0 ? bigRank(rank) : only ? nothing : rankPips(slot.hints, left, 25, 11, "on");
  const low = colour >= 0 ? suit(colour) : only ? nothing : colourPips(slot.hints, left, 51, 4.1);
  const back = only && rank < 0 && colour < 0 ? ornament(25, 35) : nothing;
  return paper(colour, svg`${back}${high}${low}${badges(slot.marks ?? [])}`, "hidden");
}

/** A card of which nothing is shown. */
export function cardBack() {
  return paper(-1, ornament(25, 35), "back");
}

/** The burst on the backs of cards. @param {number} x @param {number} y */
function ornament(x, y) {
  const rays = FIVE.concat(5, 6, 7).map((k) => svg`<path d="M0-6V-12.5" transform="rotate(${45 * k})"/>`);
  return svg`<g class="ornament" transform="translate(${x} ${y})">${rays}<circle r="1.8"/></g>`;
}

/** A place without a card. @param {number} [colour] */
export function emptyPlace(colour = -1) {
  const inside = colour < 0 ? nothing : svg`<text class="letter" x="9" y="61">${LETTERS[colour]}</text>${symbol(colour, 34, 51, 11, "")}`;
  return html`<svg class="face place" viewBox="0 0 50 70" aria-hidden="true">
    <rect x="1" y="1" width="48" height="68" rx="6.5"/>${inside}
  </svg>`;
}

/**
 * What the holder of a card that others see knows of it, in two lines below it.
 * @param {{hints: number, empathy: number, told: {colour: boolean, rank: boolean}, card: number|null}} slot
 * @param {"full"|"positive"} pips
 * @param {number} all  mask of all cards of the game
 */
export function knowledge(slot, pips, all) {
  const only = pips === "positive";
  const { told, hints, empathy } = slot;
  const hasNews = only ? told.colour || told.rank : hints !== all;
  const ranks = !only || told.rank ? rankPips(hints, only ? hints : empathy, 9, 10.5, "soft") : nothing;
  const colours = !only || told.colour ? colourPips(hints, only ? hints : empathy, 16.5, 3.9) : nothing;
  return html`<svg class="knowledge" viewBox="0 0 50 21" aria-hidden="true">
    ${hasNews ? svg`${ranks}${colours}` : nothing}
  </svg>`;
}

/**
 * The ranks that hints leave, each in a place of its own.
 * @param {number} hints
 * @param {number} left
 * @param {number} y
 * @param {number} size
 * @param {string} look
 */
function rankPips(hints, left, y, size, look) {
  return FIVE.map((rank) => {
    const x = 25 + 9.2 * (rank - 2);
    const digit = svg`<text class="${look} pip" x=${x} y=${y} font-size=${size}>${rank + 1}</text>`;
    return pip(digit, rankMask(rank), hints, left, x, y - 0.36 * size, look);
  });
}

/**
 * The colours that hints leave, each in a place of its own.
 * @param {number} hints
 * @param {number} left
 * @param {number} y
 * @param {number} radius
 */
function colourPips(hints, left, y, radius) {
  return FIVE.map((colour) => {
    const x = 25 + 9.2 * (colour - 2);
    const shape = svg`<g class=${roles(colour)}>${symbol(colour, x, y, radius, "edge")}</g>`;
    return pip(shape, colourMask(colour), hints, left, x, y, "soft");
  });
}

/**
 * Nothing if hints exclude it; faint and struck out if all such cards are in sight.
 * @param {unknown} drawn
 * @param {number} mask
 * @param {number} hints
 * @param {number} left
 * @param {number} x
 * @param {number} y
 * @param {string} look
 */
function pip(drawn, mask, hints, left, x, y, look) {
  if (!(hints & mask)) return nothing;
  if (left & mask) return drawn;
  return svg`<g class="faint">${drawn}</g><path class="strike ${look}" d="M${x - 4} ${y + 4.5}l8-9"/>`;
}

/** What matters about a card, on discs at its corner. @param {string[]} marks */
function badges(marks) {
  return marks.map((mark, k) => MARKS[mark] && svg`<g transform="translate(44.5 ${6 + 16 * k})">${disc(mark)}</g>`);
}

/** @param {string} mark */
const disc = (mark) => svg`<g class="badge ${mark}"><circle r="7.5"/><path d=${MARKS[mark]}/></g>`;

/** A mark by itself, for the legend. @param {string} mark */
export function markGlyph(mark) {
  return html`<svg class="glyph large" viewBox="-9 -9 18 18" aria-hidden="true">${disc(mark)}</svg>`;
}

/** A small card: rank and symbol. @param {number} card */
export function smallCard(card) {
  const colour = colourOf(card);
  return html`<svg class="small ${roles(colour)}" viewBox="0 0 30 22" aria-hidden="true">
    <rect class="paper" x=".5" y=".5" width="29" height="21" rx="4"/>
    <text class="on" x="9.5" y="16">${rankOf(card) + 1}</text>${symbol(colour, 20.5, 11, 5.5)}
  </svg>`;
}

/**
 * What a hint names, on a disc: filled if it is news.
 * @param {"colour"|"rank"} kind
 * @param {number} value
 * @param {boolean} [isNew]
 */
export function hintDisc(kind, value, isNew = true) {
  const named = kind === "colour" ? symbol(value, 0, 0, 4.8, "named")
    : svg`<text class="named" y="4.2">${value + 1}</text>`;
  return svg`<g class="disc ${isNew ? "new" : "again"}"><circle r="8.5"/>${named}</g>`;
}
