/** The controls of a seat, and above them a line that says what is going on. */

import { glyph, LETTERS, NAMES, roles } from "./card.js";
import { sentence } from "./commands.js";
import { icon } from "./icons.js";
import { aimedAt, findSlot, hintText, isLegal, isMe, mayMove, mySeat, nameOf, seatsAround, shown, slotNumber } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { moveWords } from "./words.js";

/** @typedef {import("./table.js").Ui} Ui */

/** Milliseconds from move to move that the slider offers, slowest first. */
export const PACES = [5000, 3000, 2000, 1500, 1000, 700, 500, 300, 200, 100];

/** @param {Ui} ui */
export function actions(ui) {
  const { state } = ui;
  return html`<section class="actions ${mayMove(state) ? "mine" : ""}" aria-label="Actions">
    ${notice(ui)}
    <div class="controls">${mySeat(state) === null ? watching(ui) : html`${cardMoves(ui)}${hints(ui)}${questions(ui)}`}</div>
  </section>`;
}

/**
 * A button that stays in its place: one that cannot be used says why when it is pressed.
 * @param {string} look
 * @param {boolean} isOn
 * @param {() => void} press
 * @param {unknown} inside
 * @param {{label?: string, title?: string, zone?: string, pressed?: boolean}} [more]
 */
function button(look, isOn, press, inside, { label, title, zone, pressed } = {}) {
  return html`<button class="button ${look}" aria-disabled=${isOn ? nothing : "true"} @click=${press} aria-label=${label ?? nothing}
    title=${title ?? nothing} data-zone=${zone ?? nothing} aria-pressed=${pressed === undefined ? nothing : pressed}>${inside}</button>`;
}

/** @param {Ui} ui */
function cardMoves(ui) {
  const { state, to, values } = ui;
  const found = state.view && findSlot(state.view, state.picked);
  const own = found && isMe(state, found.seat) ? found.slot : null;
  const slot = own && state.view ? slotNumber(state.view, /** @type {number} */ (mySeat(state)), own.slot, values.slots) : null;
  /** @param {"p"|"d"} what @param {string} word */
  const one = (what, word) => {
    const isOn = own ? isLegal(state, what + own.slot) : mayMove(state) && Boolean(state.view?.legal?.some((move) => move[0] === what));
    return button(`act ${what === "p" ? "main" : ""} ${state.armed === what ? "armed" : ""}`, isOn, () => to.arm(what),
      html`${word}${slot === null ? nothing : html` <span class="slot-tag">slot ${slot}</span>`}`,
      { zone: what, title: `${word} (${what === "p" ? "a" : "d"}, then the slot)` });
  };
  return html`<div class="do" role="group" aria-label="Your cards">${one("p", "Play")}${one("d", "Discard")}</div>`;
}

