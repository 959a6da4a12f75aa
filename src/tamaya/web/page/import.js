/** Games to review: those that are here, and those from elsewhere: pasted, dropped, chosen, or a link after the address. */

import { get, post } from "./api.js";
import { chosen, drawn, labelled, problem, tableList, tick } from "./parts.js";
import { html } from "./lit.js";

const LARGEST = 1_000_000; // bytes; the server takes no more
const MANY = 12; // games of a list; more are found by their names

/** @type {Open} */
export function open(root, _, app) {
  const state = {
    text: given(), sought: "", busy: false, error: "", isOver: false, isSafe: false,
    games: /** @type {Recent[]} */ ([]),
  };
  const { set, draw, attempt, close } = drawn(root, state, page);

  function bring(event) {
    event?.preventDefault();
    const text = state.text.trim();
    if (!text) return set({ error: "Paste a game first." });
    return attempt(async () => {
      const { id, known } = await post("/api/games", { text });
      app.go(`/g/${id}${state.isSafe ? "?safe=1" : ""}#0`, Boolean(location.hash), known ? "This game was already here." : "");
    });
  }

  /** @param {File} [file] */
  async function take(file) {
    if (!file) return;
    if (file.size > LARGEST) return set({ error: `${file.name} is larger than any game.` });
    set({ text: await file.text(), isOver: false });
    bring();
  }

  const drop = (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) take(file);
    else set({ text: event.dataTransfer.getData("text"), isOver: false });
  };
  const over = (event) => {
    event.preventDefault();
    if (!state.isOver) set({ isOver: true });
  };

  function page() {
    return html`<form class="sheet form import" @submit=${bring} @dragover=${over} @dragleave=${() => set({ isOver: false })} @drop=${drop}>
      <h1>Review a game</h1>
      <p>See what every move was worth, what else could have been done, and what agents would have done.</p>
      ${tick("Spoiler-free", state.isSafe, (isSafe) => set({ isSafe }), "You go through the game turn by turn and can guess each move. Nothing beyond the turns you have seen is shown or even fetched.")}
      <section><h2>From elsewhere</h2>
        <label class="field paste ${state.isOver ? "over" : ""}"><span>A game as text, a hanab.live link, or its JSON; or drop a file here</span>
          <textarea rows="6" spellcheck="false" .value=${state.text} @input=${({ target }) => { state.text = target.value; }}></textarea></label>
        <label class="field"><span>Or choose a file</span><input type="file" accept=".json,.txt,application/json,text/plain"
          @change=${({ target }) => take(target.files[0])}></label>
        ${problem(state.error)}
        <button class="button main" ?disabled=${state.busy}>${state.busy ? "Reading …" : "Review"}</button>
        <p class="note">From hanab.live: paste the address of a replay if it begins with hanab.live/replay-json, or else all that
          hanab.live/export/ with the number of the game shows. This server asks no other, so it cannot fetch a game by its number.</p>
      </section>
      ${state.games.length ? html`<section class="recent"><h2>Games on this server</h2>${list()}</section>` : ""}
    </form>`;
  }

  function list() {
    const isLike = ({ names }) => names.join(" ").toLowerCase().includes(state.sought.toLowerCase());
    const found = state.games.filter(isLike);
    return html`${state.games.length > MANY ? labelled("Find by name", html`<input type="search" @input=${chosen((sought) => set({ sought }))}>`) : ""}
      ${found.length ? tableList(found.slice(0, MANY), app.settings, state.isSafe) : html`<p>No game with such a name.</p>`}
      ${found.length > MANY ? html`<p class="note">and ${found.length - MANY} more</p>` : ""}`;
  }

  draw();
  if (state.text) bring();
  get("/api/tables?over").then(({ tables }) => set({ games: tables }), () => undefined);
  return { close };
}

/** What came after the address, such as a link. */
function given() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
