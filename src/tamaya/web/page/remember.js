/** A box by which a person lets `adaptive` remember how they play, and a button that deletes it. Loaded where it is shown. */

import { ask } from "./api.js";
import { problem, tick } from "./parts.js";
import { PERSON, store, stored } from "./settings.js";
import { html, render } from "./lit.js";
import { count } from "./words.js";

const STORED = `The server then stores which games with adaptive were yours, under a random key that only this browser has; adaptive
  learns from the last ten, and nobody else is told.`;

class Remember extends HTMLElement {
  games = 0;
  error = "";

  connectedCallback() {
    this.ears = new AbortController();
    addEventListener("storage", () => this.draw(), this.ears); // another tab has changed it
    this.draw();
    this.ask("GET");
  }

  disconnectedCallback() {
    this.ears?.abort();
  }

  /** What the server has, and whether that was told. @param {"GET"|"DELETE"} method */
  async ask(method) {
    const { key } = stored(PERSON);
    if (!key) return false;
    const found = await ask("/api/acquaintance", { method, headers: { "X-Tamaya-Person": key } }).catch(({ message }) => ({ error: message }));
    const { games = this.games, error = "" } = found;
    Object.assign(this, { games, error });
    this.draw();
    return !error;
  }

  /** @param {boolean} isOn */
  choose(isOn) {
    keep({ key: stored(PERSON).key ?? newKey(), isOn });
  }

  async forget() {
    keep({ ...stored(PERSON), isOn: false }); // first, or open tabs would send it again
    if (await this.ask("DELETE")) keep({});
  }

  draw() {
    render(html`${tick("Let adaptive remember how I play", !!stored(PERSON).isOn, (isOn) => this.choose(isOn), STORED)}
      ${this.games ? html`<p class="note">It has seen ${count(this.games, "game")} of yours. <button type="button" class="button quiet"
        @click=${() => this.forget()}>Forget them</button></p>` : ""}${problem(this.error)}`, this);
  }
}

/** Keeps what was chosen; all tabs hear of it. */
function keep(value) {
  store(PERSON, value);
  dispatchEvent(new StorageEvent("storage", { key: PERSON }));
}

/** 128 random bits, as 22 letters and digits. */
const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))).slice(0, 22).replaceAll("+", "-").replaceAll("/", "_");

customElements.define("remember-me", Remember);
