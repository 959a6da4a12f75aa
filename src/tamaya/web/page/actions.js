/** The controls of a seat: hints, then the own cards and questions, and words on what is going on. */

import { button, FIVE, glyph, icon, letterGlyph, NAMES, roles, tool } from "./card.js";
import { pastBar } from "./log.js";
import { refusal } from "./refusals.js";
import {
  arrowsOf,
  findSlot,
  hintText,
  idle,
  isLegal,
  isMe,
  isReplaced,
  mayMove,
  mySeat,
  nameOf,
  others,
  shown,
  target,
} from "./state.js";
import { html } from "./lit.js";
import { capital, count, eventWords, moveWords, sentence, shortNames, slotNumber } from "./words.js";

/** Milliseconds from move to move that the slider offers. */
const PACES = [5000, 3000, 2000, 1500, 1000, 700, 500, 300, 200, 100];

/** @param {Ui} ui */
export function actions(ui) {
  const { state } = ui;
  const isSeated = mySeat(state) !== null;
  const isAsked = Boolean(state.confirm);
  return html`<section class="actions ${mayMove(state) ? "mine" : ""}" aria-label="Actions">
    ${isSeated ? html`<div class="hints" ?inert=${isAsked}>${hints(ui)}</div>` : ""}
    <div class="line"><div class="controls" ?inert=${isAsked}>${isSeated ? cardMoves(ui) : watching(ui)}
      <div class="ask" role="group" aria-label="Questions">${questions(ui, isSeated)}</div></div>${notice(ui)}</div></section>`;
}

function cardMoves(ui) {
  const { state, to } = ui;
  const found = findSlot(state.view, state.picked);
  const slot = found && isMe(state, found.seat) ? found.slot.slot : null;
  const one = (what, word, key, look) =>
    button(word, () => to.arm(what), `act ${look} ${state.armed === what ? "armed" : ""}`, {
      zone: what,
      title: `${word} (${key}, then the slot)`,
      isOff: !(slot === null
        ? mayMove(state) && state.view.legal.some((move) => move[0] === what)
        : isLegal(state, what + slot)),
    });
  return html`<div class="do" role="group" aria-label="Your cards">${one("p", "Play", "a", "main")}${one("d", "Discard", "d", "")}</div>`;
}

const labelsOf = ({ seats }) => shortNames(seats.map(({ name }) => name));

function hints({ state, to }) {
  const { aim, welcome } = state;
  const { colours, ranks } = welcome.rules;
  const all = others(state);
  const at = target(state);
  const labels = labelsOf(state);
  const chip = (kind, value, inside, label, look = "") =>
    button(inside, () => to.aim({ kind, value }), `chip ${look}`, {
      label,
      pressed: aim.kind === kind && aim.value === value,
      isOff: !(at === null ? all : [at]).some((seat) => isLegal(state, hintText(state, { target: seat, kind, value }))),
    });
  return html`${
    all.length < 2
      ? ""
      : html`<div class="targets" role="group" aria-label="Hint: whom to tell"><span class="hush" aria-hidden="true">Tell</span>${all.map((seat) =>
          button(labels[seat], () => to.aim({ target: seat }), "", {
            label: nameOf(state, seat),
            title: `Tell ${nameOf(state, seat)}`,
            pressed: at === seat,
            isOff: !mayMove(state),
          }),
        )}</div>`
  }
    <div class="what"><div class="values" role="group" aria-label="Hint: colour">${FIVE.slice(0, colours).map((colour) =>
      chip("colour", colour, html`${glyph(colour)}${letterGlyph(colour)}`, NAMES[colour], roles(colour)),
    )}</div>
    <div class="values" role="group" aria-label="Hint: rank">${FIVE.slice(0, ranks).map((rank) =>
      chip("rank", rank, rank + 1, `rank ${rank + 1}`),
    )}</div></div>`;
}

/** Why? is asked where it is answered: of agents that one watches. */
function questions(ui, isSeated) {
  const { state, to } = ui;
  const { view, welcome, asked } = state;
  const ask = (words, act, isOff, title, sign) =>
    button(html`${sign ? icon(sign) : ""}<span>${words}</span>`, act, "quiet", { title, isOff });
  const hasMoved = view.past.some(({ seat }) => isMe(state, seat));
  if (!isSeated)
    return welcome.kind === "watch"
      ? html`${ask("Why?", () => to.why(), !shown(state).last, "Why was the last move made? (y)")}
        ${ask("Play from here", () => import("./further.js").then(({ takeOver }) => takeOver(ui)), false, "Go on from this turn yourself")}`
      : "";
  return html`${ask("Advise", () => to.advise(), !mayMove(state), `What would ${welcome.adviser} do? (h)`, "bulb")}
    ${welcome.options.undo ? ask("Undo", () => to.undo(), !hasMoved || Boolean(asked), "Take your last move back (u)", "undo") : ""}`;
}

/** The controls of who watches. */
function watching({ state, to }) {
  const { host, kind, options } = state.welcome;
  const { paused, pace_ms: pace } = options;
  if (!host || kind !== "watch") return "";
  const speed = Number((1000 / pace).toPrecision(2));
  return html`<div class="do">${button(paused ? "Go on" : "Pause", () => to.ask({ type: "pause", on: !paused }), "act main")}
    ${button("Step", () => to.ask({ type: "step" }), "act")}</div>
    <label>Pace <input type="range" min="0" max="9" .value=${String(PACES.findIndex((ms) => ms <= pace))} aria-valuetext="${count(speed, "move")} per second"
      @change=${(event) => to.ask({ type: "pace", ms: PACES[event.target.value] })}><span>${speed} per s</span></label>`;
}

