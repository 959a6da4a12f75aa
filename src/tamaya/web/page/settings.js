/** What a person has chosen, kept in this browser alone: settings, a name, and the keys of their tables. */

/** What a setting may be, its default first. @type {Record<string, unknown[]>} */
const CHOICES = {
  theme: ["auto", "light", "dark"], slots: ["newest-1", "oldest-0"], pips: ["full", "positive"],
  confirm: ["risky", "always", "off"], secondThoughts: [0, 1, 2, 3], keys: [true, false],
  sounds: [false, true], motion: ["auto", "off"], text: [100, 115, 130, 150],
};
const PLACE = "tamaya.settings";
const TABLES = "tamaya.tables";
export const PERSON = "tamaya.person";
const MANY = 200; // tables whose keys are kept

export class Settings {
  constructor() {
    /** @type {Set<(values: Values) => void>} */
    this.listeners = new Set();
    this.values = read();
    addEventListener("storage", () => { // another tab has changed them
      this.values = read();
      this.tell();
    });
  }

  /** @template {keyof Values} K @param {K} key @returns {Values[K]} */
  get(key) {
    return this.values[key];
  }

  /** @template {keyof Values} K @param {K} key @param {Values[K]} value */
  set(key, value) {
    this.values = { ...this.values, [key]: value };
    store(PLACE, this.values);
    this.tell();
  }

  /** Calls a function after every change, until the returned one is called. */
  on(listener) {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }

  tell() {
    for (const listener of this.listeners) listener(this.values);
  }

  /** The token of a seat or of the host; a second argument is kept. */
  token(table, token = "") {
    if (token) this.keep(table, { token });
    return keysOf(table).token ?? null;
  }

  /** The invite of a table that was opened here. */
  invite(table) {
    return keysOf(table).invite ?? null;
  }

  /** Where a line was left from, to return there. */
  from(table) {
    return keysOf(table).from ?? null;
  }

  /** The tokens of seats at tables of a deal, oldest first. */
  ofDeal(deal) {
    const found = Object.values(stored(TABLES)).filter((keys) => keys?.deal === deal && keys.token);
    return [...new Set(found.sort((a, b) => a.at - b.at).map(({ token }) => token))].slice(-20).join(",");
  }

  /** Keeps what opens a table; of very many tables the oldest are forgotten. @param {Keys} keys */
  keep(table, keys) {
    const all = stored(TABLES);
    all[table] = { ...all[table], ...keys, at: Date.now() };
    const names = Object.keys(all).sort((a, b) => (all[b]?.at ?? 0) - (all[a]?.at ?? 0));
    for (const name of names.slice(MANY)) delete all[name];
    store(TABLES, all);
  }
}

/** @returns {Values} */
function read() {
  const found = stored(PLACE);
  const pairs = Object.entries(CHOICES).map(([key, values]) => [key, values.includes(found[key]) ? found[key] : values[0]]);
  return { ...Object.fromEntries(pairs), name: typeof found.name === "string" ? found.name.slice(0, 40) : "" };
}

/** @returns {Keys} */
const keysOf = (table) => stored(TABLES)[table] ?? {};

/** @returns {Record<string, any>} */
export function stored(place) {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // storage is switched off, or holds something else
  }
}

export function store(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // storage is full or switched off: settings last as long as the page
  }
}

/** The key of a person whom agents may remember, empty unless they agree. */
export function personKey() {
  const { key, isOn } = stored(PERSON);
  return isOn && /^[\w-]{22}$/.test(key) ? key : "";
}

/** Brings the look of the page in line with the settings. @param {Values} values */
export function dress({ theme, motion, text }) {
  const { style, dataset } = document.documentElement;
  dataset.motion = motion;
  Object.assign(style, { colorScheme: theme === "auto" ? "" : theme, fontSize: text === 100 ? "" : `${text}%` });
}

/** Whether things may move on the screen. @param {Settings} settings */
export function mayGlide(settings) {
  return settings.get("motion") !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export const settings = new Settings();
