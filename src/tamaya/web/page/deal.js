/** One deal for everybody: play it, then see what others and all agents made of it. */

import { agents, get, openTable, post, tokenHeader } from "./api.js";
import { comparison } from "./compare.js";
import { chosen, DEFAULT, drawn, labelled, ME, PEOPLE, problem, wishes } from "./parts.js";
import { picker } from "./picker.js";
import { html } from "./lit.js";
import { count } from "./words.js";

const POLL = 1000; // ms between two questions how far the agents are
const TITLES = { day: "Deal of the day", game: "The deal of a game", chosen: "A deal by its seed", open: "The deal of a known game" };

/** To the page of a game's deal, which whoever played it may open. @param {App} app @param {string} game @param {string|null} deal */
export async function goToDeal(app, game, deal) {
  const { id } = deal ? { id: deal } : await post(`/api/games/${game}/deal`, {}, tokenHeader(app.settings.token(game)));
  if (app.settings.token(game)) app.settings.keep(game, { deal: id });
  app.go(`/d/${id}`);
}

/** @type {Open} */
export function open(root, { id }, app) {
  const state = {
    deal: /** @type {any} */ (null), results: /** @type {any} */ (null), error: "", busy: false,
    agents: /** @type {Agent[]} */ ([]), partners: Array(4).fill(DEFAULT), seat: 0,
  };
  const { set, draw, attempt, close } = drawn(root, state, page);
  let timer = 0;
  const tokens = () => app.settings.ofDeal(state.deal?.id ?? id);
  const who = () => tokenHeader(tokens());

  async function load() {
    try {
      let deal = await get(`/api/deals/${id}`, who());
      if (deal.id !== id) { // the day has a name of its own, under which attempts are kept
        history.replaceState(null, "", `/d/${deal.id}`);
        deal = await get(`/api/deals/${deal.id}`, tokenHeader(app.settings.ofDeal(deal.id)));
      }
      set({ deal });
      app.title(TITLES[deal.kind]);
      if (deal.told) compare();
    } catch (error) {
      set({ error: /** @type {Error} */ (error).message });
    }
  }

  async function compare() {
    const results = await get(`/api/deals/${state.deal.id}/results`, who()).catch((error) => ({ state: "failed", text: error.message }));
    set({ results });
    if (results.state === "working") timer = window.setTimeout(compare, POLL);
  }

  function play(event) {
    event.preventDefault();
    const all = state.partners.slice(0, state.deal.players - 1).toSpliced(state.seat, 0, ME);
    attempt(() => openTable(app, { seats: wishes(all, app.settings.get("name")), options: { pace_ms: 500 } },
      `/api/deals/${state.deal.id}/play`, who(), { deal: state.deal.id }));
  }

  /** A deal that somebody chooses: it says so to all who play it. */
  function other(event) {
    event.preventDefault();
    const { seed, index } = event.target.elements;
    const wish = { rules: state.deal.rules, seed: seed.value, index: Number(index.value || 0) };
    attempt(async () => app.go(`/d/${(await post("/api/deals", wish)).id}`));
  }

  /** Another's game is shown to who has played: the own token goes along. */
  function show(table) {
    if (!app.settings.token(table)) app.settings.keep(table, { token: tokens().split(",")[0], deal: state.deal.id });
  }

  function page() {
    const { deal } = state;
    if (!deal) return html`<div class="sheet form"><h1>${state.error ? "No such deal" : "Looking for the deal …"}</h1>${problem(state.error)}
      ${state.error ? html`<p><a href="/d/today">To the deal of the day</a></p>` : ""}</div>`;
    const mine = deal.attempts?.find(({ seat }) => seat !== null);
    return html`<div class="sheet deal">
      <h1>${TITLES[deal.kind]}${deal.kind === "day" ? html` <small>${deal.id.slice(0, 10)}</small>` : ""}</h1>
      ${mine ? own(mine) : html`<p class="lead">${deal.told
        ? "This game can be seen by everybody, so nothing is hidden. Below is what agents make of its cards."
        : "The same cards in the same order for everybody. Play them once; then see how others did, what every agent would have scored, and how hard the deal is."}</p>`}
      ${mine ? "" : start(deal)}
      ${deal.told ? html`${comparison(state.results, deal, show)}${mine ? start(deal) : ""}` : ""}
      <p class="note">${count(deal.players, "player")}${deal.kind === "day" ? sizes(deal) : ""}. ${deal.told ? `Seed ${deal.seed}, game ${deal.index}. ` : ""}Send
        this address to whoever should play the same cards. Your browser remembers what you have played.</p>
      <details><summary>Another deal, by its seed</summary><form class="fields" @submit=${other}>
        ${labelled("Seed", html`<input class="short" name="seed" inputmode="numeric" pattern="[0-9]{1,19}" required autocomplete="off">`)}
        ${labelled("Game number", html`<input class="short" name="index" inputmode="numeric" pattern="[0-9]{1,9}" placeholder="0" autocomplete="off">`)}
        <button class="button">To that deal</button></form></details>
    </div>`;
  }

  const sizes = ({ id, players }) => html`; there is one for ${[2, 3, 4, 5].filter((n) => n !== players).map((n, k) => html`${k ? ", " : ""}<a
    href="/d/${id.slice(0, 10)}${n > 2 ? `-${n}` : ""}" aria-label="${n} players">${n}</a>`)} too`;

  /** What I made of it. */
  function own({ score, status, turns, names, seat }) {
    const beside = names.filter((_, k) => k !== seat);
    const row = state.results?.agents?.find((found) => found.mine);
    return html`<p class="lead"><b class="score">${score}</b> points, in ${count(turns, "turn")} with ${beside.join(", ")} (${status}).
      ${row ? html`Rank <b>${row.rank}${row.is_tied ? "=" : ""}</b> of ${state.results.agents.length}.` : ""}</p>`;
  }

  function start(deal) {
    const again = deal.attempts?.some(({ seat }) => seat !== null);
    return html`<form class="attempt" @submit=${play}>
      ${again ? html`<h2>Once more</h2><p class="note">You know these cards: the attempt will be marked as seen.</p>` : ""}
      ${deal.running ? html`<p>Your attempt is under way. <a class="button main" href="/t/${deal.running}">Go on</a></p>` : ""}
      <div class="fields">${Array.from({ length: deal.players - 1 }, (_, k) => picker({
        label: deal.players > 2 ? `Partner ${k + 1}` : "Partner", agents: state.agents, players: deal.players, now: state.partners[k],
        others: PEOPLE.slice(1), choose: (who) => set({ partners: state.partners.with(k, who) }) }))}
        ${labelled("Your seat", html`<select @change=${chosen((seat) => set({ seat: Number(seat) }))}>
          ${Array.from({ length: deal.players }, (_, k) => html`<option value=${k} .selected=${k === state.seat}>${k + 1}${k ? "" : ", begins"}</option>`)}</select>`)}
        <button class="button ${deal.running || again ? "" : "main"}" ?disabled=${state.busy}>${state.busy ? "Setting the table …"
          : again || deal.running ? "Play it again" : "Play this deal"}</button></div>
      ${problem(state.error)}</form>`;
  }

  draw();
  load();
  agents().then((found) => set({ agents: found.agents }), () => undefined);
  return { close: () => { close(); clearTimeout(timer); } };
}
