/** Before a game: the seats that wait for players, and the form that gives one to an agent. Loaded when it is needed. */

import { agents } from "./api.js";
import { button } from "./card.js";
import { DEFAULT, nameField, remembering, wear } from "./parts.js";
import { picker } from "./picker.js";
import { isMe } from "./state.js";
import { html } from "./lit.js";
import { dealWords } from "./words.js";

await wear("deal");

/** A table that waits for players. @param {Ui} ui */
export function waitingRoom(ui) {
  const { state, to } = ui;
  const { welcome, seats } = state;
  const { host, seat: mine } = welcome;
  const address = ui.address();
  const open = seats.filter(({ kind }) => kind === "open").length;
  return html`<section class="room" aria-label="Waiting room"><h1>Waiting for players</h1>
    <p class="hush">${open === 1 ? "One seat is" : `${open} seats are`} open. The game begins when all are taken${host ? ", or when you start it" : ""}.${dealWords(welcome)}</p>
    ${
      address.includes("#")
        ? html`<div class="invite"><label for="invite">Send this link to your friends</label>
      <input id="invite" readonly .value=${address} @focus=${(event) => event.target.select()}>
      ${button("Copy", () => to.copy(address, "The invite is copied."), "main")}
      ${/^(127\.|localhost)/.test(location.hostname) ? html`<small>It works on this computer only; <code>tamaya serve --host 0.0.0.0</code> lets others in.</small>` : ""}</div>`
        : ""
    }
    <ol class="chairs">${seats.map(
      ({ seat, kind, name, label, present }) => html`<li class=${kind}><b aria-hidden="true">${seat + 1}</b>
      <span>${
        seat === mine
          ? nameField(name, (now) => to.rename(now))
          : kind === "open"
            ? "open seat"
            : name
      } <small>${
        kind === "agent" ? label : kind === "person" && !present ? "away" : ""
      }</small></span>
      ${kind === "open" && mine === null && address.includes("#") ? button("Sit here", () => to.sit(seat)) : ""}
      ${
        host && (kind !== "person" || !present)
          ? button(kind === "agent" ? "Another agent" : "Give to an agent", () => to.askFill(seat), "quiet")
          : ""
      }
      ${isMe(state, seat) && !host ? button("Get up", () => to.ask({ type: "leave" }), "quiet") : ""}</li>`,
    )}</ol>${mine === null ? "" : remembering(seats.map(({ agent }) => agent))}
    ${host ? button(`Start${open ? " with open seats" : ""}`, () => to.ask({ type: "start" }), "main") : ""}</section>`;
}

/** The form in which the host chooses an agent for a seat. */
export async function fillForm(to, seat) {
  const catalogue = await agents().catch(() => ({ agents: [] }));
  const { seats } = to.state;
  const { kind, name } = seats[seat];
  const submit = ({ submitter, target }) =>
    submitter.value && to.ask({ type: "fill", seat, agent: target.querySelector("agent-picker").value });
  return html`<form method="dialog" @submit=${submit}><h2>An agent for seat ${seat + 1}</h2>
    <p>${kind === "open" ? "Nobody sits there." : `It takes the place of ${name}.`}</p>
    ${picker({ label: "Agent", agents: catalogue.agents, players: seats.length, now: DEFAULT })}
    <p class="choices"><button class="button" value="">Cancel</button><button class="button main" value="yes">Give the seat</button></p></form>`;
}
