/** What is not live comes over HTTP as JSON. */

import { settings, store, stored } from "./settings.js";
import { Refusal } from "./wire.js";

const KEY = "tamaya.key";

/**
 * The address that a server for others prints has its key: takes it out of sight and keeps it, unless the one that is
 * kept opens the server: links of strangers take nothing away.
 */
export async function takeKey() {
  const key = /^#key=(\w+)$/.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  const isGood = serverKey() && (await get("/api/status").catch(() => null))?.open;
  if (!isGood) store(KEY, { key });
}

/** @returns {Record<string, string>} */
function keyHeader() {
  const key = serverKey();
  return key ? { "X-Tamaya-Key": key } : {};
}

/** The server's key, if this browser has it. @returns {string|undefined} */
export const serverKey = () => stored(KEY).key;

/** What an address answers, or rejects with a `Refusal`. @param {string} path @returns {Promise<any>} */
export function get(path, headers = {}) {
  return ask(path, { headers: { ...keyHeader(), ...headers } });
}

/** What is told of a finished game, also to who has just played it. @param {string} id @param {string} [what]  /views or /export */
export function ofGame(id, what = "") {
  const token = settings.token(id);
  return get(`/api/games/${id}${what}`, token ? { "X-Tamaya-Token": token } : {});
}

/** Sends a document. @param {string} path @param {unknown} document @returns {Promise<any>} */
export function post(path, document, more = {}) {
  const headers = { "Content-Type": "application/json", "X-Tamaya": "1", ...keyHeader(), ...more };
  return ask(path, { method: "POST", headers, body: JSON.stringify(document) });
}

/** Who asks: tokens of seats, with commas. @returns {Record<string, string>} */
export const tokenHeader = (tokens) => (tokens ? { "X-Tamaya-Token": tokens } : {});

/** @param {string} path @param {RequestInit} request */
export async function ask(path, request) {
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

/** The agents of the server. @returns {Promise<{agents: Agent[]}>} */
export const agents = () => get("/api/agents");

/** Opens a table, keeps what opens it again, and goes there. @param {App} app @param {object} wish */
export async function openTable(app, wish, path = "/api/tables", headers = {}, more = {}) {
  const { id, token, invite } = await post(path, wish, headers);
  app.settings.keep(id, { token, invite, ...more });
  app.go(`/t/${id}`);
}
