/**
 * Keys, as players of hanab.live know them. Tab only moves the focus; Space and the arrows are the table's only while
 * no control has the focus, arrows also after a click on one. Single keys can be switched off.
 */

import { mayMove, mySeat, NO_AIM } from "./state.js";

const CONTROLS = "a, button, input, select, [tabindex='0']:not([role=tabpanel])";
const FIELDS = "select, textarea, input:not([type=range], [type=radio], [type=checkbox])";

let isPointed = false; // whether a pointer has put the focus where it is: then arrows stay the table's

/** Listens until it is stopped. @param {Ui} ui */
export function listen(ui) {
  const stop = new AbortController();
  const hear = (type, act) => document.addEventListener(type, act, stop);
  let isHeld = false;
  hear("pointerdown", () => { isPointed = true; });
  hear("keydown", (event) => {
    const { key, target: at } = event;
    const isControl = at.closest(CONTROLS);
    isPointed &&= key !== "Tab";
    if (at.matches(FIELDS) || document.querySelector("dialog[open], :popover-open")) return;
    isHeld ||= key === " " && !isControl;
    const act = isHeld && key === " " ? () => ui.to.put({ eyes: "all" }) : meaning(ui, event, !isControl || (isPointed && !at.closest("input")));
    if (act) event.preventDefault();
    act?.();
  });
  hear("keyup", ({ key }) => {
    if (key === " " && isHeld) ui.to.put({ eyes: null });
    isHeld &&= key !== " ";
  });
  return () => stop.abort();
}

/** What a key does, if anything. @param {Ui} ui */
function meaning(ui, { key, ctrlKey, metaKey, altKey, repeat }, isFree) {
  const { to } = ui;
  if (!ui.state.view) return null;
  if (key === "Enter" && (ctrlKey || metaKey)) return () => to.give();
  if (ctrlKey || metaKey || altKey) return null;
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -1000, End: 1000 };
  if (key === "Escape") return () => to.escape();
  if (isFree && key in steps) return () => to.go(steps[key]);
  return ui.values.keys && !repeat ? single(ui, key) : null;
}

function single(ui, key) {
  const { to, state } = ui;
  const { rules } = state.welcome;
  const ways = {
    "[": () => to.go(-rules.players),
    "]": () => to.go(rules.players),
    "?": () => to.help(),
    l: () => to.copy(to.address(), "The link is copied."),
    m: () => to.read(),
    y: () => to.why(),
    e: () => to.put({ eyes: state.eyes === "all" ? null : "all" }),
    ...ui.shortcuts,
  };
  if (mySeat(state) === null) return ways[key];
  const value = "qwert".indexOf(key);
  if (/\d/.test(key)) return () => number(ui, Number(key));
  if (value >= 0 && value < rules.colours && mayMove(state) && (key !== "e" || state.aim !== NO_AIM))
    return () => to.aim({ kind: "colour", value });
  const play = () => to.arm("p");
  const discard = () => to.arm("d");
  return (
    ways[key] ??
    { a: play, "+": play, d: discard, "-": discard, ";": () => to.aimNext(), h: () => to.advise(), u: () => to.undo() }[key]
  );
}

/** A slot if a card is to be played or discarded, else the rank of a hint. */
function number({ to, state, values }, key) {
  const me = mySeat(state);
  const cards = state.view.hands[me].filter(({ order }) => order >= 0);
  const slot = values.slots === "oldest-0" ? cards.find((card) => card.slot === key) : cards[cards.length - key];
  if (state.armed && slot) to.pick(me, slot);
  else if (state.armed) to.toast(`There is no slot ${key}.`);
  else if (state.toast?.isSlot) to.toast(state.toast.text, true); // the slot of a move that was refused is no hint
  else if (key > 0 && key <= state.welcome.rules.ranks) to.aim({ kind: "rank", value: key - 1 });
}

/** Arrows walk the cards of a hand and the tabs: each group is one stop for Tab, which has to lead there. @param {KeyboardEvent} event */
export function walk(event) {
  if (isPointed) return;
  const all = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button")];
  const at = all.indexOf(/** @type {any} */ (document.activeElement));
  const next = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const button = all[(next + all.length) % all.length];
  button.focus();
  if (button.role === "tab" && button.ariaSelected !== "true") button.click();
}
