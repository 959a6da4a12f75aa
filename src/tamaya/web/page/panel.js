/** Beside the table, or in a drawer on small screens: the log, and tabs for discards, a card and reasons. */

import { discards } from "./board.js";
import { cardName, MARK_WORDS, markGlyph, smallCard, tool } from "./card.js";
import { inspector } from "./hand.js";
import { walk } from "./keys.js";
import { log, turnLink } from "./log.js";
import { mySeat, nameOf } from "./state.js";
import { html } from "./lit.js";
import { moveWords, slotNumber } from "./words.js";

const TABS = { log, discards: (ui) => html`${discards(ui)}${legend()}`, card: (ui) => html`${inspector(ui)}${ui.line?.morphing(ui)}`, why: reasons };

/** @param {Ui} ui */
export function panel(ui) {
  const { state, to, isWide } = ui;
  const names = /** @type {Tab[]} */ (Object.keys(TABS).slice(isWide ? 1 : 0));
  const tab = names.includes(state.tab) ? state.tab : "discards";
  const isOpen = isWide || state.isOpen;
  return html`<aside class="panel ${isWide ? "beside" : ""}" aria-label="Details">${isWide ? log(ui) : ""}
    <div class="tabs">${strip(names, tab, isOpen, (name) => to.put({ tab: name, isOpen: !(state.isOpen && tab === name) }))}
    <div class="tab" id="tab" role="tabpanel" aria-labelledby="tab-${tab}" tabindex="0" ?hidden=${!isOpen}>${
      isOpen ? html`${isWide ? "" : tool("close", "Close", () => to.put({ isOpen: false }))}${TABS[tab](ui)}` : ""
    }</div></div></aside>`;
}

/** The names of tabs. @param {string[]} names @param {(name: string) => void} choose */
export const strip = (names, tab, isOpen, choose) =>
  html`<div class="strip" role="tablist" aria-label="Details" @keydown=${walk}>${names.map(
    (name) => html`<button role="tab" id="tab-${name}"
      aria-selected=${isOpen && tab === name} aria-controls="tab" tabindex=${tab === name ? 0 : -1}
      @click=${() => choose(name)}>${name}</button>`,
  )}</div>`;

const legend = () =>
  html`<ul class="legend">${Object.entries(MARK_WORDS).map(([mark, words]) => html`<li>${markGlyph(mark)} ${words}</li>`)}</ul>`;

/** Why an agent moved, or would move, in its own words. @param {Ui} ui */
export function reasons(ui) {
  const { state } = ui;
  if (state.waits) return html`<p class="busy">Asking…</p>`;
  if (!state.reasons)
    return html`<p class="hush">${
      mySeat(state) === null
        ? html`<b>Why?</b> asks an agent for the reasons of its last move.`
        : html`<b>Advise</b> asks what an agent would do in your place. What the others think they tell after the
        game, when you ask <b>Why?</b>: they see your cards.`
    }</p>`;
  const { kind, move, seat, turn, agent, rows, details, words, orders } = state.reasons;
  const isAdvice = kind === "advise";
  const who = isAdvice ? "Advice" : state.seats[seat].kind === "agent" ? nameOf(state, seat) : agent;
  const does = move ? moveWords(ui, move, seat, orders) : words;
  const all = (parts) => parts.map((part) => said(ui, part, state.reasons));
  const list = (found) =>
    html`<dl class="reasons">${found.map(({ parts, value, words: means }) => html`<div><dt>${means ? html`${means} <code>${all(parts)}</code>` : all(parts)}</dt><dd>${all(value)}</dd></div>`)}</dl>`;
  return html`<h2>${who}: ${does}</h2>
    <p class="hush">${agent}, ${turnLink(ui, turn + (isAdvice ? 0 : 1), `turn ${turn + 1}`)}${
      rows.length ? "" : ": it gives no reasons"
    }</p>${list(rows)}${
      details.length ? html`<details><summary>The rules it tried, in order</summary>${list(details)}</details>` : ""
    }`;
}

/** A part of a reason; slots are those of that turn, and their cards light up on the table. */
function said(ui, part, { seat: speaker, orders }) {
  const { slot, seat = speaker, card, move } = part;
  if (card !== undefined) return html`${smallCard(card)}<span class="unseen">${cardName(card)}</span>`;
  if (move) return html`<b>${moveWords(ui, move, speaker, orders)}</b>`;
  if (slot === undefined) return part.text;
  const light = () => ui.to.put({ lit: orders[seat][slot] });
  const out = () => ui.to.put({ lit: -1 });
  return html`<button class="slot" @mouseenter=${light} @mouseleave=${out} @focus=${light} @blur=${out}>slot ${slotNumber(ui, seat, slot, orders)}</button>`;
}
