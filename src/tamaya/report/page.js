/* Sorts tables by a click on a column and filters the long ones; the page is complete without it.
 * The same file serves the page that stands alone and the report of a server, in its own root. */
const LONG = 8; // rows from which on a table has a filter

/** The first number in a cell, or its text. */
function value(cell) {
  const text = (cell?.textContent ?? "").trim();
  const found = /[-\u2212+]?\d[\d,]*(\.\d+)?/.exec(text);
  if (!found) return text.toLowerCase();
  return Number(found[0].replaceAll(",", "").replace("\u2212", "-"));
}

/** Numbers before texts, dashes last. */
function compare(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "number" ? -1 : 1;
}

function sort(table, column, head, isText) {
  const isDown = head.ariaSort === "descending" || (head.ariaSort !== "ascending" && isText);
  for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
  head.ariaSort = isDown ? "ascending" : "descending";
  const body = table.tBodies[0];
  const key = (row) => (isText ? row.cells[column].textContent.trim().toLowerCase() : value(row.cells[column]));
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort(([a], [b]) => (typeof a === typeof b && !isDown ? compare(b, a) : compare(a, b)));
  body.append(...rows.map(([, row]) => row));
}

/** Makes the tables below a root sortable, and long ones filterable. */
export function enhance(root) {
  for (const table of root.querySelectorAll("table.sorts")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, column, head, head.classList.contains("text")));
    });
    if (table.tBodies[0].rows.length < LONG) continue;
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "Filter rows";
    field.className = "filter";
    field.ariaLabel = `Filter rows: ${table.ariaLabel}`;
    field.addEventListener("input", () => {
      const sought = field.value.trim().toLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(sought);
    });
    table.closest(".table").querySelector(".caption").after(field);
  }
}

/** Opens the folds around a part of a root, and returns it. */
export function unfold(root, id) {
  const part = id ? root.getElementById(id) : null;
  for (let fold = part && part.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  return part;
}

if ("report" in document.documentElement.dataset) {
  const open = () => unfold(document, location.hash.slice(1))?.scrollIntoView();
  enhance(document);
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
  open();
}
