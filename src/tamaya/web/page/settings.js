/**
 * What a person has chosen, kept in this browser alone: settings, a name, and the keys of their tables.
 *
 * @typedef {object} Values
 * @property {"auto"|"light"|"dark"} theme
 * @property {"newest-1"|"oldest-0"} slots  how slots are numbered: hanab.live's way, or tamaya's
 * @property {"full"|"positive"} pips  all that is still possible, or only what was told
 * @property {"off"|"risky"|"always"} confirm  which moves ask once more
 * @property {number} secondThoughts  seconds in which a move can be cancelled, 0 to 3
 * @property {boolean} keys  single keys make moves
 * @property {boolean} sounds
 * @property {"auto"|"off"} motion
 * @property {100|115|130|150} text  size of text in percent
 * @property {string} name
 *
 * @typedef {{token?: string, invite?: string, at?: number}} Keys  what opens a table
 */

/** @type {Readonly<Values>} */
export const DEFAULTS = Object.freeze({
  theme: "auto", slots: "newest-1", pips: "full", confirm: "risky", secondThoughts: 0, keys: true,
  sounds: false, motion: "auto", text: 100, name: "",
});

/** What a setting may be; the first of each list stands in for anything else. */
export const CHOICES = Object.freeze({
  theme: ["auto", "light", "dark"], slots: ["newest-1", "oldest-0"], pips: ["full", "positive"],
  confirm: ["risky", "always", "off"], secondThoughts: [0, 1, 2, 3], keys: [true, false],
  sounds: [false, true], motion: ["auto", "off"], text: [100, 115, 130, 150],
});

const PLACE = "tamaya.settings";
const TABLES = "tamaya.tables";
const MANY = 60;

export class Settings {
  constructor() {
    /** @type {Set<(values: Values) => void>} */
    this.listeners = new Set();
    this.values = this.read();
    addEventListener("storage", (event) => {
      if (event.key !== PLACE) return;
      this.values = this.read();
      this.tell();
    });
  }

  /** @returns {Values} */
  read() {
    const found = stored(PLACE);
    const values = /** @type {any} */ ({ ...DEFAULTS });
    for (const [key, choices] of Object.entries(CHOICES)) {
      if (choices.includes(/** @type {never} */ (found[key]))) values[key] = found[key];
    }
    if (typeof found.name === "string") values.name = found.name.slice(0, 40);
    return values;
  }

  /**
   * @template {keyof Values} K
   * @param {K} key
   * @returns {Values[K]}
   */
  get(key) {
    return this.values[key];
  }

  /**
   * @template {keyof Values} K
   * @param {K} key
   * @param {Values[K]} value
   */
  set(key, value) {
    this.values = { ...this.values, [key]: value };
    store(PLACE, this.values);
    this.tell();
  }

  /**
   * Calls a function after every change.
   * @param {(values: Values) => void} listener
   * @returns {() => void} stops it
   */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell() {
    for (const listener of this.listeners) listener(this.values);
  }

  /**
   * The token of a seat or of the host at a table, and with a second argument keeps it.
   * @param {string} table
   * @param {string} [token]
   * @returns {string|null}
   */
  token(table, token) {
    if (token) this.keep(table, { token });
    return this.keys(table).token ?? null;
  }

  /**
   * The invite of a table that was opened here.
   * @param {string} table
   * @returns {string|null}
   */
  invite(table) {
    return this.keys(table).invite ?? null;
  }

  /**
   * @param {string} table
   * @returns {Keys}
   */
  keys(table) {
    return stored(TABLES)[table] ?? {};
  }

  /**
   * Keeps what opens a table; of very many tables the oldest are forgotten.
   * @param {string} table
   * @param {Keys} keys
   */
  keep(table, keys) {
    const all = stored(TABLES);
    all[table] = { ...all[table], ...keys, at: Date.now() };
    const names = Object.keys(all).sort((a, b) => (all[b].at ?? 0) - (all[a].at ?? 0));
    for (const name of names.slice(MANY)) delete all[name];
    store(TABLES, all);
  }
}

/**
 * @param {string} place
 * @returns {Record<string, any>}
 */
function stored(place) {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // storage is switched off, or holds something else
  }
}

/**
 * @param {string} place
 * @param {object} value
 */
function store(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // storage is full or switched off: settings last as long as the page
  }
}

/**
 * Brings the look of the page in line with the settings.
 * @param {Values} values
 */
export function dress({ theme, motion, text }) {
  const { dataset } = document.documentElement;
  dataset.theme = theme;
  dataset.motion = motion;
  dataset.text = String(text);
}

/** Whether things may move on the screen. @param {Settings} settings */
export function mayMove(settings) {
  return settings.get("motion") !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export const settings = new Settings();
