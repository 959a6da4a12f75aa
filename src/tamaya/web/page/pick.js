/** Choosing agents and numbers: parts of forms that several screens share. */

import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Agent} Agent */

/** What a tag says in short, and what it means to a person. */
export const TAGS = {
  code: ["speaks a code", "Its hints stand for more than they say. Its own kind understands them; you will not."],
  learned: ["learned", "A network that learned by playing with itself."],
  slow: ["takes its time", "It tries moves on imagined deals, for seconds per move."],
  weak: ["weak", "For comparison, not for a good game."],
};

const GROUPS = /** @type {const} */ ([
  ["", "Partners for people"], ["code", "Speak a code"], ["learned", "Learned by themselves"],
  ["slow", "Take their time"], ["weak", "Weak, for comparison"],
]);

/** @param {Agent} agent */
export function groupOf({ tags }) {
  return ["weak", "slow", "learned", "code"].find((tag) => tags.includes(/** @type {any} */ (tag))) ?? "";
}

/** Groups of agents, those for people first. @param {Agent[]} agents */
export function groups(agents) {
  return GROUPS.map(([tag, title]) => ({ title, agents: agents.filter((agent) => groupOf(agent) === tag) }))
    .filter((group) => group.agents.length);
}

/**
 * The options of a `select`; agents that cannot sit at such a table are shown, but not to be chosen.
 * @param {Agent[]} agents
 * @param {number} players
 * @param {string} chosen
 */
export function agentOptions(agents, players, chosen) {
  if (!agents.length) return html`<option value=${chosen} selected>${chosen}</option>`;
  return groups(agents).map((group) => html`<optgroup label=${group.title}>
    ${group.agents.map((agent) => html`<option value=${agent.name} .selected=${agent.name === chosen}
      ?disabled=${!canSit(agent, players)}>${agent.name}</option>`)}
  </optgroup>`);
}

/**
 * @param {Agent} agent
 * @param {number} players
 */
export function canSit({ players: [least, most] }, players) {
  return least <= players && players <= most;
}

/** @param {Agent} agent */
export function tagList({ tags }) {
  return tags.map((tag) => html` <span class="tag ${tag}" title=${TAGS[tag][1]}>${TAGS[tag][0]}</span>`);
}

/**
 * What an agent scores in a team of its like, where the store knows it.
 * @param {Agent} agent
 * @param {number} players
 */
export function strength(agent, players) {
  const known = agent.strength?.[players];
  if (!known) return "";
  return `${known.mean.toFixed(1)} ± ${known.se.toFixed(2)} points`;
}

/**
 * A few values of which one holds, as radio buttons side by side.
 * @template {string|number} V
 * @param {string} legend
 * @param {string} name
 * @param {readonly (readonly [V, string])[]} values  with their words
 * @param {V} chosen
 * @param {(value: V) => void} choose
 */
export function choice(legend, name, values, chosen, choose) {
  return html`<fieldset class="choice"><legend>${legend}</legend><div>
    ${values.map(([value, words]) => html`<label><input type="radio" name=${name} .checked=${value === chosen}
      @change=${() => choose(value)}><span>${words}</span></label>`)}
  </div></fieldset>`;
}

/** How many sit at a table. @param {number} chosen @param {(players: number) => void} choose */
export function playersChoice(chosen, choose) {
  return choice("Players", "players", [[2, "2"], [3, "3"], [4, "4"], [5, "5"]], chosen, choose);
}

/**
 * A box with a mark, and what it does.
 * @param {string} words
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} choose
 * @param {string} [note]
 */
export function tick(words, isOn, choose, note = "") {
  return html`<label class="tick"><input type="checkbox" .checked=${isOn}
    @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLInputElement} */ (event.target).checked)}>
    <span>${words}${note ? html`<small>${note}</small>` : nothing}</span></label>`;
}
