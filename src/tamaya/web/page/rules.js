/** Hanabi in three minutes, in pictures; then how this table works. */

import { cardFace, hiddenFace, MARK_WORDS, markGlyph } from "./card.js";
import { html, render } from "./lit.js";

const ALL = 2 ** 25 - 1;
const RED = 31;
const BEN = [0, 8, 3, 19]; // R1 Y4 R4 W5

/** Keys, as on hanab.live; words between keys are written as they are. */
const KEYS = [
  ["a or + , d or -", "play, discard; then the slot"],
  ["; , 1 to 5 , q w e r t", "hint: the next player, a rank, a colour; Ctrl Enter gives it"],
  ["← → [ ] Home Esc", "one turn, one round back and forth; the start; now"],
  ["Space", "while it is held: the cards as their owners know them"],
  ["e", "the same, on and off; after ; or a rank it is the third colour"],
  ["h y u", "Advise, Why, take back"],
  ["n p", "in a review: mistakes; h hides the answer"],
  ["l m ?", "copy the link, read the board aloud, all keys"],
];
const BETWEEN = ["or", "to", ","];

const hidden = (hints, left = hints) => hiddenFace({ told: { colour: true, rank: true }, hints }, { left });

/** A picture made of cards, with words that say what it shows. */
function cards(words, faces, caption = "") {
  return html`<figure class="cards"><div role="img" aria-label=${words}>${faces.map((face) => html`<span>${face}</span>`)}</div>
    ${caption ? html`<figcaption>${caption}</figcaption>` : ""}</figure>`;
}

const seen = (faces) => faces.map((card) => cardFace(card));
const raised = (card) => html`<b>${cardFace(card)}</b>`;

/** How this table works: a section here, and the help at the table. @param {Values} values */
export const guide = ({ slots }) => html`<section><h2>This table</h2>
  <p>Choose one of your cards, then <em>Play</em> or <em>Discard</em>; or drag it. For a hint choose the player and a
    colour or rank: arrows show what it touches before you give it.</p>
  <p>${slots === "oldest-0" ? "Your oldest card is on the left and is slot 0" : "Your newest card is on the left and is slot 1"}; the
    <a href="/settings">settings</a> can change that.</p>
  <dl class="marks">
    ${Object.entries(MARK_WORDS).map(([mark, words]) => html`<dt>${markGlyph(mark)}</dt><dd>${words}</dd>`)}
    <dt>●</dt><dd>a filled disc on an arrow tells something new, an outlined one again</dd></dl>
  ${cards("A hidden card with all it may be, and one of which only red remains", [hidden(ALL),
    hidden(ALL & ~RED, ALL & ~RED & ~32), hidden(RED)],
    "Small signs are what a card may still be. Hints take signs away; those struck out are all in sight elsewhere.")}
  <p><strong>Practice mode</strong> (in the settings) shows only what was told. <em>Advise</em> names a move and its reasons,
    from what you can see; <em>Why?</em> asks an agent for those of its move, when you watch or the game is over.</p>
  <p><strong>Pace</strong> is how many cards may still be thrown away if the best score is to be reached.
    <strong>Efficiency</strong> is how many cards each hint brought.</p>
  <table><caption>Keys, as on hanab.live</caption><tbody>
    ${KEYS.map(([keys, words]) => html`<tr><th scope="row">${keys.split(" ").map((key) => BETWEEN.includes(key) ? `${key} `
      : html`<kbd>${key}</kbd> `)}</th><td>${words}</td></tr>`)}</tbody></table>
</section>`;

/** @type {Open} */
export function open(root, _, app) {
  render(html`<article class="sheet rules">
    <h1>Hanabi in three minutes</h1>
    <p class="lead">You play together, against the deck. Everybody holds their cards so that all others see them, and
      nobody sees their own.</p>

    <section><h2>Light five fireworks</h2>
      <p>Each colour is one firework, built on the table from 1 to 5, one card at a time. Every card that fits is a point: 25 is
        perfect.</p>
      ${cards("The red firework: red 1, 2, 3, 4, 5", seen([0, 1, 2, 3, 4]))}
      <p>There are 50 cards. Each colour has three 1s, two 2s, two 3s, two 4s and a single 5: if that one is thrown away, its firework
        can never be finished.</p>
      ${cards("The ten green cards: 1, 1, 1, 2, 2, 3, 3, 4, 4, 5", seen([10, 10, 10, 11, 11, 12, 12, 13, 13, 14]))}
    </section>

    <section><h2>See all hands but your own</h2>
      <p>Two or three players hold five cards each, four or five hold four. Your own show their backs, and on them what you have
        learnt so far.</p>
      ${cards("Ben’s hand, which you see: red 1, yellow 4, red 4, white 5", seen(BEN), "Ben’s hand: you see it, he does not.")}
      ${cards("Your hand: two unknown cards, a red one and a 1", [hidden(ALL), hidden(ALL), hidden(RED),
        hidden(0x108421)], "Your hand: one card is known to be red, one to be a 1.")}
    </section>

    <section><h2>On your turn, do one of three things</h2>
      <h3>Hint</h3>
      <p>Spend one of the eight hint tokens and tell another player about one colour or one rank. The hint points at
        <em>all</em> cards of that kind in their hand, and at least one. “Red” to Ben:</p>
      ${cards("Ben’s hand; the hint red points at red 1 and red 4", [raised(0), cardFace(8), raised(3), cardFace(19)], "Both red cards are pointed at. He also learns that the others are not red.")}
      <h3>Discard</h3>
      <p>Throw one of your cards away, face up, to win back a token. Not possible while all eight are there. You draw a
        new card.</p>
      <h3>Play</h3>
      <p>Put one of your cards on the table. If it is the next of its colour, it scores; if not, it is thrown away and costs one of
        three lives. You draw a new card. A finished firework wins back a token.</p>
      ${cards("On the table: red 2, yellow 1. Red 3 and yellow 2 would score now.", [...seen([1, 5]), "", ...seen([2, 6])],
        "With red 2 and yellow 1 on the table, red 3 and yellow 2 can be played, and any 1 of another colour.")}
    </section>

    <section><h2>The end</h2>
      <ul><li>All five fireworks are complete: 25 points, perfect.</li>
        <li>The last card is drawn: everybody has one more turn, who drew it included. Then the highest cards of all
          fireworks are added up.</li>
        <li>The third life is lost: it ends at once, with 0 points.</li></ul>
      <p>Hints are the only way to talk. What a hint <em>means</em> is up to the team, and that is the game.</p>
    </section>

    <section><h2>Good habits</h2>
      <ul><li>A hint about a new card most often says: play it. If several are touched, think of the newest first.</li>
        <li>Hint 5s, and cards of which the other copies are gone, before their holder throws them away.</li>
        <li>Discard the oldest card that nobody told you about.</li>
        <li>Hints are scarce: the best ones make several cards known at once.</li></ul>
    </section>

    ${guide(app.settings.values)}
    <p><a class="button main big" href="/">Play</a></p>
  </article>`, root);
  return { close: () => undefined };
}
