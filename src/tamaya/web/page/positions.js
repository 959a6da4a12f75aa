/** The positions of a finished game, as all see them or as a seat did; only those that were asked for. */

import { ofGame } from "./api.js";

export const CHUNK = 40; // positions that the server sends at once

export class Positions {
  /** @param {string} id @param {() => number|null} through  whose eyes */
  constructor(id, through) {
    Object.assign(this, { id, through });
    /** @type {Map<number, View>} */
    this.views = new Map();
    /** What was asked for and has not come yet, by eyes and first turn. @type {Map<string, Promise<string>>} */
    this.asked = new Map();
  }

  /** Asks for some; resolves with what went wrong, if anything. @param {number} from @param {number} [to] */
  load(from, to) {
    const key = `${this.through()} ${from}`;
    const asked = this.fetch(from, to).finally(() => this.asked.delete(key));
    this.asked.set(key, asked);
    return asked;
  }

  async fetch(from, to) {
    const seat = this.through();
    const query = `from=${from}${to === undefined ? "" : `&to=${to}`}${seat === null ? "" : `&seat=${seat}`}`;
    try {
      const { views } = await ofGame(this.id, `/views?${query}`);
      if (seat === this.through()) for (const view of views) this.views.set(view.turn, view);
      return "";
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  /**
   * A turn on the screen, and the last one that may be known, with the moves that led there.
   * @param {number} turn @param {number} last
   */
  at(turn, last) {
    const past = [];
    for (let k = 1; k <= last && this.views.has(k); k++) past.push(/** @type {any} */ (this.views.get(k)).last);
    const look = this.views.get(turn);
    return { look: { ...look, past: past.slice(0, turn) }, view: { ...(this.views.get(past.length) ?? look), past } };
  }

  /** All up to a turn that are not there yet. @param {number} last */
  async loadTo(last) {
    const starts = Array.from({ length: Math.floor(last / CHUNK) + 1 }, (_, k) => CHUNK * k);
    const ends = (from) => Math.min(from + CHUNK - 1, last);
    const missing = starts.filter((from) => !this.views.has(from) || !this.views.has(ends(from)));
    await Promise.all(missing.map((from) => this.asked.get(`${this.through()} ${from}`) ?? this.load(from, ends(from))));
  }
}
