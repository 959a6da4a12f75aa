/** What is not live comes over HTTP as JSON. */

import { Refusal } from "./wire.js";

/**
 * @param {string} path
 * @returns {Promise<any>} rejected with a `Refusal`
 */
export function get(path) {
  return ask(path, { headers: { Accept: "application/json" } });
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>} rejected with a `Refusal`
 */
export function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Tamaya": "1" };
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
