/** What lies in the middle of the table: fireworks, tokens, lives, deck, and what follows from them. */

import { cardFace, emptyPlace, LETTERS, NAMES, roles, smallCard, symbol } from "./card.js";
import { icon } from "./icons.js";
import { isMe, nameOf, shown } from "./state.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

/**
 * @typedef {import("./state.js").View} View
 * @typedef {import("./table.js").Ui} Ui
 */

const TOKEN = "M0-5A5 5 0 1 0 0 5A5 5 0 1 0 0-5Z";
const LIFE = "M0 5C-2.5 2.5-5.5.5-5.5-2A2.8 2.8 0 0 1 0-2.5A2.8 2.8 0 0 1 5.5-2C5.5.5 2.5 2.5 0 5Z";
const MOST_SHAPES = 8;

/** @param {Ui} ui */
export function board(ui) {
  const view = /** @type {View} */ (shown(ui.state));
  return html`<section class="board" aria-label="Board">
    <div class="fireworks" role="group" aria-label="Fireworks" data-zone="p" data-words="Play"
      @keydown=${ui.to.walk}>${view.firework.map((height, colour) => firework(ui, view, colour, height))}</div>
    <div class="supplies" data-zone="d" data-words="Discard">${supplies(ui, view)}</div>
    ${figures(view)}
  </section>`;
}

/**
 * Whose turn it is, and tools that concern the whole table.
 * @param {Ui} ui
 */
export function status(ui) {
  const { state, to } = ui;
  const view = /** @type {View} */ (shown(state));
  return html`<section class="status" aria-label="Status">
    <h1>${state.look ? html`After turn ${view.turn}` : view.phase === "over" ? "The end" : html`Turn ${view.turn + 1}`}</h1>
    <p class="call ${isMe(state, view.mover) && !state.look ? "mine" : ""}">${call(ui, view)}</p>
    ${view.turns_left === null ? nothing
      : html`<p class="call last-round">last round: ${view.turns_left} ${view.turns_left === 1 ? "move" : "moves"} left</p>`}
    <div class="tools">
      <button class="icon" @click=${() => to.link()} aria-label="Copy the link of this table" title="Copy the link (l)">${icon("link")}</button>
      <button class="icon" @click=${() => to.read()} aria-label="Read the board aloud" title="Read the board (m)">${icon("voice")}</button>
      <button class="icon" @click=${() => to.help()} aria-label="Help and keys" title="Help and keys (?)">${icon("help")}</button>
    </div>
  </section>`;
}

/** @param {Ui} ui @param {View} view */
function call({ state }, view) {
  if (view.phase === "over") return view.status;
  if (view.phase === "waiting") return "waiting for players";
  if (view.mover === null) return "";
  if (isMe(state, view.mover)) return state.look ? "you to move" : "your turn";
  return `${nameOf(state, view.mover)} to move`;
}

/**
 * A firework: its top card, and below it a dot per rank: made, open or lost.
 * @param {Ui} ui
 * @param {View} view
 * @param {number} colour
 * @param {number} height
 */
function firework(ui, view, colour, height) {
  const { ranks } = ui.state.welcome.rules;
  const reach = view.reach[colour];
  const top = view.played.filter(({ card }) => card === 5 * colour + height - 1).at(-1);
  const lost = reach < ranks ? `, ${ranks - reach} lost` : "";
  const words = `${NAMES[colour]}: ${height} of ${ranks}${lost}`;
  const dots = Array.from({ length: ranks }, (_, rank) => dot(rank - (ranks - 1) / 2, rank < height, rank >= reach));
  const isNews = top && view.last?.order === top.order;
  const drawn = html`${height ? html`<span class="body ${isNews ? "news" : ""}" data-order=${top?.order ?? -1}>
      ${pile(colour, height)}${cardFace(5 * colour + height - 1)}</span>`
    : html`<span class="body">${emptyPlace(colour)}</span>`}
    <svg class="dots-line" viewBox="-25 -5 50 10" aria-hidden="true">${dots}</svg>`;
  if (!top) return html`<span class="firework" role="img" aria-label=${words}>${drawn}</span>`;
  return html`<button class="firework" aria-label="${words}; go to its last card" title=${words}
    @click=${() => ui.to.look(top.turn + 1)}>${drawn}</button>`;
}

/** The edges of the cards below the top one. @param {number} colour @param {number} height */
function pile(colour, height) {
  const edges = Array.from({ length: height - 1 }, (_, k) => height - 1 - k);
  return html`<svg class="face pile ${roles(colour)}" viewBox="0 0 50 70" aria-hidden="true">
    ${edges.map((k) => svg`<rect class="paper" x=".6" y=${0.6 - 2.5 * k} width="48.8" height="68.8" rx="6.5"/>`)}
  </svg>`;
}

/** @param {number} place @param {boolean} isMade @param {boolean} isLost */
function dot(place, isMade, isLost) {
  const x = 9 * place;
  if (isLost) return svg`<path class="lost" d="M${x - 2.6}-2.6l5.2 5.2m0-5.2l-5.2 5.2"/>`;
  return svg`<circle class=${isMade ? "made" : "open"} cx=${x} r="2.6"/>`;
}

