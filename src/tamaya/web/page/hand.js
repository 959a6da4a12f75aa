/** A hand on the table: who holds it, the cards, and what their holder knows of them. */

import { arrow, cardFace, emptyPlace, FIVE, glyph, hiddenFace, knowledge, LETTERS, moveSign, NAMES, tool } from "./card.js";
import { walk } from "./keys.js";
import { turnLink } from "./log.js";
import { arrowsOf, findSlot, isHidden, isMe, isShut, mayMove, nameOf, shown, target } from "./state.js";
import { html } from "./lit.js";
import { eventWords, slotLabel, slotNumber } from "./words.js";

/** The row of a seat. @param {Ui} ui @param {number} seat */
export function hand(ui, seat) {
  const { state, values } = ui;
  const { hands, mover } = shown(state);
  const isOwn = isMe(state, seat);
  const isOldest = values.slots === "oldest-0";
  const looks = {
    own: isOwn,
    eyes: isShut(ui, seat),
    mover: mover === seat,
    aimed: mayMove(state) && state.aim.kind && target(state) === seat,
  };
  const slots = isOldest ? hands[seat] : [...hands[seat]].reverse();
  const whose = isOwn ? "Your hand" : `Hand of ${nameOf(state, seat)}`;
  return html`<section class="hand ${names(looks)}" aria-label=${whose}>${plate(ui, seat, isOwn)}
    <div class="cards" role="group" aria-label="${whose}, ${isOldest ? "oldest" : "newest"} first" data-seat=${seat}
      @pointerdown=${ui.drag.press} @keydown=${walk} @focusin=${({ target }) => ui.rove(target.dataset)}>${slots.map(
        (slot) => place(ui, seat, slot, isOwn),
      )}</div></section>`;
}

const names = (looks) =>
  Object.keys(looks)
    .filter((look) => looks[look])
    .join(" ");

/** Who sits there, and what they are doing. */
function plate(ui, seat, isOwn) {
  const { state, to } = ui;
  const { past, last, hands, mover, phase } = shown(state);
  const { kind, label, version, present, tabs, away, stuck } = state.seats[seat];
  const name = nameOf(state, seat);
  const isClosed = isShut(ui, seat);
  const did = past.slice(-hands.length).findLast((move) => move.seat === seat);
  const mayFill = state.welcome.host && phase === "playing" && !present && !isOwn && mover !== seat;
  const tags = [
    stuck && "stuck",
    kind === "open" && "open seat",
    tabs > 1 && `${tabs} tabs`,
    kind === "person" && !present && (away < 90 ? "away" : `away ${Math.round(away / 60)} min`),
  ];
  const { seconds, done, of } = (state.thinking?.seat === seat && !state.look && state.thinking) || {};
  // Who is an agent by another name than its own says so; which code plays is for who wants to know.
  const agent = name.replace(/ \d+$/, "") === label ? "" : html`<small class="alias">${label}</small>`;
  const mark = html`<span class="turn-mark"></span><span class="unseen">To move:</span>`;
  return html`<div class="plate"><h2>${mover === seat ? mark : ""}
      <span class="who" title=${kind === "agent" ? `${name}: an agent, version ${version} of its code` : name}>${name}</span>${isOwn ? html`<small>you</small>` : kind === "agent" ? agent : ""}</h2>
    ${did ? html`<span class="did ${did.turn === last.turn ? "now" : ""}" title=${eventWords(ui, did)}>${moveSign(did)}</span>` : ""}
    ${
      seconds === undefined
        ? ""
        : html`<small class="busy">thinking ${seconds >= 1 ? `${Math.floor(seconds)} s` : ""}${
            of ? html`<progress max=${of} value=${Math.min(done, of)} aria-label="Thinking"></progress>` : ""
          }</small>`
    }
    ${tags.map((words) => (words ? html`<span class="tag" title=${words}>${words}</span>` : ""))}
    ${mayFill ? html`<button class="link" aria-label="replace ${name}: give to an agent" @click=${() => to.askFill(seat)}>replace…</button>` : ""}
    ${isOwn || hands[seat].every(({ card }) => card === null) ? "" : tool("eye", `See the cards as ${name} does`, () => to.see(seat, !isClosed), { pressed: isClosed })}</div>`;
}

