/** The controls of a seat, and below them a line that says what is going on. */

import { button, FIVE, glyph, icon, letterGlyph, NAMES, roles } from "./card.js";
import { arrowsOf, findSlot, hintText, isLegal, isMe, mayMove, mySeat, nameOf, others, shown, target } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { capital, eventWords, moveWords, sentence, slotNumber } from "./words.js";

/** Milliseconds from move to move that the slider offers. */
const PACES = [5000, 3000, 2000, 1500, 1000, 700, 500, 300, 200, 100];

/** @param {Ui} ui */
export function actions(ui) {
  const isSeated = mySeat(ui.state) !== null;
  return html`<section class="actions ${mayMove(ui.state) ? "mine" : ""}" aria-label="Actions">
    <div class="controls">${isSeated ? html`${cardMoves(ui)}${hints(ui)}` : watching(ui)}</div>
    <div class="line">${notice(ui)}<div class="ask" role="group" aria-label="Questions">${questions(ui, isSeated)}</div></div></section>`;
}

function cardMoves(ui) {
  const { state, to } = ui;
  const found = findSlot(state.view, state.picked);
  const slot = found && isMe(state, found.seat) ? found.slot.slot : null;
  const one = (what, word, look) => button(html`${word}${slot === null ? nothing : html` <small>slot ${slotNumber(ui, mySeat(state), slot)}</small>`}`,
    () => to.arm(what), `act ${look} ${state.armed === what ? "armed" : ""}`, { zone: what,
      isOff: !(slot === null ? mayMove(state) && state.view.legal.some((move) => move[0] === what) : isLegal(state, what + slot)) });
  return html`<div class="do" role="group" aria-label="Your cards">${one("p", "Play", "main")}${one("d", "Discard", "")}</div>`;
}

function hints({ state, to }) {
  const { aim, welcome: { rules: { colours, ranks } } } = state;
  const all = others(state);
  const at = target(state);
  const chip = (kind, value, inside, label, look = "") => button(inside, () => to.aim({ kind, value }), `chip ${look}`, {
    label, pressed: aim.kind === kind && aim.value === value,
    isOff: !(at === null ? all : [at]).some((seat) => isLegal(state, hintText(state, { target: seat, kind, value }))) });
  return html`${all.length < 2 ? nothing : html`<div class="targets" role="group" aria-label="Hint: whom to tell">${all.map((seat) =>
    button(nameOf(state, seat), () => to.aim({ target: seat }), "", { pressed: at === seat, isOff: !mayMove(state) }))}</div>`}
    <div class="values" role="group" aria-label="Hint: colour">${FIVE.slice(0, colours).map((colour) =>
      chip("colour", colour, html`${glyph(colour)}${letterGlyph(colour)}`, NAMES[colour], roles(colour)))}</div>
    <div class="values" role="group" aria-label="Hint: rank">${FIVE.slice(0, ranks).map((rank) => chip("rank", rank, rank + 1, `rank ${rank + 1}`))}</div>`;
}

function questions({ state, to }, isSeated) {
  const { view, welcome, asked } = state;
  const { last } = shown(state);
  const ask = (words, act, isOff, title, sign) => button(html`${sign ? icon(sign) : nothing}<span>${words}</span>`, act, "quiet", { title, isOff });
  const why = ask("Why?", () => to.why(), !last || (isSeated && !isMe(state, last.seat)), "Why was the last move made? (y)");
  return !isSeated ? why : html`${ask("Advise", () => to.advise(), !mayMove(state), `What would ${welcome.adviser} do? (h)`, "bulb")}${why}
    ${welcome.options.undo ? ask("Undo", () => to.undo(), Boolean(asked) || !view.past.some(({ seat }) => isMe(state, seat)), "Take your last move back (u)", "undo") : nothing}`;
}

