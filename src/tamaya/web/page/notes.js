/** Notes on turns and cards, with what hanab.live's shorthands in them say. */

import { button, cardName, smallCard } from "./card.js";
import { findSlot, nameOf } from "./state.js";
import { turnNow } from "./study.js";
import { html } from "./lit.js";
import { slotNumber } from "./words.js";

const LONGEST = 500;
const MOST_CARDS = 5; // of a shorthand, in pictures

/** @param {Reviewer} ui */
export function notes(ui) {
  const { state } = ui;
  const turn = turnNow(state);
  const picked = findSlot(state.look, state.picked);
  const held = state.notes.filter(({ order }) => order !== null && findSlot(state.look, order));
  const here = state.notes.filter((note) => note.turn === turn);
  const elsewhere = state.notes.filter((note) => !held.includes(note) && !here.includes(note));
  return html`<h2>On turn ${turn + 1}</h2>${list(ui, here)}${form(ui, { turn }, `Your note on turn ${turn + 1}`)}
    ${picked ? html`<h2>On ${whereabouts(ui, state.picked)}</h2>${form(ui, { order: state.picked }, "Your note on this card")}`
      : html`<p class="hush">Choose a card for a note on it. Shorthands as on hanab.live: r2, [f], kt.</p>`}
    ${held.length ? html`<h2>On cards in hands</h2>${list(ui, held)}` : ""}
    ${elsewhere.length ? html`<h2>Elsewhere</h2>${list(ui, elsewhere)}` : ""}`;
}

/** A card by its place now, or where it was last. */
function whereabouts(ui, order) {
  const { state } = ui;
  const found = findSlot(state.look, order);
  if (found) return `${nameOf(state, found.seat)}’s slot ${slotNumber(ui, found.seat, found.slot.slot)}`;
  const gone = state.view.past.find((move) => move.order === order);
  return gone ? `${cardName(gone.card)} of turn ${gone.turn + 1}` : "a card to come";
}

const list = (ui, all) => html`<ul class="notes">${all.map((note) => html`<li><p>${note.order === null
  ? html`<button class="link" @click=${() => ui.look(note.turn)}>turn ${note.turn + 1}</button>`
  : html`<button class="link" @click=${() => ui.put({ picked: note.order })}>${whereabouts(ui, note.order)}</button>`} ${meaning(note)}</p>
  <p class="text">${note.text}</p><p class="hush">${note.author}</p></li>`)}</ul>`;

/** What the shorthands of a note say. @param {GameNote} note */
function meaning({ cards, meanings }) {
  const all = Array.from({ length: 25 }, (_, card) => card).filter((card) => cards !== null && (cards >> card) & 1);
  return html`${all.length && all.length <= MOST_CARDS ? all.map((card) => html`${smallCard(card)}<span class="unseen">${cardName(card)}</span>`) : ""}
    ${meanings.map((word) => html`<span class="tag">${word.replace("_", " ")}</span> `)}`;
}

/** @param {{turn: number}|{order: number}} about */
function form(ui, about, label) {
  const { state, values } = ui;
  const sitter = state.seats.find(({ seat }) => seat === state.reviewing.seat);
  const name = sitter?.name ?? (values.name || "Guest");
  if (!state.reviewing.may_note) return "";
  const mine = state.notes.find((note) => note.author === name && ("turn" in about ? note.turn === about.turn : note.order === about.order));
  const key = JSON.stringify(about); // what was not saved yet waits while others are looked at
  const save = async (event) => {
    event.preventDefault();
    const text = event.target.elements.text.value.trim();
    if (!(await ui.ask({ type: "note", ...about, text, name }))) return;
    ui.drafts.delete(key);
    ui.toast(text ? "The note is kept." : "The note is removed.");
  };
  return html`<form class="note-form" @submit=${save}><label class="field"><span>${label}, as ${name}</span>
    <textarea name="text" rows="2" maxlength=${LONGEST} .value=${ui.drafts.get(key) ?? mine?.text ?? ""}
      @input=${({ target }) => ui.drafts.set(key, target.value)}></textarea></label>${button("Save", () => undefined)}</form>`;
}
