/**
 * The socket of one table: it connects again by itself and says hello again, so that a page left open
 * goes on without a click. A `view` is complete, so nothing but unanswered moves has to be sent again.
 */

import { settings } from "./settings.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const SILENCE = 6000; // a hello and a move are answered at once, or the line is dead

/** What comes instead of a reply. */
export class Refusal extends Error {
  /** @param {{code: string, text: string, place?: string}} error */
  constructor({ code, text, place }) {
    super(text);
    this.code = code;
    this.place = place;
  }
}

export class Wire {
  /** @param {WireOptions} options */
  constructor({ table, token = settings.token(table), invite = null, name = "" }) {
    Object.assign(this, { table, invite, name });
    this.table = table;
    this.token = token;
    this.state = /** @type {"connecting"|"open"|"offline"} */ ("connecting");
    this.listeners = /** @type {Map<string, Set<(frame: any) => void>>} */ (new Map());
    this.questions = /** @type {Map<number, Question>} */ (new Map());
    this.socket = /** @type {WebSocket|null} */ (null);
    this.last = 0;
    this.pause = FIRST_PAUSE;
    this.timer = this.watch = this.hidden = 0;
    const ears = new AbortController();
    this.ears = ears;
    addEventListener("online", () => this.wake(), ears);
    addEventListener("offline", () => this.lost(), ears);
    document.addEventListener("visibilitychange", () => this.wake(), ears);
    this.connect();
  }

  get closed() {
    return this.ears.signal.aborted;
  }

  /**
   * Hears frames of a type, until the returned function is called. `*` hears all, `state` changes of the
   * connection, `gone` that there is no such table.
   * @param {string} type
   * @param {(frame: any) => void} listener
   */
  on(type, listener) {
    const all = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, all.add(listener));
    return () => { all.delete(listener); };
  }

  /**
   * Sends a frame and resolves with the reply, or rejects with a `Refusal`. A move waits for the server to be back.
   * @param {Frame} frame
   * @returns {Promise<Frame>}
   */
  send(frame) {
    return new Promise((settle, fail) => {
      if (this.closed || (this.state !== "open" && frame.type !== "move")) {
        fail(new Refusal({ code: "offline", text: "The server is not there. Trying again." }));
        return;
      }
      const id = ++this.last;
      this.questions.set(id, { frame: { ...frame, id }, settle, fail });
      if (this.state === "open") this.put({ ...frame, id });
    });
  }

  close() {
    this.ears.abort();
    this.drop();
  }

  connect() {
    this.drop();
    this.turn("connecting");
    const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`, "tamaya.1");
    this.socket = socket;
    this.expect();
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = (event) => this.lost(event.code);
  }

  hello() {
    const { table, token, invite, name } = /** @type {any} */ (this);
    this.put({ type: "hello", table, ...(token ? { token } : invite && { invite }), ...(name && { name }) });
  }

  /** @param {Frame} frame */
  put(frame) {
    this.socket?.send(JSON.stringify(frame));
    if (frame.type === "hello" || frame.type === "move") this.expect();
  }

  /** Without any answer the line is dead, whatever the browser believes. */
  expect() {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => this.lost(), SILENCE);
  }

  /** @param {Frame} frame */
  hear(frame) {
    clearTimeout(this.watch);
    if (frame.type === "welcome") this.welcomed(frame);
    const re = frame.re ?? 0;
    const question = this.questions.get(re);
    this.questions.delete(re);
    if (frame.type === "error") question?.fail(new Refusal(/** @type {any} */ (frame)));
    else question?.settle(frame);
    this.tell(frame.type, frame);
    this.tell("*", frame);
  }

  /** @param {Frame} welcome */
  welcomed({ token }) {
    this.pause = FIRST_PAUSE;
    if (history.state?.isReloaded) history.replaceState(null, "");
    if (token) this.token = settings.token(this.table, token);
    if (this.state === "open") return;
    this.turn("open");
    for (const { frame } of this.questions.values()) this.put(frame);
  }

  /** @param {number} [code] */
  lost(code = 0) {
    this.drop();
    if (this.closed) return;
    if (code === 4400 && !history.state?.isReloaded) {
      history.replaceState({ isReloaded: true }, ""); // a server of another version has another page: once, not for ever
      location.reload();
      return;
    }
    this.turn("offline");
    if (code === 4404 || code === 4400) {
      this.tell("gone", { type: "gone", code });
      return;
    }
    this.timer = window.setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
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
      if (frame.type === "move" && !this.closed) continue;
      this.questions.delete(id);
      fail(new Refusal({ code: "offline", text: "The connection was lost. Trying again." }));
    }
  }

  /** Back in sight or on the network: no waiting for the next attempt. */
  wake() {
    if (document.hidden) {
      this.hidden = Date.now();
    } else if (this.state !== "open") {
      this.pause = FIRST_PAUSE;
      this.connect();
    } else if (this.hidden && Date.now() - this.hidden > 5000) {
      this.hello(); // is it still there?
    }
  }

  /** @param {"connecting"|"open"|"offline"} state */
  turn(state) {
    if (this.state === state) return;
    this.state = state;
    this.tell("state", { type: "state", state });
  }

  /** @param {string} type @param {Frame} frame */
  tell(type, frame) {
    for (const listener of this.listeners.get(type) ?? []) listener(frame);
  }
}
