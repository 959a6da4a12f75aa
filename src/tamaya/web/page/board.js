/** What lies in the middle of the table: fireworks, tokens, lives, deck, and what follows from them. */

import { cardFace, cardName, colourOf, emptyPlace, FIVE, glyph, LETTERS, NAMES, paper, smallCard, tool } from "./card.js";
import { isMe, nameOf, shown } from "./state.js";
import { html, svg } from "./lit.js";

const TOKEN = "M0-5A5 5 0 1 0 0 5A5 5 0 1 0 0-5Z";
const LIFE = "M0 5C-2.5 2.5-5.5.5-5.5-2A2.8 2.8 0 0 1 0-2.5A2.8 2.8 0 0 1 5.5-2C5.5.5 2.5 2.5 0 5Z";
const MOST_SHAPES = 8;
const list = (length, make) => Array.from({ length }, (_, k) => make(k));

/** Whose turn it is, and tools that concern the whole table. @param {Ui} ui */
export function status({ state, to }) {
  const { mover, turn, phase, status: end } = shown(state);
  const isMine = isMe(state, mover);
  return html`<section class="status" aria-label="Status">
    <h1>${state.look ? `After turn ${turn}` : phase === "over" ? "The end" : `Turn ${turn + 1}`}</h1>
    <p class=${isMine && !state.look ? "call" : "hush"}>${mover === null ? end : isMine ? (state.look ? "you to move" : "your turn") : `${nameOf(state, mover)} to move`}</p>
    <div class="tools">${tools(to)}</div></section>`;
}

/** What concerns the whole table. @param {Ui} to */
export const tools = (to) => html`${tool("link", "Copy the link (l)", () => to.copy(to.address(), "The link is copied."))}
  ${tool("voice", "Read the board (m)", () => to.read())}${tool("help", "Help and keys (?)", () => to.help())}`;

/** @param {Ui} ui */
export function board(ui) {
  const view = shown(ui.state);
  const { score, pace, efficiency, max_score: most } = view;
  const { now, required } = efficiency;
  const reach = view.reach.reduce((sum, height) => sum + height);
  const isLess = reach < most && view.mover !== null;
  const needs = required === null ? "" : html`<small>needs ${required.toFixed(2)}</small>`;
  return html`<section class="board" aria-label="Board">
    <div class="fireworks" role="group" aria-label="Fireworks" data-zone="p" data-words="Play">${view.firework.map(
      (_, colour) => firework(ui, view, colour),
    )}</div>
    <div class="supplies" data-zone="d" data-words="Discard">${supplies(ui, view)}</div>
    <dl class="figures"><div><dt>score</dt><dd>${score} <span>of ${isLess ? html`${reach}<span class="long"> in reach</span>` : most}</span></dd></div>
      <div><dt>pace</dt><dd>${pace ?? "–"}</dd></div>
      <div><dt>efficiency</dt><dd>${now?.toFixed(2) ?? "–"} ${needs}</dd></div></dl></section>`;
}

/** A firework: its cards, and below them a dot per rank: made, open or lost. */
function firework({ state, to }, view, colour) {
  const { ranks } = state.welcome.rules;
  const [height, reach] = [view.firework[colour], view.reach[colour]];
  const card = 5 * colour + height - 1;
  const top = height ? view.played.find((played) => played.card === card) : null;
  const words = `${NAMES[colour]}: ${height} of ${ranks}${reach < ranks ? `, ${ranks - reach} lost` : ""}`;
  const dot = (rank) =>
    rank < reach
      ? svg`<circle class=${rank < height ? "made" : ""} cx=${9 * rank} r="2.6"/>`
      : svg`<path class="lost" d="M${9 * rank - 2.6}-2.6l5.2 5.2m0-5.2l-5.2 5.2"/>`;
  const drawn = html`${
    top
      ? html`<span class="body ${view.last?.order === top.order ? "news" : ""}" data-order=${top.order}>${list(
          height - 1,
          (k) => html`<span class="under u${height - 1 - k}">${paper(colour)}</span>`,
        )}${cardFace(card)}</span>`
      : emptyPlace(colour)
  }
    <svg class="ranks" viewBox="${4.5 * (ranks - 1) - 25} -5 50 10" aria-hidden="true">${list(ranks, dot)}</svg>`;
  return top
    ? html`<button class="firework" aria-label="${words}; go to its last card" @click=${() => to.look(top.turn + 1)}>${drawn}</button>`
    : html`<span class="firework" role="img" aria-label=${words}>${drawn}</span>`;
}

