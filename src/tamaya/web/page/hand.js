/** A hand on the table: who holds it, the cards, and what their holder knows of them. */

import { arrow, moveSign } from "./arrows.js";
import { cardFace, emptyPlace, FIVE, glyph, hiddenFace, icon, knowledge, LETTERS, NAMES } from "./card.js";
import { turnLink } from "./log.js";
import { arrowsOf, findSlot, isMe, mayMove, nameOf, shown, target } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { eventWords, slotLabel, slotNumber } from "./words.js";

/** The row of a seat. @param {Ui} ui @param {number} seat */
export function hand(ui, seat) {
  const { state, to, values } = ui;
  const view = shown(state);
  const isOwn = isMe(state, seat);
  const isOldest = values.slots === "oldest-0";
  const looks = [isOwn && "own", view.mover === seat && "mover", mayMove(state) && state.aim.kind && target(state) === seat && "aimed"];
  const whose = isOwn ? "Your hand" : `Hand of ${nameOf(state, seat)}`;
  return html`<section class="hand ${looks.filter(Boolean).join(" ")}" aria-label=${whose}>${plate(ui, seat, isOwn)}
    <div class="cards" role="group" aria-label="${whose}, ${isOldest ? "oldest" : "newest"} first" data-seat=${seat}
      @pointerdown=${to.press} @keydown=${to.walk} @focusin=${to.rove}>${
      (isOldest ? view.hands[seat] : [...view.hands[seat]].reverse()).map((slot) => place(ui, seat, slot, isOwn))}</div></section>`;
}

/** Who sits there, and what they are doing. */
function plate(ui, seat, isOwn) {
  const { state, to } = ui;
  const view = shown(state);
  const { kind, label, version, present, tabs, away, stuck } = state.seats[seat] ?? {};
  const name = nameOf(state, seat);
  const isOpen = state.eyes === seat || state.eyes === "all";
  const did = view.past.slice(-view.hands.length).findLast((move) => move.seat === seat);
  const mayFill = state.welcome.host && view.phase === "playing" && (stuck || (kind !== "agent" && !present && !isOwn));
  const tag = (words, look = "") => html`<span class="tag ${look}">${words}</span>`;
  return html`<div class="plate"><h3>${view.mover === seat ? html`<span class="turn-mark"></span><span class="unseen">To move:</span>` : nothing}
      <span class="who">${name}</span>${isOwn ? html`<span class="what">you</span>` : nothing}${kind === "agent"
        ? html`<span class="what">${label === name ? "" : label} <code>${version}</code></span>` : nothing}</h3>
    ${did ? html`<span class="did ${did.turn === view.last.turn ? "now" : ""}" title=${eventWords(ui, did)}>${moveSign(did)}</span>` : nothing}
    ${state.thinking?.seat === seat && !state.look ? thoughts(state.thinking) : nothing}${stuck ? tag(`stuck: ${stuck}`, "bad") : nothing}
    ${kind === "open" ? tag("open seat") : kind === "person" && !present ? tag(away < 90 ? "away" : `away ${Math.round(away / 60)} min`) : nothing}
    ${tabs > 1 ? tag(`${tabs} tabs`) : nothing}${mayFill ? html`<button class="link" @click=${() => to.askFill(seat)}>give to an agent…</button>` : nothing}
    ${isOwn ? nothing : html`<button class="icon eye" aria-pressed=${isOpen} @click=${() => to.put({ eyes: isOpen ? null : seat })}
      aria-label="See the cards as ${name} does" title="As ${name} sees them (hold the hand, or Space)">${icon("eye")}</button>`}</div>`;
}

const thoughts = ({ seconds, done, of }) => html`<span class="thinking"><i></i><i></i><i></i> thinking ${seconds >= 1 ? `${Math.floor(seconds)} s` : ""}${
  of ? html`<progress max=${of} value=${Math.min(done, of)} aria-label="Thinking"></progress>` : nothing}</span>`;

