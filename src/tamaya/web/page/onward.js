/** What can be done with a game besides looking at it; a way onward is a function from the screen to a button. */

import { button } from "./card.js";
import { saveMenu } from "./room.js";

/** Add yours here. @type {((ui: any) => unknown)[]} */
export const WAYS = [
  (ui) => button("Find the better move", () => ui.quiz(), "far", { title: "The answer stays hidden until you choose (h)" }),
  (ui) => saveMenu(ui.id, () => ui.copyLink()),
];

/** @param {Reviewer} ui */
export const onward = (ui) => WAYS.map((way) => way(ui));
