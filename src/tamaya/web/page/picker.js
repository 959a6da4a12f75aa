/** A field in which an agent is found by typing: a list by groups, the best partners first. */

import { canSit, groups, tagList } from "./parts.js";
import { html, nothing, render } from "./lit.js";

let pickers = 0;

class Picker extends HTMLElement {
  key = `picker-${++pickers}`;
  isOpen = false;
  typed = /** @type {string|null} */ (null); // instead of the name
  at = 0; // option that Enter takes
  value = "";

  /** @param {PickerLook} look */
  set look(look) {
    this.what = look;
    this.value = look.now;
    this.draw();
  }

  /** What can be chosen, in groups. */
  get found() {
    const sought = (this.typed ?? "").trim().toLowerCase();
    const isLike = ({ name, label = name, description = "", source = "" }) => `${label} ${description} ${source}`.toLowerCase().includes(sought);
    const others = (this.what.others ?? []).map(([name, label]) => ({ name, label, tags: [] }));
    return [{ title: "", agents: others }, ...groups(this.what.agents)].map(({ title, agents }) => ({ title, agents: agents.filter(isLike) }))
      .filter(({ agents }) => agents.length);
  }

  get options() {
    return this.found.flatMap(({ agents }) => /** @type {any[]} */ (agents));
  }

  open(typed = /** @type {string|null} */ (null)) {
    Object.assign(this, { isOpen: true, typed });
    const sought = typed?.toLowerCase() ?? this.value;
    const [exact, like] = ["endsWith", "startsWith"].map((is) => this.options.findIndex(({ name }) => name.startsWith(sought) && name[is](sought)));
    this.walk(exact < 0 ? like : exact);
  }

  walk(at) {
    this.at = Math.max(0, at);
    this.draw();
    this.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  shut() {
    Object.assign(this, { isOpen: false, typed: null });
    this.draw();
  }

  choose(option) {
    if (!option || !canSit(option, this.what.players)) return;
    this.value = option.name;
    this.shut();
    this.what.choose?.(option.name);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { isOpen, options } = this;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && isOpen) this.walk((this.at + step + options.length) % options.length);
    else if (step) this.open();
    else if (isOpen && event.key === "Enter") this.choose(options[this.at]);
    else if (isOpen && event.key === "Escape") this.shut();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  draw() {
    const { isOpen, key, at, what, value } = this;
    const now = what.others?.find(([name]) => name === value)?.[1] ?? value;
    let n = 0;
    const option = (one) => html`<li role="option" id="${key}-${n}" aria-selected=${n++ === at} aria-disabled=${!canSit(one, what.players)}
      @click=${() => this.choose(one)}>${one.label ?? one.name}${tagList(one)}<small>${one.description}</small></li>`;
    render(html`<label class="field"><span>${what.label}</span><input role="combobox" autocomplete="off" spellcheck="false" aria-autocomplete="list"
        aria-expanded=${isOpen} aria-controls=${isOpen ? key : nothing} aria-activedescendant=${isOpen ? `${key}-${at}` : nothing}
        .value=${this.typed ?? now} @input=${({ target }) => this.open(target.value)} @keydown=${(event) => this.press(event)} @blur=${() => this.shut()}
        @click=${({ target }) => {
          if (!this.isOpen) this.open();
          target.select();
        }}></label>
      ${isOpen ? html`<div class="options" popover="manual" role="listbox" id=${key} aria-label="Choices" @mousedown=${(event) => event.preventDefault()}>
        ${this.found.map(({ title, agents }) => html`<ul role="group" aria-label=${title || "People"}>${title ? html`<li role="presentation">${title}</li>` : ""}
          ${agents.map(option)}</ul>`)}${n ? "" : html`<p class="note">No agent like that.</p>`}</div>` : ""}`, this);
    const list = /** @type {HTMLElement|null} */ (this.querySelector(".options"));
    if (!list?.matches(":popover-open")) list?.showPopover(); // above everything else, where the style sheet puts it
  }
}

customElements.define("agent-picker", Picker);

/** @param {PickerLook} look */
export const picker = (look) => html`<agent-picker .look=${look}></agent-picker>`;
