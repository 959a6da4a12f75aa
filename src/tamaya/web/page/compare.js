/** What others and all agents made of a deal: a chart of scores, ranks, my seat taken by each, difficulty. */

import { html, svg } from "./lit.js";
import { count } from "./words.js";

const FEW = 8; // rows that are shown at once

/** @param {any} results @param {any} deal @param {(table: string) => void} show */
export function comparison(results, deal, show) {
  return html`${people(deal, show)}${!results ? waiting({}) : results.state === "working" ? waiting(results)
    : results.state === "failed" ? html`<p class="error" role="alert">${results.text}</p>` : figures(results)}`;
}

const heads = (...names) => html`<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`;

/** Those who have played it. */
function people({ attempts }, show) {
  if (attempts.every(({ seat }) => seat !== null) && attempts.length < 2)
    return attempts.length ? html`<p class="note">Nobody else has played it here yet.</p>` : "";
  const rows = [...attempts].sort((a, b) => b.score - a.score);
  return html`<section class="people"><h2>People</h2><table>${heads("Who", "Points", "Turns")}
    <tbody>${rows.map(({ table, names, seat, score, turns, seen, chosen }) => html`<tr class=${seat === null ? "" : "mine"}>
      <td><a href="/t/${table}" @click=${() => show(table)}>${names.join(", ")}</a>${seat === null ? "" : " (you)"}
        ${seen ? html`<span class="tag">seen before</span>` : ""}${chosen ? html`<span class="tag">chosen seed</span>` : ""}</td>
      <td>${score}</td><td>${turns}</td></tr>`)}</tbody></table></section>`;
}

function waiting({ done = 0, of = 0, compiling = null }) {
  return html`<section aria-label="Agents"><h2>All agents</h2><p class="busy">${compiling ? `Preparing ${compiling.agent} for its first game.`
    : "All agents play the same cards."}</p><progress max=${of || 1} value=${done} aria-label="Games played"></progress></section>`;
}

function figures({ agents, guests, beside, score, difficulty }) {
  return html`${difficulty ? hard(difficulty) : ""}<div class="tables">
    <section><h2>All agents</h2>
      <p class="note">Every agent with copies of itself on these cards.</p>
      ${chart(agents.filter(({ is_given: isGiven }) => !isGiven), score)}
      ${ranks(agents, "Agents and people on this deal", null)}</section>
    ${guests.length ? html`<section><h2>In your seat</h2>
      <p class="note">Each agent in your place, beside ${beside.join(", ")}. You made ${count(score, "point")}.</p>
      ${chart(guests, score)}${ranks(guests, "Agents in your seat", score)}</section>` : ""}</div>`;
}

function hard({ points, se, share, panel }) {
  const words = Math.abs(points) < 2 * se ? "about as hard as any" : points > 0 ? "harder than usual" : "easier than usual";
  return html`<p class="hard">This deal is <b>${words}</b>: ${panel} agents score ${Math.abs(points).toFixed(1)} ± ${se.toFixed(1)} points
    ${points > 0 ? "less" : "more"} on it than on others. ${Math.round(100 * share)} % of deals are harder.</p>`;
}

/** How many agents have made how many points, and where I am. */
function chart(rows, score) {
  const [best, worst] = [Math.max(...rows.map((row) => row.score)), Math.min(...rows.map((row) => row.score))];
  const most = 5 * Math.ceil(Math.max(best, score, 5) / 5);
  const heights = Array.from({ length: most + 1 }, (_, points) => rows.filter((row) => row.score === points).length);
  const top = Math.max(1, ...heights);
  const better = rows.filter((row) => row.score > score).length;
  const words = `${count(rows.length, "agent")}, from ${worst} to ${best} points${score === null ? "" : `; ${better} above your ${score}`}`;
  const x = (points) => 4 + (points * 392) / (most + 1);
  return html`<svg class="chart" viewBox="0 0 400 96" role="img" aria-label=${words}>
    <path class="base" d="M4 76.5H396"/>${heights.map((n, points) => (n ? svg`<rect class=${points === score ? "own" : ""}
      x=${x(points) + 1} y=${76 - (58 * n) / top} width=${392 / (most + 1) - 2} height=${(58 * n) / top} rx="1.5"/>` : ""))}
    ${score === null ? "" : svg`<path class="flag" d="M${x(score) + 196 / (most + 1)} 76V10"/><text x=${x(score) + 196 / (most + 1)} y="8" class="flag">you</text>`}
    ${[0, 5, 10, 15, 20, 25].filter((points) => points <= most).map((points) => svg`<text x=${x(points) + 196 / (most + 1)} y="90">${points}</text>`)}</svg>`;
}

/** A table by rank: the best and my own, all others behind a fold. */
function ranks(rows, caption, score) {
  const line = ({ rank, is_tied: isTied, name, score: points, turns, mine }) => html`<tr class=${mine ? "mine" : ""}>
    <td>${rank}${isTied ? "=" : ""}</td><th scope="row">${name}${mine ? " (you)" : ""}</th><td>${points}</td>${score === null ? ""
      : html`<td>${points > score ? "+" : points < score ? "−" : "±"}${Math.abs(points - score)}</td>`}<td>${turns}</td></tr>`;
  const table = (some, words) => html`<table><caption class="unseen">${words}</caption>${heads("Rank", "Agent", "Points", ...(score === null ? [] : ["Gain"]), "Turns")}
    <tbody>${some.map(line)}</tbody></table>`;
  const isFirst = (row, k) => k < FEW || row.mine;
  const rest = rows.filter((row, k) => !isFirst(row, k));
  return html`${table(rows.filter(isFirst), caption)}${rest.length ? html`<details><summary>${rest.length} more</summary>
    ${table(rest, `${caption}, the rest`)}</details>` : ""}`;
}
