/** Who the agents are: what they do, where they come from, how strong a team of them is. */

import { agents } from "./api.js";
import { groups, tagList, TAGS } from "./pick.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Agent} Agent */

const SIZES = [2, 3, 4, 5];

/** @type {import("./main.js").Open} */
export function open(root) {
  let isOpen = true;
  /** @type {Agent[]} */
  let all = [];
  let sought = "";
  let error = "";

  function draw() {
    if (!isOpen) return;
    const found = all.filter((agent) => `${agent.name} ${agent.description} ${agent.source}`.toLowerCase()
      .includes(sought.toLowerCase()));
    render(html`<div class="sheet">
      <h1>Agents</h1>
      <p>Those for people hint as people do: what you can play, what you should keep. ${TAGS.code[1]} Points are the mean of a
        team of the same agent, of 25, as far as this server has measured it.</p>
      <label class="field"><span>Find</span><input type="search" placeholder="name, source, way to play" @input=${
        (/** @type {any} */ event) => { sought = event.target.value; draw(); }}></label>
      ${error ? html`<p class="error" role="alert">${error}</p>` : nothing}
      ${all.length || error ? nothing : html`<p class="note">Looking …</p>`}
      ${groups(found).map(({ title, agents }) => html`<section class="agents"><h2>${title}</h2>
        <ul>${agents.map(entry)}</ul></section>`)}
      ${all.length && !found.length ? html`<p>No agent like that.</p>` : nothing}
    </div>`, root);
  }

  draw();
  agents().then(
    (found) => { all = found.agents; draw(); },
    (refusal) => { error = refusal.message; draw(); },
  );
  return { close: () => { isOpen = false; } };
}

/** @param {Agent} agent */
function entry(agent) {
  const [least, most] = agent.players;
  const known = SIZES.filter((size) => agent.strength?.[size]);
  return html`<li><h3>${agent.name}</h3>
    <p>${agent.description}</p>
    <p class="note">${least === most ? least : `${least} to ${most}`} players${agent.source ? `, ${agent.source}` : ""}
      ${tagList(agent)}</p>
    ${known.length ? html`<dl>${known.map((size) => html`<div><dt>${size} players</dt>
      <dd>${agent.strength[size].mean.toFixed(1)}</dd></div>`)}</dl>` : nothing}
    <a class="button quiet" href="/?partner=${encodeURIComponent(agent.name)}">Play<span class="unseen"> with ${agent.name}</span></a>
  </li>`;
}
