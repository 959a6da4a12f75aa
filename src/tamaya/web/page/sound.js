/** Short sounds that tell events apart, made on the spot. Off unless a person wants them. */

import { settings } from "./settings.js";

/**
 * Notes as [start in s, pitch in Hz, length in s]; `wave` and `loud` are of all of them.
 * @type {Record<string, {wave?: OscillatorType, loud?: number, notes: [number, number, number][]}>}
 */
const SOUNDS = {
  turn: { notes: [[0, 660, 0.12], [0.11, 880, 0.2]] },
  hint: { notes: [[0, 520, 0.1]] },
  scored: { notes: [[0, 587, 0.1], [0.08, 784, 0.22]] },
  blind: { notes: [[0, 494, 0.08], [0.07, 659, 0.08], [0.14, 988, 0.3]] },
  discard: { wave: "triangle", notes: [[0, 260, 0.14]] },
  failed: { wave: "sawtooth", loud: 0.35, notes: [[0, 196, 0.16], [0.15, 147, 0.34]] },
  over: { notes: [[0, 523, 0.15], [0.14, 440, 0.15], [0.28, 349, 0.4]] },
  perfect: { notes: [[0, 523, 0.14], [0.12, 659, 0.14], [0.24, 784, 0.14], [0.36, 1047, 0.6]] },
};

/** @type {AudioContext|null} */
let context = null;

/** Sounds if the person wants sounds; before the first click a browser stays silent. @param {string} kind */
export function sound(kind) {
  const made = SOUNDS[kind];
  if (!made || !settings.get("sounds") || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => undefined);
  for (const [start, pitch, length] of made.notes) {
    const at = context.currentTime + start;
    const voice = new OscillatorNode(context, { type: made.wave ?? "sine", frequency: pitch });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(0.12 * (made.loud ?? 1), at + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0004, at + length);
    voice.connect(gain).connect(context.destination);
    voice.start(at);
    voice.stop(at + length);
  }
}
