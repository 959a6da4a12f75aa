/** An address that leads nowhere. */

import { html, render } from "./lit.js";

/** @type {Open} */
export function open(root) {
  const isTable = location.pathname.startsWith("/t/");
  render(html`<div class="sheet"><h1>${isTable ? "No such table" : "Nothing here"}</h1>
    <p>${isTable ? "The link is incomplete: the address of a table has 16 letters and digits after /t/." : "No screen has this address."}
      <a href="/">Play instead.</a></p></div>`, root);
  return { close: () => undefined };
}