/** The controls of who watches. */
function watching({ state, to }) {
  const { host, kind, options: { paused, pace_ms: pace } } = state.welcome;
  if (!host || kind !== "watch") return nothing;
  const speed = `${Number((1000 / pace).toPrecision(2))} moves per second`;
  return html`<div class="do">${button(paused ? "Go on" : "Pause", () => to.ask({ type: "pause", on: !paused }), "act main")}${button("Step", () => to.ask({ type: "step" }), "act")}</div>
    <label>Pace <input type="range" min="0" max="9" .value=${String(PACES.findIndex((ms) => ms <= pace))} aria-valuetext=${speed}
      @change=${(event) => to.ask({ type: "pace", ms: PACES[event.target.value] })}> ${speed}</label>`;
}

/** What is going on, and questions that want an answer. */
function notice(ui) {
  const { state, to } = ui;
  const { confirm, pending, asked, armed, compiling, reasons, view, look, waits, welcome } = state;
  const say = (words, ...buttons) => html`<div class="notice"><span>${words}</span>${buttons}</div>`;
  const words = (move) => capital(moveWords(ui, move));
  const cancel = button("Cancel", () => to.escape(), "no");
  if (confirm) {
    const risk = view.risks[confirm];
    return html`<div class="notice warn" role="alertdialog" aria-label="${words(confirm)}?"><span>${risk ? sentence(risk) : `${words(confirm)}?`}</span>
      ${cancel}${button(words(confirm) + (risk ? " anyway" : ""), () => to.make(confirm, true), "main")}</div>`;
  }
  if (pending) return pending.isSent ? say(`${words(pending.move)}…`) : say(`${words(pending.move)} in ${pending.seconds} s`, cancel);
  if (asked) {
    const agree = (label, yes, style) => button(label, () => to.ask({ type: "agree", yes }), style);
    const missing = state.seats.filter(({ kind, seat }) => kind === "person" && seat !== asked.by && !asked.agreed.includes(seat));
    if (missing.some(({ seat }) => isMe(state, seat))) return say(`${nameOf(state, asked.by)} wants to go back to turn ${asked.turn + 1}.`, agree("Agree", true, "main"), agree("Refuse", false));
    return say(`${missing.map(({ name }) => name).join(", ")} must agree to go back to turn ${asked.turn + 1}.`, isMe(state, asked.by) ? agree("Withdraw", false) : nothing);
  }
  if (armed) return say(`${armed === "p" ? "Play" : "Discard"} which card?`, cancel);
  if (waits === "advise") return say(html`<span class="busy">${welcome.adviser} thinks about your turn…</span>`);
  if (compiling) return preparing(compiling);
  if (look) return say("You look at the past.");
  if (!mayMove(state)) return say(welcome.options.paused ? "Paused." : view.last ? sentence(eventWords(ui, view.last)) : mySeat(state) === null ? "You are watching." : "");
  const hint = hintText(state);
  const n = arrowsOf(state)?.touched.length;
  if (hint) return isLegal(state, hint) ? say(html`${button(words(hint), () => to.give(), "main")} touches ${n} ${n === 1 ? "card" : "cards"}`) : say(`${words(hint)}: touches no card.`);
  if (state.aim.kind) return say("Whom do you tell?");
  if (reasons?.kind !== "advise") return say("Choose a card, or a hint.");
  const { agent, move } = reasons;
  return say(html`<b>${agent}</b> would ${move ? moveWords(ui, move) : reasons.words}.`, move ? button("Do it", () => to.make(move), "main") : nothing,
    button("Reasons", () => to.put({ tab: "why", isOpen: true })));
}

/** An agent is compiled for its first game. */
export const preparing = ({ agent, kernel, done, of }) => html`<div class="notice"><span>Preparing <b>${agent}</b> for its first game: ${kernel}</span>
  <progress max=${of || 1} value=${Math.min(done, of || 1)} aria-label="Preparing ${agent}"></progress>${done}${of ? ` of ${of}` : ""}</div>`;
