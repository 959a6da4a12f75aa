/** What a person can do at the table; buttons, keys and drags all end here. `Ui` has the rest. */

import { refusal, whyNoMove, whyNoReasons } from "./refusals.js";
import { arrowsOf, findSlot, hasReasons, hintText, isLegal, isMe, mayMove, nameOf, NO_AIM, others, QUIET, shown, target } from "./state.js";
import { count, moveWords, sentence } from "./words.js";

export class Commands {
  wanted = -1; // turn that is asked for next
  looked = /** @type {Map<number, any>} */ (new Map());
  timers = { move: 0, toast: 0 };
  /** Keys of this screen besides. @type {Record<string, () => void>} */
  shortcuts = {};

  /** @param {Partial<TableState>} values */
  put(values) {
    this.hear({ type: "set", values });
  }

  /** Says something to who listens. @param {string} text @param {boolean} [isUrgent] */
  say(text, isUrgent) {
    this.app.announce(text, isUrgent);
  }

  /** Says something to who listens or looks. @param {string} text @param {boolean} [isBad] @param {boolean} [isSlot]  whether a slot was going to follow */
  toast(text, isBad = false, isSlot = false) {
    clearTimeout(this.timers.toast);
    this.say(text, isBad);
    this.put({ toast: { text, isBad, isSlot } });
    this.timers.toast = window.setTimeout(() => this.put({ toast: null }), isBad ? 6000 : 4000);
  }

  /** Asks the server; what it refuses is said. @param {Frame} frame */
  async ask(frame) {
    try {
      return await this.wire.send(frame);
    } catch (error) {
      this.put({ waits: "", pending: null });
      this.toast(sentence(error.message), true);
      return null;
    }
  }

  /** Shows a turn. Turns are asked for one at a time, so a slider that is dragged asks for few. @param {number} turn */
  async look(turn) {
    const now = this.state.view.turn;
    const isAsking = this.wanted >= 0;
    this.wanted = Math.max(0, Math.min(turn, now));
    for (let at = -1; !isAsking && at !== this.wanted;) {
      at = this.wanted;
      const view = at === now ? null : (this.looked.get(at) ?? (await this.ask({ type: "look", turn: at })));
      if (view) this.looked.set(at, view);
      this.put({ look: view });
    }
    if (!isAsking) this.wanted = -1;
  }

  /** Some turns back or on from what is on the screen. @param {number} turns */
  go(turns) {
    if (this.state.view) this.look((this.wanted >= 0 ? this.wanted : shown(this.state).turn) + turns);
  }

  /** @param {number} seat @param {Slot} slot */
  pick(seat, slot) {
    const { state } = this;
    const isOwn = isMe(state, seat);
    if (isOwn && state.armed) this.make(state.armed + slot.slot);
    else if (state.picked === slot.order) this.clear();
    else {
      const aim = mayMove(state) && !isOwn && others(state).length > 1 ? { ...state.aim, target: seat } : state.aim;
      this.put({ picked: slot.order, tab: "card", confirm: "", toast: null, aim });
    }
  }

  /** Looks at a hand as its holder does, or no longer. @param {number} seat @param {boolean} isOn */
  see(seat, isOn) {
    this.put({ eyes: isOn ? seat : null });
  }

  clear() {
    this.put({ picked: -1, tab: this.state.tab === "card" ? "discards" : this.state.tab });
  }

  /** Plays or discards the chosen card, or the one that is chosen next. @param {"p"|"d"} what */
  arm(what) {
    const { state } = this;
    if (!this.isMyTurn()) return;
    const found = findSlot(state.view, state.picked);
    if (found && isMe(state, found.seat)) this.make(what + found.slot.slot);
    else if (!state.view.legal.some((move) => move[0] === what)) this.toast(refusal(this, what), true, true);
    else {
      this.put({ armed: state.armed === what ? "" : what, toast: null });
      this.say(`${what === "p" ? "Play" : "Discard"}: choose a slot`);
    }
  }

  /** Lets go: of what is in the making, then of the drawer, the chosen card, the past. */
  escape() {
    const { pending, confirm, armed, aim, isOpen, picked } = this.state;
    if (pending && !pending.isSent) {
      clearTimeout(this.timers.move);
      this.put({ pending: null });
      this.say("Cancelled");
    } else if (confirm || armed || aim !== NO_AIM) this.put({ ...QUIET, aim: NO_AIM });
    else if (isOpen && !this.isWide) this.put({ isOpen: false });
    else if (picked >= 0) this.clear();
    else this.go(1000);
  }