/** @param {Ui} ui */
function hints(ui) {
  const { state, to } = ui;
  const { colours, ranks } = state.welcome.rules;
  const others = seatsAround(state).filter((seat) => !isMe(state, seat));
  const target = aimedAt(state);
  const { aim } = state;
  /** @param {"colour"|"rank"} kind @param {number} value */
  const isOn = (kind, value) => mayMove(state) && (target === null
    ? others.some((seat) => isLegal(state, hintText(state, { target: seat, kind, value })))
    : isLegal(state, hintText(state, { target, kind, value })));
  /** @param {"colour"|"rank"} kind @param {number} value @param {unknown} inside @param {string} label */
  const chip = (kind, value, inside, label) => {
    const isChosen = aim.kind === kind && aim.value === value;
    return html`<button class="chip ${kind} ${kind === "colour" ? roles(value) : ""}" aria-pressed=${isChosen} aria-label=${label}
      aria-disabled=${isOn(kind, value) ? nothing : "true"} @click=${() => to.aim({ kind, value })}>${inside}</button>`;
  };
  const move = target === null ? "" : hintText(state, { ...aim, target });
  const isReady = Boolean(move) && isLegal(state, move);
  return html`<div class="hinting" role="group" aria-label="Hint">
    <span class="word" aria-hidden="true">Hint</span>
    ${others.length < 2 ? nothing : html`<div class="targets" role="group" aria-label="Whom to tell">${others.map((seat) =>
      button("target", mayMove(state), () => to.aim({ target: seat }), nameOf(state, seat), { pressed: target === seat }))}</div>`}
    <div class="values" role="group" aria-label="Colour">${range(colours).map((colour) =>
      chip("colour", colour, html`${glyph(colour)}<b>${LETTERS[colour]}</b>`, NAMES[colour]))}</div>
    <div class="values" role="group" aria-label="Rank">${range(ranks).map((rank) => chip("rank", rank, rank + 1, `rank ${rank + 1}`))}</div>
    ${button(`give ${isReady ? "main" : ""}`, isReady, () => to.give(), "Give", {
      label: isReady ? sentence(ui.to.words(move)).slice(0, -1) : "Give the hint", title: "Give the hint (Ctrl+Enter)" })}
  </div>`;
}

/** @param {Ui} ui */
function questions(ui) {
  const { state, to } = ui;
  const { view, welcome } = state;
  const hasMoved = view?.past.some(({ seat }) => isMe(state, seat)) && view.phase === "playing";
  return html`<div class="ask" role="group" aria-label="Help from agents">
    ${button("quiet", mayMove(state) && !state.waits, () => to.advise(), html`${icon("bulb")}<span>Advise</span>`,
      { title: `What would ${welcome.adviser || "an agent"} do? (h)` })}
    ${whyButton(ui)}
    ${welcome.options?.undo ? button("quiet", Boolean(hasMoved) && !state.asked, () => to.undo(), html`${icon("undo")}<span>Undo</span>`,
      { title: "Take your last move back (u)" }) : nothing}
  </div>`;
}

/** Reasons of others come from their eyes, which see the own hand: during a game they stay theirs. @param {Ui} ui */
function whyButton({ state, to }) {
  const last = shown(state)?.last;
  const isOpen = Boolean(last) && (mySeat(state) === null || state.view?.phase === "over" || isMe(state, last?.seat ?? null));
  const isHidden = last && !isOpen;
  return button("quiet", isOpen && !state.waits, () => (isHidden
    ? to.toast(`What ${nameOf(state, last.seat)} thinks is told after the game: it sees your hand.`, false) : to.why()),
  html`<span>Why?</span>`, { title: "Why was the last move made? (y)" });
}

/** The controls of who watches. @param {Ui} ui */
function watching(ui) {
  const { state, to } = ui;
  const { welcome, view } = state;
  const { paused, pace_ms: pace } = welcome.options;
  const place = PACES.findIndex((ms) => ms <= pace);
  const isHost = welcome.host && welcome.kind === "watch" && view?.phase === "playing";
  return html`${isHost ? html`<div class="do" role="group" aria-label="Play on">
      ${button("act main", true, () => to.ask({ type: "pause", on: !paused }), html`${icon(paused ? "play" : "pause")}${paused ? "Go on" : "Pause"}`)}
      ${button("act", true, () => to.ask({ type: "step" }), html`${icon("next")}Step`)}
    </div>
    <label class="pace">Pace <input type="range" min="0" max=${PACES.length - 1} .value=${String(place)} aria-valuetext="${(1000 / pace).toPrecision(2)} moves per second"
      @change=${(/** @type {any} */ event) => to.ask({ type: "pace", ms: PACES[Number(event.target.value)] })}>
      <span class="figure">${Number((1000 / pace).toPrecision(2))} moves/s</span></label>`
    : html`<p class="hush">You are watching.</p>`}
    <div class="ask">${whyButton(ui)}</div>`;
}

