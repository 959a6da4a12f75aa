/** What can be done with a game besides looking at it; a way onward is a function from the screen to a button. */

import { get } from "./api.js";
import { button } from "./card.js";
import { startQuiz } from "./quiz.js";
import { saveMenu } from "./room.js";

/** Others add theirs here. @type {((ui: any) => unknown)[]} */
export const WAYS = [
  (ui) => button("Find the better move", () => startQuiz(ui), "far", { title: "The answer stays hidden until you choose (h)" }),
  (ui) => saveMenu(ui.id, () => copyLink(ui)),
];

/** @param {Reviewer} ui */
export const onward = (ui) => WAYS.map((way) => way(ui));

/** Copies a link that hanab.live opens. @param {Reviewer} ui */
async function copyLink(ui) {
  const { link } = await get(`/api/games/${ui.id}`).catch(() => ({ link: null }));
  if (link) ui.copy(link, "The link is copied.");
  else ui.toast("hanab.live has no words for these rules.");
}
