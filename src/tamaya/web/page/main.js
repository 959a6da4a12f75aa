/**
 * The page: opens the screen that its address names.
 *
 * Screens are modules with `open(root, params, app)`, loaded when they are needed.
 */

import { takeKey } from "./api.js";
import { settings, dress } from "./settings.js";
import { watchStatus } from "./status.js";
import { Wire } from "./wire.js";

/** @type {[RegExp, string, string, () => Promise<{open: Open}>][]} */
const ROUTES = [
  [/^\/$/, "home", "Play Hanabi", () => import("./home.js")],
  [/^\/new$/, "setup", "A table of your own", () => import("./setup.js")],
  [/^\/watch$/, "watch", "Watch agents", () => import("./watch.js")],
  [/^\/agents$/, "agents", "Agents", () => import("./agents.js")],
  [/^\/rules$/, "rules", "Rules", () => import("./rules.js")],
  [/^\/settings$/, "settings", "Settings", () => import("./options.js")],
  [/^\/t\/(?<id>[a-z2-7]{16})$/, "table", "Table", () => import("./table.js")],
];

takeKey();
const [root, line] = ["main", "warming"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
watchStatus(line);

/** @type {App} */
const app = {
  settings,
  wire: (options) => new Wire(options),
  go(path, replace = false) {
    history[replace ? "replaceState" : "pushState"](null, "", path);
    show(true);
  },
  announce(text, assertive = false) {
    const region = document.getElementById(assertive ? "assertive" : "polite");
    if (!region) return;
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
  const { name, title, load, params } = find();
  const module = await load().catch(() => null);
  if (mine !== visit) return; // another address meanwhile
  if (!module) {
    line.textContent = "A part of the page did not arrive. Load it again.";
    line.hidden = false;
    return;
  }
  screen?.close();
  const fresh = /** @type {HTMLElement} */ (root.cloneNode(false)); // without what lit knew of the last one
  document.getElementById("main")?.replaceWith(fresh);
  document.body.dataset.screen = name;
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  app.title(title);
  screen = module.open(fresh, params, app);
  if (!isMove) return;
  scrollTo(0, 0);
  fresh.focus({ preventScroll: true });
}

function find() {
  for (const [pattern, name, title, load] of ROUTES) {
    const match = pattern.exec(location.pathname);
    if (!match) continue;
    const params = { ...match.groups };
    const invite = name === "table" ? location.hash.slice(1) : "";
    if (invite && !settings.token(params.id)) {
      return { name: "join", title: "Join", load: () => import("./join.js"), params: { ...params, invite } };
    }
    return { name, title, load, params };
  }
  return { name: "lost", title: "Nothing here", load: () => import("./lost.js"), params: {} };
}

/** Links of this page open their screen without loading the page again. @param {MouseEvent} event */
function follow(event) {
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.classList.contains("skip")) {
    event.preventDefault(); // its fragment would replace the one of the address
    document.getElementById("main")?.focus();
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