  /** @param {Partial<Aim>} part */
  aim(part) {
    if (!this.isMyTurn()) return;
    const { aim, view } = this.state;
    if ("kind" in part && !view.legal.some((move) => move[0] === "h")) {
      this.toast(refusal(this, "h"), true);
      return;
    }
    const isSame = Object.keys(part).every((key) => aim[key] === part[key]);
    this.put({ aim: { ...aim, ...(isSame ? ("kind" in part ? { kind: null } : { target: null }) : part) }, ...QUIET, toast: null });
    const move = hintText(this.state);
    this.root.querySelector(`.hand:has([data-seat="${target(this.state)}"])`)?.scrollIntoView({ block: "nearest" });
    if (move) this.say(`${moveWords(this, move)}: ${count(arrowsOf(this.state).touched.length, "card")}`);
    else if (part.target !== undefined) this.say(`hint to ${nameOf(this.state, part.target)}`);
  }

  aimNext() {
    const all = others(this.state);
    if (all.length > 1 || this.state.aim.target === null)
      this.aim({ target: all[(all.indexOf(this.state.aim.target) + 1) % all.length] });
  }

  give() {
    const { state } = this;
    if (!this.isMyTurn()) return;
    if (hintText(state)) this.make(hintText(state));
    else this.toast(`First choose ${target(state) === null ? "whom to tell" : "a colour or a rank"}.`);
  }

  /** Makes a move, unless a person should think again. @param {string} move @param {boolean} [isSure] */
  make(move, isSure = false) {
    const { state, values } = this;
    if (!this.isMyTurn()) return;
    const words = moveWords(this, move);
    const risk = state.view.risks[move];
    if (!isLegal(state, move)) {
      this.put(QUIET);
      this.toast(refusal(this, move), true);
    } else if (!isSure && (values.confirm === "always" || (values.confirm === "risky" && risk))) {
      this.put({ confirm: move, armed: "" });
      this.say(`${risk ? sentence(risk) : ""} ${sentence(words)}`, true);
      this.focus(".no");
    } else {
      this.put({ ...QUIET, pending: { move, turn: state.view.turn, seconds: values.secondThoughts, isSent: false } });
      if (values.secondThoughts) this.focus(".no");
      this.countDown();
    }
  }

  /** Second thoughts, then the move goes to the server. */
  countDown() {
    const { pending } = this.state;
    if (pending?.seconds) {
      this.timers.move = window.setTimeout(() => {
        this.put({ pending: { ...pending, seconds: pending.seconds - 1 } });
        this.countDown();
      }, 1000);
    } else if (pending) {
      this.put({ pending: { ...pending, isSent: true } });
      this.ask({ type: "move", turn: pending.turn, move: pending.move });
    }
  }

  /** Whether a move can be made; if not, why not. */
  isMyTurn() {
    if (!mayMove(this.state)) this.toast(whyNoMove(this.state));
    return mayMove(this.state);
  }

  undo() {
    this.ask({ type: "undo", turn: this.state.view.turn });
  }

  async advise() {
    if (this.state.waits || !this.isMyTurn()) return;
    this.put({ waits: "advise", reasons: null, toast: null, aim: NO_AIM, picked: -1 });
    const found = await this.ask({ type: "advise", turn: this.state.view.turn });
    if (found) this.say(`Advice: ${found.move ? moveWords(this, found.move) : found.words}`);
  }

  /** Why the last move on the screen was made. */
  async why() {
    const { state } = this;
    const last = shown(state)?.last;
    if (state.waits) return;
    if (!hasReasons(state, last)) {
      this.toast(whyNoReasons(state, last));
      return;
    }
    this.put({ waits: "why", reasons: null, tab: "why", isOpen: true });
    const found = await this.ask({ type: "why", turn: last.turn, seat: last.seat });
    if (found) this.say(count(found.rows.length, "reason"));
  }

  async read() {
    const { boardWords } = await import("./aloud.js");
    this.toast("The board is read aloud to screen readers.");
    this.say(boardWords(this));
  }

  /** @param {string} text @param {string} words  to say then */
  copy(text, words) {
    (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => this.toast(words),
      () => this.toast(`Copy it yourself: ${text}`),
    );
  }

  /** Lets the host choose an agent for a seat. @param {number} seat */
  async askFill(seat) {
    this.dialog(await (await import("./room.js")).fillForm(this, seat));
  }

  /** @param {number} seat */
  sit(seat, name = this.values.name || "Guest") {
    this.ask({ type: "sit", seat, name });
  }

  /** Another name for who waits for the game. @param {string} name */
  rename(name) {
    if (!name) return;
    this.app.settings.set("name", name);
    this.sit(this.state.welcome.seat);
  }

  /** To the table with the next deal. */
  follow() {
    const { table, token } = this.state.again;
    if (token) this.app.settings.token(table, token);
    this.app.go(`/t/${table}`);
  }
}
