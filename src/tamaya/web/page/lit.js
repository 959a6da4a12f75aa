/** What the page takes from lit-html, which lies in `vendor` as npm has it. */

export { html, nothing, render, svg } from "./vendor/lit-html.js";
