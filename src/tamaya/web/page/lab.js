/** The lab: runs of evolution and training as they are now, what they found, and a seat beside it. */

import { get, openTable, post } from "./api.js";
import { chart, map } from "./lab-charts.js";
import { ruleBook } from "./lab-rules.js";
import { drawn, ME, problem, wishes } from "./parts.js";
import { html } from "./lit.js";

const PAUSE = 3000; // ms between two looks
const KINDS = { evolution: "Evolution", elites: "Map of styles", training: "Training", networks: "Networks" };
const WORDS = {
  evolution: "The best of a generation flatters: it is the luckiest of many. The dot is the winner on games that evolution has not seen.",
  training: "Greedy play on fixed deals along the turns of training; bars are two standard errors.",
  networks: "Validation scores along the turns of training, as the files say.",
  elites: "",
};

/** @type {Open} */
export function open(root, _, app) {
  const name = new URLSearchParams(location.search).get("run");
  const state = {
    runs: /** @type {LabRun[]} */ ([]), run: /** @type {LabRunDetails|null} */ (null),
    folder: /** @type {string|null|undefined} */ (undefined), now: 0, error: "", busy: "",
  };
  const { set, draw, attempt, close } = drawn(root, state, () => (name ? details() : list()));
  const book = ruleBook(name ?? "", { draw: () => draw(), play: (guest, players) => sit(guest, players) });

  async function look() {
    if (document.hidden && state.now) return;
    try {
      const found = await get(name ? `/api/lab/run?run=${encodeURIComponent(name)}` : "/api/lab");
      if (name) book.show(found.lists);
      set(name ? { run: found, now: found.now, error: "" } : { ...found, error: "" });
    } catch (error) {
      set({ error: /** @type {Error} */ (error).message, now: state.now || 1 });
    }
  }

  /** Opens a table with an agent; what a run found is copied first. @param {object} guest  or rules of one's own */
  const sit = (guest, players, rules = `players=${players}`) => attempt(async () => {
    const other = "agent" in guest ? guest : await post("/api/lab/guests", { run: name, ...guest });
    const seats = wishes([ME, ...Array(players - 1).fill(other)], app.settings.get("name"));
    await openTable(app, { rules, seats, seed: null, index: null, options: { pace_ms: 500, undo: true } });
  }, JSON.stringify(guest));

  const list = () => html`<div class="sheet lab"><h1>Lab</h1>
    <p>Runs of <code>tamaya evolve</code>, <code>elites</code> and <code>train</code>${state.folder
      ? html` in the folder <code>${state.folder}</code>` : ""}, as they are now. Open one to see how it learns, read the
      rules it found, and play with it.</p>
    ${problem(state.error)}
    ${state.folder === undefined && !state.error ? html`<p role="status">Looking …</p>` : ""}
    ${state.folder === null ? html`<p>This server shows no runs. Start it with <code>tamaya serve --runs FOLDER</code>.</p>` : ""}
    ${state.folder && !state.runs.length ? html`<p>There are none yet: <code>tamaya evolve ${state.folder}/first</code> begins one.</p>`
      : ""}
    <ul class="runs">${state.runs.map((run) => html`<li><h2><a href="/lab?run=${encodeURIComponent(run.name)}">${run.name}</a></h2>
      ${lines(run)}</li>`)}</ul></div>`;

  /** What every view of a run begins with. @param {LabRun} run */
  const lines = (run) => html`<p class="note">${[KINDS[run.kind], run.changed ? `changed ${ago(state.now - run.changed)}` : ""]
      .filter(Boolean).join(", ")}</p>
    ${run.line ? html`<p>${run.line}</p>` : ""}
    ${run.of ? html`<progress max=${run.of} value=${Math.min(run.done, run.of)} aria-label="How far ${run.name} is"></progress>` : ""}
    ${run.errors.map((text) => html`<p class="error">${text}</p>`)}
    ${run.nobody ? html`<p class="note"><b>No agent to play with yet.</b> ${run.nobody}</p>` : ""}`;

  function details() {
    const { run } = state;
    return html`<div class="sheet lab"><p><a href="/lab">All runs</a></p><h1>${name}</h1>
      ${problem(state.error)}
      ${run ? html`${lines(run)}
        <dl>${run.facts.map(([word, value]) => html`<div><dt>${word}</dt><dd>${value}</dd></div>`)}</dl>
        ${run.charts.length ? html`<section><h2>Curves</h2><p>${WORDS[run.kind]}</p>
          <div class="charts">${run.charts.map(chart)}</div></section>` : ""}
        ${run.cells ? html`<section><h2>Map of styles</h2>
          <p>How often it hints when it could, to the right; how sure it is of what it plays, upwards. Brighter is better. Choose a
            style on the map or from the list below it.</p>
          ${map(run, book.key, (key) => book.choose(key))}</section>` : ""}
        ${run.networks.length ? networks(run) : ""}
        ${run.lists.length ? book.view(state.busy) : ""}
        ${run.changes.length ? changes(run) : ""}` : state.error ? "" : html`<p role="status">Looking …</p>`}</div>`;
  }

  const networks = (run) => html`<section><h2>Networks</h2><ul class="networks">${run.networks.map((network) => html`<li>
    <strong>${network.key}</strong>
    <span>${network.players} players${network.mean === null ? "" : html`, ${network.mean.toFixed(2)}${network.se
      ? html` ± ${network.se.toFixed(2)}` : ""} in ${network.games?.toLocaleString("en")} games`}</span>
    <button class="button" ?disabled=${!!state.busy} @click=${() => sit({ network: network.key }, network.players, network.rules)}>
      ${state.busy === JSON.stringify({ network: network.key }) ? "Setting the table …" : "Play"}<span class="unseen">
      with ${network.key}</span></button></li>`)}</ul></section>`;

  draw();
  look();
  const timer = setInterval(look, PAUSE);
  return { close: () => { close(); clearInterval(timer); } };
}

/** When what led changed: the leading rules of evolution, or who copied whom in a population. */
const changes = (run) => html`<details><summary>${run.kind === "evolution" ? "How the leading rules changed"
    : "Who copied whom"}</summary><ol class="changes">${run.changes.toReversed().map(({ title, at, best, entered, left }) => html`<li>
  <span class="note">${title}, ${run.kind === "evolution" ? `generation ${at}` : `${at} turns`}${best === null ? "" : `, ${best.toFixed(2)}`}</span>
  ${entered.map((rule) => html` <ins>${rule}</ins>`)}${left.map((rule) => html` <del>${rule}</del>`)}
</li>`)}</ol></details>`;

/** @param {number} seconds */
function ago(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [unit, name] = whole < 90 ? [1, "s"] : whole < 5400 ? [60, "min"] : whole < 129600 ? [3600, "hours"] : [86400, "days"];
  return `${Math.round(whole / unit)} ${name} ago`;
}
