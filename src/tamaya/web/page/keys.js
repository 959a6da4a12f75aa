/**
 * Keys, as players of hanab.live know them. Tab only moves the focus; Space and the arrows are the
 * table's only while no control has the focus. Single keys can be switched off.
 */

import { isMe, mayMove, mySeat } from "./state.js";

/** @typedef {import("./table.js").Ui} Ui */

const COLOURS = "qwert";
const CONTROLS = "a, button, input, select, textarea, summary, [role=tab], [tabindex='0']";

/**
 * Listens until it is stopped.
 * @param {Ui} ui
 * @returns {() => void}
 */
export function listen(ui) {
  /** @param {KeyboardEvent} event */
  const down = (event) => {
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const isFree = !(event.target instanceof Element && event.target.closest(CONTROLS));
    if (handle(ui, event, isFree)) event.preventDefault();
  };
  /** @param {KeyboardEvent} event */
  const up = (event) => {
    if (event.key === " " && ui.state.eyes === "all" && ui.isHeld) {
      ui.isHeld = false;
      ui.to.eyes(null);
    }
  };
  document.addEventListener("keydown", down);
  document.addEventListener("keyup", up);
  return () => {
    document.removeEventListener("keydown", down);
    document.removeEventListener("keyup", up);
  };
}

/** Whether keys belong to a field. @param {EventTarget|null} target */
function isTyping(target) {
  return target instanceof HTMLElement
    && (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
      || (target instanceof HTMLInputElement && !["range", "checkbox", "radio"].includes(target.type)));
}

/**
 * @param {Ui} ui
 * @param {KeyboardEvent} event
 * @param {boolean} isFree  no control has the focus
 * @returns {boolean} whether the key meant something
 */
function handle(ui, event, isFree) {
  const { to } = ui;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return did(() => to.give());
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Escape") return did(() => to.escape());
  if (isFree && moveInTime(ui, event.key)) return true;
  if (isFree && event.key === " ") {
    if (!event.repeat) ui.isHeld = true;
    return did(() => !event.repeat && to.eyes("all"));
  }
  return ui.values.keys && !event.repeat ? single(ui, event.key) : event.key === "[" || event.key === "]";
}

/** @param {Ui} ui @param {string} key */
function moveInTime({ to, state }, key) {
  const now = state.view?.turn ?? 0;
  /** @type {Record<string, () => void>} */
  const ways = { ArrowLeft: () => to.go(-1), ArrowRight: () => to.go(1), Home: () => to.look(0), End: () => to.look(now) };
  return key in ways && did(ways[key]);
}

/** @param {Ui} ui @param {string} key */
function single(ui, key) {
  const { to, state } = ui;
  const players = state.view?.hands.length ?? 2;
  const isSeated = mySeat(state) !== null;
  if (isSeated && /^[0-9]$/.test(key) && number(ui, Number(key))) return true;
  const isHinting = state.aim.target !== null || state.aim.kind !== null;
  const colour = COLOURS.indexOf(key);
  if (isSeated && colour >= 0 && mayMove(state) && (key !== "e" || isHinting)) {
    return did(() => colour < state.welcome.rules.colours && to.aim({ kind: "colour", value: colour }));
  }
  /** @type {Record<string, () => void>} */
  const ways = {
    "[": () => to.go(-players), "]": () => to.go(players), "?": () => to.help(), e: () => to.eyes(state.eyes === "all" ? null : "all"),
    l: () => to.link(), m: () => to.read(), y: () => to.why(),
  };
  /** @type {Record<string, () => void>} */
  const own = {
    a: () => to.arm("p"), "+": () => to.arm("p"), d: () => to.arm("d"), "-": () => to.arm("d"), ";": () => to.aimNext(),
    h: () => to.advise(), u: () => to.undo(),
  };
  const way = ways[key] ?? (isSeated ? own[key] : undefined);
  return way ? did(way) : false;
}

/** A slot if a card is to be played or discarded, else the rank of a hint. @param {Ui} ui @param {number} key */
function number({ to, state, values }, key) {
  const me = mySeat(state);
  if (!state.view || me === null || !mayMove(state)) return false;
  if (!state.armed) return key > 0 && key <= state.welcome.rules.ranks && did(() => to.aim({ kind: "rank", value: key - 1 }));
  const cards = state.view.hands[me].filter(({ order }) => order >= 0);
  const slot = values.slots === "oldest-0" ? cards.find((card) => card.slot === key) : cards[cards.length - key];
  return did(() => (slot ? to.pick(me, slot) : to.toast(`There is no slot ${key}.`)));
}

/** @param {() => unknown} act @returns {true} */
function did(act) {
  act();
  return true;
}

/**
 * Arrows walk the cards of a hand, the fireworks or the tabs: each group is one stop for Tab.
 * @param {KeyboardEvent} event
 */
export function walk(event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
  const group = /** @type {HTMLElement} */ (event.currentTarget);
  const all = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button")]);
  const place = all.indexOf(/** @type {any} */ (document.activeElement));
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  const next = step ? all[(place + step + all.length) % all.length] : event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : null;
  if (place < 0 || !next || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  if (next.getAttribute("role") === "tab") next.click();
}

/** Whether a seat's cards can be dragged. @param {Ui} ui @param {number} seat */
export const canDrag = (ui, seat) => isMe(ui.state, seat) && mayMove(ui.state);
