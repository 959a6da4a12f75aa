/**
 * Types of the screens besides the table, for editors and `tsc --checkJs`. Nothing here is sent to a browser.
 */

/** What every screen is given. */
interface App {
  settings: import("./page/settings.js").Settings;
  wire(options: WireOptions): import("./page/wire.js").Wire; // opens the socket of a table
  go(path: string, replace?: boolean, news?: string): void; // to another screen, which may have something to say
  announce(text: string, assertive?: boolean): void; // to who listens to the page
  title(title: string): void; // of the page in its tab
}

/** A screen draws into `root` until it is closed. */
type Open = (root: HTMLElement, params: Record<string, string>, app: App) => { close(): void };

interface WireOptions {
  table: string;
  token?: string | null; // of a seat or of the host; by default the one that is kept
  invite?: string | null;
  name?: string;
  greet?: () => Frame; // what is said first, instead of hello
}

interface Frame {
  type: string;
  re?: number; // the `id` of the frame that this one answers
  [field: string]: any;
}

/** What waits for a reply. */
interface Question {
  frame: Frame;
  settle(frame: Frame): void;
  fail(error: Error): void;
}

/** What a person has chosen. */
interface Values {
  theme: "auto" | "light" | "dark";
  slots: "newest-1" | "oldest-0"; // how slots are numbered: hanab.live's way, or tamaya's
  pips: "full" | "positive"; // all that is still possible, or only what was told
  confirm: "off" | "risky" | "always"; // which moves ask once more
  secondThoughts: number; // seconds in which a move can be cancelled
  keys: boolean; // single keys make moves
  sounds: boolean;
  motion: "auto" | "off";
  text: number; // size in percent
  name: string;
}

/** What opens a table, and when it was last used. */
interface Keys {
  token?: string;
  invite?: string;
  at?: number;
  deal?: string; // that was played there
  from?: string; // address that a line was left from
}

interface Agent {
  name: string;
  players: [number, number]; // fewest and most
  tags: ("code" | "learned" | "slow" | "weak")[];
  description: string;
  source: string;
  strength?: Record<string, { mean: number; se: number }>; // of a team of it, by number of players
}

type SeatWish = { kind: string; name?: string } | { kind: "agent"; agent: string; params?: Record<string, any> };

interface TableWish {
  rules: string; // as `Rules.parse` reads them
  seats: SeatWish[];
  seed: number | null;
  index: number | null;
  options: { pace_ms: number; undo: boolean };
}

/** What the server is doing. */
interface Status {
  ready: boolean;
  open: boolean; // whether this page may open tables
  compiling: { agent: string; kernel: string; done: number; of: number } | null;
}

/** A field in which an agent is chosen; see page/picker.js. */
interface PickerLook {
  label: string;
  agents: Agent[];
  now: string;
  players?: number; // who cannot sit at such a table cannot be chosen
  others?: string[][]; // what can be chosen besides: value and words
  choose?: (name: string) => void;
}

/** A table of the lobby. */
interface Recent {
  id: string;
  kind: "play" | "watch" | "import";
  created: string;
  names: string[];
  rules: string;
  phase: string;
  score: number | null;
  turn: number;
}

/** A run of the lab, in short. */
interface LabRun {
  name: string;
  kind: "evolution" | "elites" | "training" | "networks";
  line: string;
  done: number;
  of: number;
  changed: number; // seconds since 1970
  errors: string[]; // files that cannot be read, and why
  nobody: string; // why there is no agent to play with, if so
}

interface LabChart {
  title: string;
  x: string; // what is to the right
  series: { name: string; style: "line" | "faint" | "dot"; points: [number, number, number | null][] }[]; // x, y, standard error
}

interface LabList {
  key: string;
  title: string;
  sizes: number[];
  mean: number | null;
  se: number | null;
  games: number | null;
}

interface LabListDetails extends LabList {
  options: string; // in front of the rules, where they are sent
  steps: Record<number, string[]>; // by table size
}

interface LabRunDetails extends LabRun {
  facts: [string, string][];
  charts: LabChart[];
  lists: LabList[];
  changes: { title: string; at: number | string; best: number | null; entered: string[]; left: string[] }[];
  cells: number; // of the map, per side
  niches: { key: string; x: number; y: number; mean: number; tells: number; caution: number }[];
  networks: { key: string; players: number; rules: string; mean: number | null; se: number | null; games: number | null }[];
}
