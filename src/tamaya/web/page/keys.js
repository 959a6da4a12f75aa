/**
 * Keys, as players of hanab.live know them. Tab only moves the focus; Space and the arrows are the
 * table's only while no control has the focus. Single keys can be switched off.
 */

import { mayMove, mySeat, NO_AIM } from "./state.js";

const COLOURS = "qwert";
const CONTROLS = "a, button, input, select, summary, [tabindex='0']";

/** Listens until it is stopped. @param {Ui} ui */
export function listen(ui) {
  const stop = new AbortController();
  let isHeld = false;
  document.addEventListener("keydown", (event) => {
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.matches("select, textarea, input:not([type=range], [type=radio], [type=checkbox])") || document.querySelector("dialog[open]")) return;
    const isFree = !at.closest(CONTROLS);
    const act = meaning(ui, event, isFree) ?? (isFree && event.key === " " ? () => {
      isHeld = true;
      if (!event.repeat) ui.to.put({ eyes: "all" });
    } : null);
    if (!act) return;
    event.preventDefault();
    act();
  }, stop);
  document.addEventListener("keyup", ({ key }) => {
    if (key === " " && isHeld) ui.to.put({ eyes: null });
    isHeld = isHeld && key !== " ";
  }, stop);
  return () => stop.abort();
}

/** What a key does, if anything. @param {Ui} ui @param {KeyboardEvent} event @param {boolean} isFree */
function meaning(ui, { key, ctrlKey, metaKey, altKey, repeat }, isFree) {
  const { to, state, values } = ui;
  if (key === "Enter" && (ctrlKey || metaKey)) return () => to.give();
  if (ctrlKey || metaKey || altKey) return null;
  if (key === "Escape") return () => to.escape();
  const times = { ArrowLeft: -1, ArrowRight: 1, Home: -1000, End: 1000 };
  if (isFree && key in times) return () => to.go(times[key]);
  return values.keys && !repeat ? single(ui, key) : null;
}

/** @param {Ui} ui @param {string} key */
function single(ui, key) {
  const { to, state } = ui;
  const round = state.view?.hands.length ?? 0;
  const ways = {
    "[": () => to.go(-round), "]": () => to.go(round), "?": () => ui.dialog("help"), e: () => to.put({ eyes: state.eyes === "all" ? null : "all" }),
    l: () => to.link(), m: () => to.read(), y: () => to.why(),
  };
  if (!round || mySeat(state) === null) return ways[key];
  const colour = COLOURS.indexOf(key);
  const isHinting = state.aim !== NO_AIM;
  if (/^\d$/.test(key)) return mayMove(state) ? () => number(ui, Number(key)) : null;
  if (colour >= 0 && colour < state.welcome.rules.colours && mayMove(state) && (key !== "e" || isHinting)) return () => to.aim({ kind: "colour", value: colour });
  return ways[key] ?? {
    a: () => to.arm("p"), "+": () => to.arm("p"), d: () => to.arm("d"), "-": () => to.arm("d"), ";": () => to.aimNext(),
    h: () => to.advise(), u: () => to.undo(),
  }[key];
}

/** A slot if a card is to be played or discarded, else the rank of a hint. @param {Ui} ui @param {number} key */
function number({ to, state, values }, key) {
  const me = mySeat(state);
  const cards = state.view.hands[me].filter(({ order }) => order >= 0);
  const slot = values.slots === "oldest-0" ? cards.find((card) => card.slot === key) : cards[cards.length - key];
  if (!state.armed) {
    if (key > 0 && key <= state.welcome.rules.ranks) to.aim({ kind: "rank", value: key - 1 });
  } else if (slot) to.pick(me, slot);
  else to.toast(`There is no slot ${key}.`);
}

/** Arrows walk the cards of a hand and the tabs: each group is one stop for Tab. @param {KeyboardEvent} event */
export function walk(event) {
  const all = /** @type {HTMLElement[]} */ ([.../** @type {Element} */ (event.currentTarget).querySelectorAll("button")]);
  const at = all.indexOf(/** @type {any} */ (document.activeElement));
  const next = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const button = all[(next + all.length) % all.length];
  button.focus();
  if (button.role === "tab" && button.ariaSelected !== "true") button.click();
}
