/** Beside the table, or in a drawer on small screens: the log, and tabs for a card, reasons and discards. */

import { discards } from "./board.js";
import { cardName, markGlyph, smallCard } from "./card.js";
import { inspector } from "./hand.js";
import { icon } from "./icons.js";
import { log, turnLink } from "./log.js";
import { isMe, nameOf, shown, slotNumber } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { moveWords } from "./words.js";

/**
 * @typedef {import("./table.js").Ui} Ui
 * @typedef {import("./state.js").Part} Part
 * @typedef {import("./state.js").Tab} Tab
 */

/** @type {Record<Tab, string>} */
const TITLES = { log: "Log", card: "Card", why: "Why", discards: "Discards" };

/** @param {Ui} ui */
export function panel(ui) {
  const { state, isWide } = ui;
  const tabs = /** @type {Tab[]} */ (isWide ? ["discards", "card", "why"] : ["log", "discards", "card", "why"]);
  const tab = tabs.includes(state.tab) ? state.tab : "discards";
  const isOpen = isWide || state.isOpen;
  return html`<aside class="panel ${isOpen ? "open" : ""}" aria-label="Log, discards, reasons">
    ${isWide ? log(ui) : nothing}
    <div class="tabs">
      <div class="strip" role="tablist" aria-label="Details" @keydown=${ui.to.walk}>${tabs.map((name) => html`<button role="tab" id="tab-${name}"
        aria-selected=${isOpen && tab === name} aria-controls="tab-body" tabindex=${tab === name ? 0 : -1} data-pile=${name === "discards" ? "" : nothing}
        @click=${() => ui.to.put({ tab: name, isOpen: isWide || !(state.isOpen && tab === name) })}>${TITLES[name]}</button>`)}</div>
      <div class="tab-body" id="tab-body" role="tabpanel" aria-labelledby="tab-${tab}" ?hidden=${!isOpen} tabindex="0">
        ${isWide ? nothing : html`<button class="icon close" aria-label="Close" @click=${() => ui.to.put({ isOpen: false })}>${icon("close")}</button>`}
        ${isOpen ? body(ui, tab) : nothing}</div>
    </div>
  </aside>`;
}

/** @param {Ui} ui @param {Tab} tab */
function body(ui, tab) {
  if (tab === "log") return log(ui);
  if (tab === "card") return inspector(ui);
  if (tab === "why") return reasons(ui);
  return html`${discards(ui)}${legend()}`;
}

/** What the marks on cards mean. */
function legend() {
  const words = { playable: "can be played now", critical: "last copy, still needed", dead: "never scores again" };
  return html`<ul class="legend">${Object.entries(words).map(([mark, text]) => html`<li>${markGlyph(mark)}${text}</li>`)}</ul>`;
}

/** Why an agent moved, or would move, in its own words. @param {Ui} ui */
function reasons(ui) {
  const { state, to } = ui;
  const { reasons: found } = state;
  if (state.waits) return html`<p class="hush busy">Asking…</p>`;
  if (!found) {
    return html`<p class="hush"><b>Advise</b> asks what an agent would do in your place. <b>Why?</b> asks an agent for the reasons
      of its last move: of others during a game only if you watch, since they see your hand.</p>`;
  }
  const isAdvice = found.kind === "advise";
  const who = isAdvice ? found.agent : nameOf(state, found.seat);
  return html`<div class="reasons">
    <h3>${who} ${isAdvice ? "would " : ""}${found.move ? moveWords(state, found.move, found.seat, ui.values.slots) : found.words}</h3>
    <p class="hush">${isAdvice ? "" : html`${found.agent}, `}${turnLink(ui, found.turn + (isAdvice ? 0 : 1), `turn ${found.turn + 1}`)}</p>
    ${found.rows.length ? html`<dl>${found.rows.map(({ parts: said, value }) => html`<div><dt>${parts(ui, said, found.seat)}</dt><dd>${parts(ui, value, found.seat)}</dd></div>`)}</dl>`
      : html`<p class="hush">It gives no reasons.</p>`}
    ${isAdvice && found.move && state.view?.legal?.includes(found.move) && found.turn === state.view.turn
      ? html`<button class="button main" @click=${() => to.make(/** @type {string} */ (found.move))}>Do it</button>` : nothing}
  </div>`;
}

/** @param {Ui} ui @param {Part[]} all @param {number} seat  who speaks */
function parts(ui, all, seat) {
  return all.map((part) => {
    if ("card" in part) return html`<span class="part">${smallCard(part.card)}<span class="unseen">${cardName(part.card)}</span></span>`;
    if ("slot" in part) return slotPart(ui, part);
    if ("move" in part) return html`<span class="part move">${moveWords(ui.state, part.move, seat, ui.values.slots)}</span>`;
    return part.text;
  });
}

/** A slot that lights up on the table. @param {Ui} ui @param {{slot: number, seat: number}} part */
function slotPart({ state, values, to }, { slot, seat }) {
  const view = shown(state);
  if (!view) return nothing;
  const light = () => to.put({ lit: { seat, slot } });
  const out = () => to.put({ lit: null });
  const whose = isMe(state, seat) ? "" : `${nameOf(state, seat)}, `;
  return html`<button class="part slot" @mouseenter=${light} @mouseleave=${out} @focus=${light} @blur=${out} @click=${light}
    >${whose}slot ${slotNumber(view, seat, slot, values.slots)}</button>`;
}

/** Keys and signs. */
export function helpText() {
  const keys = [
    ["a or +, then 1–5", "play a slot"], ["d or -, then 1–5", "discard a slot"], [";", "hint: next player"],
    ["1–5", "hint: rank"], ["q w e r t", "hint: colour, from the left"], ["Ctrl+Enter", "give the hint"],
    ["← →", "a turn back, on"], ["[ ]", "a round back, on"], ["Home End", "to the deal, to now"], ["Esc", "cancel, back to now"],
    ["hold Space, or e", "see hands as their holders do"], ["h", "advise me"], ["y", "why the last move"], ["u", "take my move back"],
    ["l", "copy the link"], ["m", "read the board aloud"], ["?", "this help"],
  ];
  return html`<form method="dialog"><h2>Help</h2>
    <p>Choose a card, then <b>Play</b> or <b>Discard</b>; or drag it onto the fireworks. For a hint choose a player and a colour or rank: arrows show the
      cards it touches. Click a played or discarded card, a lost life or a line of the log to see that turn.</p>
    ${legend()}
    <p>Below a card: what its holder can still think it is. Struck out: all copies are in sight.</p>
    <dl class="keys">${keys.map(([key, words]) => html`<div><dt>${key.split(/(?= or )|, /).map((one) => html`<kbd>${one.replace(" or ", "")}</kbd> `)}</dt><dd>${words}</dd></div>`)}</dl>
    <p class="choices"><button class="button main" autofocus>Close</button></p></form>`;
}
