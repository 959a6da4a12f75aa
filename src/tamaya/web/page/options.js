/** The settings, all of which stay in this browser. */

import { choice, nameField, PRACTICE, remembering, tick } from "./parts.js";
import { html, render } from "./lit.js";

/** @type {Open} */
export function open(root, _, app) {
  const { settings } = app;

  /** @param {keyof Values} key */
  const pick = (legend, key, values) => choice(legend, key, values, settings.get(key),
    (value) => settings.set(key, value));

  function draw() {
    render(html`<div class="sheet form">
      <h1>Settings</h1>
      <p class="note">They are kept in this browser only.</p>
      <section><h2>You</h2>
        ${nameField(settings.get("name"), (name) => settings.set("name", name), "Name at the table")}
      </section>
      <section><h2>Partners</h2>${remembering(["adaptive"])}</section>
      <section><h2>Look</h2>
        ${pick("Theme", "theme", [["auto", "as the system"], ["light", "light"], ["dark", "dark"]])}
        ${pick("Text", "text", [[100, "normal"], [115, "large"], [130, "larger"], [150, "very large"]])}
        ${pick("Motion", "motion", [["auto", "as the system"], ["off", "none"]])}
        ${tick("Sounds", settings.get("sounds"), (isOn) => {
          settings.set("sounds", isOn);
          import("./sound.js").then(({ sound }) => sound("turn"));
        })}
      </section>
      <section><h2>Cards</h2>
        ${tick("Practice mode", settings.get("pips") === "positive", (isOn) => settings.set("pips", isOn ? "positive" : "full"),
          PRACTICE)}
        ${pick("Slots", "slots", [["newest-1", "1 is the newest, on the left"], ["oldest-0", "0 is the oldest, on the left"]])}
        <p class="note">The first is the way of hanab.live. The second is that of tamaya’s commands and files: what
          <code>tamaya analyse</code> calls slot 0 is the oldest card.</p>
      </section>
      <section><h2>Moves</h2>
        ${pick("Ask before a move", "confirm", [["risky", "if it is risky"], ["always", "always"], ["off", "never"]])}
        ${pick("Second thoughts", "secondThoughts", [[0, "none"], [1, "1 s"], [2, "2 s"], [3, "3 s"]])}
        ${tick("Single keys", settings.get("keys"), (isOn) => settings.set("keys", isOn),
          "Keys such as a, d, 1 to 5 and q to t make moves.")}
      </section>
    </div>`, root);
  }

  draw();
  return { close: settings.on(draw) };
}