/** What is going on, and questions that want an answer. @param {Ui} ui */
function notice(ui) {
  const { state, to } = ui;
  const { confirm, pending, armed, reasons, view, asked, compiling } = state;
  const me = mySeat(state);
  if (confirm) {
    const words = to.words(confirm.move);
    return html`<div class="notice confirm" role="alertdialog" aria-label="${sentence(words).slice(0, -1)}?">
      <span>${confirm.words ? sentence(confirm.words) : sentence(words).slice(0, -1) + "?"}</span>
      <button class="button no" @click=${() => to.escape()}>Cancel</button>
      <button class="button main" @click=${() => to.make(confirm.move, true)}>${sentence(words).slice(0, -1)}${confirm.words ? " anyway" : ""}</button></div>`;
  }
  if (pending) {
    return html`<div class="notice pending"><span>${sentence(to.words(pending.move)).slice(0, -1)}${pending.isSent ? "…" : html` in ${pending.seconds} s`}</span>
      ${pending.isSent ? nothing : html`<button class="button" @click=${() => to.cancel()}>Cancel</button>`}</div>`;
  }
  if (asked) {
    const isBy = isMe(state, asked.by);
    const waiting = state.seats.filter(({ kind, seat }) => kind === "person" && seat !== asked.by && !asked.agreed.includes(seat));
    return html`<div class="notice asked"><span>${isBy ? html`You ask to take back your last move; waiting for ${waiting.map(({ name }) => name).join(", ")}.`
      : html`<b>${nameOf(state, asked.by)}</b> asks to take back to turn ${asked.turn + 1}.`}</span>
      ${isBy ? html`<button class="button" @click=${() => to.ask({ type: "agree", yes: false })}>Withdraw</button>`
        : me === null || asked.agreed.includes(me) ? nothing : html`<button class="button main" @click=${() => to.ask({ type: "agree", yes: true })}>Agree</button>
          <button class="button" @click=${() => to.ask({ type: "agree", yes: false })}>Refuse</button>`}</div>`;
  }
  if (armed) {
    return html`<div class="notice"><span><b>${armed === "p" ? "Play" : "Discard"}</b> which card?</span>
      <button class="button quiet" @click=${() => to.escape()}>Cancel</button></div>`;
  }
  if (state.waits === "advise") return html`<div class="notice"><span class="busy">${state.welcome.adviser || "The adviser"} thinks about your turn…</span></div>`;
  if (reasons?.kind === "advise" && mayMove(state) && reasons.turn === view?.turn) {
    const { move } = reasons;
    return html`<div class="notice advice"><span><b>${reasons.agent}</b> would ${move ? moveWords(state, move, me, ui.values.slots) : reasons.words}.</span>
      ${move ? html`<button class="button main" @click=${() => to.make(move)}>Do it</button>` : nothing}
      <button class="button quiet" @click=${() => to.put({ tab: "why", isOpen: true })}>Reasons</button></div>`;
  }
  if (compiling) {
    return html`<div class="notice compiling"><span>Preparing <b>${compiling.agent}</b> for its first game: ${compiling.kernel}</span>
      <progress max=${compiling.of || 1} value=${Math.min(compiling.done, compiling.of || 1)} aria-label="Preparing ${compiling.agent}"></progress>
      <span class="figure">${compiling.done}${compiling.of ? ` of ${compiling.of}` : ""}</span></div>`;
  }
  return html`<div class="notice"><span>${waitingWords(ui)}</span></div>`;
}

/** @param {Ui} ui */
function waitingWords({ state }) {
  const { view, look, welcome } = state;
  if (look) return "You look at the past.";
  if (mayMove(state)) return "Choose a card to play or discard, or give a hint.";
  if (view?.phase !== "playing" || view.mover === null) return "";
  if (welcome.kind === "watch" && welcome.options.paused) return "Paused.";
  return view.last ? sentence(view.last.words) : `${nameOf(state, view.mover)} begins.`;
}

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, k) => k);
