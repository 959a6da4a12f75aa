/** The report of the server's store, in a frame of its own: its styles do not meet those of the page. */

import { get, post, serverKey } from "./api.js";
import { drawn, problem } from "./parts.js";
import { enhance, unfold } from "./report-tables.js";
import { html } from "./lit.js";

/** @type {Open} */
export function open(root, _, app) {
  const state = { busy: true, error: "" };
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  const { set, draw, close } = drawn(root, state, () => html`${state.busy || state.error ? html`<div class="sheet">
    <h1>Report</h1>
    ${state.busy ? html`<p role="status">Drawing the charts of all results. The first time takes some seconds.</p>` : ""}
    ${problem(state.error)}</div>` : ""}${host}`);

  shadow.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || link.target || /** @type {MouseEvent} */ (event).ctrlKey || /** @type {MouseEvent} */ (event).metaKey) return;
    event.preventDefault();
    if (link.pathname !== location.pathname) take(link.pathname);
    else show(link.hash);
  });

  /** Goes to a part of the report: fragments of the address do not reach into its frame. */
  function show(hash) {
    const part = unfold(shadow, hash.slice(1));
    if (!part) return;
    history.replaceState(null, "", hash);
    part.scrollIntoView();
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
  }

  /** Opens a game behind a figure, which the server takes in first. @param {string} path */
  async function take(path) {
    try {
      await post("/api/report/games", { game: path.slice(3) });
      app.go(path);
    } catch (error) {
      set({ error: /** @type {Error} */ (error).message });
      scrollTo(0, 0);
    }
  }

  draw();
  getDocument("/api/report").then((found) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = "/page/report.css";
    shadow.replaceChildren(style, ...[...found.body.childNodes].map((node) => document.importNode(node, true)));
    for (const drawing of /** @type {NodeListOf<HTMLElement>} */ (shadow.querySelectorAll(".drawing"))) {
      drawing.style.setProperty("--w", `${/\bw(\d+)/.exec(drawing.className)?.[1]}px`); // the page's own sheet has no such rules
    }
    enhance(shadow);
    set({ busy: false });
    style.addEventListener("load", () => show(location.hash));
  }, (refusal) => set({ busy: false, error: refusal.message }));
  return { close };
}

/** A document of the server, parsed and inert. @param {string} path @returns {Promise<Document>} */
function getDocument(path) {
  return new Promise((settle, fail) => {
    const request = new XMLHttpRequest(); // texts must not become markup here, but it parses what arrives
    request.open("GET", path);
    request.responseType = "document";
    const key = serverKey();
    if (key) request.setRequestHeader("X-Tamaya-Key", key);
    request.onload = () => (request.status === 200 && request.response ? settle(request.response) : get(path).catch(fail));
    request.onerror = () => get(path).catch(fail); // which finds words for it
    request.send();
  });
}
