/** What a person can do with a finished game: go through its turns, and have them valued and explained. */

import { serverKey } from "./api.js";
import { paint } from "./card.js";
import { lay } from "./layout.js";
import { CHUNK, Positions } from "./positions.js";
import { nextLoss, startQuiz } from "./quiz.js";
import { store, stored } from "./settings.js";
import { moveAt, NO_QUIZ, START, study, turnNow, turnWords, UNKNOWN, valueAt } from "./study.js";
import { Ui } from "./table.js";

const REST = 250; // ms on a turn before the server is told
const LEAST = 40; // px of a card beside the panel; below it everything scrolls
const PLACE = "tamaya.review";
/** Frames that come in crowds: they are drawn together. */
const CROWDS = ["value", "progress", "choice", "disagreement"];

export class Reviewer extends Ui {
  /** @param {(ui: Reviewer) => unknown} page  what is drawn */
  constructor(root, id, app, page) {
    super(root, id, app);
    this.page = page;
    this.address = () => location.href;
    const seat = /^[0-4]$/.exec(new URLSearchParams(location.search).get("seat") ?? "");
    const turn = Math.min(Number(/^#(\d{1,3})$/.exec(location.hash)?.[1] ?? 0), 200);
    this.state = { ...START, isSafe: Boolean(stored(PLACE).isSafe), furthest: turn, through: seat ? Number(seat[0]) : null };
    this.positions = new Positions(id, () => this.state.through);
    this.shortcuts = { n: () => nextLoss(this, 1), p: () => nextLoss(this, -1), h: () => startQuiz(this) };
    this.width = 0;
    this.choosing = -1;
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
    this.show(Math.min(turn, last));
  }

  async loadAll(turns) {
    await this.positions.loadTo(turns);
    this.show(Math.min(this.state.look?.turn ?? this.state.furthest, turns));
  }

  /** Draws a turn whose position is there. @param {number} turn */
  show(turn) {
    if (!this.views.has(turn) || !this.root.isConnected) return;
    const { isSafe, furthest, quiz, through, look } = this.state;
    const isNew = look?.turn !== turn;
    const seen = Math.max(furthest, turn);
    this.put({
      ...this.positions.at(turn, isSafe ? seen : Infinity),
      furthest: seen,
      ...(isNew && { reasons: null, picked: -1, lit: -1, arrows: null }),
      ...(quiz && quiz.turn !== turn && NO_QUIZ),
    });
    history.replaceState(history.state, "", `/g/${this.id}${through === null ? "" : `?seat=${through}`}#${turn}`);
    this.app.title(`Turn ${turn + 1}`);
    clearTimeout(this.timers.rest);
    this.timers.rest = window.setTimeout(() => this.rest(), REST);
    if (!isNew) return;
    this.say(turnWords(this));
    this.root.querySelector(".moves [aria-current=true]")?.scrollIntoView({ block: "nearest" });
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

  // What the server works out.

  /** Nobody hurries on from this turn: it goes first, and what is told of turns is asked for it. */
  rest() {
    const turn = turnNow(this.state);
    const { isSafe, furthest, asked, tab, isAsking } = this.state;
    if (this.wire.state !== "open") return;
    this.ask({ type: "focus", turn });
    if (isSafe && furthest !== asked) this.analyse();
    if (isAsking) this.askAgents();
    if (/** @type {string} */ (tab) === "beliefs") this.believe();
  }

  /** Asks for the values of all moves that may be known. */
  analyse(blueprint = this.state.blueprint) {
    const { isSafe, furthest } = this.state;
    if (blueprint !== this.state.blueprint) this.put({ values: new Map(), blueprint });
    this.put({ asked: furthest });
    if (!isSafe || furthest > 0) this.ask({ type: "analyse", blueprint, ...(isSafe && { to: furthest - 1 }) });
  }

  /** What each agent would do here, and from now on at every turn that is rested on. */
  askAgents() {
    const turn = turnNow(this.state);
    const known = this.state.choices.get(turn);
    this.put({ isAsking: true });
    if (!valueAt(this.state, turn) || (known && (turn === this.choosing || known.some(({ agent }) => !agent)))) return;
    this.choosing = turn; // the server forgets the turn that it was asked about before
    this.put({ choices: new Map(this.state.choices).set(turn, []) });
    this.ask({ type: "choices", turn });
  }

  disagree() {
    this.put({ disagreements: [] });
    this.ask({ type: "disagree", ...(this.state.isSafe && { to: this.state.furthest }) });
  }

  /** @param {string} [agent]  by default the one that sat there */
  async why(agent) {
    if (!moveAt(this.state, turnNow(this.state))) return this.toast("The move comes first, then its reasons.");
    this.put({ waits: "why", reasons: null });
    if (await this.ask({ type: "why", turn: turnNow(this.state), ...(agent && { agent }) })) this.focus(".reasons-of");
  }

  /** @param {{believer?: string, holder?: number|null}} [wish] */
  believe(wish = {}) {
    this.put(wish);
    const { believer, holder, look } = this.state;
    const seat = holder ?? look.mover ?? 0;
    this.ask({ type: "believe", turn: look.turn, seat, ...(believer && { agent: believer }) });
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

  /** Nothing beyond the turns that were seen. */
  setSafe(isSafe) {
    const turn = turnNow(this.state);
    store(PLACE, { isSafe });
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