/** Tokens, lives and deck: a number, a word and shapes. @param {Ui} ui @param {View} view */
function supplies(ui, view) {
  const isRunning = view.status === "running";
  const failed = view.discarded.filter((card) => card.failed);
  const full = view.tokens === view.max_tokens && isRunning;
  const lastLife = view.lives === 1 && isRunning;
  return html`
    <p class="supply tokens"><b>${view.tokens}</b><span class="word">tokens</span>
      ${shapes(TOKEN, view.tokens, view.max_tokens)}
      ${view.tokens === 0 ? html`<em>none</em>` : full ? html`<em>full</em>` : nothing}</p>
    <p class="supply lives"><b>${view.lives}</b><span class="word">${view.lives === 1 ? "life" : "lives"}</span>
      ${view.max_lives > MOST_SHAPES ? nothing : html`<span class="shapes" role="group" aria-label="Lives">${
        Array.from({ length: view.max_lives }, (_, k) => life(ui, k < view.lives, failed[view.max_lives - 1 - k]))}</span>`}
      ${lastLife ? html`<em>last</em>` : nothing}</p>
    <p class="supply deck" data-deck><b>${view.deck}</b><span class="word">deck</span>
      <svg class="backs" viewBox="0 0 100 14" preserveAspectRatio="xMinYMid meet" aria-hidden="true">${
        Array.from({ length: Math.min(view.deck, 40) }, (_, k) => svg`<path d="M${1 + 2.5 * k} 1v12"/>`)}</svg>
      ${view.deck === 0 && isRunning ? html`<em>empty</em>` : nothing}</p>`;
}

/** @param {string} path @param {number} count @param {number} most */
function shapes(path, count, most) {
  if (most > MOST_SHAPES) return nothing;
  return html`<svg class="shapes" viewBox="-6 -7 ${12 * most} 14" aria-hidden="true">${
    Array.from({ length: most }, (_, k) => svg`<path class=${k < count ? "there" : "spent"} d=${path} transform="translate(${12 * k} 0)"/>`)}</svg>`;
}

/**
 * @param {Ui} ui
 * @param {boolean} isThere
 * @param {{card: number, turn: number}|undefined} failed  the play that cost it
 */
function life(ui, isThere, failed) {
  const heart = html`<svg viewBox="-7 -7 14 14" aria-hidden="true"><path class=${isThere ? "there" : "spent"} d=${LIFE}/></svg>`;
  if (isThere || !failed) return html`<span class="life">${heart}</span>`;
  const words = `life lost at turn ${failed.turn + 1}: go there`;
  return html`<button class="life" aria-label=${words} title=${words} @click=${() => ui.to.look(failed.turn + 1)}>${heart}</button>`;
}

/** Score, pace and efficiency. @param {View} view */
function figures(view) {
  const { now, required } = view.efficiency;
  const reach = view.reach.reduce((sum, height) => sum + height, 0);
  return html`<dl class="figures">
    <div><dt>score</dt><dd><b>${view.score}</b> of ${reach}${reach < view.max_score ? html`<small> (${view.max_score})</small>` : nothing}</dd></div>
    <div title="Cards that can still be discarded before the score suffers"><dt>pace</dt><dd>${view.pace ?? "–"}</dd></div>
    <div title="Cards played or told for each hint spent, and how many it takes for all points in reach">
      <dt>efficiency</dt><dd>${now?.toFixed(2) ?? "–"}${required === null ? nothing : html` <small>needs ${required.toFixed(2)}</small>`}</dd></div>
  </dl>`;
}

/**
 * The discard pile by colour and rank.
 * @param {Ui} ui
 */
export function discards(ui) {
  const view = /** @type {View} */ (shown(ui.state));
  const rows = Array.from({ length: ui.state.welcome.rules.colours }, (_, colour) => {
    const pile = view.discarded.filter(({ card }) => Math.floor(card / 5) === colour);
    pile.sort((a, b) => a.card - b.card || a.turn - b.turn);
    return html`<li><svg class="glyph ${roles(colour)}" viewBox="-1.1 -1.1 2.2 2.2" role="img" aria-label=${NAMES[colour]}>${symbol(colour, 0, 0, 1, "edge")}</svg>
      <span class="letter">${LETTERS[colour]}</span><span class="row">${pile.map((gone) => discarded(ui, view, gone))}${
        pile.length ? nothing : html`<span class="hush">none</span>`}</span></li>`;
  });
  return html`<ul class="discards" aria-label="Discards by colour">${rows}</ul>`;
}

/**
 * @param {Ui} ui
 * @param {View} view
 * @param {{card: number, order: number, turn: number, failed: boolean}} gone
 */
function discarded(ui, view, { card, order, turn, failed }) {
  const words = `${NAMES[Math.floor(card / 5)]} ${card % 5 + 1}, ${failed ? "failed" : "discarded"} at turn ${turn + 1}: go there`;
  return html`<button class="gone ${failed ? "failed" : ""} ${view.last?.order === order ? "news" : ""}" data-order=${order}
    aria-label=${words} title=${words} @click=${() => ui.to.look(turn + 1)}>${smallCard(card)}</button>`;
}
