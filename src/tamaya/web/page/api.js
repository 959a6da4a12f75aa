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
  const key = serverKey();
  return key ? { "X-Tamaya-Key": key } : {};
}

/** The server's key, if this browser has it. @returns {string|undefined} */
export const serverKey = () => stored(KEY).key;

/** What an address answers, or rejects with a `Refusal`. @param {string} path @returns {Promise<any>} */
export function get(path, headers = {}) {
  return ask(path, { headers: { ...keyHeader(), ...headers } });
}

/** Sends a document. @param {string} path @param {unknown} document @returns {Promise<any>} */
export function post(path, document) {
  const headers = { "Content-Type": "application/json", "X-Tamaya": "1", ...keyHeader() };
  return ask(path, { method: "POST", headers, body: JSON.stringify(document) });
}

/** @param {string} path @param {RequestInit} request */
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

/** A document of the server, parsed and inert. @param {string} path @returns {Promise<Document>} */
export function getDocument(path) {
  return new Promise((settle, fail) => {
    const request = new XMLHttpRequest(); // texts must not become markup here, but it parses what arrives
    request.open("GET", path);
    request.responseType = "document";
    for (const [name, value] of Object.entries(keyHeader())) request.setRequestHeader(name, value);
    request.onload = () => (request.status === 200 && request.response ? settle(request.response) : get(path).catch(fail));
    request.onerror = () => fail(new Refusal({ code: "offline", text: "The server does not answer. Is it still running?" }));
    request.send();
  });
}

/** The agents of the server. @returns {Promise<{agents: Agent[]}>} */
export const agents = () => get("/api/agents");

/** Opens a table, keeps what opens it again, and goes there. @param {App} app @param {TableWish} wish */
export async function openTable(app, wish) {
  const { id, token, invite } = await post("/api/tables", wish);
  app.settings.keep(id, { token, invite });
  app.go(`/t/${id}`);
}
