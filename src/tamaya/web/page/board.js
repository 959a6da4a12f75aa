/** What lies in the middle of the table: fireworks, tokens, lives, deck, and what follows from them. */

import { cardFace, cardName, colourOf, emptyPlace, FIVE, glyph, icon, LETTERS, NAMES, paper, smallCard } from "./card.js";
import { isMe, nameOf, shown } from "./state.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

const TOKEN = "M0-5A5 5 0 1 0 0 5A5 5 0 1 0 0-5Z";
const LIFE = "M0 5C-2.5 2.5-5.5.5-5.5-2A2.8 2.8 0 0 1 0-2.5A2.8 2.8 0 0 1 5.5-2C5.5.5 2.5 2.5 0 5Z";
const MOST_SHAPES = 8;
const list = (length, make) => Array.from({ length }, (_, k) => make(k));

/** Whose turn it is, and tools that concern the whole table. @param {Ui} ui */
export function status({ state, to }) {
  const view = shown(state);
  const tool = (sign, words, act) => html`<button class="icon" @click=${act} aria-label=${words} title=${words}>${icon(sign)}</button>`;
  const { mover, turns_left: left, turn } = view;
  const isMine = isMe(state, mover);
  return html`<section class="status" aria-label="Status">
    <h1>${state.look ? `After turn ${turn}` : view.phase === "over" ? "The end" : `Turn ${turn + 1}`}</h1>
    <p class="call ${isMine && !state.look ? "mine" : ""}">${mover === null ? view.status : isMine ? "your turn" : `${nameOf(state, mover)} to move`}</p>
    ${left === null || mover === null ? nothing : html`<p class="last-round">last round: ${left} ${left === 1 ? "move" : "moves"} left</p>`}
    <div class="tools">${tool("link", "Copy the link (l)", () => to.link())}${tool("voice", "Read the board (m)", () => to.read())}${
      tool("help", "Help and keys (?)", () => to.dialog("help"))}</div></section>`;
}

/** @param {Ui} ui */
export function board(ui) {
  const view = shown(ui.state);
  const { now, required } = view.efficiency;
  const reach = view.reach.reduce((sum, height) => sum + height, 0);
  return html`<section class="board" aria-label="Board">
    <div class="fireworks" role="group" aria-label="Fireworks" data-zone="p" data-words="Play">${
      view.firework.map((height, colour) => firework(ui, view, colour, height))}</div>
    <div class="supplies" data-zone="d" data-words="Discard">${supplies(ui, view)}</div>
    <dl class="figures"><div><dt>score</dt><dd>${view.score} <small>of ${reach}</small></dd></div>
      <div title="Discards that the team can afford"><dt>pace</dt><dd>${view.pace ?? "–"}</dd></div>
      <div title="Cards played or told for each hint; and how many all points in reach take from now on"><dt>efficiency</dt>
        <dd>${now?.toFixed(2) ?? "–"} ${required === null ? nothing : html`<small>needs ${required.toFixed(2)}</small>`}</dd></div></dl>
  </section>`;
}

/** A firework: its cards, and below them a dot per rank: made, open or lost. */
function firework(ui, view, colour, height) {
  const { ranks } = ui.state.welcome.rules;
  const reach = view.reach[colour];
  const card = 5 * colour + height - 1;
  const top = height ? view.played.find((played) => played.card === card) : null;
  const words = `${NAMES[colour]}: ${height} of ${ranks}${reach < ranks ? `, ${ranks - reach} lost` : ""}`;
  const dot = (rank) => {
    const x = 9 * (rank - (ranks - 1) / 2);
    return rank >= reach ? svg`<path class="lost" d="M${x - 2.6}-2.6l5.2 5.2m0-5.2l-5.2 5.2"/>`
      : svg`<circle class=${rank < height ? "made" : ""} cx=${x} r="2.6"/>`;
  };
  const drawn = html`${top ? html`<span class="body ${view.last?.order === top.order ? "news" : ""}" data-order=${top.order}>${
    list(height - 1, (k) => html`<span class="under u${height - 1 - k}">${paper(colour, nothing)}</span>`)}${cardFace(card)}</span>` : emptyPlace(colour)}
    <svg class="ranks" viewBox="-25 -5 50 10" aria-hidden="true">${list(ranks, dot)}</svg>`;
  return top ? html`<button class="firework" aria-label="${words}; go to its last card" title=${words} @click=${() => ui.to.look(top.turn + 1)}>${drawn}</button>`
    : html`<span class="firework" role="img" aria-label=${words}>${drawn}</span>`;
}