/** A place in a hand, with the card that lies there. */
function place(ui, seat, slot, isOwn) {
  const { state, values, to } = ui;
  const { order, told, card, marks } = slot;
  if (order < 0) return html`<span class="card">${emptyPlace()}</span>`;
  const picked = order === state.picked;
  const hint = arrowsOf(state);
  const looks = {
    told: told.colour || told.rank,
    last: hint?.touched.includes(order),
    lit: state.lit === order,
    noted: state.noted?.has(order), // in a review
    mine: isOwn && mayMove(state),
    armed: isOwn && state.armed,
    picked,
  };
  const pin = arrow(hint, order);
  return html`<button class="card ${names(looks)}" data-seat=${seat} data-slot=${slot.slot} data-order=${order}
    tabindex=${ui.roving(seat) === slot.slot ? 0 : -1}
    aria-pressed=${picked} aria-label=${slotLabel(ui, seat, slot)} @click=${() => to.pick(seat, slot)}><span class="body">${
      isHidden(ui, seat, slot)
        ? hiddenFace(
            { ...slot, marks: card === null && values.pips === "full" ? marks : [] },
            { left: isOwn ? slot.sight : slot.empathy, pips: values.pips, pin },
          )
        : cardFace(card, { marks, pin })
    }</span>
    ${
      isOwn || card === null
        ? html`<small aria-hidden="true">${slotNumber(ui, seat, slot.slot)}</small>`
        : knowledge(slot, values.pips, ui.allCards)
    }</button>`;
}

/** What a card can be, copies left, when it came and what was told of it. @param {Ui} ui */
export function inspector(ui) {
  const { state, values } = ui;
  const view = shown(state);
  const found = findSlot(view, state.picked);
  if (!found) return html`<p class="hush">Choose a card to see what it can be.</p>`;
  const { seat, slot } = found;
  const { colours, ranks } = state.welcome.rules;
  const mask = slot.card === null ? slot.sight : slot.empathy;
  const left = copiesLeft(view, seat, ranks);
  const cell = (card) =>
    html`<td class="${(mask >> card) & 1 ? "open" : ""} ${card === slot.card && !isHidden(ui, seat, slot) ? "true" : ""}">${
      (mask >> card) & 1
        ? left[card]
        : html`<span aria-hidden="true">${(slot.hints >> card) & 1 ? "/" : "·"}</span><span class="unseen">no</span>`
    }</td>`;
  const grid = html`<table class="kinds"><caption>What it can be as far as ${isMe(state, seat) ? "you" : nameOf(state, seat)} can tell, and the copies left</caption>
      <thead><tr><td></td>${FIVE.slice(0, ranks).map((rank) => html`<th scope="col">${rank + 1}</th>`)}</tr></thead>
      <tbody>${FIVE.slice(0, colours).map(
        (colour) => html`<tr><th scope="row">${glyph(colour)}<span class="unseen">${NAMES[colour]}</span><span
        aria-hidden="true">${LETTERS[colour]}</span></th>${FIVE.slice(0, ranks).map((rank) => cell(5 * colour + rank))}</tr>`,
      )}</tbody></table>`;
  return html`<h2>${slotLabel(ui, seat, slot)}</h2>${values.pips === "full" ? grid : ""}
    <p>${slot.drawn ? turnLink(ui, slot.drawn, `drawn at turn ${slot.drawn}`) : "dealt at the start"}${slot.touched.map(
      (turn) => html`, ${turnLink(ui, turn + 1, `told at turn ${turn + 1}`)}`,
    )}</p>`;
}

/** Copies of each card that the holder of a hand does not see, as far as I know. */
function copiesLeft({ hands, played, discarded }, seat, ranks) {
  const left = Array.from({ length: 25 }, (_, card) => (card % 5 === 0 ? 3 : card % 5 === ranks - 1 ? 1 : 2));
  for (const { card } of [...played, ...discarded, ...hands.filter((_, other) => other !== seat).flat()])
    if (card >= 0 && card !== null) left[card] -= 1;
  return left;
}
