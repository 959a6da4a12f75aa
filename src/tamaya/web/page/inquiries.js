/** What the server works out about a finished game when it is asked: values, moves of agents, reasons, beliefs. */

import { isQuizzed, moveAt, turnNow, valueAt } from "./study.js";
import { Ui } from "./table.js";

export class Inquirer extends Ui {
  choosing = -1; // turn at which agents are being asked

  /** Nobody hurries on from this turn: it goes first, and what is told of turns is asked for it. */
  rest() {
    const turn = turnNow(this.state);
    const { isSafe, furthest, valued, tab, isAsking } = this.state;
    if (this.wire.state !== "open") return;
    this.ask({ type: "focus", turn });
    if (isSafe && furthest !== valued) this.analyse();
    if (isAsking) this.askAgents();
    if (/** @type {string} */ (tab) === "beliefs") this.believe();
  }

  /** Asks for the values of all moves that may be known. */
  analyse(blueprint = this.state.blueprint) {
    const { isSafe, furthest } = this.state;
    if (blueprint !== this.state.blueprint) this.put({ values: new Map(), blueprint });
    this.put({ valued: furthest });
    if (!isSafe || furthest > 0) this.ask({ type: "analyse", blueprint, ...(isSafe && { to: furthest - 1 }) });
  }

  /** What each agent would do here, and from now on at every turn that is rested on. */
  askAgents() {
    const turn = turnNow(this.state);
    const known = this.state.choices.get(turn);
    this.put({ isAsking: true });
    if (!valueAt(this.state, turn) || (known && (turn === this.choosing || known.some(({ agent }) => !agent)))) return;
    this.choosing = turn; // the server forgets the turn that it was asked about before
    this.put({ choices: new Map(this.state.choices).set(turn, []) });
    this.ask({ type: "choices", turn });
  }

  disagree() {
    this.put({ disagreements: [] });
    this.ask({ type: "disagree", ...(this.state.isSafe && { to: this.state.furthest }) });
  }

  /** @param {string} [agent]  by default the one that sat there */
  async why(agent) {
    if (!moveAt(this.state, turnNow(this.state)) || isQuizzed(this.state)) return this.toast("See the move first, then ask for its reasons.");
    this.put({ waits: "why", reasons: null, tab: "turn" });
    this.focus(".reasons-of");
    const found = await this.ask({ type: "why", turn: turnNow(this.state), ...(agent && { agent }) });
    if (found) this.focus(".reasons-of");
  }

  /** @param {{believer?: string, holder?: number|null}} [wish] */
  believe(wish = {}) {
    this.put(wish);
    const { believer, holder, look } = this.state;
    const seat = holder ?? look.mover ?? 0;
    this.ask({ type: "believe", turn: look.turn, seat, ...(believer && { agent: believer }) });
  }
}
