/**
 * The socket of one table. It connects and says hello again by itself, so a page left open goes on without
 * a click; a `view` is complete, so nothing but unanswered moves is sent again.
 */

import { PERSON, personKey, settings } from "./settings.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const SILENCE = 6000; // a hello and a move are answered at once, or the line is dead

/** What comes instead of a reply. */
export class Refusal extends Error {
  constructor({ code, text, place = "" }) {
    super(text);
    Object.assign(this, { code, place });
  }
}

export class Wire {
  /** @param {WireOptions} options */
  constructor({ table, token = settings.token(table), invite = settings.invite(table), name, greet }) {
    this.who = { table, token, invite, name };
    this.greet = greet ?? this.greeting;
    this.state = "connecting"; // `open` once the server has said welcome, or `offline`
    /** @type {Map<string, Set<(frame: any) => void>>} */
    this.listeners = new Map();
    /** @type {Map<number|undefined, Question>} */
    this.questions = new Map();
    /** @type {WebSocket|null} */
    this.socket = null;
    this.last = this.timer = this.watch = this.hidden = 0;
    this.pause = FIRST_PAUSE;
    this.person = /** @type {string|undefined} */ (undefined); // key that hello was said with
    this.ears = new AbortController();
    addEventListener("online", () => this.wake(), this.ears);
    addEventListener("offline", () => this.lost(), this.ears);
    document.addEventListener("visibilitychange", () => this.wake(), this.ears);
    addEventListener("storage", ({ key }) => key === PERSON && this.state === "open" && this.person !== undefined && this.hello(), this.ears);
    this.connect();
  }

  /** Hears frames of a type until what it returns is called: `*` are all, `state` and `gone` are the line's own. */
  on(type, listener) {
    const all = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, all.add(listener));
    return () => { all.delete(listener); };
  }

  /** Resolves with the reply or rejects with a `Refusal`; a move waits for the server. @param {Frame} frame @returns {Promise<Frame>} */
  send(frame) {
    return new Promise((settle, fail) => {
      const question = { frame: { ...frame, id: ++this.last }, settle, fail };
      if (this.state === "open") this.put(question.frame);
      else if (frame.type !== "move") return fail(away());
      this.questions.set(this.last, question);
    });
  }

  close() {
    this.ears.abort();
    this.state = "offline";
    this.drop();
  }

  connect() {
    this.drop();
    this.turn("connecting");
    const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`, "tamaya.1");
    this.socket = socket;
    this.expect();
    socket.onopen = () => this.hello();
    socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    socket.onclose = ({ code }) => this.lost(code);
  }

  hello() {
    this.put(this.greet());
  }

  greeting() {
    const { table, token, invite, name } = this.who;
    const person = (this.person = personKey());
    return { type: "hello", table, ...(token && { token }), ...(invite && { invite }), ...(name && { name }), ...(person && { person }) };
  }

  put(frame) {
    this.socket?.send(JSON.stringify(frame));
    if (["hello", "review", "move"].includes(frame.type)) this.expect();
  }

  /** Without any answer the line is dead, whatever the browser believes. */
  expect() {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => this.lost(), SILENCE);
  }

  /** @param {Frame} frame */
  hear(frame) {
    clearTimeout(this.watch);
    if (frame.type === "welcome" || frame.type === "reviewing") this.welcomed(frame);
    const question = this.questions.get(frame.re);
    this.questions.delete(frame.re);
    if (frame.type === "error") question?.fail(new Refusal(/** @type {any} */ (frame)));
    else question?.settle(frame);
    this.tell(frame.type, frame);
    this.tell("*", frame);
  }

  /** @param {Frame} welcome */
  welcomed({ token }) {
    this.pause = FIRST_PAUSE;
    if (history.state?.isReloaded) history.replaceState(null, "");
    if (token) this.who.token = settings.token(this.who.table, token);
    if (this.state === "open") return;
    this.turn("open");
    for (const { frame } of this.questions.values()) this.put(frame);
  }

  lost(code = 0) {
    this.drop();
    if (code === 4400 && !history.state?.isReloaded) {
      history.replaceState({ isReloaded: true }, ""); // another version has another page: once, not for ever
      return location.reload();
    }
    this.turn("offline");
    if (code === 4404 || code === 4400) return this.tell("gone", { type: "gone", code });
    this.timer = window.setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    return undefined;
  }

  /** Lets go of the socket. Moves wait for the next one, other questions stay without an answer. */
  drop() {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    const { socket } = this;
    this.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    for (const [id, { frame, fail }] of this.questions) {
      if (frame.type === "move" && !this.ears.signal.aborted) continue;
      this.questions.delete(id);
      fail(away());
    }
  }

  /** Back in sight or on the network: no waiting for the next attempt. */
  wake() {
    if (document.hidden) this.hidden = Date.now();
    else if (this.state !== "open") {
      this.pause = FIRST_PAUSE;
      this.connect();
    } else if (this.hidden && Date.now() - this.hidden > 5000) this.hello(); // is it still there?
  }

  turn(state) {
    if (this.state !== state) this.tell("state", { type: "state", state: this.state = state });
  }

  tell(type, frame) {
    for (const listener of this.listeners.get(type) ?? []) listener(frame);
  }
}

const away = () => new Refusal({ code: "offline", text: "The connection is lost. Trying again." });
