/** What `Commands` relies on and the class `Ui` of table.js has, for editors and `tsc --checkJs`. */

export {};

declare module "./page/commands.js" {
  interface Commands extends Eyes {
    app: App;
    wire: import("./page/wire.js").Wire;
    isWide: boolean;
    address(): string; // of the table
    dialog(inside: unknown): void;
    focus(selector: string): void; // once it is drawn
    hear(frame: any): void;
  }
}
