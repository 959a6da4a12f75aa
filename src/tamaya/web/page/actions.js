/** The controls of a seat, and below them a line that says what is going on. */

import { FIVE, glyph, icon, LETTERS, NAMES, roles } from "./card.js";
import { arrowsOf, findSlot, hintText, isLegal, isMe, mayMove, mySeat, nameOf, others, shown, target } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { capital, eventWords, moveWords, sentence, slotNumber } from "./words.js";

/** Milliseconds from move to move that the slider offers, slowest first. */
const PACES = [5000, 3000, 2000, 1500, 1000, 700, 500, 300, 200, 100];

/** @param {Ui} ui */
export function actions(ui) {
  const isSeated = mySeat(ui.state) !== null;
  return html`<section class="actions ${mayMove(ui.state) ? "mine" : ""}" aria-label="Actions">
    <div class="controls">${isSeated ? html`${cardMoves(ui)}${hints(ui)}` : watching(ui)}</div>
    <div class="line">${notice(ui)}${questions(ui, isSeated)}</div></section>`;
}

/**
 * A button that stays in its place and in reach of Tab: one that cannot be used says why when it is pressed.
 * @param {string} look
 * @param {boolean} isOn
 * @param {() => void} press
 * @param {unknown} inside
 * @param {{label?: string, title?: string, zone?: string, pressed?: boolean}} [more]
 */
const button = (look, isOn, press, inside, { label, title, zone, pressed } = {}) => html`<button class=${look} aria-disabled=${!isOn}
  @click=${press} aria-label=${label ?? nothing} title=${title ?? nothing} data-zone=${zone ?? nothing} aria-pressed=${pressed ?? nothing}>${inside}</button>`;

function cardMoves(ui) {
  const { state, to } = ui;
  const found = findSlot(state.view, state.picked);
  const slot = found && isMe(state, found.seat) ? found.slot.slot : null;
  const one = (what, word, key, look) => button(`button act ${look} ${state.armed === what ? "armed" : ""}`,
    slot === null ? mayMove(state) && state.view.legal.some((move) => move[0] === what) : isLegal(state, what + slot), () => to.arm(what),
    html`${word}${slot === null ? nothing : html` <small>slot ${slotNumber(ui, mySeat(state), slot)}</small>`}`, { zone: what, title: `${word} (${key}, then the slot)` });
  return html`<div class="do" role="group" aria-label="Your cards">${one("p", "Play", "a", "main")}${one("d", "Discard", "d", "")}</div>`;
}

function hints({ state, to }) {
  const { colours, ranks } = state.welcome.rules;
  const all = others(state);
  const at = target(state);
  const { aim } = state;
  const isOn = (kind, value) => (at === null ? all : [at]).some((seat) => isLegal(state, hintText(state, { target: seat, kind, value })));
  const chip = (kind, value, look, inside, label) => button(`chip ${look}`, isOn(kind, value), () => to.aim({ kind, value }), inside,
    { label, pressed: aim.kind === kind && aim.value === value });
  return html`${all.length < 2 ? nothing : html`<div class="targets" role="group" aria-label="Hint: whom to tell">${all.map((seat) =>
      button("button", mayMove(state), () => to.aim({ target: seat }), nameOf(state, seat), { pressed: at === seat }))}</div>`}
    <div class="values" role="group" aria-label="Hint: colour">${FIVE.slice(0, colours).map((colour) =>
      chip("colour", colour, roles(colour), html`${glyph(colour)}<b>${LETTERS[colour]}</b>`, NAMES[colour]))}</div>
    <div class="values" role="group" aria-label="Hint: rank">${FIVE.slice(0, ranks).map((rank) => chip("rank", rank, "", rank + 1, `rank ${rank + 1}`))}</div>`;
}

function questions({ state, to }, isSeated) {
  const { view, welcome } = state;
  const last = shown(state).last;
  // Reasons of others come from their eyes, which see the own hand: during a game they stay theirs.
  const isOpen = last && (!isSeated || isMe(state, last.seat));
  const hasMoved = view.past.some(({ seat }) => isMe(state, seat));
  return html`<div class="ask" role="group" aria-label="Questions">${isSeated ? button("button quiet", mayMove(state), () => to.advise(),
    html`${icon("bulb")}<span>Advise</span>`, { title: `What would ${welcome.adviser} do? (h)` }) : nothing}
    ${button("button quiet", isOpen, () => (isOpen || !last ? to.why() : to.toast(`What ${nameOf(state, last.seat)} thinks is told after the game: it sees your hand.`)),
      "Why?", { title: "Why was the last move made? (y)" })}
    ${isSeated && welcome.options.undo ? button("button quiet", hasMoved && !state.asked, () => to.undo(), html`${icon("undo")}<span>Undo</span>`, { title: "Take your last move back (u)" }) : nothing}</div>`;
}

