/** A hand on the table: who holds it, the cards, and what their holder knows of them. */

import { cardBack, cardFace, emptyPlace, glyph, hiddenFace, knowledge, LETTERS, NAMES } from "./card.js";
import { icon } from "./icons.js";
import { turnLink } from "./log.js";
import { aimedAt, arrowsOf, findSlot, isMe, mayMove, nameOf, shown, slotNumber } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { slotLabel } from "./words.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Slot} Slot
 * @typedef {import("./state.js").View} View
 * @typedef {import("./table.js").Ui} Ui
 */

/**
 * The row of a seat.
 * @param {Ui} ui
 * @param {number} seat
 */
export function hand(ui, seat) {
  const { state } = ui;
  const view = /** @type {View} */ (shown(state));
  const isOwn = isMe(state, seat);
  const isMover = view.mover === seat && view.phase === "playing";
  const isAimed = mayMove(state) && aimedAt(state) === seat && state.aim.target !== null;
  const slots = ui.values.slots === "oldest-0" ? view.hands[seat] : [...view.hands[seat]].reverse();
  const whose = isOwn ? "Your hand" : `Hand of ${nameOf(state, seat)}`;
  const from = ui.values.slots === "oldest-0" ? "oldest first" : "newest first";
  return html`<section class="hand ${isOwn ? "own" : ""} ${isMover ? "mover" : ""} ${isAimed ? "aimed" : ""}"
      data-hand=${seat} aria-label=${whose}>
    ${plate(ui, seat, isOwn, isMover)}
    <div class="cards" role="group" aria-label="${whose}, ${from}" data-seat=${seat}
        @pointerdown=${ui.to.press} @keydown=${ui.to.walk} @focusin=${ui.to.rove}>
      ${slots.map((slot) => place(ui, view, seat, slot))}
    </div>
  </section>`;
}

/**
 * @param {Ui} ui
 * @param {number} seat
 * @param {boolean} isOwn
 * @param {boolean} isMover
 */
function plate(ui, seat, isOwn, isMover) {
  const { state, to } = ui;
  const { kind, agent, label, version, present, tabs, away, stuck } = state.seats[seat] ?? {};
  const name = nameOf(state, seat);
  const isAgent = kind === "agent";
  const isOpen = state.eyes === seat || state.eyes === "all";
  const canFill = state.welcome?.host && state.view?.phase !== "over" && (stuck || (kind !== "agent" && !isOwn && !present));
  return html`<div class="plate" data-plate=${seat}>
    <h3>${isMover ? html`<span class="turn-mark" aria-hidden="true"></span><span class="unseen">To move: </span>` : nothing
      }<span class="who">${name}</span>${isOwn && name !== "You" ? html` <span class="what">you</span>` : nothing}
      ${isAgent && (label || agent) !== name ? html`<span class="what">${label || agent}</span>` : nothing}
      ${isAgent && version ? html`<span class="what version">${version}</span>` : nothing}</h3>
    ${thoughts(state, seat)}
    ${stuck ? html`<span class="tag bad">stuck: ${stuck}</span>` : nothing}
    ${kind === "open" ? html`<span class="tag">open seat</span>` : nothing}
    ${kind === "person" && !present && !isOwn ? html`<span class="tag">away${away ? ` ${minutes(away)}` : ""}</span>` : nothing}
    ${tabs > 1 ? html`<span class="tag">${tabs} tabs</span>` : nothing}
    ${canFill ? html`<button class="link" @click=${() => to.askFill(seat)}>give to an agent…</button>` : nothing}
    ${isOwn ? nothing : html`<button class="icon eye" aria-pressed=${isOpen} @click=${() => to.eyes(isOpen ? null : seat)}
        aria-label="See the cards as ${name} sees them" title="As ${name} sees them (hold the hand, or Space)">${icon("eye")}</button>`}
  </div>`;
}

