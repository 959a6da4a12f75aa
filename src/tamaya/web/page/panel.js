/** Beside the table, or in a drawer on small screens: the log, and tabs for discards, a card and reasons. */

import { discards } from "./board.js";
import { cardName, icon, markGlyph, smallCard } from "./card.js";
import { inspector } from "./hand.js";
import { walk } from "./keys.js";
import { log, turnLink } from "./log.js";
import { isMe, nameOf, shown } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { moveWords, slotNumber } from "./words.js";

const TABS = { log: log, discards: (ui) => html`${discards(ui)}${legend()}`, card: inspector, why: reasons };

/** @param {Ui} ui */
export function panel(ui) {
  const { state, to, isWide } = ui;
  const names = isWide ? ["discards", "card", "why"] : ["log", "discards", "card", "why"];
  const tab = names.includes(state.tab) ? state.tab : "discards";
  const isOpen = isWide || state.isOpen;
  return html`<aside class="panel ${isWide ? "beside" : ""}" aria-label="Details">${isWide ? log(ui) : nothing}
    <div class="tabs"><div class="strip" role="tablist" aria-label="Details" @keydown=${walk}>${names.map((name) => html`<button role="tab"
      id="tab-${name}" aria-selected=${isOpen && tab === name} aria-controls="tab" tabindex=${tab === name ? 0 : -1} data-pile=${name === "discards" ? "" : nothing}
      @click=${() => to.put({ tab: name, isOpen: !(state.isOpen && tab === name) })}>${name}</button>`)}</div>
    <div class="tab" id="tab" role="tabpanel" aria-labelledby="tab-${tab}" tabindex="0" ?hidden=${!isOpen}>${isOpen ? html`
      ${isWide ? nothing : html`<button class="icon close" aria-label="Close" @click=${() => to.put({ isOpen: false })}>${icon("close")}</button>`}
      ${TABS[tab](ui)}` : nothing}</div></div></aside>`;
}

/** What the marks on cards mean. */
const legend = () => html`<ul class="legend">${[["playable", "can be played now"], ["critical", "last copy, still needed"], ["dead", "never scores again"]]
  .map(([mark, words]) => html`<li>${markGlyph(mark)}${words}</li>`)}</ul>`;

/** Why an agent moved, or would move, in its own words. @param {Ui} ui */
function reasons(ui) {
  const { state, to } = ui;
  const found = state.reasons;
  if (state.waits) return html`<p class="hush busy">Asking…</p>`;
  if (!found) return html`<p class="hush"><b>Advise</b> asks what an agent would do in your place, <b>Why?</b> for the reasons of the last move.</p>`;
  const { kind, move, seat, turn, agent, rows } = found;
  const isAdvice = kind === "advise";
  return html`<div class="reasons"><h3>${isAdvice ? `${agent} would` : `${nameOf(state, seat)}:`} ${move ? moveWords(ui, move, seat) : found.words}</h3>
    <p class="hush">${isAdvice ? "" : `${agent}, `}${turnLink(ui, turn + (isAdvice ? 0 : 1), `turn ${turn + 1}`)}</p>
    <dl>${rows.map(({ parts, value }) => html`<div><dt>${parts.map((part) => said(ui, part, seat))}</dt><dd>${value.map((part) => said(ui, part, seat))}</dd></div>`)}</dl>
    ${rows.length ? nothing : html`<p class="hush">It gives no reasons.</p>`}
    ${isAdvice && move && state.view.turn === turn ? html`<button class="button main" @click=${() => to.make(move)}>Do it</button>` : nothing}</div>`;
}

/** A part of a reason; slots light up on the table. @param {Ui} ui @param {any} part @param {number} speaker */
function said(ui, part, speaker) {
  const { slot, seat = speaker } = part;
  if (part.card !== undefined) return html`${smallCard(part.card)}<span class="unseen">${cardName(part.card)}</span>`;
  if (part.move) return html`<b>${moveWords(ui, part.move, speaker)}</b>`;
  if (slot === undefined || !shown(ui.state).hands[seat]?.[slot]) return part.text;
  const light = () => ui.to.put({ lit: { seat, slot } });
  const out = () => ui.to.put({ lit: null });
  return html`<button class="slot" @mouseenter=${light} @mouseleave=${out} @focus=${light} @blur=${out} @click=${light}>${
    isMe(ui.state, seat) ? "" : `${nameOf(ui.state, seat)}, `}slot ${slotNumber(ui, seat, slot)}</button>`;
}

const KEYS = `a|play: then the slot;d|discard: then the slot;;|hint: next player;1–5|hint: rank;q w e r t|hint: colour;Ctrl+Enter|give the hint;← →|a turn back, on;[ ]|a round back, on;Home End|to the deal, to now;Esc|cancel, back to now;Space e|hands as their holders see them;h|advise me;y|why the last move;u|take my move back;l|copy the link;m|read the board aloud;?|this help`;

/** Keys and signs. */
export const helpText = () => html`<form method="dialog"><h2>Help</h2>
  <p>Choose a card, then <b>Play</b> or <b>Discard</b>; or drag it onto the fireworks or the tokens. For a hint choose a player and a colour or rank:
    arrows show the cards that it touches. A click on a played or discarded card, a lost life or a line of the log shows that turn.</p>
  ${legend()}<p>Pips on or below a card: what its holder can still take it for. Struck out: all copies are in sight.</p>
  <dl class="help-keys">${KEYS.split(/;(?=[^|])/).map((line) => {
    const [keys, words] = line.split("|");
    return html`<div><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${words}</dd></div>`;
  })}</dl><p class="choices"><button class="button main" autofocus>Close</button></p></form>`;
