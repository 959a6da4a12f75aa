/** An address that leads nowhere. */

import { html, render } from "./vendor/lit-html.js";

/** @type {Open} */
export function open(root) {
  render(html`<div class="sheet"><h1>Nothing here</h1>
    <p>No screen has this address. <a href="/">Play instead.</a></p></div>`, root);
  return { close: () => undefined };
}
