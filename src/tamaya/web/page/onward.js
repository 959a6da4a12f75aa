/** What leads on from a table: another line, the page of its deal, the game as a file. */

import { shown } from "./state.js";
import { sentence } from "./words.js";

/** A plain link would come without the token, which games of deals ask for. */
export async function download(to, path, name) {
  const headers = { "X-Tamaya-Token": to.app.settings.token(to.id) ?? "" };
  const answer = await fetch(`/api/games/${path}`, { headers }).catch(() => null);
  if (!answer?.ok) return to.toast("The game cannot be saved now.", true);
  const href = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href, download: name }).click();
  return setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** Another line from the turn on the screen. @param {Ui} ui */
export async function takeOver(ui) {
  const { takeOverForm } = await import("./takeover.js");
  const { turn, phase } = shown(ui.state);
  ui.dialog(await takeOverForm(ui.app, { id: ui.id, turn, seats: ui.state.seats, isRunning: phase !== "over" }));
}

/** To the page of this deal. @param {Ui} ui */
export async function sameDeal(ui) {
  const { goToDeal } = await import("./deal.js");
  await goToDeal(ui.app, ui.id, ui.state.welcome.deal).catch((error) => ui.toast(sentence(error.message), true));
}
