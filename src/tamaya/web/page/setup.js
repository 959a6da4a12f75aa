/** A table of one's own: who sits where, the rules, the deal. The screen to watch is the same form without people. */

import { agents, openTable } from "./api.js";
import { agentOptions, canSit, choice, playersChoice, strength, tagList, tick } from "./pick.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./api.js").SeatWish} SeatWish
 * @typedef {Record<string, string|number|boolean>} Wishes  by the name of a rule
 */

const ME = "@me";
const OPEN = "@open";

/** Rules with a number: name, words, least, most; the first value is the standard game's. */
const NUMBERS = /** @type {const} */ ([
  ["colours", "Colours", 1, 5, 5], ["ranks", "Ranks", 1, 5, 5], ["hand_size", "Cards in hand", 1, 8, ""],
  ["tokens", "Hints", 0, 50, 8], ["lives", "Lives", 1, 100, 3],
]);
const TICKS = /** @type {const} */ ([
  ["empty_hints", "Hints may touch no card"], ["discard_at_full", "Discards with all hints available"],
  ["random_start", "A random seat begins"],
]);
/** Moves per second that one can choose, with the pause between moves in ms. */
const PACES = /** @type {const} */ ([
  [5000, "1 move in 5 s"], [2000, "1 move in 2 s"], [1000, "1 move per second"], [500, "2 moves per second"],
  [200, "5 moves per second"], [100, "10 moves per second"],
]);

/** @type {import("./main.js").Open} */
export const open = (root, _, app) => openForm(root, app, false);

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {boolean} isWatch
 */
