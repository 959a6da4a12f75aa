/** What is not live comes over HTTP as JSON. */

import { store, stored } from "./settings.js";
import { Refusal } from "./wire.js";

const KEY = "tamaya.key";

/** The address that a server for others prints has its key: takes it out of sight and keeps it. */
export function takeKey() {
  const key = /^#key=(\w+)$/.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  store(KEY, { key });
}

/** @returns {Record<string, string>} */
function keyHeader() {
  const { key } = stored(KEY);
  return key ? { "X-Tamaya-Key": key } : {};
}

/**
 * @param {string} path
 * @returns {Promise<any>} rejected with a `Refusal`
 */
export function get(path) {
  return ask(path, { headers: keyHeader() });
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>} rejected with a `Refusal`
 */
export function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Tamaya": "1", ...keyHeader() };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/**
 * @param {string} path
 * @param {RequestInit} request
 */
async function ask(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Refusal({ code: "offline", text: "The server does not answer. Is it still running?" });
  }
  const found = await response.json().catch(() => null);
  if (response.ok && found) return found;
  const text = `The server answered ${response.status}.`;
  throw new Refusal(found?.error ?? { code: String(response.status), text });
}

/**
 * @typedef {{mean: number, se: number, games: number}} Strength
 * @typedef {object} Agent
 * @property {string} name
 * @property {string} family
 * @property {[number, number]} players
 * @property {("code"|"learned"|"slow"|"weak")[]} tags
 * @property {string} description
 * @property {string} source
 * @property {Record<string, Strength>} strength  by number of players
 *
 * @typedef {{default: string, agents: Agent[]}} Catalogue
 * @typedef {{kind: "person"|"open", name?: string} | {kind: "agent", agent: string}} SeatWish
 * @typedef {{rules: string, seats: SeatWish[], seed: number|null, index: number|null, options: object}} TableWish
 */

/** @type {Promise<Catalogue>|null} */
let catalogue = null;

/** The agents of the server, asked for once. @returns {Promise<Catalogue>} */
export function agents() {
  catalogue ??= get("/api/agents").catch((error) => {
    catalogue = null;
    throw error;
  });
  return catalogue;
}

/**
 * Opens a table, keeps what opens it again, and goes there.
 * @param {import("./main.js").App} app
 * @param {TableWish} wish
 */
export async function openTable(app, wish) {
  const { id, token, invite } = await post("/api/tables", wish);
  app.settings.keep(id, { token, invite });
  app.go(`/t/${id}`);
}
