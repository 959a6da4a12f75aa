/** What a person can do at the table; buttons, keys and drags all end here. */

import { agents } from "./api.js";
import { aimedAt, findSlot, hintText, isLegal, isMe, mayMove, mySeat, nameOf, seatsAround, shown } from "./state.js";
import { boardWords, moveWords } from "./words.js";

/** @typedef {import("./table.js").Ui} Ui */

const TOAST = 7000;

export class Commands {
  /** @param {Ui} ui */
  constructor(ui) {
    this.ui = ui;
    this.wanted = -1; // turn that is waited for
    /** @type {Map<number, import("./state.js").View>} */
    this.looked = new Map();
    this.timer = 0;
    this.toastTimer = 0;
  }

  get state() {
    return this.ui.state;
  }

  /** @param {Partial<import("./state.js").State>} values */
  put(values) {
    this.ui.hear({ type: "set", values });
  }

  /**
   * Says something to everybody at this screen, eyes or ears.
   * @param {string} text
   * @param {boolean} [isBad]
   */
  toast(text, isBad = true) {
    clearTimeout(this.toastTimer);
    this.ui.app.announce(text, isBad);
    this.put({ toast: { text, isBad, at: Date.now() } });
    this.toastTimer = window.setTimeout(() => this.put({ toast: null }), TOAST);
  }

  /**
   * Asks the server; what it refuses is said.
   * @param {{type: string, [field: string]: any}} frame
   */
  async ask(frame) {
    try {
      return await this.ui.wire.send(frame);
    } catch (error) {
      this.put({ waits: "", pending: null });
      this.toast(error instanceof Error ? sentence(error.message) : String(error));
      return null;
    }
  }

  // Time.

  /** Shows a turn; frames are asked for one at a time, so a slider that is dragged asks for few. @param {number} turn */
  async look(turn) {
    const now = this.state.view?.turn ?? 0;
    turn = Math.max(0, Math.min(turn, now));
    const wasWaiting = this.wanted >= 0;
    this.wanted = -1;
    if (turn === now) return this.put({ look: null });
    const known = this.looked.get(turn);
    if (known) return this.put({ look: { ...known, now } });
    this.wanted = turn;
    if (wasWaiting) return undefined;
    for (let asked = -1; this.wanted >= 0 && this.wanted !== asked;) {
      asked = this.wanted;
      const view = await this.ask({ type: "look", turn: asked });
      if (view) this.looked.set(asked, /** @type {any} */ (view));
      else this.wanted = -1;
    }
    this.wanted = -1;
    return undefined;
  }

  /** Some turns back or on from what is on the screen. @param {number} turns */
  go(turns) {
    const turn = this.wanted >= 0 ? this.wanted : shown(this.state)?.turn ?? 0;
    this.look(turn + turns);
  }

  // Cards.

  /** @param {number} seat @param {import("./state.js").Slot} slot */
  pick(seat, slot) {
    const { state } = this;
    if (isMe(state, seat) && state.armed) return this.make(state.armed + slot.slot);
    const isPicked = state.picked === slot.order;
    const isOther = !isMe(state, seat) && mayMove(state) && seatsAround(state).length > 2;
    const aim = isOther && !isPicked ? { ...state.aim, target: seat } : state.aim;
    return this.put({ picked: isPicked ? -1 : slot.order, aim, tab: tabFor(state, isPicked), confirm: null });
  }

  /** Plays or discards the chosen card, or the one that is chosen next. @param {"p"|"d"} what */
  arm(what) {
    const { state } = this;
    if (!this.isMyTurn()) return;
    const found = state.view && findSlot(state.view, state.picked);
    if (found && isMe(state, found.seat)) this.make(what + found.slot.slot);
    else if (state.armed === what) this.put({ armed: "" });
    else {
      this.put({ armed: what });
      this.ui.app.announce(`${what === "p" ? "Play" : "Discard"}: choose a slot`);
    }
  }

  /** Empties hands: first what is in the making, then the choice, then the past. */
  escape() {
    const { state } = this;
    if (state.pending && !state.pending.isSent) this.cancel();
    else if (state.confirm || state.armed || state.aim.kind || state.aim.target !== null) {
      this.put({ confirm: null, armed: "", aim: { target: null, kind: null, value: -1 } });
    } else if (state.isOpen) this.put({ isOpen: false });
    else if (state.picked >= 0) this.clear();
    else this.look(state.view?.turn ?? 0);
  }

  clear() {
    this.put({ picked: -1, tab: tabFor(this.state, true) });
  }

  // Hints.

  /** @param {Partial<import("./state.js").Aim>} part */
  aim(part) {
    if (!this.isMyTurn()) return;
    const { aim } = this.state;
    const isSame = part.kind ? part.kind === aim.kind && part.value === aim.value : part.target === aim.target;
    const none = part.kind ? { kind: null, value: -1 } : { target: null };
    const next = { ...aim, ...(isSame ? none : part) };
    this.put({ aim: next, armed: "", confirm: null });
    const target = aimedAt({ ...this.state, aim: next });
    if (next.kind && target !== null) {
      const words = moveWords(this.state, hintText(this.state, { ...next, target }), mySeat(this.state), this.ui.values.slots);
      this.ui.app.announce(this.ui.isTouching() ? words : `${words}: touches no card`);
    }
  }

  /** Aims at the next seat. */
  aimNext() {
    const others = seatsAround(this.state).filter((seat) => !isMe(this.state, seat));
    const place = others.indexOf(this.state.aim.target ?? -1);
    const target = others[(place + 1) % others.length];
    if (!this.isMyTurn()) return;
    this.put({ aim: { ...this.state.aim, target }, armed: "" });
    this.ui.app.announce(`hint to ${nameOf(this.state, target)}`);
  }

