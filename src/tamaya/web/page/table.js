/**
 * The table screen: hears frames, keeps the state, draws it, and lets cards glide and arrows follow.
 *
 * Everything on the screen is a function of `State`; what people do goes through `Commands`.
 */

import { actions } from "./actions.js";
import { drawArrows } from "./arrows.js";
import { board, status } from "./board.js";
import { Commands } from "./commands.js";
import { dragging } from "./drag.js";
import { hand } from "./hand.js";
import { icon } from "./icons.js";
import { listen, walk } from "./keys.js";
import { fit } from "./layout.js";
import { pastBar } from "./log.js";
import { glide, places, settle } from "./motion.js";
import { helpText, panel } from "./panel.js";
import { ending, fillForm, waitingRoom } from "./room.js";
import { mayMove as mayMoveThings } from "./settings.js";
import { sound } from "./sound.js";
import { arrowsOf, initial, isMe, mySeat, reduce, seatsAround, shown } from "./state.js";
import { html, nothing, render } from "./vendor/lit-html.js";
import { eventWords } from "./words.js";

/** @typedef {import("./main.js").App} App */

const WIDE = "(min-width: 60rem)";

/** What all parts of the screen share. */
export class Ui {
  /** @param {HTMLElement} root @param {string} id @param {App} app */
  constructor(root, id, app) {
    this.root = root;
    this.id = id;
    this.app = app;
    this.state = initial();
    this.wire = app.wire({ table: id, name: app.settings.get("name") });
    const drag = dragging(this);
    this.drag = drag;
    /** @type {Commands & {press: any, walk: any, rove: any}} */
    this.to = Object.assign(new Commands(this), { press: drag.press, walk, rove: (/** @type {any} */ event) => this.rove(event) });
    /** @type {Map<number, number>} seat -> slot that Tab goes to */
    this.rovers = new Map();
    this.isHeld = false;
    /** @type {any} */
    this.catalogue = null;
    this.filling = 0;
    this.wide = matchMedia(WIDE);
    this.isDrawn = false;
    this.shape = "";
    this.frame = 0;
  }

  get values() {
    return this.app.settings.values;
  }

  get isWide() {
    return this.wide.matches;
  }

  /** Mask of all cards of the game. */
  get allCards() {
    const { colours, ranks } = this.state.welcome.rules;
    let mask = 0;
    for (let colour = 0; colour < colours; colour++) mask |= ((1 << ranks) - 1) << (5 * colour);
    return mask;
  }

  /** @param {{type: string, [field: string]: any}} frame */
  hear(frame) {
    const before = this.state;
    this.state = reduce(before, frame);
    if (frame.type === "again") return this.follow(frame);
    if (frame.type === "view" && this.state.view !== before.view) this.news(before, /** @type {any} */ (frame));
    if (frame.type === "over" && !before.over) this.app.announce(`The game is over: ${frame.score} of ${frame.max_score}.`, true);
    if (frame.type === "asked" && frame.open && !isMe(this.state, frame.by)) {
      this.app.announce(`${this.state.seats[frame.by]?.name} asks to take a move back`, true);
    }
    if (frame.type === "error" && frame.re === undefined) this.to.toast(frame.text);
    if (this.state !== before) this.draw(before);
    return undefined;
  }

  /**
   * A view of now has come: says what happened, forgets what it changed.
   * @param {import("./state.js").State} before
   * @param {import("./state.js").View} view
   */
  news(before, view) {
    const old = before.view;
    if (!old || view.turn < old.turn || view.phase !== old.phase) this.to.looked.clear();
    if (old && old.turn === view.turn && old.phase === view.phase) return;
    if (old && view.turn < old.turn) this.app.announce(`Taken back to turn ${view.turn + 1}`);
    else if (view.last && old) this.app.announce(eventWords(view, view.last, this.values.slots));
    if (view.call) this.app.announce(view.call, true);
    this.app.title(view.call ? "Your turn" : view.phase === "over" ? `${view.score} points` : `Turn ${view.turn + 1}`);
    if (old && view.turn === old.turn + 1 && view.last) sound(soundOf(view.last, view));
    if (view.call && old) sound("turn");
  }

  /** The next table, with the same seats. @param {any} frame */
  follow({ table, token }) {
    if (token) this.app.settings.token(table, token);
    const invite = this.app.settings.invite(this.id);
    if (invite && !this.app.settings.invite(table)) this.app.settings.keep(table, { token: token ?? undefined });
    this.app.go(`/t/${table}`);
  }

  /** @param {import("./state.js").State} [before] */
  draw(before = this.state) {
    const old = shown(before);
    const view = shown(this.state);
    const isStep = Boolean(old && view && Math.abs(old.turn - view.turn) === 1 && mayMoveThings(this.app.settings));
    const held = focusedSlot(this.root, before);
    if (isStep) settle(this.root);
    const was = isStep ? places(this.root) : null;
    if (old?.turn !== view?.turn || !this.state.pending && !this.state.confirm) this.drag.release();
    render(screen(this), this.root);
    this.measure();
    if (held && old?.turn !== view?.turn) keepFocus(this.root, held);
    this.arrows();
    if (was) glide(this.root, was, (view?.turn ?? 0) > (old?.turn ?? 0) ? view?.last ?? null : null);
  }

  /** Cards find their size anew when what shares the screen with them has changed. */
  measure(isForced = false) {
    const table = /** @type {HTMLElement|null} */ (this.root.querySelector(".table"));
    const { view, look, over } = this.state;
    if (!table || !view) return;
    const shape = [view.phase, view.hands.length, mySeat(this.state), this.isWide, Boolean(look), Boolean(over), innerWidth, innerHeight].join();
    if (shape === this.shape && !isForced) return;
    this.shape = shape;
    const own = mySeat(this.state) !== null;
    fit(table, view.hands.length - (own ? 1 : 0), view.hands[0].length, own);
  }