/** Tokens, lives and deck: a number, a word and shapes. */
function supplies(ui, view) {
  const { tokens, max_tokens: most, lives, max_lives: mostLives, deck } = view;
  const isRunning = view.status === "running";
  const failed = view.discarded.filter((card) => card.failed);
  const row = (name, count, word, shapes, note) => html`<p class="supply ${name}"><b>${count}</b><span>${word}</span>${shapes}${
    note && isRunning ? html`<em>${note}</em>` : nothing}</p>`;
  const shape = (path, isThere) => svg`<path class=${isThere ? "there" : "spent"} d=${path}/>`;
  const life = (k) => {
    const heart = html`<svg viewBox="-7 -7 14 14" aria-hidden="true">${shape(LIFE, k < lives)}</svg>`;
    const play = k < lives ? null : failed[mostLives - 1 - k];
    const words = play && `${cardName(play.card)} failed at turn ${play.turn + 1}: go there`;
    return play ? html`<button class="life" aria-label=${words} title=${words} @click=${() => ui.to.look(play.turn + 1)}>${heart}</button>`
      : html`<span class="life">${heart}</span>`;
  };
  return html`
    ${row("tokens", tokens, "tokens", most > MOST_SHAPES ? nothing : html`<svg class="shapes" viewBox="-6 -7 ${12 * most} 14" aria-hidden="true">${
      list(most, (k) => svg`<g transform="translate(${12 * k})">${shape(TOKEN, k < tokens)}</g>`)}</svg>`, tokens === 0 ? "none" : tokens === most && "full")}
    ${row("lives", lives, lives === 1 ? "life" : "lives", mostLives > MOST_SHAPES ? nothing : html`<span class="shapes">${list(mostLives, life)}</span>`, lives === 1 && "last")}
    ${row("deck", deck, "deck", html`<svg class="shapes backs" data-deck viewBox="0 0 100 14" aria-hidden="true">${
      list(Math.min(deck, 40), (k) => svg`<path d="M${1 + 2.5 * k} 1v12"/>`)}</svg>`, deck === 0 && "empty")}`;
}

/** The discard pile by colour and rank. @param {Ui} ui */
export function discards({ state, to }) {
  const view = shown(state);
  const pile = [...view.discarded].sort((a, b) => a.card - b.card || a.turn - b.turn);
  const gone = ({ card, order, turn, failed }) => {
    const words = `${cardName(card)}, ${failed ? "failed" : "discarded"} at turn ${turn + 1}: go there`;
    return html`<button class="gone ${failed ? "failed" : ""} ${view.last?.order === order ? "news" : ""}" data-order=${order}
      aria-label=${words} title=${words} @click=${() => to.look(turn + 1)}>${smallCard(card)}</button>`;
  };
  return html`<ul class="discards" aria-label="Discards by colour">${FIVE.slice(0, state.welcome.rules.colours).map((colour) => {
    const cards = pile.filter(({ card }) => colourOf(card) === colour);
    return html`<li>${glyph(colour)}<span>${LETTERS[colour]}</span><span class="pile">${cards.length ? cards.map(gone) : html`<span class="hush">none</span>`}</span></li>`;
  })}</ul>`;
}
