/** What several screens share: a state that is drawn, fields of forms, lists of agents. */

import { html, nothing, render } from "./vendor/lit-html.js";

/** What a tag says in short, and what it means to a person. */
export const TAGS = {
  code: ["speaks a code", "Its hints stand for more than they say: its own kind understands, you will not."],
  learned: ["learned", "A network that learned by playing with itself."],
  slow: ["takes its time", "It tries moves on imagined deals, for seconds per move."],
  weak: ["weak", "For comparison, not for a good game."],
};
/** What practice mode does. */
export const PRACTICE = "Hidden cards show only what was told about them. Otherwise they show all that they can still be.";
const GROUPS = {
  "": "Partners for people", code: "Speak a code", learned: "Learned by themselves", slow: "Take their time", weak: "Weak",
};

/**
 * A screen that is drawn again whenever its state changes.
 * @template {object} S
 * @param {S} state
 * @returns {{draw(): void, set(change: Partial<S>): void, close(): void}}
 */
export function drawn(root, state, page) {
  let isOpen = true;
  const draw = () => { if (isOpen) render(page(), root); };
  return { draw, set: (change) => { Object.assign(/** @type {any} */ (state), change); draw(); }, close: () => { isOpen = false; } };
}

/** Lets a style sheet that few screens need come along. */
export function wear(name) {
  const href = `/page/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

/** Hears what was chosen in a field. */
export const chosen = (use) => ({ target }) => use(target.value);

/** Words about what went wrong, said aloud. */
export const problem = (text) => (text ? html`<p class="error" role="alert">${text}</p>` : nothing);

/** Groups of agents, those for people first, and in each the strongest. @param {Agent[]} agents */
export function groups(agents) {
  const points = (/** @type {Agent} */ { strength: by, source }) =>
    by?.[2]?.mean ?? by?.[5]?.mean ?? (source.startsWith("Tamaya") ? 0 : -1);
  const sorted = [...agents].sort((a, b) => points(b) - points(a));
  const group = ({ tags }) => ["weak", "slow", "learned", "code"].find((tag) => tags.includes(tag)) ?? "";
  return Object.entries(GROUPS).map(([tag, title]) => ({ title, agents: sorted.filter((agent) => group(agent) === tag) }))
    .filter((found) => found.agents.length);
}

/** The options of a `select`; who cannot sit at such a table cannot be chosen. @param {Agent[]} agents */
export function agentOptions(agents, players, now) {
  if (!agents.length) return now.startsWith("@") ? nothing : html`<option value=${now} selected>${now}</option>`;
  return groups(agents).map((group) => html`<optgroup label=${group.title}>${group.agents.map((agent) => html`<option
    value=${agent.name} .selected=${agent.name === now} ?disabled=${!canSit(agent, players)}>${agent.name}</option>`)}
  </optgroup>`);
}

/** @param {Agent} [agent] */
export const canSit = (agent, players = 2) => !agent || (agent.players[0] <= players && players <= agent.players[1]);

/** @param {Agent} agent */
export const tagList = ({ tags }) =>
  tags.map((tag) => html` <span class="tag ${tag}" title=${TAGS[tag][1]}>${TAGS[tag][0]}</span>`);

/** What an agent does, and what a team of it scores where the store knows. @param {Agent} [agent] */
export function about(agent, players = 2) {
  if (!agent) return nothing;
  const known = agent.strength?.[players];
  const points = known ? ` Alone with its like: ${known.mean.toFixed(1)} ± ${known.se.toFixed(2)} points.` : "";
  return html`${agent.description}${points}${tagList(agent)}`;
}

/** A few values of which one holds, with their words, as radio buttons side by side. */
export function choice(legend, name, values, now, choose) {
  return html`<fieldset class="choice"><legend>${legend}</legend><div>
    ${values.map(([value, words]) => html`<label><input type="radio" name=${name} .checked=${value === now}
      @change=${() => choose(value)}><span>${words}</span></label>`)}</div></fieldset>`;
}

/** How many sit at a table. */
export const playersChoice = (now, choose) =>
  choice("Players", "players", [[2, "2"], [3, "3"], [4, "4"], [5, "5"]], now, choose);

/** A box with a mark, and what it does. */
export function tick(words, isOn, choose, note = "") {
  return html`<label class="tick"><input type="checkbox" .checked=${isOn}
    @change=${({ target }) => choose(target.checked)}><span>${words}<small>${note}</small></span></label>`;
}

/** A field with its name above it. */
export const labelled = (words, field) => html`<label class="field"><span>${words}</span>${field}</label>`;
