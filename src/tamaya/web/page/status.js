/** What the server is getting ready: at the first start it compiles for a minute or two. */

import { get } from "./api.js";

/** Says it in a line of the page until all is ready. @param {HTMLElement} line */
export function watchStatus(line) {
  const started = Date.now();
  let last = null; // between two kernels it still is the one before
  async function look() {
    const status = /** @type {Status|null} */ (await get("/api/status").catch(() => null));
    if (status) last = status.compiling ??= last;
    const text = words(status, Math.floor((Date.now() - started) / 1000));
    line.hidden = !text;
    if (line.textContent !== text) line.textContent = text;
    if (!status?.ready) setTimeout(look, 700);
  }
  look();
}

/** @param {Status|null} status */
function words(status, seconds) {
  if (!status) return seconds < 2 ? "" : `The server does not answer. Trying again (${seconds} s).`;
  const { ready, open, compiling } = status;
  if (!open) return "Only people with the key of this server can open tables. Invitations work.";
  if (ready) return "";
  if (!compiling) return `Getting ready (${seconds} s).`;
  const { agent, kernel, done, of } = compiling;
  return `First start: compiling ${agent}, part ${done}${of ? ` of ${of}` : ""} (${kernel}), ${seconds} s.`;
}