  arrows() {
    const layer = /** @type {SVGSVGElement|null} */ (this.root.querySelector("svg.over"));
    const felt = /** @type {HTMLElement|null} */ (this.root.querySelector(".felt"));
    if (layer && felt) drawArrows(layer, felt, this.state);
  }

  /** The slot of a hand that Tab stops at. @param {number} seat */
  roving(seat) {
    const cards = (shown(this.state)?.hands[seat] ?? []).filter(({ order }) => order >= 0);
    const slot = this.rovers.get(seat);
    if (cards.some((card) => card.slot === slot)) return slot;
    return this.values.slots === "oldest-0" ? cards[0]?.slot : cards[cards.length - 1]?.slot;
  }

  /** @param {FocusEvent} event */
  rove(event) {
    const card = /** @type {HTMLElement} */ (event.target).closest(".card");
    if (!(card instanceof HTMLElement) || this.rovers.get(Number(card.dataset.seat)) === Number(card.dataset.slot)) return;
    this.rovers.set(Number(card.dataset.seat), Number(card.dataset.slot));
    this.draw();
  }

  /** Whether the hint in the making touches a card. */
  isTouching() {
    return Boolean(arrowsOf(this.state)?.touched.length);
  }

  /** @param {string} selector */
  focus(selector) {
    requestAnimationFrame(() => /** @type {HTMLElement|null} */ (this.root.querySelector(selector))?.focus());
  }

  /** @param {"help"|"fill"} kind */
  dialog(kind) {
    const dialog = /** @type {HTMLDialogElement|null} */ (this.root.querySelector("dialog"));
    if (!dialog) return;
    render(kind === "help" ? helpText() : fillForm(this), dialog);
    if (!dialog.open) dialog.showModal();
  }
}

/** @param {Ui} ui */
function screen(ui) {
  const { state } = ui;
  const view = shown(state);
  if (state.gone) return html`<div class="sheet"><h1>No such table</h1><p>It may have been closed. <a href="/">Open another one.</a></p></div>`;
  if (!view || !state.welcome) return html`<div class="sheet"><p class="hush busy">Going to the table…</p></div>`;
  const around = seatsAround(state);
  const me = mySeat(state);
  const others = me === null ? around : around.slice(0, -1);
  const isWaiting = view.phase === "waiting";
  return html`<div class="table ${state.look ? "in-past" : ""} players-${view.hands.length}">
    <div class="felt">
      ${state.wire === "open" ? nothing : html`<p class="bar offline"><span class="busy">${state.wire === "connecting" ? "Connecting again…" : "The connection is lost. Trying again; your table is safe."}</span></p>`}
      ${isWaiting ? waitingRoom(ui) : html`
        ${status(ui)}${board(ui)}
        <div class="hands">
          <div class="others">${others.map((seat) => hand(ui, seat))}</div>
          ${me === null ? nothing : hand(ui, me)}
        </div>
        ${pastBar(ui)}
        ${view.phase === "over" ? ending(ui) : actions(ui)}
        <svg class="over" aria-hidden="true"></svg>`}
    </div>
    ${isWaiting ? nothing : panel(ui)}
    ${state.toast ? html`<div class="toast ${state.toast.isBad ? "bad" : ""}"><span>${state.toast.text}</span>
      <button class="icon" aria-label="Dismiss" @click=${() => ui.to.put({ toast: null })}>${icon("close")}</button></div>` : nothing}
    <dialog></dialog>
  </div>`;
}

/** @param {import("./state.js").Event} event @param {import("./state.js").View} view */
function soundOf(event, view) {
  if (view.phase === "over") return view.score === view.max_score ? "perfect" : "over";
  if (event.kind === "discard") return "discard";
  if (event.kind !== "play") return "hint";
  return !event.scored ? "failed" : event.blind ? "blind" : "scored";
}

/** The card that has the focus. @param {HTMLElement} root @param {import("./state.js").State} state */
function focusedSlot(root, state) {
  const card = document.activeElement?.closest?.(".card");
  if (!(card instanceof HTMLElement) || !root.contains(card) || !state.view) return null;
  return { seat: card.dataset.seat, slot: Number(card.dataset.slot), order: card.dataset.order };
}

/**
 * The focus follows its card; if that is gone it stays with the slot, or the nearest card.
 * @param {HTMLElement} root
 * @param {{seat?: string, slot: number, order?: string}} held
 */
function keepFocus(root, { seat, slot, order }) {
  const hand = `.cards[data-seat="${seat}"] button.card`;
  const cards = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(hand)]);
  const near = cards.sort((a, b) => Math.abs(Number(a.dataset.slot) - slot) - Math.abs(Number(b.dataset.slot) - slot));
  const next = cards.find((card) => card.dataset.order === order) ?? near[0];
  if (next && next !== document.activeElement) next.focus({ preventScroll: true });
}

/** @type {import("./main.js").Open} */
export function open(root, { id }, app) {
  const ui = new Ui(root, id, app);
  const again = () => {
    ui.draw();
    ui.measure(true);
    ui.arrows();
  };
  const stops = [
    ui.wire.on("*", (frame) => ui.hear(frame)),
    ui.wire.on("state", (frame) => ui.hear(frame)),
    ui.wire.on("gone", (frame) => ui.hear(frame)),
    app.settings.on(again),
    listen(ui),
  ];
  addEventListener("resize", again);
  ui.wide.addEventListener("change", again);
  ui.draw();
  return {
    close() {
      for (const stop of stops) stop();
      removeEventListener("resize", again);
      ui.wide.removeEventListener("change", again);
      ui.wire.close();
    },
  };
}
