/** A table of one's own: seats, rules, deal. The screen to watch is the same form without people. */

import { agents, openTable } from "./api.js";
import { about, canSit, choice, chosen, DEFAULT, drawn, labelled, ME, PEOPLE, playersChoice, problem, remembering, seated, tick, wishes } from "./parts.js";
import { picker } from "./picker.js";
import { html } from "./lit.js";

/** Rules with a number: name, words, and what the standard game has. */
const NUMBERS = [
  ["colours", "Colours", 5], ["ranks", "Ranks", 5], ["hand_size", "Cards in hand", 0], ["tokens", "Hints", 8],
  ["lives", "Lives", 3],
];
const TICKS = [
  ["empty_hints", "Hints may touch no card"], ["discard_at_full", "Discards with all hints available"],
  ["random_start", "A random seat begins"], ["no_completion_token", "Completed colours return no hint"],
];
/** From move to move in ms, in words. */
const PACES = [
  [5000, "every 5 s"], [2000, "every 2 s"], [1000, "every second"], [500, "2 per second"], [200, "5 per second"],
  [100, "10 per second"],
];

/** @type {Open} */
export const open = (root, _, app) => openForm(root, app, false);

/** @param {HTMLElement} root @param {App} app @param {boolean} isWatch */
export function openForm(root, app, isWatch) {
  const state = {
    players: 2,
    seats: [isWatch ? DEFAULT : ME, DEFAULT, DEFAULT, DEFAULT, DEFAULT],
    rules: /** @type {Record<string, any>} */ ({}),
    seed: "", index: "", busy: false, error: "", undo: true,
    pace: isWatch ? 1000 : 500,
    agents: /** @type {Agent[]} */ ([]),
  };
  const { set, draw, attempt, close } = drawn(root, state, page);
  const agent = (who) => state.agents.find(({ name }) => name === who);
  const rule = (name, value) => set({ rules: { ...state.rules, [name]: value } });

  function sitMany(players) {
    const seats = state.seats.map((who, seat) => (canSit(agent(who), players) && (who !== ME || seat < players) ? who : DEFAULT));
    if (!isWatch && !seats.includes(ME)) seats[0] = ME;
    set({ players, seats });
  }

  function start(event) {
    event.preventDefault();
    const rules = Object.entries(state.rules).filter(([, value]) => value).map(([name, value]) => ` ${name}=${value}`);
    attempt(async () => openTable(app, {
      rules: `players=${state.players}${rules.join("")}`,
      seats: wishes(state.seats.slice(0, state.players), app.settings.get("name")),
      seed: whole(state.seed, "Seed"), index: whole(state.index, "Game number"),
      options: { pace_ms: state.pace, undo: state.undo },
    }));
  }

  function page() {
    const { players, seats, busy } = state;
    return html`<form class="sheet form" @submit=${start}>
      <h1>${isWatch ? "Watch agents" : "A table of your own"}</h1>
      <p>${isWatch ? "Choose a team and a deal. All hands are open; pause, step, and ask any of them why."
        : "Seat people and agents as you like. Open seats get a link to send to friends."}</p>
      <section class="seats"><h2>Seats</h2>
        ${playersChoice(players, sitMany)}
        ${isWatch ? picker({ label: "All seats", agents: state.agents, players, now: new Set(seats.slice(0, players)).size > 1 ? "as below" : seats[0],
          choose: (who) => set({ seats: Array(5).fill(who) }) }) : ""}
        <ol>${seats.slice(0, players).map((who, seat) => html`<li>
          ${picker({ label: `Seat ${seat + 1}`, agents: state.agents, players, now: who, others: isWatch ? [] : PEOPLE,
            choose: (now) => set({ seats: seated(seats, seat, now) }) })}
          <small>${about(agent(who), players)}</small></li>`)}</ol>${isWatch ? "" : remembering(seats.slice(0, players))}
      </section>
      <section><h2>Deal</h2>
        <p class="note">The same seed and game number give the same cards in the same order. Without them nobody has seen the
          deal.</p>
        <div class="fields">${number("Seed", state.seed, (seed) => set({ seed }))}
          ${number("Game number", state.index, (index) => set({ index }))}</div>
        ${choice(isWatch ? "Moves" : "Moves of agents", "pace", isWatch ? PACES : PACES.slice(1, 5), state.pace,
          (pace) => set({ pace }))}
        ${isWatch ? "" : tick("Moves can be taken back", state.undo, (undo) => set({ undo }),
          "Alone with agents at once, among people if all agree.")}
      </section>
      <details><summary>Other rules</summary>
        <div class="fields">${NUMBERS.map(([name, words, usual]) => number(words, state.rules[name] ?? "", (value) =>
          rule(name, value), usual || (players < 4 ? 5 : 4)))}</div>
        ${choice("After the last life", "bomb", [["", "0 points"], ["keep", "the points stay"]],
          state.rules.bomb ?? "", (value) => rule("bomb", value))}
        ${TICKS.map(([name, words]) => tick(words, !!state.rules[name], (isOn) => rule(name, isOn)))}
      </details>
      ${problem(state.error)}
      <button class="button main" ?disabled=${busy}>${busy ? "Setting the table …" : isWatch ? "Watch" : "Open the table"}</button>
    </form>`;
  }

  draw();
  agents().then((found) => set({ agents: found.agents }), (error) => set({ error: error.message }));
  return { close };
}

const number = (words, value, use, usual = /** @type {any} */ ("any")) => labelled(words, html`<input class="short" inputmode="numeric"
  autocomplete="off" placeholder=${usual} .value=${value} @change=${chosen((text) => use(text.trim()))}>`);

function whole(text, words) {
  if (!text) return null;
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${words}: ${text} is not a whole number of up to 15 digits.`);
  return Number(text);
}