/** A place in a hand, with the card that lies there. */
function place(ui, seat, slot, isOwn) {
  const { state, values, to } = ui;
  if (slot.order < 0) return html`<span class="card">${emptyPlace()}</span>`;
  const { order, told, card } = slot;
  const isPicked = order === state.picked;
  const looks = [
    (told.colour || told.rank) && "told", arrowsOf(state)?.touched.includes(order) && "last", isPicked && "picked",
    state.lit?.seat === seat && state.lit.slot === slot.slot && "lit", isOwn && mayMove(state) && "mine", isOwn && state.armed && "armed",
  ];
  const isHidden = card === null || state.eyes === "all" || state.eyes === seat;
  const pin = arrow(state, order);
  return html`<button class="card ${looks.filter(Boolean).join(" ")}" data-seat=${seat} data-slot=${slot.slot} data-order=${order}
    tabindex=${ui.roving(seat) === slot.slot ? 0 : -1} aria-pressed=${isPicked} aria-label=${slotLabel(ui, slot)} @click=${() => to.pick(seat, slot)}>
    <span class="body">${isHidden
      ? hiddenFace(card === null ? slot : { ...slot, marks: [] }, { left: isOwn ? slot.sight : slot.empathy, pips: values.pips, pin })
      : cardFace(card, { marks: slot.marks, pin })}</span>
    ${card === null ? html`<span class="number" aria-hidden="true">${slotNumber(ui, seat, slot.slot)}</span>` : knowledge(slot, values.pips, ui.allCards)}
  </button>`;
}

/** What one can know of a card: what it can be and the copies left, when it came and what was told of it. @param {Ui} ui */
export function inspector(ui) {
  const { state, to } = ui;
  const view = shown(state);
  const found = findSlot(view, state.picked);
  if (!found) return html`<p class="hush">Choose a card to see what it can be.</p>`;
  const { seat, slot } = found;
  const { colours, ranks } = state.welcome.rules;
  const mask = slot.card === null ? slot.sight : slot.empathy;
  const left = copiesLeft(view, seat, ranks);
  const cell = (card) => {
    const isOpen = mask >> card & 1;
    return html`<td class="${isOpen ? "open" : ""} ${card === slot.card ? "true" : ""}">${isOpen ? left[card]
      : html`<span aria-hidden="true">${slot.hints >> card & 1 ? "/" : "·"}</span><span class="unseen">no</span>`}</td>`;
  };
  return html`<div class="inspector"><h3>${slotLabel(ui, slot)}</h3>
    <table><caption>What it can be as far as ${isMe(state, seat) ? "you" : nameOf(state, seat)} can tell, and the copies left</caption>
      <thead><tr><td></td>${FIVE.slice(0, ranks).map((rank) => html`<th scope="col">${rank + 1}</th>`)}</tr></thead>
      <tbody>${FIVE.slice(0, colours).map((colour) => html`<tr><th scope="row">${glyph(colour)}<span class="unseen">${NAMES[colour]}</span><span
        aria-hidden="true">${LETTERS[colour]}</span></th>${FIVE.slice(0, ranks).map((rank) => cell(5 * colour + rank))}</tr>`)}</tbody></table>
    <p>${slot.drawn ? turnLink(ui, slot.drawn, `drawn at turn ${slot.drawn}`) : "dealt at the start"}${
      slot.touched.map((turn) => html`, ${turnLink(ui, turn + 1, `told at turn ${turn + 1}`)}`)}.
      <button class="link" @click=${() => to.clear()}>Close</button></p></div>`;
}

/** Copies of each card that the holder of a hand does not see, as far as that is known here. */
function copiesLeft(view, seat, ranks) {
  const left = Array.from({ length: 25 }, (_, card) => (card % 5 === 0 ? 3 : card % 5 === ranks - 1 ? 1 : 2));
  const seen = view.hands.filter((_, other) => other !== seat).flat();
  for (const { card = null } of [...view.played, ...view.discarded, ...seen]) if (card !== null) left[card] -= 1;
  return left;
}
