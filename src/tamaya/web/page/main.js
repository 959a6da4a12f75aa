/** The page: opens the screen that its address names, a module with `open(root, params, app)`. */

import { takeKey } from "./api.js";
import { wear } from "./parts.js";
import { settings, dress } from "./settings.js";
import { watchStatus } from "./status.js";
import { Wire } from "./wire.js";

/** Addresses, modules, titles, and a style sheet that not everybody needs; the last is for all others. @type {[RegExp, string, string, string?][]} */
const ROUTES = [
  [/^\/$/, "home", "Play Hanabi"],
  [/^\/new$/, "setup", "A table of your own"],
  [/^\/watch$/, "watch", "Watch agents"],
  [/^\/agents$/, "agents", "Agents"],
  [/^\/rules$/, "rules", "Rules"],
  [/^\/lab$/, "lab", "Lab", "lab"],
  [/^\/report$/, "report", "Report"],
  [/^\/settings$/, "options", "Settings"],
  [/^\/g\/(?<id>[a-z2-7]{16})$/, "review", "Review", "review"],
  [/^\/import$/, "import", "Review a game", "review"],
  [/^\/t\/(?<id>[a-z2-7]{16})$/, "table", "Table"],
  [/^\/t\/(?<id>[a-z2-7]{16})#(?<invite>.+)$/, "join", "Join"],
  [/^\/d\/(?<id>[a-z0-9-]+)$/, "deal", "A deal for everybody", "deal"],
  [/^/, "lost", "Nothing here"],
];

await takeKey();
// Pasted into a tab that is open already.
addEventListener("hashchange", takeKey);
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
watchStatus(element("warming"));

/** @type {App} */
const app = {
  settings,
  wire: (options) => new Wire(options),
  go(path, replace = false, news = "") {
    history[replace ? "replaceState" : "pushState"](news && { news }, "", path);
    show(true);
  },
  announce(text, assertive = false) {
    const region = element(assertive ? "assertive" : "polite");
    region.textContent = region.textContent === text ? `${text}\u00a0` : text; // said again, too
  },
  title(title) {
    document.title = `${title} · Tamaya`;
  },
};

/** @type {{close(): void}|null} */
let screen = null;
let visit = 0;

/** @param {boolean} isMove  whether the reader was on another screen before */
async function show(isMove) {
  const mine = ++visit;
  const { pathname, hash } = location;
  const [, table] = /^\/t\/(\w+)/.exec(pathname) ?? [];
  const path = table && !settings.token(table) ? pathname + hash : pathname; // an invite is for who has no seat
  const [pattern, name, title, sheet] = /** @type {typeof ROUTES[0]} */ (ROUTES.find(([one]) => one.test(path)));
  const [module] = await Promise.all([import(`./${name}.js`), sheet && wear(sheet)]).catch(() => []);
  if (mine !== visit) return; // another address meanwhile
  if (!module) {
    element("main").textContent = "A part of the page did not arrive. Load it again.";
    return;
  }
  screen?.close();
  const fresh = /** @type {HTMLElement} */ (element("main").cloneNode(false)); // without what lit knew of the last one
  element("main").replaceWith(fresh);
  document.body.dataset.screen = name;
  for (const link of document.querySelectorAll(".top nav a")) {
    link.ariaCurrent = link.getAttribute("href") === pathname ? "page" : null;
  }
  app.title(title);
  screen = module.open(fresh, { ...pattern.exec(path)?.groups }, app);
  if (!isMove) return;
  scrollTo(0, 0);
  fresh.focus({ preventScroll: true });
}

/** Links of this page do not load it again. @param {MouseEvent} event */
function follow(event) {
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.classList.contains("skip")) {
    event.preventDefault(); // its fragment would replace the one of the address
    element("main").focus();
  } else if (!link.pathname.startsWith("/api/") && !(link.hash && link.pathname === location.pathname)) {
    event.preventDefault();
    app.go(link.pathname + link.search + link.hash);
  }
}

dress(settings.values);
settings.on(dress);
document.addEventListener("click", follow);
addEventListener("popstate", () => show(true));
show(false);
