/**
 * Types of the page's modules, for editors and `tsc --checkJs`: frames of the server as docs/web.md has them,
 * and what the table screen keeps. Nothing here is sent to a browser.
 */

/** A place in a hand; an empty one has the order -1 and nothing else. Sets of cards are masks, a bit per card. */
interface Slot {
  slot: number; // 0 is the oldest
  order: number; // the card's place in the deck, which names it
  card: number | null; // 5 * colour + rank, null if the face is hidden
  told: { colour: boolean; rank: boolean };
  hints: number; // what hints leave open
  sight: number; // what is left by counting what I see
  empathy: number; // what is left by counting what I know its holder sees
  marks: ("playable" | "critical" | "dead")[];
  drawn: number; // moves made when it was drawn
  touched: number[]; // turns of hints that named it
  label: string;
}

interface Move {
  turn: number; // moves made before it
  seat: number;
  kind: "play" | "discard" | "colour" | "rank";
  move: string;
  words: string;
  slot?: number;
  card?: number;
  order?: number;
  scored?: boolean;
  token?: boolean;
  blind?: boolean;
  target?: number;
  value?: number; // colour or rank, from 0
  touched?: number[]; // orders
  newly?: number[];
}

interface View {
  turn: number;
  now: number;
  phase: "waiting" | "playing" | "over";
  mover: number | null;
  seat: number | null;
  tokens: number;
  max_tokens: number;
  lives: number;
  max_lives: number;
  deck: number;
  turns_left: number | null;
  firework: number[];
  reach: number[];
  points: number;
  score: number;
  max_score: number;
  pace: number | null;
  efficiency: { now: number | null; required: number | null };
  discarded: { card: number; order: number; turn: number; failed: boolean }[];
  played: { card: number; order: number; turn: number }[];
  hands: Slot[][];
  last: Move | null;
  past: Move[];
  legal: string[] | null;
  risks: Record<string, string>;
  status: string;
  said: string;
  call: string;
}

interface Welcome {
  kind: "play" | "watch";
  seat: number | null;
  host: boolean;
  rules: { players: number; colours: number; ranks: number; hand_size: number; tokens: number; lives: number; text: string };
  options: { pace_ms: number; paused: boolean; undo: boolean };
  chosen_deal: boolean; // the host may know the cards: by the seed, from another table or game
  line: { parent: string; turn: number; open: boolean } | null; // where it leaves another game
  deal: string | null; // that several tables play
  adviser: string;
}

interface Sitter {
  seat: number;
  kind: "person" | "agent" | "open";
  name: string;
  agent: string;
  label: string;
  version: string;
  present: boolean;
  tabs: number;
  away: number;
  stuck: string | null;
}

type Part = { text: string } | { slot: number; seat: number } | { card: number } | { move: string; text: string };

interface Reasons {
  kind: "advise" | "why";
  turn: number;
  seat: number;
  agent: string;
  move: string | null;
  words: string;
  rows: Row[];
  details: (Row & { words: string })[]; // its own terms with what they mean, where the rows are plain words for them
  orders: number[][]; // [seat][slot], at that turn
}

interface Row {
  parts: Part[];
  value: Part[];
}

/** A hint in the making. */
interface Aim {
  target: number | null;
  kind: "colour" | "rank" | null;
  value: number;
}

type Tab = "log" | "discards" | "card" | "why";

/** What the table screen knows. */
interface TableState {
  wire: "connecting" | "open" | "offline";
  gone: { code: number } | null; // the server has no such table
  welcome: Welcome | null;
  seats: Sitter[];
  view: View | null; // of now
  look: View | null; // of the turn that is looked at, if that is not now
  over: any;
  again: { table: string; token: string | null } | null; // where the next deal is played
  asked: { by: number; turn: number; agreed: number[] } | null;
  thinking: { seat: number; seconds: number; done: number | null; of: number | null } | null;
  compiling: { agent: string; kernel: string; done: number; of: number } | null;
  reasons: Reasons | null;
  waits: string; // for reasons of this kind
  picked: number; // order of the chosen card, or -1
  armed: "p" | "d" | ""; // to play or to discard the card that is chosen next
  aim: Aim;
  confirm: string; // move that should be thought over
  pending: { move: string; turn: number; seconds: number; isSent: boolean } | null;
  eyes: number | "all" | null; // seat whose hand is shown as its holder sees it
  tab: Tab;
  isOpen: boolean; // the drawer, on small screens
  lit: number; // order of the card that a reason speaks of, or -1
  noted?: Set<number | null>; // orders of cards with notes, in a review
  arrows?: Arrows | null; // of a hint that is spoken of there
  toast: { text: string; isBad: boolean } | null;
}