/** @param {number} seconds */
const minutes = (seconds) => (seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

/** @param {State} state @param {number} seat */
function thoughts({ thinking, look }, seat) {
  if (look || thinking?.seat !== seat) return nothing;
  const { seconds, done, of } = thinking;
  const share = of ? html`<progress max=${of} value=${Math.min(done ?? 0, of)} aria-label="Thinking"></progress>` : nothing;
  return html`<span class="thinking"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>thinking${
    seconds >= 1 ? html` ${Math.floor(seconds)} s` : nothing}${share}</span>`;
}

/**
 * A place in a hand, with the card that lies there.
 * @param {Ui} ui
 * @param {View} view
 * @param {number} seat
 * @param {Slot} slot
 */
function place(ui, view, seat, slot) {
  const { state, values } = ui;
  const isOwn = isMe(state, seat);
  const number = slotNumber(view, seat, slot.slot, values.slots);
  if (slot.order < 0) {
    return html`<span class="card empty" data-seat=${seat} data-slot=${slot.slot}>${emptyPlace()}</span>`;
  }
  const isPicked = slot.order === state.picked;
  const looks = [
    slot.told.colour || slot.told.rank ? "told" : "",
    isPicked ? "picked" : "",
    isNews(state, slot.order) ? "last" : "",
    state.lit?.seat === seat && state.lit.slot === slot.slot ? "lit" : "",
    isOwn && mayMove(state) ? "mine" : "",
    isOwn && state.armed ? "armed" : "",
  ];
  return html`<button class="card ${looks.filter(Boolean).join(" ")}" data-seat=${seat} data-slot=${slot.slot}
      data-order=${slot.order} tabindex=${ui.roving(seat) === slot.slot ? 0 : -1} aria-pressed=${isPicked}
      aria-label=${slotLabel(slot, values.slots)} @click=${() => ui.to.pick(seat, slot)}>
    <span class="body">${face(ui, seat, slot)}</span>
    ${isOwn || view.seat === null && slot.card === null ? html`<span class="number" aria-hidden="true">${number}</span>`
      : knowledge(slot, values.pips, ui.allCards)}
  </button>`;
}

/**
 * Whether a card was touched by the hint on the screen.
 * @param {State} state
 * @param {number} order
 */
const isNews = (state, order) => arrowsOf(state)?.touched.includes(order) ?? false;

/**
 * @param {Ui} ui
 * @param {number} seat
 * @param {Slot} slot
 */
function face({ state, values }, seat, slot) {
  const isEmpathy = state.eyes === "all" || state.eyes === seat;
  if (slot.card !== null && !isEmpathy) return cardFace(slot.card, { marks: slot.marks });
  const left = isMe(state, seat) ? slot.sight : slot.empathy;
  const isBare = values.pips === "positive" && !slot.told.colour && !slot.told.rank && !slot.marks.length;
  if (isBare) return cardBack();
  return hiddenFace(slot.card === null ? slot : { ...slot, marks: [] }, { left, pips: values.pips });
}

/**
 * What one can know of a card: what it can be and the copies left, when it came and what was told of it.
 * @param {Ui} ui
 */
export function inspector(ui) {
  const { state, to } = ui;
  const view = shown(state);
  const found = view && findSlot(view, state.picked);
  if (!view || !found) return html`<p class="hush">Choose a card to see what it can be.</p>`;
  const { seat, slot } = found;
  const isOwn = isMe(state, seat);
  const mask = isOwn || slot.card === null && view.seat === null ? slot.sight : slot.empathy;
  const { colours, ranks } = state.welcome.rules;
  const left = copiesLeft(state.welcome.rules, view, seat);
  const knower = isOwn ? "you" : nameOf(state, seat);
  return html`<div class="inspector">
    <p><strong>${slotLabel(slot, ui.values.slots)}</strong></p>
    <table><caption>What it can be as far as ${knower} can tell, and how many copies are left</caption>
      <thead><tr><td></td>${range(ranks).map((rank) => html`<th scope="col">${rank + 1}</th>`)}</tr></thead>
      <tbody>${range(colours).map((colour) => html`<tr><th scope="row">${glyph(colour)}<span class="unseen">${NAMES[colour]}</span><span aria-hidden="true">${LETTERS[colour]}</span></th>${range(ranks).map((rank) => {
        const card = 5 * colour + rank;
        const isOpen = mask >> card & 1;
        const hint = slot.hints >> card & 1 ? "seen" : "out";
        return html`<td class="${isOpen ? "open" : hint} ${card === slot.card ? "true" : ""}">${
          isOpen ? left[card] : html`<span aria-hidden="true">${hint === "seen" ? "/" : "·"}</span><span class="unseen">no</span>`}</td>`;
      })}</tr>`)}</tbody></table>
    <p class="turns">${slot.drawn ? turnLink(ui, slot.drawn, `drawn at turn ${slot.drawn}`) : "dealt at the start"}${
      slot.touched.map((turn) => html`, ${turnLink(ui, turn + 1, `told at turn ${turn + 1}`)}`)}
    <button class="link" @click=${() => to.clear()}>close</button></p>
  </div>`;
}

/**
 * Copies of each card that the holder of a hand does not see, as far as that is known here.
 * @param {{ranks: number}} rules
 * @param {View} view
 * @param {number} seat
 */
function copiesLeft({ ranks }, view, seat) {
  const left = Array.from({ length: 25 }, (_, card) => (card % 5 === 0 ? 3 : card % 5 === ranks - 1 ? 1 : 2));
  const seen = view.hands.filter((_, other) => other !== seat).flat().filter(({ order }) => order >= 0).map(({ card }) => card);
  for (const card of [...view.played, ...view.discarded].map((gone) => gone.card).concat(/** @type {number[]} */ (seen))) {
    if (card !== null) left[card] -= 1;
  }
  return left;
}

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, k) => k);
