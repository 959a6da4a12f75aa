/**
 * The socket of one table: it connects again by itself and says hello again, so that a page left open
 * goes on without a click. A `view` is complete, so nothing but unanswered moves has to be sent again.
 *
 * @typedef {{type: string, [field: string]: any}} Frame
 * @typedef {"connecting"|"open"|"offline"} State  `open` once the server has said welcome
 * @typedef {{frame: Frame, settle: (frame: Frame) => void, fail: (error: Refusal) => void}} Waiting
 */

import { settings } from "./settings.js";

const PROTOCOL = "tamaya.1";
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const SILENCE = 6000; // after a hello or a move the server answers at once, or the line is dead
const RELOADED = "tamaya.reloaded";

/** What the server answers instead of a reply. */
export class Refusal extends Error {
  /** @param {{code: string, text: string, place?: string}} error */
  constructor({ code, text, place }) {
    super(text);
    this.code = code;
    this.place = place;
  }
}

export class Wire {
  /** @param {{table: string, token?: string|null, invite?: string|null, name?: string}} options */
  constructor({ table, token = settings.token(table), invite = null, name = "" }) {
    this.table = table;
    this.token = token;
    this.invite = invite;
    this.name = name;
    /** @type {State} */
    this.state = "connecting";
    /** @type {Map<string, Set<(frame: any) => void>>} */
    this.listeners = new Map();
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    this.last = 0;
    this.pause = FIRST_PAUSE;
    this.timer = 0;
    this.watch = 0;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.closed = false;
    this.hidden = 0;
    this.wake = this.wake.bind(this);
    this.sleep = this.sleep.bind(this);
    addEventListener("online", this.wake);
    addEventListener("offline", this.sleep);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  /**
   * Hears frames of a type; `state` is told at every change, `*` hears every frame.
   * @param {string} type
   * @param {(frame: any) => void} listener
   * @returns {() => void} stops it
   */
  on(type, listener) {
    const all = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, all.add(listener));
    return () => all.delete(listener);
  }

  /**
   * Sends a frame, at once or when the server is back (moves) and resolves with the reply to it.
   * @param {Frame} frame
   * @returns {Promise<Frame>} rejected with a `Refusal`
   */
  send(frame) {
    return new Promise((settle, fail) => {
      if (this.closed || (this.state !== "open" && frame.type !== "move")) {
        fail(new Refusal({ code: "offline", text: "The server is not there. Trying again." }));
        return;
      }
      const id = ++this.last;
      this.waiting.set(id, { frame: { ...frame, id }, settle, fail });
      if (this.state === "open") this.put({ ...frame, id });
    });
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.sleep);
    document.removeEventListener("visibilitychange", this.wake);
    this.drop();
  }

  connect() {
    this.drop();
    this.turn("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`, PROTOCOL);
    this.socket = socket;
    this.expect();
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => socket === this.socket && this.hear(event.data);
    socket.onclose = (event) => socket === this.socket && this.lost(event);
  }

  hello() {
    const { table, token, invite, name } = this;
    const key = token ? { token } : invite ? { invite } : {};
    this.put({ type: "hello", table, ...key, ...(name ? { name } : {}) });
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

  /** @param {string} text */
  hear(text) {
    clearTimeout(this.watch);
    const frame = JSON.parse(text);
    if (frame.type === "welcome") this.welcomed(frame);
    this.answer(frame);
    this.tell(frame.type, frame);
    this.tell("*", frame);
  }

  /** @param {Frame} frame */
  welcomed(frame) {
    this.pause = FIRST_PAUSE;
    forget();
    if (frame.token) {
      this.token = frame.token;
      settings.token(this.table, frame.token);
    }
    const isNew = this.state !== "open";
    this.turn("open");
    if (isNew) for (const { frame } of this.waiting.values()) this.put(frame);
  }

  /** @param {Frame} frame */
  answer(frame) {
    const waiting = this.waiting.get(frame.re);
    if (!waiting) return;
    this.waiting.delete(frame.re);
    if (frame.type === "error") waiting.fail(new Refusal(/** @type {any} */ (frame)));
    else waiting.settle(frame);
  }

  /** @param {CloseEvent} [event] */
  lost(event) {
    this.drop();
    if (this.closed) return;
    if (event?.code === 4400 && reloadOnce()) return;
    this.turn("offline");
    if (event?.code === 4404 || event?.code === 4400) {
      this.tell("gone", { type: "gone", code: event.code });
      return;
    }
    this.timer = window.setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  /** Lets go of the socket. Moves wait for the next one, other questions are answered by nobody. */
  drop() {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    const { socket } = this;
    this.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    for (const [id, { frame, fail }] of this.waiting) {
      if (frame.type === "move" && !this.closed) continue;
      this.waiting.delete(id);
      fail(new Refusal({ code: "offline", text: "The connection was lost. Trying again." }));
    }
  }

  /** Back in sight or on the network: no waiting for the next attempt. */
  wake() {
    if (document.hidden) {
      this.hidden = Date.now();
    } else if (this.state === "open") {
      if (this.hidden && Date.now() - this.hidden > 5000) this.hello(); // is it still there?
      this.hidden = 0;
    } else if (!this.socket) {
      this.pause = FIRST_PAUSE;
      this.connect();
    }
  }

  sleep() {
    if (this.state !== "offline") this.lost();
  }

  /** @param {State} state */
  turn(state) {
    if (this.state === state) return;
    this.state = state;
    this.tell("state", { type: "state", state });
  }

  /**
   * @param {string} type
   * @param {Frame} frame
   */
  tell(type, frame) {
    for (const listener of this.listeners.get(type) ?? []) listener(frame);
  }
}

/** A server of another version has another page: loads it, but not for ever. */
function reloadOnce() {
  try {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, "1");
  } catch {
    return false;
  }
  location.reload();
  return true;
}

function forget() {
  try {
    sessionStorage.removeItem(RELOADED);
  } catch {
    // no storage, nothing to forget
  }
}
