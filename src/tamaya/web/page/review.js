/** The review of a finished game: what every move was worth, what else could have been done, and why. */

import { lost, toasted } from "./actions.js";
import { ofGame } from "./api.js";
import { board, tools } from "./board.js";
import { button } from "./card.js";
import { saveMenu } from "./ending.js";
import { takeOver } from "./further.js";
import { graph } from "./graph.js";
import { hand } from "./hand.js";
import { timeBar } from "./log.js";
import { strip } from "./panel.js";
import { nextLoss, startQuiz } from "./quiz.js";
import { Reviewer } from "./reviewer.js";
import { nameOf, shown } from "./state.js";
import { run } from "./table.js";
import { TABS } from "./tabs.js";
import { html } from "./lit.js";
import { sentence } from "./words.js";

/** @type {Open} */
export const open = (root, { id }, app) => run(new Reviewer(root, id, app, screen));

/** @param {Reviewer} ui */
function screen(ui) {
  const { state } = ui;
  const view = shown(state);
  if (state.gone || (!view && state.failure))
    return html`<div class="sheet"><h1>${state.gone ? "No such game" : "Nothing to review yet"}</h1>
      <p>${state.gone ? "There is no game at this address." : sentence(state.failure)} <a href="/import">Review another one.</a></p></div>`;
  if (!view || !state.welcome) return html`<div class="sheet"><p class="busy">Opening the game…</p></div>`;
  return html`<div class="table review"><div class="felt">${head(ui)}${board(ui)}
      <div class="others">${state.seats.map(({ seat }) => hand(ui, seat))}</div>
      <div class="dock"><div class="foot">${graph(ui)}</div></div></div>
    <div class="bar">${timeBar(ui, ui.mayGoOn ? 1 : 0)}<div class="choices">
      ${button("‹ ?", () => nextLoss(ui, -1), "", { label: "The mistake before (p)" })}${button("? ›", () => nextLoss(ui, 1), "", {
        label: "The next mistake (n)",
      })}</div></div>
    <aside class="panel beside" aria-label="Details"><div class="onward" role="group" aria-label="What to do with this game">${onward(ui)}</div><div class="tabs">${strip(Object.keys(TABS), state.tab, true, (tab) => {
      ui.put({ tab });
      ui.toTop();
      if (tab === "beliefs") ui.believe();
    })}
      <div class="tab" id="tab" role="tabpanel" aria-labelledby="tab-${state.tab}" tabindex="0">${TABS[state.tab](ui)}</div></div></aside>
    ${state.toast ? html`<div class="over">${toasted(ui)}</div>` : ""}
    </div><dialog></dialog>`;
}

/** What can be done with a game besides looking at it. */
const onward = (ui) => html`${button("Find the better move", () => startQuiz(ui), "", { title: "The answer stays hidden until you choose (h)" })}
  ${button("Play from here", () => takeOver(ui), "", { title: "Another line from this turn", isOff: shown(ui.state).mover === null })}${saveMenu(ui.id, () => copyLink(ui))}`;

/** Copies a link that hanab.live opens. */
async function copyLink(ui) {
  const { link } = await ofGame(ui.id).catch(() => ({ link: null }));
  if (link) ui.copy(link, "The link is copied.");
  else ui.toast("hanab.live has no words for these rules.");
}

/** Which turn this is, and through whose eyes. */
function head(ui) {
  const { state } = ui;
  const { turn, mover, status } = shown(state);
  const end = state.isSafe ? "" : ` of ${state.view.turn}`;
  return html`<section class="status" aria-label="Status"><h1>${mover === null ? "The end" : html`Turn ${turn + 1}<small>${end}</small>`}</h1>
    ${state.wire === "open" ? html`<p class="hush">${mover === null ? status : `${nameOf(state, mover)} to move`}</p>` : lost(state.wire)}
    ${state.isSafe ? html`<button class="tag" title="Nothing beyond the turns you have seen is shown" @click=${() => ui.setSafe(false)}>spoiler-free: show all</button>` : ""}
    ${state.reviewing.palette === "tamaya" ? "" : html`<span class="tag far" title="Red, yellow, green, blue, purple, as hanab.live has them">hanab.live’s colours</span>`}
    <div class="tools"><label class="hush">Cards as <select @change=${({ target }) => ui.seeAs(target.value === "" ? null : Number(target.value))}>
      <option value="" .selected=${state.through === null}>all see them</option>${state.seats.map(
        ({ seat, name }) => html`<option value=${seat} .selected=${state.through === seat}>${name} saw them</option>`,
      )}</select></label>${tools(ui)}</div></section>`;
}