  give() {
    if (!this.isMyTurn()) return;
    const { aim } = this.state;
    const target = aimedAt(this.state);
    if (!aim.kind) this.toast("Choose a colour or a rank first.", false);
    else if (target === null) this.toast("Choose whom to tell first.", false);
    else this.make(hintText(this.state, { ...aim, target }));
  }

  // Moves.

  /** Makes a move, unless a person should think again. @param {string} move @param {boolean} [isSure] */
  make(move, isSure = false) {
    const { state, ui: { values } } = this;
    if (!this.isMyTurn()) return;
    if (!isLegal(state, move)) {
      this.put({ armed: "" });
      this.toast(`You cannot ${this.words(move)} now${move[0] === "d" ? ": all tokens are there" : move[0] === "h" ? ": " + this.noHint() : ""}.`);
      return;
    }
    const risk = state.view?.risks[move];
    if (!isSure && (values.confirm === "always" || values.confirm === "risky" && risk)) {
      this.put({ confirm: { move, words: risk ?? "" }, armed: "" });
      this.ui.focus(".confirm .no");
      this.ui.app.announce(`${risk ? sentence(risk) : ""} ${sentence(this.words(move))}?`, true);
      return;
    }
    const turn = /** @type {number} */ (state.view?.turn);
    this.put({ pending: { move, turn, seconds: values.secondThoughts, isSent: false }, armed: "", confirm: null });
    if (values.secondThoughts) this.countDown();
    else this.send();
  }

  noHint() {
    return this.state.view?.tokens ? "it touches no card" : "no token is left";
  }

  /** @param {string} move */
  words(move) {
    return moveWords(this.state, move, mySeat(this.state), this.ui.values.slots);
  }

  countDown() {
    this.ui.focus(".pending .button");
    this.timer = window.setTimeout(() => {
      const { pending } = this.state;
      if (!pending || pending.isSent) return;
      if (pending.seconds <= 1) return this.send();
      this.put({ pending: { ...pending, seconds: pending.seconds - 1 } });
      return this.countDown();
    }, 1000);
  }

  cancel() {
    clearTimeout(this.timer);
    this.put({ pending: null });
    this.ui.app.announce("Cancelled");
  }

  send() {
    const { pending } = this.state;
    if (!pending) return;
    this.put({ pending: { ...pending, seconds: 0, isSent: true } });
    this.ask({ type: "move", turn: pending.turn, move: pending.move });
  }

  isMyTurn() {
    const { state } = this;
    if (mayMove(state)) return true;
    const mover = state.view?.mover ?? null;
    const words = state.view?.phase === "over" ? "The game is over."
      : state.look ? "You look at the past: go back to now first." : state.pending ? "Your move is on its way."
        : mover === null ? "The game has not begun." : isMe(state, mover) ? "Connecting…" : `It is the turn of ${nameOf(state, mover)}.`;
    this.toast(words, false);
    return false;
  }

  // Questions.

  async advise() {
    if (!this.isMyTurn() || this.state.waits) return;
    this.put({ waits: "advise", reasons: null });
    const found = await this.ask({ type: "advise", turn: this.state.view?.turn });
    if (found) this.ui.app.announce(`${found.agent} would ${found.move ? this.words(found.move) : found.words}`);
  }

  /** Why the last move on the screen was made. */
  async why() {
    const last = shown(this.state)?.last;
    if (!last || this.state.waits) return;
    this.put({ waits: "why", reasons: null, tab: "why", isOpen: true });
    const found = await this.ask({ type: "why", turn: last.turn, seat: last.seat });
    if (found) this.ui.app.announce(`${nameOf(this.state, last.seat)}: ${found.words}. ${found.rows.length} reasons.`);
  }

  undo() {
    const { view } = this.state;
    if (view) this.ask({ type: "undo", turn: view.turn });
  }

  async link() {
    const { id } = this.ui;
    const invite = this.ui.app.settings.invite(id);
    const isOpen = this.state.seats.some((seat) => seat.kind === "open");
    await this.copy(`${location.origin}/t/${id}${invite && isOpen ? `#${invite}` : ""}`, invite && isOpen ? "The invite is copied." : "The link is copied.");
  }

  /** @param {string} text @param {string} words */
  async copy(text, words) {
    try {
      await navigator.clipboard.writeText(text);
      this.toast(words, false);
    } catch {
      this.toast(`Copy it yourself: ${text}`, false);
    }
  }

  read() {
    this.ui.app.announce(boardWords(this.state, this.ui.values.slots));
    this.put({ toast: { text: "Reading the board aloud, for those who use a screen reader.", isBad: false, at: Date.now() } });
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => this.put({ toast: null }), TOAST / 2);
  }

  help() {
    this.ui.dialog("help");
  }

  /** Shows a hand, or all, as who holds it sees it. @param {number|"all"|null} seat */
  eyes(seat) {
    this.put({ eyes: seat });
  }

  // The table.

  /** Lets the host choose an agent for a seat. @param {number} seat */
  async askFill(seat) {
    try {
      this.ui.catalogue = await agents();
    } catch (error) {
      this.toast(error instanceof Error ? error.message : String(error));
    }
    this.ui.filling = seat;
    this.ui.dialog("fill");
  }

  /** @param {string} name */
  async sit(seat, name) {
    if (name) this.ui.app.settings.set("name", name);
    await this.ask({ type: "sit", seat, name: name || "You" });
  }
}

/** Choosing a card opens its tab on wide screens; letting go of it brings the other back. */
function tabFor(state, isPicked) {
  if (!isPicked) return "card";
  return state.tab === "card" ? "discards" : state.tab;
}

/** With a capital and a full stop. @param {string} text */
export function sentence(text) {
  return text && text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}