/** The controls of who watches. */
function watching({ state, to }) {
  const { host, kind, options: { paused, pace_ms: pace } } = state.welcome;
  if (!host || kind !== "watch") return html`<p class="hush">You are watching.</p>`;
  const speed = `${Number((1000 / pace).toPrecision(2))} moves per second`;
  return html`<div class="do">${button("button act main", true, () => to.ask({ type: "pause", on: !paused }), paused ? "Go on" : "Pause")}
    ${button("button act", true, () => to.ask({ type: "step" }), "Step")}</div>
    <label class="pace">Pace <input type="range" min="0" max="9" .value=${String(PACES.findIndex((ms) => ms <= pace))} aria-valuetext=${speed}
      @change=${(event) => to.ask({ type: "pace", ms: PACES[event.target.value] })}> ${speed}</label>`;
}

/** What is going on, and questions that want an answer. */
function notice(ui) {
  const { state, to } = ui;
  const { confirm, pending, asked, armed, compiling, reasons, view } = state;
  const say = (words, ...buttons) => html`<div class="notice"><span>${words}</span>${buttons}</div>`;
  const press = (words, act, look = "") => html`<button class="button ${look}" @click=${act}>${words}</button>`;
  const words = (move) => capital(moveWords(ui, move));
  if (confirm) {
    const risk = view.risks[confirm];
    return html`<div class="notice warn" role="alertdialog" aria-label="${words(confirm)}?"><span>${risk ? sentence(risk) : `${words(confirm)}?`}</span>
      ${press("Cancel", () => to.escape(), "no")}${press(`${words(confirm)}${risk ? " anyway" : ""}`, () => to.make(confirm, true), "main")}</div>`;
  }
  if (pending) return pending.isSent ? say(`${words(pending.move)}…`) : say(`${words(pending.move)} in ${pending.seconds} s`, press("Cancel", () => to.cancel(), "no"));
  if (asked) {
    const agree = (yes) => () => to.ask({ type: "agree", yes });
    const missing = state.seats.filter(({ kind, seat }) => kind === "person" && seat !== asked.by && !asked.agreed.includes(seat));
    const names = missing.map(({ name }) => name).join(", ");
    if (isMe(state, asked.by)) return say(`You want your last move back; ${names} must agree.`, press("Withdraw", agree(false)));
    return say(`${nameOf(state, asked.by)} wants to go back to turn ${asked.turn + 1}; ${names} must agree.`,
      ...(missing.some(({ seat }) => isMe(state, seat)) ? [press("Agree", agree(true), "main"), press("Refuse", agree(false))] : []));
  }
  if (armed) return say(html`<b>${armed === "p" ? "Play" : "Discard"}</b> which card?`, press("Cancel", () => to.escape()));
  if (state.waits === "advise") return say(html`<span class="busy">${state.welcome.adviser} thinks about your turn…</span>`);
  if (reasons?.kind === "advise" && mayMove(state)) {
    const { move } = reasons;
    return say(html`<b>${reasons.agent}</b> would ${move ? moveWords(ui, move) : reasons.words}.`,
      move ? press("Do it", () => to.make(move), "main") : nothing, press("Reasons", () => to.put({ tab: "why", isOpen: true })));
  }
  if (compiling) return preparing(compiling);
  if (state.look) return say("You look at the past.");
  if (mayMove(state)) return hinting(ui, say, press);
  return say(state.welcome.options.paused ? "Paused." : view.last ? sentence(eventWords(ui, view.last)) : "");
}

/** A hint in the making. */
function hinting(ui, say, press) {
  const { state, to } = ui;
  const move = hintText(state);
  const n = arrowsOf(state)?.touched.length;
  if (isLegal(state, move)) return say(n === 1 ? "1 card" : `${n} cards`, press(capital(moveWords(ui, move)), () => to.give(), "main"));
  return say(move ? sentence(moveWords(ui, move) + " touches no card") : state.aim.kind ? "Whom do you tell?" : "Choose a card, or a hint.");
}

/** An agent is compiled for its first game. @param {{agent: string, kernel: string, done: number, of: number}} compiling */
export const preparing = ({ agent, kernel, done, of }) => html`<div class="notice"><span>Preparing <b>${agent}</b> for its first game: ${kernel}</span>
  <progress max=${of || 1} value=${Math.min(done, of || 1)} aria-label="Preparing ${agent}"></progress>${done}${of ? ` of ${of}` : ""}</div>`;