export function openForm(root, app, isWatch) {
  const state = {
    players: 2,
    seats: [isWatch ? "tamaya-mixed" : ME, ...Array(4).fill("tamaya-mixed")],
    /** @type {Wishes} */
    rules: {},
    seed: "",
    index: "",
    pace: isWatch ? 1000 : 500,
    undo: true,
    busy: false,
    error: "",
    place: "",
    /** @type {import("./api.js").Agent[]} */
    agents: [],
  };
  let isOpen = true;
  const draw = () => isOpen && render(page(), root);
  const set = (/** @type {Partial<typeof state>} */ change) => {
    Object.assign(state, change);
    draw();
  };
  const value = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
  const wish = (/** @type {string} */ name, /** @type {string|number|boolean} */ given) =>
    set({ rules: { ...state.rules, [name]: given } });

  /**
   * Seats somebody; I cannot sit twice, so my old seat goes to who sat here.
   * @param {number} seat
   * @param {string} who
   */
  function seat(seat, who) {
    const seats = [...state.seats];
    const mine = seats.indexOf(ME);
    if (who === ME && mine >= 0) seats[mine] = seats[seat];
    seats[seat] = who;
    set({ seats });
  }

  /** @param {number} players */
  function seatMany(players) {
    const able = (/** @type {string} */ who) => {
      const agent = state.agents.find(({ name }) => name === who);
      return !agent || canSit(agent, players);
    };
    const seats = state.seats.map((who) => (able(who) ? who : "tamaya-mixed"));
    if (!isWatch && !seats.slice(0, players).includes(ME)) seats[0] = ME;
    set({ players, seats: seats.map((who, place) => (who === ME && place >= players ? "tamaya-mixed" : who)) });
  }

  /** @param {Event} event */
  async function start(event) {
    event.preventDefault();
    if (state.busy) return;
    set({ busy: true, error: "", place: "" });
    try {
      await openTable(app, {
        rules: rulesText(state.players, state.rules),
        seats: state.seats.slice(0, state.players).map((who) => wished(who, app.settings.get("name"))),
        seed: whole(state.seed, "Seed"), index: whole(state.index, "Game number"),
        options: { pace_ms: state.pace, undo: state.undo },
      });
    } catch (error) {
      const { message, place = "" } = /** @type {any} */ (error);
      set({ busy: false, error: message, place });
    }
  }

  function page() {
    return html`<form class="sheet form" @submit=${start}>
      <h1>${isWatch ? "Watch agents" : "A table of your own"}</h1>
      <p>${isWatch ? "Choose a team and a deal. All hands are open; pause, step, and ask any of them why."
        : "Seat people and agents as you like. Open seats get a link to send to friends."}</p>
      <section><h2>Seats</h2>
        ${playersChoice(state.players, seatMany)}
        ${isWatch ? html`<label class="field"><span>All seats</span><select @change=${(/** @type {Event} */ event) => {
          if (value(event)) set({ seats: Array(5).fill(value(event)) });
        }}><option value="">as below</option>${agentOptions(state.agents, state.players, "")}</select></label>` : nothing}
        <ol class="seats">${state.seats.slice(0, state.players).map((who, place) => seatRow(who, place))}</ol>
      </section>
      <section><h2>Deal</h2>
        <p class="note">The same seed and game number give the same cards in the same order. Without them nobody has seen
          the deal.</p>
        <div class="row">${text("Seed", "seed", state.seed, (seed) => set({ seed }))}
          ${text("Game number", "index", state.index, (index) => set({ index }))}</div>
        ${choice(isWatch ? "Pace" : "Agents move", "pace", isWatch ? PACES : PACES.slice(1, 5), state.pace,
          (pace) => set({ pace: /** @type {number} */ (pace) }))}
        ${isWatch ? nothing : tick("Moves can be taken back", state.undo, (undo) => set({ undo }),
          "Alone with agents at once; among people if all agree. It is counted.")}
      </section>
      <details><summary>Rules other than the standard game’s</summary>${ruleFields()}</details>
      ${state.error ? html`<p class="error" role="alert">${state.error}</p>` : nothing}
      <button class="button main" ?disabled=${state.busy}>${state.busy ? "Setting the table …" : isWatch ? "Watch"
        : "Open the table"}</button>
    </form>`;
  }

  /**
   * @param {string} who
   * @param {number} place
   */
  function seatRow(who, place) {
    const agent = state.agents.find(({ name }) => name === who);
    return html`<li><label class="field"><span>Seat ${place + 1}</span>
      <select @change=${(/** @type {Event} */ event) => seat(place, value(event))}>
        ${isWatch ? nothing : html`<option value=${ME} .selected=${who === ME}>You</option>
          <option value=${OPEN} .selected=${who === OPEN}>A friend, by link</option>`}
        ${agentOptions(state.agents, state.players, who.startsWith("@") ? "tamaya-mixed" : who)}
      </select></label>
      <small>${agent ? html`${agent.description}${tagList(agent)} ${strength(agent, state.players)}` : nothing}</small></li>`;
  }

  function ruleFields() {
    return html`<div class="row">${NUMBERS.map(([name, words, least, most, usual]) => html`<label class="field small">
        <span>${words}</span><input type="number" inputmode="numeric" min=${least} max=${most}
          placeholder=${usual || (state.players < 4 ? 5 : 4)} .value=${String(state.rules[name] ?? "")}
          aria-invalid=${state.place === name ? "true" : nothing}
          @change=${(/** @type {Event} */ event) => wish(name, value(event))}></label>`)}</div>
      ${choice("After the last life", "bomb", [["", "0 points"], ["keep", "the points stay"]],
        String(state.rules.bomb ?? ""), (given) => wish("bomb", given))}
      ${choice("A new card", "refill", [["", "comes after the others"], ["in_place", "takes the place of the old one"]],
        String(state.rules.refill ?? ""), (given) => wish("refill", given))}
      ${TICKS.map(([name, words]) => tick(words, !!state.rules[name], (isOn) => wish(name, isOn)))}`;
  }

  /**
   * @param {string} words
   * @param {string} name
   * @param {string} given
   * @param {(value: string) => void} choose
   */
  function text(words, name, given, choose) {
    return html`<label class="field small"><span>${words}</span><input inputmode="numeric" autocomplete="off" .value=${given}
      placeholder="any" aria-invalid=${state.place === name ? "true" : nothing}
      @change=${(/** @type {Event} */ event) => choose(value(event).trim())}></label>`;
  }

  draw();
  agents().then((found) => set({ agents: found.agents }), (error) => set({ error: error.message }));
  return {
    close() {
      isOpen = false;
    },
  };
}

/**
 * @param {string} who
 * @param {string} name
 * @returns {SeatWish}
 */
function wished(who, name) {
  if (who === ME) return { kind: "person", name: name || "You" };
  return who === OPEN ? { kind: "open" } : { kind: "agent", agent: who };
}

/**
 * What differs from the standard game, as `Rules.parse` reads it.
 * @param {number} players
 * @param {Wishes} rules
 */
export function rulesText(players, rules) {
  const wishes = Object.entries(rules).filter(([, value]) => value !== "" && value !== false);
  return [`players=${players}`, ...wishes.map(([name, value]) => `${name}=${value}`)].join(" ");
}

/**
 * @param {string} text
 * @param {string} words
 */
function whole(text, words) {
  if (text === "") return null;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new Error(`${words}: ${text} is not a whole number.`);
  return number;
}