/** What all parts of the table screen share; see table.js. */
type Ui = import("./page/table.js").Ui;

/** What words depend on. */
interface Eyes {
  state: TableState;
  values: Values;
  shut: number; // seat whose faces nobody is to see yet, or -1
}

/** What is known of a card that is not seen. */
interface HiddenSlot {
  hints: number;
  told: { colour: boolean; rank: boolean };
  marks?: string[];
}

/** What else a face shows: marks at its corner, the arrow of a hint, and pips of a hidden card. */
interface FaceLook {
  marks?: string[];
  pin?: unknown;
  pips?: "full" | "positive";
}

/** A hint on the screen, with the orders of the cards that it touches. */
type Arrows = Pick<Move, "kind" | "value" | "touched" | "newly">;

/** A button: what it says with a pointer on it or to a screen reader, where a dragged card lands on it, and its state. */
interface ButtonLook {
  label?: string;
  title?: string;
  zone?: string;
  pressed?: boolean;
  isOff?: boolean;
}

/** Frames of a review; turns count the moves made, so the move of a value is made at its turn. */
interface Reviewing {
  game: string;
  turns: number | null; // null for who fears spoilers
  rules: Welcome["rules"];
  seats: Sitter[];
  seat: number | null; // of who looks, if they sat there
  may_note: boolean;
  palette: "tamaya" | "hanab.live";
  may_analyse: boolean;
  blueprints: { text: string; meaning: string; warning: string }[];
  blueprint: string;
  agents: { name: string; code: boolean }[];
  notes: GameNote[];
}

interface GameNote {
  author: string;
  seat: number | null;
  turn: number | null;
  order: number | null;
  text: string;
  at: string;
  cards: number | null; // what the shorthands of a note on a card say it is, a mask
  meanings: string[]; // and what else: finessed, chop_moved, ...
}

/** What the review screen knows; see page/study.js. */
interface StudyState extends TableState {
  reviewing: Reviewing | null;
  turns: number | null;
  isSafe: boolean; // free of spoilers
  furthest: number; // turn that was seen
  valued: number; // the same when values were last asked for
  isPeeking: boolean; // at the hand of who moves at a turn that is still to be guessed
  through: number | null; // seat whose eyes see, null for all faces
  values: Map<number, TurnValue>;
  blueprint: string;
  job: number | null;
  waiting: number;
  progress: { done: number; of: number } | null;
  players: ReviewDone["players"] | null;
  lost: Lost | null;
  failure: string;
  choices: Map<number, AgentChoice[]>;
  isAsking: boolean; // agents, at every turn
  disagreements: { turn: number | null; kinds: number; agents: number }[] | null;
  beliefs: Beliefs | null;
  believer: string; // agent, or empty for counting
  holder: number | null; // of the cards, null for who moves
  notes: GameNote[];
  noted: Set<number | null>; // orders of cards with notes
  quiz: { turn: number; move: string | null; isOver: boolean } | null;
}

type Reviewer = any; // page/reviewer.js: a Ui whose state is a StudyState

interface TurnValue {
  job: number;
  turn: number;
  seat: number;
  deals: number;
  mark: "??" | "?" | "?!" | "" | "…" | "□";
  expected: number;
  se: number;
  loss: number;
  loss_se: number;
  sure: number;
  best: string;
  best_words: string;
  moves: { move: string; words: string; mean: number; se: number; gain: number; gain_se: number }[];
}

interface ReviewDone {
  job: number;
  players: { seat: number; name: string; turns: number; sure_loss: number; marks: Record<string, number>; agreement: number | null }[];
}

/** Up to which turn a lost game could be won with open hands. */
interface Lost {
  job: number;
  turn: number | null; // null if no turn lost it, or it is not known which; otherwise it is named in the words, counted from 1
  words: string;
}

interface AgentChoice {
  turn: number;
  agent: string | null; // null: all are there
  move: string | null;
  words: string | null;
  same: boolean | null;
  code: boolean | null;
}

interface Beliefs {
  turn: number;
  seat: number;
  agent: string | null;
  slots: { slot: number; order: number; p: number[]; hints: number; sight: number; truth: number }[];
}