/** Tokens, lives and deck: a number, a word and shapes. */
function supplies({ to }, { tokens, max_tokens: most, lives, max_lives: mostLives, deck, turns_left: left, status: end, discarded }) {
  const failed = discarded.filter((card) => card.failed);
  const row = (count, word, shapes, note = /** @type {any} */ ("")) =>
    html`<p class="supply"><b>${count}</b><span>${word}</span>${shapes}${
      note && end === "running" ? html`<em>${note}</em>` : ""
    }</p>`;
  const shape = (path, isThere, look) => svg`<path class=${isThere ? look : "spent"} d=${path}/>`;
  const life = (k) => {
    const heart = html`<svg viewBox="-7 -7 14 14" aria-hidden="true">${shape(LIFE, k < lives, "heart")}</svg>`;
    const play = k < lives ? null : failed[mostLives - 1 - k];
    return play
      ? html`<button class="life" aria-label="${cardName(play.card)} failed at turn ${play.turn + 1}: go there"
          @click=${() => to.look(play.turn + 1)}>${heart}</button>`
      : html`<span class="life">${heart}</span>`;
  };
  const dots = html`<svg class="shapes" viewBox="-6 -7 ${12 * most} 14" aria-hidden="true">${list(
    most,
    (k) => svg`<g transform="translate(${12 * k})">${shape(TOKEN, k < tokens, "token")}</g>`,
  )}</svg>`;
  const hearts = html`<span class="shapes">${list(mostLives, life)}</span>`;
  const backs = html`<svg class="shapes spent" data-deck viewBox="0 0 ${left === null ? 100 : 1} 14" aria-hidden="true">${list(
    Math.min(deck, 40),
    (k) => svg`<path d="M${1 + 2.5 * k} 1v12"/>`,
  )}</svg>`;
  return html`${row(tokens, tokens === 1 ? "token" : "tokens", most > MOST_SHAPES ? "" : dots, tokens === 0 ? "none" : tokens === most && "full")}
    ${row(lives, lives === 1 ? "life" : "lives", mostLives > MOST_SHAPES ? "" : hearts, lives === 1 && "last")}
    ${left === null ? row(deck, "deck", backs) : row(left, "left", backs, "last round")}`;
}

/** The discard pile by colour and rank. @param {Ui} ui */
export function discards({ state, to }) {
  const { discarded, last } = shown(state);
  const pile = [...discarded].sort((a, b) => a.card - b.card || a.turn - b.turn);
  const gone = ({
    card,
    order,
    turn,
    failed,
  }) => html`<button class="gone ${failed ? "failed" : ""} ${last?.order === order ? "news" : ""}" data-order=${order}
    aria-label="${cardName(card)}, ${failed ? "failed" : "discarded"} at turn ${turn + 1}: go there"
    @click=${() => to.look(turn + 1)}>${smallCard(card)}</button>`;
  return html`<ul class="discards" aria-label="Discards by colour">${FIVE.slice(0, state.welcome.rules.colours).map(
    (colour) => {
      const cards = pile.filter(({ card }) => colourOf(card) === colour);
      return html`<li>${glyph(colour)}<span class="hush">${LETTERS[colour]}</span>
        <span>${cards.length ? cards.map(gone) : html`<small>none</small>`}</span></li>`;
    },
  )}</ul>`;
}
