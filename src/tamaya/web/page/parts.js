/** What several screens share: a state that is drawn, fields of forms, who sits where, groups of agents. */

import { html, render } from "./lit.js";

/** Who understands plain hints best (docs/web.md). */
export const DEFAULT = "tamaya-mixed";
const FEW = [DEFAULT, "adaptive", "mixed-situational", "piers", "iggi", "van-den-bergh"];
/** Who sits somewhere, besides agents by their names. */
export const ME = "@me";
export const FRIEND = "@open";
export const PEOPLE = [[ME, "You"], [FRIEND, "A friend, by link"]];
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
  few: "Recommended", "": "Hint plainly", code: "Speak a code", learned: "Learned by themselves", slow: "Take their time", weak: "Weak",
};
const LONGEST_NAME = 40;

/**
 * A screen that is drawn again whenever its state changes. `attempt` does something that may fail, and says so.
 * @template {object} S
 * @param {S} state
 * @returns {{draw(): void, set(change: Partial<S>): void, attempt(act: () => Promise<void>, busy?: unknown): Promise<void>, close(): void}}
 */
export function drawn(root, state, page) {
  let isOpen = true;
  const draw = () => { if (isOpen) render(page(), root); };
  const set = (change) => { Object.assign(/** @type {any} */ (state), change); draw(); };
  const attempt = async (act, busy = /** @type {unknown} */ (true)) => {
    if (/** @type {any} */ (state).busy) return;
    set({ busy, error: "" });
    await act().catch(({ message }) => set({ busy: "", error: message }));
  };
  return { draw, set, attempt, close: () => { isOpen = false; } };
}

/** Lets a style sheet that few screens need come along. */
export async function wear(name) {
  const href = `/page/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  await new Promise((done) => { link.onload = link.onerror = done; });
}

/** Hears what was chosen in a field. */
export const chosen = (use) => ({ target }) => use(target.value);

/** Words about what went wrong, said aloud. */
export const problem = (text) => (text ? html`<p class="error" role="alert">${text}</p>` : "");

/** Somebody in all seats of a wish; a person goes by a name. @returns {SeatWish[]} */
export const wishes = (all, name) => all.map((who) => (who === ME ? { kind: "person", name: name || "Player" }
  : who === FRIEND ? { kind: "open" } : { kind: "agent", ...(typeof who === "string" ? { agent: who } : who) }));

/** Seats with somebody else in one; I cannot sit twice, so my old seat goes to who sat here. @param {string[]} seats */
export const seated = (seats, seat, who) =>
  seats.map((old, other) => (other === seat ? who : old === ME && who === ME ? seats[seat] : old));

/** Groups of agents, those for people first, and in each the strongest. @param {Agent[]} agents */
export function groups(agents) {
  const points = (/** @type {Agent} */ { strength: by, source }) =>
    by?.[2]?.mean ?? by?.[5]?.mean ?? (source?.startsWith("Tamaya") ? 0 : -1);
  const sorted = [...agents].sort((a, b) => points(b) - points(a));
  const group = ({ name, tags }) => (FEW.includes(name) ? "few" : ["weak", "slow", "learned", "code"].find((tag) => tags.includes(tag)) ?? "");
  return Object.entries(GROUPS).map(([tag, title]) => ({ title, agents: sorted.filter((agent) => group(agent) === tag) }))
    .filter((found) => found.agents.length);
}

/** @param {Agent} [agent] */
export const canSit = (agent, players = 2) => !agent?.players || (agent.players[0] <= players && players <= agent.players[1]);

/** @param {Agent} agent */
export const tagList = ({ tags }) =>
  tags.map((tag) => html` <span class="tag ${tag}" title=${TAGS[tag][1]}>${TAGS[tag][0]}</span>`);

/** What an agent does, and what a team of it scores where the store knows. @param {Agent} [agent] */
export function about(agent, players = 2) {
  if (!agent) return "";
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
  choice("Players", "players", [2, 3, 4, 5].map((n) => [n, n]), now, choose);

/** A box with a mark, and what it does. */
export function tick(words, isOn, choose, note = "") {
  return html`<label class="tick"><input type="checkbox" .checked=${isOn}
    @change=${({ target }) => choose(target.checked)}><span>${words}<small>${note}</small></span></label>`;
}

/** Where people let an agent remember how they play, if one of these does. @param {unknown[]} agents */
export function remembering(agents) {
  if (!agents.includes("adaptive")) return "";
  import("./remember.js");
  return html`<remember-me></remember-me>`;
}

/** A field with its name above it. */
export const labelled = (words, field) => html`<label class="field"><span>${words}</span>${field}</label>`;

/** The field of a person's name, which says when there is no room for more of it. */
export const nameField = (now, use, words = "Your name") => labelled(words, html`<input class="name" maxlength=${LONGEST_NAME} autocomplete="nickname"
  placeholder="Player" .value=${now} @change=${chosen((name) => use(name.trim()))} @input=${({ target }) => {
    target.nextElementSibling.textContent = target.value.length < LONGEST_NAME ? "" : `A name has at most ${LONGEST_NAME} characters.`;
  }}><small role="status"></small>`);

/** Tables by who sits there, how far they are and when they were opened; who fears spoilers reads no score. @param {Recent[]} tables */
export const tableList = (tables, settings, isSafe = false) => html`<ul>${tables.map(({ id, kind, names, phase, score, turn, created }) => html`<li>
  <a href="/${phase === "over" ? "g" : "t"}/${id}${isSafe ? "?safe=1#0" : ""}">${names.map((name) => name || "open seat").join(", ")}</a> <small>${[
    settings.token(id) && "yours", kind === "import" && "imported", phase === "waiting" ? "waits for players" : phase !== "over" ? `turn ${turn + 1}`
      : !isSafe && `${score} points`, new Date(created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })].filter(Boolean).join(", ")}</small></li>`)}</ul>`;
