/** Games from elsewhere: a pasted text, a file that is dropped or chosen, or a link after the address. */

import { post } from "./api.js";
import { drawn, problem, tick } from "./parts.js";
import { store, stored } from "./settings.js";
import { html, nothing } from "./vendor/lit-html.js";

const PLACE = "tamaya.review";
const LARGEST = 1_000_000; // bytes; the server takes no more

/** @type {Open} */
export function open(root, _, app) {
  const state = { text: given(), busy: false, error: "", isOver: false, isSafe: Boolean(stored(PLACE).isSafe) };
  const { set, draw, close } = drawn(root, state, page);

  async function bring(event) {
    event?.preventDefault();
    if (state.busy || !state.text.trim()) return set({ error: state.busy ? "" : "There is nothing to read yet." });
    set({ busy: true, error: "" });
    try {
      const { id } = await post("/api/games", { text: state.text });
      app.go(`/g/${id}#0`, Boolean(location.hash));
    } catch (error) {
      const { message, place } = /** @type {any} */ (error);
      set({ busy: false, error: place && !["text", "X-Tamaya-Key"].includes(place) ? `${message} (${place})` : message });
    }
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
      <p>See what every move was worth, what else could have been done, and what agents would have done. Games of this server are
        reviewed from their end; bring others here.</p>
      <label class="field paste ${state.isOver ? "over" : ""}"><span>A game as text, a hanab.live link, or its JSON; or drop a file here</span>
        <textarea rows="8" spellcheck="false" .value=${state.text} @input=${({ target }) => { state.text = target.value; }}></textarea></label>
      <label class="field"><span>Or choose a file</span><input type="file" accept=".json,.txt,application/json,text/plain"
        @change=${({ target }) => take(target.files[0])}></label>
      ${tick("Spoiler-free", state.isSafe, (isSafe) => { store(PLACE, { isSafe }); set({ isSafe }); },
        "Nothing beyond the turns you have seen is shown or even fetched.")}
      ${problem(state.error)}
      <div class="fields"><button class="button main" ?disabled=${state.busy}>${state.busy ? "Reading …" : "Review"}</button></div>
      <p class="note">From hanab.live: open the replay there and paste its address if it begins with hanab.live/replay-json, or the
        JSON behind hanab.live/export and the number of the game. This server asks no other, so it cannot fetch a game by its number.</p>
      ${state.busy ? html`<p class="busy">Reading the game…</p>` : nothing}
    </form>`;
  }

  draw();
  if (state.text) bring();
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
