/** The whole game: as if whom it is valued, how far that is, what each player lost, the worst moves, where agents differ. */

import { button } from "./card.js";
import { figures, markSign, share } from "./graph.js";
import { chosen, labelled, tick } from "./parts.js";
import { startQuiz } from "./quiz.js";
import { caution, figure, isWorking, LOSSES, losses, moveAt, valueAt, worst } from "./study.js";
import { openHands } from "./turn.js";
import { html } from "./lit.js";
import { capital, count, eventWords } from "./words.js";

const MANY = 8; // turns of a list

/** @param {Reviewer} ui */
export function summary(ui) {
  const { state } = ui;
  return html`${valuedBy(ui)}
    ${tick("Spoiler-free", state.isSafe, (isOn) => ui.setSafe(isOn), "From this turn on: nothing beyond the turns you have seen is shown or even fetched.")}
    ${state.reviewing.palette === "tamaya" ? "" : html`<p class="hush">Colours are those of hanab.live: red, yellow, green, blue, purple. At tables of this
      server the last two are white and blue.</p>`}
    ${state.players && !state.isSafe ? players(state) : ""}
    ${state.lost ? html`<section><h2>Where it was lost</h2>${openHands(ui)}<p class="hush">Won means all ${state.view.max_score} points. Nobody saw the deck: the
      move may have been right.</p></section>` : ""}
    <section><h2>Worst first</h2>${ranking(ui)}</section>
    ${state.reviewing.may_analyse ? html`<section><h2>Where agents differ</h2>${differences(ui)}</section>` : ""}
    <details><summary>All values as a table</summary>${table(ui)}</details>`;
}

/** As if whom the game is valued, and how far that is. */
function valuedBy(ui) {
  const { state } = ui;
  const { blueprints, may_analyse: may } = state.reviewing;
  const warning = caution(state);
  const { done, of } = state.progress ?? { done: 0, of: 0 };
  return html`<section>${labelled("Expected scores, as if all seats played on like", html`<select @change=${chosen((text) => ui.analyse(text))}>${blueprints.map(
      ({ text }) => html`<option value=${text} .selected=${text === state.blueprint}>${text}</option>`,
    )}</select>`)}
    <p class="hush">Seen from the seat that moves, so a move that was right but unlucky loses nothing.</p>
    ${warning ? html`<p class="warning">${capital(warning)}.</p>` : ""}
    ${state.failure ? html`<p class="error">${capital(state.failure)}.</p>` : ""}
    ${may ? "" : html`<p class="warning">You see what was analysed before. Only people with the key of this server can analyse: use the link that it printed.</p>`}
    <div class="row">${
      isWorking(state)
        ? html`<progress max=${of || 1} value=${done} aria-label="Analysis"></progress><span class="hush">${
            state.waiting ? `waits for ${state.waiting}` : of ? share(state.progress) : "begins"}</span>${
            may ? button("Cancel", () => ui.ask({ type: "cancel" })) : ""}`
        : may && !state.players
          ? button("Analyse", () => ui.analyse(), "main")
          : ""
    }</div>${state.compiling ? html`<p class="hush busy">Preparing ${state.compiling.agent}: ${state.compiling.kernel}</p>` : ""}</section>`;
}

/** What each player surely lost. */
const players = ({ players: all }) => html`<section>${figures("What each surely lost, their marks, and how often they did what the blueprint would",
    ["Player", "Lost", "Marks", "Same"], all.map(({ name, sure_loss: lost, marks, agreement, turns }) => html`<tr><th scope="row">${name} <small>${count(turns, "move")}</small></th>
    <td>${lost.toFixed(1)}</td><td>${LOSSES.filter((mark) => marks[mark]).map((mark) => html`<span class="count">${marks[mark]} ${markSign(mark)}</span> `)}</td>
    <td>${agreement === null ? "–" : `${Math.round(100 * agreement)} %`}</td></tr>`))}
  <p class="hush">Losses of single moves do not add up to the score: each is measured as if the game went on with the blueprint.</p></section>`;

function nothingFound(state) {
  if (isWorking(state)) return "Nothing sure yet.";
  const known = state.view.past.filter(({ turn }) => valueAt(state, turn)).length;
  if (known < state.view.past.length) return known ? "Not all moves are analysed yet." : "Not analysed yet.";
  return "No move surely lost anything.";
}

function ranking(ui) {
  const found = worst(ui.state);
  if (!found.length) return html`<p class="hush">${nothingFound(ui.state)}</p>`;
  return html`<ol class="ranking">${found.slice(0, MANY).map(({ turn, mark, sure, loss, loss_se: se }) => html`<li><button class="link" @click=${() => ui.look(turn)}>turn ${turn + 1}</button>
      ${markSign(mark)} <span>${eventWords(ui, moveAt(ui.state, turn))}</span> <small>surely −${sure.toFixed(1)}, measured ${figure(-loss, se)}</small></li>`)}</ol>
    ${found.length > MANY ? html`<p class="hush">and ${found.length - MANY} more</p>` : ""}
    <p>${button("Find the better move", () => startQuiz(ui))}</p>`;
}

function differences(ui) {
  const { disagreements: all } = ui.state;
  if (!all) return html`<p>${button("Ask them all", () => ui.disagree(), "", { title: "Each agent that speaks plainly is asked at every turn" })}</p>`;
  const found = all.filter(({ turn }) => turn !== null).sort((a, b) => b.kinds - a.kinds || a.turn - b.turn).slice(0, MANY);
  const isDone = all.some(({ turn }) => turn === null);
  return html`${isDone ? "" : html`<p class="hush busy">Asking…</p>`}<ol class="ranking">${found.map(({ turn, kinds, agents }) => html`<li>
    <button class="link" @click=${() => ui.look(turn)}>turn ${turn + 1}</button> <span class="wide">${count(kinds, "different move")} of ${count(agents, "agent")}</span></li>`)}</ol>`;
}

function table(ui) {
  const { state } = ui;
  const turns = state.view.past.map(({ turn }) => valueAt(state, turn)).filter(Boolean);
  return figures(`Expected score at each turn, and what was lost there: ${losses(state).length} marks`, ["Turn", "Move", "Expected", "Lost"],
    turns.map(({ turn, expected, se, mark, loss, loss_se: error }) => html`<tr><th scope="row">${turn + 1}</th><td>${eventWords(ui, moveAt(state, turn))}</td>
      <td>${figure(expected, se)}</td><td>${markSign(mark)} ${loss > 0 && mark && mark !== "□" ? figure(loss, error) : ""}</td></tr>`), "in-words");
}
