/** What a person can do with a finished game: go through its turns, by other eyes or with the end unknown. */

import { serverKey } from "./api.js";
import { paint } from "./card.js";
import { Inquirer } from "./inquiries.js";
import { lay } from "./layout.js";
import { CHUNK, Positions } from "./positions.js";
import { nextLoss, startQuiz } from "./quiz.js";
import { isQuizzed, isUnseen, NO_QUIZ, START, study, turnNow, turnWords, UNKNOWN } from "./study.js";

const REST = 250; // ms on a turn before the server is told
const LEAST = 40; // px of a card beside the panel; below it everything scrolls
/** Frames that come in crowds: they are drawn together. */
const CROWDS = ["value", "progress", "choice", "disagreement"];

export class Reviewer extends Inquirer {
  /** @param {(ui: Reviewer) => unknown} page  what is drawn */
  constructor(root, id, app, page) {
    super(root, id, app);
    this.page = page;
    this.address = () => location.href;
    const query = new URLSearchParams(location.search);
    const seat = /^[0-4]$/.exec(query.get("seat") ?? "");
    const turn = Math.min(Number(/^#(\d{1,3})$/.exec(location.hash)?.[1] ?? 0), 200);
    this.state = { ...START, isSafe: query.has("safe"), furthest: turn, through: seat ? Number(seat[0]) : null };
    this.positions = new Positions(id, () => this.state.through);
    this.shortcuts = { n: () => nextLoss(this, 1), p: () => nextLoss(this, -1), h: () => startQuiz(this) };
    /** Notes that were begun. @type {Map<string, string>} */
    this.drafts = new Map();
    this.width = 0;
    this.isLate = false;
    this.start(turn);
  }

  call() {
    return this.app.wire({ table: this.id, greet: () => this.greeting() });
  }

  greeting() {
    const [key, token] = [serverKey(), this.app.settings.token(this.id)];
    const { isSafe, furthest } = this.state;
    return { type: "review", game: this.id, ...(key && { key }), ...(token && { token }), ...(isSafe && { to: furthest }) };
  }

  hear(frame) {
    const before = this.state;
    this.state = study(before, frame);
    if (frame.type === "reviewing") this.begin(frame);
    if (frame.code === "unplayed") return this.app.go(`/d/${frame.place}`, true);
    if (frame.type === "error" && frame.re === undefined && !before.reviewing) this.state = { ...this.state, failure: frame.text };
    else if (frame.type === "error" && frame.re === undefined && !("job" in frame)) this.toast(frame.text, true);
    if (frame.type === "done") this.say("All moves are analysed");
    if (this.state === before) return;
    if (!CROWDS.includes(frame.type)) this.draw(before);
    else if (!this.isLate) {
      this.isLate = true;
      requestAnimationFrame(() => {
        this.isLate = false;
        this.draw();
      });
    }
  }

  /** The server knows us: what it does not say by itself is asked for. */
  begin({ palette, turns }) {
    paint(palette);
    if (history.state?.news) {
      this.toast(history.state.news);
      history.replaceState(null, "");
    }
    this.analyse();
    if (turns !== null) this.loadAll(turns);
  }

  // Positions.

  /** By their turns. */
  get views() {
    return this.positions.views;
  }

  /** @param {number} from @param {number} [to] */
  async load(from, to) {
    const problem = await this.positions.load(from, to);
    if (problem && !this.views.size && from === 0) this.put({ failure: problem });
    return !problem;
  }

  /** Opens the turn of the address, before anything else is known. */
  async start(turn) {
    if (this.state.isSafe) await this.positions.loadTo(turn);
    else if (!(await this.load(turn - (turn % CHUNK)))) await this.load(0); // there are fewer
    if (!this.views.size && this.state.through !== null) {
      this.put({ through: null }); // there is no such seat
      await this.load(0);
    }
    const last = Math.max(0, ...this.views.keys());
    if (turn > last) this.put({ furthest: last });
    if (!this.state.look) this.show(Math.min(turn, last)); // or somebody has gone on already
  }

  async loadAll(turns) {
    await this.positions.loadTo(turns);
    const turn = this.wanted >= 0 ? this.wanted : (this.state.look?.turn ?? this.state.furthest);
    this.show(Math.min(turn, turns));
  }

  /** Draws a turn whose position is there. @param {number} turn */
  show(turn) {
    if (!this.views.has(turn) || !this.root.isConnected) return;
    const { isSafe, furthest, quiz, look } = this.state;
    const isNew = look?.turn !== turn;
    const seen = Math.max(furthest, turn);
    this.put({
      ...this.positions.at(turn, isSafe ? seen : Infinity),
      furthest: seen,
      ...(isNew && { reasons: null, picked: -1, lit: -1, arrows: null }),
      ...(quiz && quiz.turn !== turn && NO_QUIZ),
    });
    this.mark(turn);
    this.app.title(`Turn ${turn + 1}`);
    clearTimeout(this.timers.rest);
    this.timers.rest = window.setTimeout(() => this.rest(), REST);
    if (!isNew) return;
    this.say(turnWords(this));
    this.toNow();
  }

  /** The list of moves shows the turn on the screen. */
  toNow() {
    this.root.querySelector(".moves [aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** A tab begins at its top, or at the turn on the screen. */
  toTop() {
    const panel = this.root.querySelector("#tab");
    if (panel) panel.scrollTop = 0;
    this.toNow();
  }

  /** The address follows. */
  mark(turn) {
    const { through, isSafe } = this.state;
    const query = [through !== null && `seat=${through}`, isSafe && "safe=1"].filter(Boolean).join("&");
    history.replaceState(history.state, "", `/g/${this.id}${query && `?${query}`}#${turn}`);
  }

  /** Shows a turn; whoever fears spoilers gets one turn at a time. @param {number} turn */
  async look(turn) {
    const { isSafe, furthest, turns, view } = this.state;
    const last = isSafe ? furthest : (turns ?? view?.turn ?? 0);
    const isNext = isSafe && turn === last + 1 && this.mayGoOn;
    const at = isNext ? turn : Math.max(0, Math.min(turn, last));
    this.wanted = at;
    if (!this.views.has(at) && !(await this.load(at, at)) && isNext) this.put({ turns: furthest }); // it ended there
    if (this.wanted === at) this.show(at);
    this.wanted = -1;
  }

  /** Whether there may be a turn that was not seen yet. */
  get mayGoOn() {
    const { isSafe, furthest, turns } = this.state;
    return isSafe && turns !== furthest && this.views.get(furthest)?.mover !== null;
  }

  /** Lets the move be known that was made at the last turn that was seen. */
  async reveal() {
    const turn = turnNow(this.state);
    if (!this.views.has(turn + 1) && !(await this.load(turn + 1, turn + 1))) return;
    this.put({ furthest: Math.max(this.state.furthest, turn + 1) });
    this.show(turn);
  }

  // Ways of looking.

  /** Through whose eyes. @param {number|null} seat */
  async seeAs(through) {
    this.views.clear();
    this.put({ through });
    const { turns, furthest, look } = this.state;
    await this.positions.loadTo(turns ?? furthest);
    this.show(look.turn);
  }

  /** The hand of who moves stays hidden as long as the move is to be found or guessed. */
  get shut() {
    const { state } = this;
    return (isQuizzed(state) || isUnseen(state)) && !state.isPeeking ? state.look.mover : -1;
  }

  see(seat, isOn) {
    if (seat === this.shut) this.put({ isPeeking: true });
    else super.see(seat, isOn);
  }

  /** Nothing beyond the turns that were seen. */
  setSafe(isSafe) {
    const turn = turnNow(this.state);
    if (isSafe) for (const at of this.views.keys()) if (at > turn) this.views.delete(at);
    this.put({ ...UNKNOWN, isSafe, furthest: turn });
    this.show(turn);
    this.wire.hello();
  }

  escape() {
    if (this.state.picked >= 0) this.put({ picked: -1 });
    else if (this.state.quiz) this.put(NO_QUIZ);
  }

  pick(seat, slot) {
    this.put({ picked: this.state.picked === slot.order ? -1 : slot.order });
  }

  measure(isForced = false) {
    const table = /** @type {any} */ (this.root.querySelector(".table"));
    const { seats, look } = this.state;
    if (!table || !look) return;
    const shape = `${seats.length} ${this.isWide}`;
    if (shape !== this.shape || isForced) {
      this.shape = shape;
      lay(this.root, seats.length, look.hands[0].length, false, this.isWide ? LEAST : Infinity);
    }
    const width = table.querySelector(".graph")?.clientWidth ?? 0;
    if (width === this.width) return;
    this.width = width;
    this.draw();
  }

  screen() {
    return this.page(this);
  }
}
