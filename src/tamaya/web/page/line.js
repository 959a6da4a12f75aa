/** A table that leaves another game: says so, leads back, and lets one card be another. */

import { button, cardName, colourOf, FIVE, glyph, LETTERS, NAMES } from "./card.js";
import { wear } from "./parts.js";
import { findSlot, isMe } from "./state.js";
import { html } from "./lit.js";
import { sentence } from "./words.js";

await wear("deal");

/** Where the line begins, and the ways back. @param {Ui} ui */
export function banner(ui) {
  const { state } = ui;
  const { line, host } = state.welcome;
  const { turn, phase } = state.view;
  return html`<section class="line-bar" aria-label="Your line">
    <p><b>Your line</b> from turn ${line.turn + 1}<span class="long"> of another game</span>${
      line.open ? html` <span class="tag"><span class="long">all </span>hands open<span class="long">, for analysis</span></span>` : ""
    }</p>
    <div>${
      host && phase === "playing"
        ? button(html`Back<span class="long"> to its start</span>`, () => restart(ui), "quiet", { label: "Back to its start", isOff: turn === line.turn })
        : ""
    }${button("Leave", () => ui.app.go(ui.app.settings.from(ui.id) ?? `/g/${line.parent}#${line.turn}`), "quiet", { title: `To turn ${line.turn + 1} of the game` })}</div></section>`;
}

/** @param {Ui} ui */
function restart(ui) {
  if (ui.state.view.turn > ui.state.welcome.line.turn) ui.ask({ type: "back" });
}

/** In the tab of a card: what else it could be. @param {Ui} ui */
export function morphing(ui) {
  const { state } = ui;
  const { host, rules } = state.welcome;
  const found = findSlot(state.view, state.picked);
  if (!found || state.look || !host || state.view.phase !== "playing") return "";
  const { slot, seat } = found;
  if (slot.card === null)
    return isMe(state, seat) ? html`<p class="hush">At a table with open hands you could make it another card.</p>` : "";
  const one = (card) => html`<button class="chip c-${LETTERS[colourOf(card)].toLowerCase()}" aria-label=${cardName(card)}
    ?disabled=${card === slot.card} @click=${() => morph(ui, slot.order, card)}>${card % 5 + 1}</button>`;
  return html`<details class="morph"><summary>Make it another card</summary>
    <p class="hush">It changes places with a card that ${state.welcome.line.open ? "nobody has played" : "you see in a hand"}. Hints that were given must still be true.</p>
    <div role="group" aria-label="Make it">${FIVE.slice(0, rules.colours).map((colour) => html`<div>
      <span aria-hidden="true" title=${NAMES[colour]}>${glyph(colour)}</span>${FIVE.slice(0, rules.ranks).map((rank) => one(5 * colour + rank))}</div>`)}</div></details>`;
}

/** @param {Ui} ui */
async function morph(ui, order, card) {
  ui.looked.clear(); // what was seen of earlier turns shows the other card
  const view = await ui.ask({ type: "morph", order, card });
  if (view) ui.toast(sentence(`It is a ${cardName(card)} now, and was from the beginning`));
}
