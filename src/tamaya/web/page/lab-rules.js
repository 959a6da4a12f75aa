/** The rule lists of a run: which rules move how often, to play with and to change. */

import { get, post } from "./api.js";
import { chosen, choice, labelled, problem } from "./parts.js";
import { html, svg } from "./lit.js";

const MOST_RULES = 40; // of a list that is sent

/**
 * @param {string} run
 * @param {{draw(): void, play(guest: object, players: number): void}} use
 */
export function ruleBook(run, { draw, play }) {
  const book = {
    lists: /** @type {LabList[]} */ ([]), key: "", players: 0,
    list: /** @type {LabListDetails|null} */ (null),
    fired: /** @type {number[]|null} */ (null), games: 0,
    text: /** @type {string|null} */ (null), // while it is edited
    shown: /** @type {string[]} */ ([]), // rules that were counted
    isCounting: false, error: "",
  };

  const steps = () => book.list?.steps[book.players] ?? [];
  const edited = () => (book.text ?? "").split(/[\n;]+/).map((line) => line.trim().replace(/,$/, "")).filter(Boolean);

  /** Takes the lists of a run, which may have changed. @param {LabList[]} lists */
  function show(lists) {
    book.lists = lists;
    if (lists.length && !lists.some(({ key }) => key === book.key)) choose(lists[0].key);
  }

  async function choose(key) {
    const list = book.lists.find((one) => one.key === key);
    if (!list) return;
    const players = list.sizes.includes(book.players) ? book.players : list.sizes[0];
    Object.assign(book, { key, players, list: null, fired: null, text: null, error: "" });
    draw();
    await attempt(async () => {
      const found = await get(`/api/lab/list?run=${encodeURIComponent(run)}&list=${encodeURIComponent(key)}`);
      if (book.key === key) book.list = found;
    });
    await count();
  }

  /** Counts which rules move, those of the list or those that were written instead. */
  async function count() {
    const { key, players, text } = book;
    if (!book.list) return;
    const rules = text === null ? undefined : book.list.options + edited().join(",");
    Object.assign(book, { isCounting: true, fired: null, error: "" });
    draw();
    await attempt(async () => {
      const found = await post("/api/lab/fires", { run, list: key, players, ...(rules === undefined ? {} : { rules }) });
      if (book.key !== key || book.players !== players || book.text !== text) return;
      Object.assign(book, { fired: found.fired, games: found.games, shown: text === null ? steps() : edited() });
    });
    if (book.key === key && book.players === players) book.isCounting = false;
    draw();
  }

  async function attempt(act) {
    try {
      await act();
    } catch (error) {
      Object.assign(book, { error: /** @type {Error} */ (error).message, isCounting: false });
    }
    draw();
  }

  const sit = () => play(book.text === null ? { list: book.key }
    : { agent: "rules", params: { rules: book.list?.options + edited().join(",") } }, book.players);

  /** @param {string} busy */
  function view(busy) {
    const list = book.lists.find(({ key }) => key === book.key);
    if (!list) return "";
    const isEdited = book.text !== null;
    return html`<section class="book"><h2>Rules</h2>
      <div class="fields">
        ${book.lists.length > 1 ? labelled("List", html`<select @change=${chosen(choose)}>${book.lists.map(({ key, title, mean }) => html`<option
          value=${key} .selected=${key === book.key}>${title}${mean === null ? "" : `, ${mean.toFixed(2)}`}</option>`)}</select>`) : ""}
        ${list.sizes.length > 1 ? choice("Players", "sizes", list.sizes.map((size) => [size, String(size)]), book.players, (players) => {
          Object.assign(book, { players, text: null });
          count();
        }) : ""}
        <button class="button main" ?disabled=${!!busy || !book.list} @click=${sit}>${busy && !busy.includes("network") ? "Setting the table …"
          : isEdited ? "Play with these" : "Play with it"}</button>
        ${isEdited ? html`<button class="button" @click=${count}>Count again</button>
            <button class="button" @click=${() => { book.text = null; count(); }}>As it was</button>`
          : html`<button class="button" ?disabled=${!book.list} @click=${() => { book.text = steps().join("\n"); draw(); }}>Edit its rules</button>`}
      </div>
      ${list.mean === null ? "" : html`<p class="note">${list.mean.toFixed(2)}${list.se ? ` ± ${list.se.toFixed(2)}` : ""}
        ${list.games ? ` in ${list.games.toLocaleString("en")} games that evolution has not seen` : " when it was found"}</p>`}
      ${problem(book.error)}
      ${isEdited ? html`<label class="field">Rules, one a line, at most ${MOST_RULES}<textarea rows="14" spellcheck="false"
        .value=${book.text ?? ""} @input=${({ target }) => { book.text = target.value; }}></textarea></label>` : ""}
      ${book.fired || !isEdited ? counted(book.fired ? book.shown : steps(), book.fired, book.games) : ""}
      ${book.isCounting ? html`<p role="status" class="note">Counting which rules move …</p>` : ""}</section>`;
  }

  return { show, choose, view, get key() { return book.key; } };
}

/** Rules in the order in which they are asked, and what share of the moves each makes, once it is known. */
function counted(rules, fired, games) {
  const all = fired?.reduce((sum, n) => sum + n, 0) || 1;
  const most = Math.max(...(fired ?? []), 1);
  const idle = fired ? rules.filter((_, k) => !fired[k]) : [];
  return html`<table><caption class="note">The first rule that applies moves.${fired ? ` Shares of all moves in ${games} games with
      copies of itself.` : ""}</caption>
    <thead><tr><th scope="col">Rule</th><th scope="col" class="share">Moves</th></tr></thead>
    <tbody>${rules.map((rule, k) => (fired && !fired[k] ? "" : html`<tr><th scope="row"><code>${rule}</code></th>
      <td>${fired ? html`<span>${((100 * fired[k]) / all).toFixed(1)} %</span><svg viewBox="0 0 100 6" preserveAspectRatio="none"
        aria-hidden="true">${svg`<rect width=${(100 * fired[k]) / most} height="6"/>`}</svg>` : "…"}</td></tr>`))}</tbody></table>
    ${idle.length ? html`<details><summary>${idle.length} that never moved</summary><p>${idle.map((rule) => html`<code>${rule}</code> `)}</p></details>` : ""}`;
}
