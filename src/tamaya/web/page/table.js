/** The table screen: hears frames, keeps the state, and draws it; everything on the screen is a function of the state. */

import { actions, lost, preparing, toasted } from "./actions.js";
import { ofGame } from "./api.js";
import { board, status } from "./board.js";
import { paint } from "./card.js";
import { Commands } from "./commands.js";
import { dragging } from "./drag.js";
import { ending } from "./ending.js";
import { hand } from "./hand.js";
import { listen } from "./keys.js";
import { lay } from "./layout.js";
import { glide, places } from "./motion.js";
import { panel } from "./panel.js";
import { mayGlide } from "./settings.js";
import { INITIAL, isMe, mySeat, nameOf, others, reduce, shown } from "./state.js";
import { html, render } from "./lit.js";
import { eventWords } from "./words.js";

/** What all parts of the screen share. */
export class Ui extends Commands {
  /** @param {HTMLElement} root @param {string} id @param {App} app */
  constructor(root, id, app) {
    super();
    this.root = root;
    this.id = id;
    this.app = app;
    this.state = INITIAL;
    this.wire = this.call();
    this.drag = dragging(this);
    this.to = this; // what people do
    this.rovers = new Map(); // seat -> slot that Tab goes to
    this.shape = "";
    // What only some tables need, once it is there.
    this.line = /** @type {typeof import("./line.js")|null} */ (null);
    this.room = /** @type {typeof import("./room.js")|null} */ (null);
  }

  /** Opens the line. */
  call() {
    return this.app.wire({ table: this.id, name: this.app.settings.get("name") });
  }

  /** What is drawn. @returns {unknown} */
  screen() {
    return screen(this);
  }

  get values() {
    return this.app.settings.values;
  }

  /** The seat whose faces nobody is to see yet. */
  get shut() {
    return -1;
  }

  get isWide() {
    return matchMedia("(min-width: 60rem)").matches;
  }

  /** The mask of all cards of the game. */
  get allCards() {
    const { colours, ranks } = this.state.welcome.rules;
    return ((2 ** ranks - 1) * (32 ** colours - 1)) / 31;
  }

  /** The address of the table, with the invite while there is a seat to take. */
  address() {
    const invite = this.state.seats.some(({ kind }) => kind === "open") && this.app.settings.invite(this.id);
    return `${location.origin}/t/${this.id}${invite ? `#${invite}` : ""}`;
  }

  hear(frame) {
    const before = this.state;
    const say = (text) => this.say(text, true);
    this.state = reduce(before, frame);
    if (frame.type === "welcome") paint(frame.palette);
    if (frame.type === "view" && this.state.view !== before.view) this.news(before.view, frame);
    if (frame.type === "over" && !before.over) {
      say(`The game is over: ${frame.score} of ${frame.max_score}.`);
      // A review may be next: the server gets ready for it.
      ofGame(this.id, "/views?to=0").catch(() => null);
    }
    if (frame.type === "asked" && frame.open && !isMe(this.state, frame.by))
      say(`${nameOf(this.state, frame.by)} wants to take a move back`);
    if (frame.type === "asked" && before.asked?.turn < before.view.turn && !frame.open) this.toast("No move is taken back.");
    if (frame.type === "state" && before.view && frame.state !== "connecting")
      say(frame.state === "open" ? "Connected again" : "The connection is lost");
    if (frame.code === "unplayed" && !before.view) this.app.go(`/d/${frame.place}`, true);
    else if (frame.type === "error" && frame.re === undefined) this.toast(frame.text, true);
    if (frame.line && !this.line) this.bring("line", import("./line.js"));
    if (frame.phase === "waiting" && !this.room) this.bring("room", import("./room.js"));
    if (frame.type === "again" && frame.re !== undefined) this.follow();
    else if (this.state !== before) this.draw(before);
  }

  /** What not every table needs comes when one does. */
  async bring(part, module) {
    this[part] = await module;
    this.draw();
    this.measure(true);
  }

  /** A view of now has come: says what happened. */
  news(old, view) {
    if (!old || view.turn < old.turn || view.phase !== old.phase) this.looked.clear();
    this.app.title(view.call ? "Your turn" : view.phase === "over" ? `${view.score} points` : `Turn ${view.turn + 1}`);
    if (view.call && old?.call !== view.call) this.say(view.call, true);
    if (!old || old.turn === view.turn) return;
    if (view.turn < old.turn) this.toast(`Taken back to turn ${view.turn + 1}.`);
    else this.say(eventWords(this, view.last));
    if (this.values.sounds) import("./sound.js").then(({ ring }) => ring(old, view));
  }

