/** Who the agents are: what they do, where they come from, how strong a team of them is. */

import { agents } from "./api.js";
import { chosen, drawn, groups, labelled, problem, tagList } from "./parts.js";
import { html } from "./lit.js";

/** @type {Open} */
export function open(root) {
  const state = { all: /** @type {Agent[]} */ ([]), sought: "", error: "" };
  const { set, draw, close } = drawn(root, state, () => {
    const found = state.all.filter(({ name, description, source }) => `${name} ${description} ${source}`.toLowerCase()
      .includes(state.sought.toLowerCase()));
    return html`<div class="sheet">
      <h1>Agents</h1>
      <p>Those for people hint as people do: what you can play, what you should keep. Hints of those who speak a code stand
        for more than they say. Points are the mean of a team of the same agent, of 25, as far as this server has measured it.</p>
      ${labelled("Find", html`<input type="search" @input=${chosen((sought) => set({ sought }))}>`)}
      ${problem(state.error)}
      ${found.length || state.error ? "" : html`<p>${state.all.length ? "No agent like that." : "Looking …"}</p>`}
      ${groups(found).map(({ title, agents }, k) => html`<details class="agents" ?open=${!k || state.sought}>
        <summary><h2>${title} <small>${agents.length}</small></h2></summary><ul>${agents.map(entry)}</ul></details>`)}
    </div>`;
  });

  draw();
  agents().then((found) => set({ all: found.agents }), (refusal) => set({ error: refusal.message }));
  return { close };
}

/** @param {Agent} agent */
function entry(agent) {
  const [least, most] = agent.players;
  const known = Object.keys(agent.strength ?? {});
  return html`<li><h3>${agent.name}</h3>
    <p>${agent.description}</p>
    <p class="note">${least === most ? least : `${least} to ${most}`} players${agent.source ? `, ${agent.source.split(", runs/")[0]}` : ""}
      ${tagList(agent)}</p>
    <p>${known.map((size) => `${size} players: ${agent.strength?.[size].mean.toFixed(1)}`).join(", ")}</p>
    <a class="button quiet" href="/?partner=${encodeURIComponent(agent.name)}">Play<span class="unseen"> with ${agent.name}</span></a>
  </li>`;
}
