/** Short sounds that tell events apart, made on the spot. Loaded if a person wants them. */

import { settings } from "./settings.js";

/** Notes as [start in s, pitch in Hz, length in s]. @type {Record<string, [number, number, number][]>} */
const SOUNDS = {
  turn: [[0, 660, 0.12], [0.11, 880, 0.2]],
  hint: [[0, 520, 0.1]],
  scored: [[0, 587, 0.1], [0.08, 784, 0.22]],
  blind: [[0, 494, 0.08], [0.07, 659, 0.08], [0.14, 988, 0.3]],
  discard: [[0, 260, 0.14]],
  failed: [[0, 196, 0.16], [0.15, 147, 0.34]],
  over: [[0, 523, 0.15], [0.14, 440, 0.15], [0.28, 349, 0.4]],
  perfect: [[0, 523, 0.14], [0.12, 659, 0.14], [0.24, 784, 0.14], [0.36, 1047, 0.6]],
};

/** @type {AudioContext|null} */
let context = null;

/** Sounds if the person wants sounds; before the first click a browser stays silent. @param {string} kind */
export function sound(kind) {
  if (!SOUNDS[kind] || !settings.get("sounds")) return;
  context ??= new AudioContext();
  context.resume().catch(() => undefined);
  for (const [start, pitch, length] of SOUNDS[kind]) {
    const at = context.currentTime + start;
    const voice = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.1, at + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0004, at + length);
    voice.connect(volume).connect(context.destination);
    voice.start(at);
    voice.stop(at + length);
  }
}

/** What happened between two views. @param {View} old @param {View} view */
export function ring(old, view) {
  if (view.turn > old.turn) sound(soundOf(view));
  if (view.call) sound("turn");
}

function soundOf({ phase, score, max_score: most, last: { kind, scored, blind } }) {
  if (phase === "over") return score === most ? "perfect" : "over";
  if (kind !== "play") return kind === "discard" ? kind : "hint";
  return !scored ? "failed" : blind ? "blind" : "scored";
}
