/** The few signs on buttons, in lines of one width. */

import { html } from "./vendor/lit-html.js";

/** @type {Record<string, string>} */
const PATHS = {
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 0 .01 0Z",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  voice: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.1",
  first: "M6 5v14M18 6l-8 6 8 6Z",
  back: "M16 6l-8 6 8 6Z",
  next: "M8 6l8 6-8 6Z",
  last: "M18 5v14M6 6l8 6-8 6Z",
  undo: "M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-2",
  bulb: "M9 18.5h6M10 21.5h4M8.5 15.5a6 6 0 1 1 7 0c-.6.5-.8 1-.8 1.5H9.3c0-.5-.2-1-.8-1.5Z",
  pause: "M8 5.5v13M16 5.5v13",
  play: "M7 5l12 7-12 7Z",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9ZM15 9V4H5v11h4",
};

/** @param {string} name */
export function icon(name) {
  return html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]}/></svg>`;
}
