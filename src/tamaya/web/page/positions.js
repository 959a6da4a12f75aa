/** The positions of a finished game, as all see them or as a seat did; only those that were asked for. */

import { get } from "./api.js";

export const CHUNK = 40; // positions that the server sends at once

export class Positions {
  /** @param {string} id @param {string|null} token @param {() => number|null} through  whose eyes */
  constructor(id, token, through) {
    Object.assign(this, { id, token, through });
    /** @type {Map<number, View>} */
    this.views = new Map();
  }

  /** Asks for some; returns what went wrong, if anything. @param {number} from @param {number} [to] */
  async load(from, to) {
    const seat = this.through();
    const query = `from=${from}${to === undefined ? "" : `&to=${to}`}${seat === null ? "" : `&seat=${seat}`}`;
    try {
      const { views } = await get(`/api/games/${this.id}/views?${query}`, this.token ? { "X-Tamaya-Token": this.token } : {});
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
    await Promise.all(starts.filter((from) => !this.views.has(from) || !this.views.has(ends(from))).map((from) => this.load(from, ends(from))));
  }
}
