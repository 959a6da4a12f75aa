/** What leads further from a table: another line, the page of its deal, the game as a file. Loaded when it is asked for. */

import { tokenHeader } from "./api.js";
import { settings } from "./settings.js";
import { shown } from "./state.js";
import { sentence } from "./words.js";

/** A plain link would come without the token, which games of deals ask for. */
export async function download(button, game, as, name) {
  const headers = tokenHeader(settings.token(game));
  const answer = await fetch(`/api/games/${game}/export?as=${as}`, { headers }).catch(() => null);
  if (!answer?.ok) {
    button.title = button.ariaLabel = "It cannot be saved now";
    return;
  }
  const href = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** Another line from the turn on the screen. @param {Ui} ui */
export async function takeOver(ui) {
  const { takeOverForm } = await import("./takeover.js");
  const { turn, phase, mover } = shown(ui.state);
  if (mover === null) return;
  const { seats, welcome, reviewing } = /** @type {any} */ (ui.state);
  const mine = reviewing?.seat ?? welcome.seat ?? mover;
  ui.dialog(await takeOverForm(ui.app, { id: ui.id, turn, seats, mine, isRunning: phase !== "over" }));
}

/** To the page of this deal. @param {Ui} ui */
export async function sameDeal(ui) {
  const { goToDeal } = await import("./deal.js");
  await goToDeal(ui.app, ui.id, ui.state.welcome.deal).catch((error) => ui.toast(sentence(error.message), true));
}