  draw(before = this.state) {
    const [old, view] = [shown(before), shown(this.state)];
    const isStep = old && view && Math.abs(old.turn - view.turn) === 1 && mayGlide(this.app.settings);
    const held = { .../** @type {any} */ (document.activeElement?.closest(".card"))?.dataset };
    const was = isStep ? places(this.root) : null;
    if (old?.turn !== view?.turn || (!this.state.pending && !this.state.confirm)) this.drag.release();
    render(this.screen(), this.root);
    this.measure();
    if (this.isWide && old?.turn !== view?.turn) this.root.querySelector(".moves [aria-current=true]")?.scrollIntoView({ block: "nearest" });
    if (held.order && old?.turn !== view?.turn) this.keepFocus(held);
    if (was) glide(this.root, was, view.turn > old.turn ? view.last : null);
  }

  /** The focus follows its card; if that is gone it stays with the slot, or goes to the nearest card. */
  keepFocus({ seat, slot, order }) {
    const cards = /** @type {any[]} */ ([...this.root.querySelectorAll(`.cards[data-seat="${seat}"] button`)]);
    const far = (card) => (card.dataset.order === order ? -1 : Math.abs(card.dataset.slot - slot));
    cards.sort((a, b) => far(a) - far(b))[0]?.focus({ preventScroll: true });
  }

  /** Cards find their size when the table is laid and when the window changes; no move changes it. */
  measure(isForced = false) {
    const { view, over, welcome } = this.state;
    const shape = `${view?.phase === "waiting"} ${mySeat(this.state)}`;
    if (!view || !welcome || (shape === this.shape && !isForced) || (view.phase === "over" && !over)) return;
    this.shape = shape;
    lay(this.root, others(this.state).length, view.hands[0].length, mySeat(this.state) !== null);
  }

  /** The slot of a hand that Tab stops at. */
  roving(seat) {
    const slots = shown(this.state)
      .hands[seat].filter(({ order }) => order >= 0)
      .map(({ slot }) => slot);
    const slot = this.rovers.get(seat);
    return slots.includes(slot) ? slot : slots.at(this.values.slots === "oldest-0" ? 0 : -1);
  }

  rove({ seat, slot }) {
    this.rovers.set(Number(seat), Number(slot));
    this.draw();
  }

  /** Moves the focus once something is drawn. */
  focus(selector) {
    requestAnimationFrame(() => /** @type {any} */ (this.root.querySelector(selector))?.focus());
  }

  async help() {
    const { guide } = await import("./rules.js");
    this.dialog(html`<form method="dialog" class="rules">
      <p class="close"><a class="button quiet" href="/rules">Rules</a><button class="button" autofocus>Close</button></p>${guide(this.values)}</form>`);
  }

  /** Opens a dialog. */
  dialog(inside) {
    const dialog = this.root.querySelector("dialog");
    render(inside, dialog);
    dialog.showModal();
  }
}

function screen(ui) {
  const { state } = ui;
  const view = shown(state);
  const me = mySeat(state);
  if (state.gone)
    return html`<div class="sheet"><h1>No such table</h1><p>It may have been closed. <a href="/">Open another one.</a></p></div>`;
  if (!view || !state.welcome)
    return html`<div class="sheet">${state.compiling ? preparing(state.compiling) : html`<p class="busy">Going to the table…</p>`}</div>`;
  const isWaiting = view.phase === "waiting";
  return html`<div class="table ${state.look ? "in-past" : ""}"><div class="felt">
      ${
        isWaiting
          ? html`${state.wire === "open" ? "" : lost(state.wire)}${ui.room?.waitingRoom(ui)}`
          : html`${status(ui)}${ui.line?.banner(ui)}${board(ui)}
        <div class="others">${others(state).map((seat) => hand(ui, seat))}</div>
        <div class="dock">${me === null ? "" : hand(ui, me)}
          <div class="foot">${view.phase === "over" ? ending(ui) : actions(ui)}</div></div>`
      }</div>
    ${isWaiting ? "" : panel(ui)}
    ${state.toast && (isWaiting || (state.isOpen && !ui.isWide)) ? html`<div class="over">${toasted(ui)}</div>` : ""}
    </div><dialog></dialog>`;
}

/** Draws a screen and lets it hear until it is closed. @param {Ui} ui */
export function run(ui) {
  const { app } = ui;
  const again = () => {
    ui.draw();
    ui.measure(true);
  };
  const hear = (frame) => ui.hear(frame);
  const stops = [...["*", "state", "gone"].map((type) => ui.wire.on(type, hear)), app.settings.on(again), listen(ui)];
  addEventListener("resize", again);
  const text = new ResizeObserver(again); // of a larger text nothing else tells
  text.observe(document.querySelector(".top"));
  ui.draw();
  return {
    close() {
      stops.forEach((stop) => stop());
      removeEventListener("resize", again);
      text.disconnect();
      ui.root.className = "";
      ui.wire.close();
      paint();
    },
  };
}

/** @type {Open} */
export const open = (root, { id }, app) => run(new Ui(root, id, app));
