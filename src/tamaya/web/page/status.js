/**
 * What the server is getting ready: the first time agents are compiled, which takes a minute or two.
 *
 * @typedef {{agent: string, kernel: string, done: number, of: number}} Compiling
 * @typedef {{version: string, compiling: Compiling|null, ready: boolean, tables: number, open: boolean}} Status
 */

import { get } from "./api.js";

const SOON = 1000;

/** Says it in a line of the page until all is ready. @param {HTMLElement} line */
export function watchStatus(line) {
  const started = Date.now();
  const watcher = {
    /** @type {Status|null} */
    now: null,
    isShown: true,
  };

  async function look() {
    try {
      watcher.now = await get("/api/status");
    } catch {
      watcher.now = null;
    }
    const text = watcher.isShown ? words(watcher.now, Date.now() - started) : "";
    line.hidden = !text;
    if (line.textContent !== text) line.textContent = text;
    if (!watcher.now?.ready) setTimeout(look, SOON);
  }
  look();
  return watcher;
}

/**
 * @param {Status|null} status
 * @param {number} ms  since the page was opened
 */
export function words(status, ms) {
  if (status?.ready) return "";
  const seconds = Math.floor(ms / 1000);
  if (!status) return seconds < 2 ? "" : `The server does not answer. Trying again (${seconds} s).`;
  const { compiling } = status;
  if (!compiling) return seconds < 1 ? "" : `Getting ready: ${seconds} s.`;
  const count = compiling.of ? `${Math.min(compiling.done, compiling.of)} of ${compiling.of}` : compiling.done;
  return `First start: compiling ${compiling.agent}, part ${count} (${compiling.kernel}), ${seconds} s.`;
}