const say = (words, ...buttons) => html`<div class="notice"><span>${words}</span>${buttons}</div>`;

/** What is going on, and questions that want an answer. */
function notice(ui) {
  const { state, to } = ui;
  const { confirm, pending, asked, armed, compiling, reasons, view, look, waits, welcome, toast } = state;
  const words = (move) => capital(moveWords(ui, move));
  const cancel = button("Cancel", () => to.escape(), "no");
  const waited = idle(state);
  const found = findSlot(view, state.picked);
  if (confirm) {
    const risk = view.risks[confirm];
    return html`<div class="notice warn" role="alertdialog" aria-label="${words(confirm)}?">
      <span>${risk ? sentence(risk) : `${words(confirm)}?`}</span>
      ${cancel}${button(words(confirm) + (risk ? " anyway" : ""), () => to.make(confirm, true), "main")}</div>`;
  }
  if (pending)
    return pending.isSent ? say(`${words(pending.move)}…`) : say(`${words(pending.move)} in ${pending.seconds} s`, cancel);
  if (toast) return toasted(ui);
  if (state.wire !== "open") return lost(state.wire);
  if (asked) return wish(ui);
  if (isReplaced(state)) {
    const { kind, name } = state.seats[mySeat(state)];
    const back = button("Take your seat back", () => to.sit(mySeat(state)), "main");
    return say(kind === "agent" ? `${name} plays in your seat.` : "You have left your seat.", back);
  }
  if (armed) return say(`${armed === "p" ? "Play" : "Discard"} which card?`, cancel);
  if (waited && !look && !isMe(state, waited.seat))
    return say(
      waited.stuck ? sentence(`${waited.name} is stuck: ${waited.stuck}`) : `${waited.name} is away.`,
      welcome.host ? button("Give to an agent…", () => to.askFill(waited.seat), "main") : "",
    );
  if (waits === "advise") return say(html`<span class="busy">${welcome.adviser} thinks about your turn…</span>`);
  if (compiling) return preparing(compiling);
  if (look) return pastBar(ui);
  if (!mayMove(state)) return say(`${welcome.options.paused ? "Paused. " : ""}${happened(ui)}`);
  const hint = hintText(state);
  const n = arrowsOf(state)?.touched.length;
  if (hint)
    return isLegal(state, hint)
      ? say(
          html`touches ${count(n, "card")}`,
          button(capital(moveWords(ui, hint, undefined, undefined, labelsOf(state))), () => to.give(), "main give", { label: words(hint) }),
        )
      : say(refusal(ui, hint));
  if (state.aim.kind) return say("Whom do you tell?");
  if (found && isMe(state, found.seat)) return say(`Play or discard slot ${slotNumber(ui, found.seat, found.slot.slot)}?`);
  if (reasons?.kind !== "advise") return say(state.aim.target === null ? "Choose a card, or a hint." : "Which colour or rank?");
  const { agent, move } = reasons;
  return say(
    html`<b title="of ${agent}">Advice:</b> ${move ? moveWords(ui, move) : reasons.words}.`,
    move ? button("Do it", () => to.make(move), "main") : "",
    button("Reasons", () => to.put({ tab: "why", isOpen: true })),
  );
}

/** The last move, or what those wait for who cannot move yet. @param {Ui} ui */
function happened(ui) {
  const { view, welcome, seats } = ui.state;
  if (view.last) return `${eventWords(ui, view.last)}.`; // begins with a name, as it is written
  if (welcome.seat !== null) return `${nameOf(ui.state, view.mover)} begins.`;
  return `You are watching.${seats.some(({ kind }) => kind === "person") ? " Cards stay hidden while people play." : ""}`;
}

/** Says that the line is down. @param {string} wire */
export const lost = (wire) =>
  html`<div class="notice"><span class="offline busy">${wire === "connecting" ? "Connecting again…" : "The connection is lost. Trying again."}</span></div>`;

/** Something that was said a moment ago. @param {Ui} ui */
export const toasted = ({ state: { toast }, to }) => html`<div class="notice toast ${toast.isBad ? "bad" : ""}">
  <span>${toast.text}</span>${tool("close", "Dismiss", () => to.put({ toast: null }))}</div>`;

/** Somebody wants moves back. */
function wish({ state, to }) {
  const { by, turn, agreed } = state.asked;
  const agree = (label, yes, style) => button(label, () => to.ask({ type: "agree", yes }), style);
  const missing = state.seats.filter(({ kind, seat }) => kind === "person" && seat !== by && !agreed.includes(seat));
  if (missing.some(({ seat }) => isMe(state, seat)))
    return say(
      `${nameOf(state, by)} wants to go back to turn ${turn + 1}.`,
      agree("Agree", true, "main"),
      agree("Refuse", false),
    );
  return say(
    `${missing.map(({ name }) => name).join(", ")} must agree to go back to turn ${turn + 1}.`,
    isMe(state, by) ? agree("Withdraw", false) : "",
  );
}

/** An agent is compiled for its first game. */
export const preparing = ({
  agent,
  kernel,
  done,
  of,
}) => html`<div class="notice"><span>Preparing <b>${agent}</b> for its first game: ${kernel}</span>
  <progress max=${of || 1} value=${Math.min(done, of || 1)} aria-label="Preparing ${agent}"></progress>${done}${of ? ` of ${of}` : ""}</div>`;
