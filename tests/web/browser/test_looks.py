"""Sixteen pictures for people, in build/looks: nothing in them overlaps, nothing sticks out."""

from pathlib import Path

import pytest

from browsing import FREE, ME, MIXED, SMART, my_turn, open_table
from reviewing import blunder, brought

FOLDER = Path(__file__).parents[3] / "build" / "looks"
# Controls, headings and faces that lie upon each other or leave the screen. What is inside of
# another or not drawn does not count, nor decoration, nor what sticks to an edge above the rest.
BOXES = """() => {
  const sticks = (node) => node
    && (/fixed|sticky/.test(getComputedStyle(node).position) || sticks(node.parentElement));
  const kinds = "h1, h2, h3, a, button, input, select, summary, [role=img]";
  const all = [...document.querySelectorAll(kinds)].filter((node) => !sticks(node)
    && node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !node.closest("[aria-hidden=true], .unseen, .skip"));
  const boxes = all.map((node) => node.getBoundingClientRect());
  const name = (k) => all[k].ariaLabel || all[k].innerText.trim().slice(0, 40) || all[k].tagName;
  const shared = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  const found = [];
  for (let j = 0; j < all.length; j++) {
    const a = boxes[j];
    if (a.width && (a.left < -1 || a.right > innerWidth + 1)) found.push(`${name(j)} sticks out`);
    for (let k = j + 1; k < all.length; k++) {
      if (all[j].contains(all[k]) || all[k].contains(all[j])) continue;
      const wide = shared(a, boxes[k], "left", "right");
      const high = shared(a, boxes[k], "top", "bottom");
      if (wide > 3 && high > 3) found.push(`${name(j)}, ${name(k)}: ${wide} x ${high} shared`);
    }
  }
  return found;
}"""


def screen(path: str):
    def make(page, server):
        page.goto(path)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle")

    return make


def turn(page, server):
    """After a hint and the answers to it."""
    open_table(page, server, [ME, MIXED, SMART])
    my_turn(page).wait_for()
    for key in (";", "1", "Control+Enter"):
        page.keyboard.press(key)
    page.get_by_role("heading", name="Turn 4").wait_for()
    page.wait_for_timeout(300)  # cards have arrived


def waiting(page, server):
    open_table(page, server, [ME, FREE, MIXED])
    page.get_by_label("Send this link").wait_for()


def watched(page, server):
    others = [{"kind": "agent", "agent": name} for name in ("iggi", "piers", "outer")]
    open_table(page, server, [MIXED, SMART, *others])
    page.get_by_role("button", name="Pause").dispatch_event("click")
    page.get_by_role("button", name="Go on").wait_for()


def over(page, server):
    open_table(page, server, [MIXED, SMART], "colours=2 ranks=2 hand_size=2")
    page.get_by_role("region", name="The end").wait_for()


def review(page, server):
    """A blunder, explained."""
    page.goto(f"/g/{brought(page, server)}#{blunder().turn - 1}")
    page.get_by_text("Ben could know").wait_for()
    page.locator(".graph .shape.blunder").wait_for()


LOOKS = [
    ("home", screen("/"), 1440, "light"), ("home", screen("/"), 390, "dark"),
    ("rules", screen("/rules"), 820, "light"), ("agents", screen("/agents"), 1440, "dark"),
    ("setup", screen("/new"), 320, "light"), ("waiting", waiting, 820, "dark"),
    ("turn", turn, 1440, "light"), ("turn", turn, 820, "dark"), ("turn", turn, 390, "light"),
    ("turn", turn, 320, "dark"), ("watched", watched, 1440, "dark"), ("over", over, 390, "light"),
    ("review", review, 1440, "light"), ("review", review, 820, "dark"),
    ("review", review, 390, "light"), ("review", review, 320, "dark"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "make", "width", "theme"),
    LOOKS,
    ids=[f"{name}-{width}-{theme}" for name, _, width, theme in LOOKS],
)
def test_boxes(contexts, server, name, make, width, theme):
    height = 900 if width > 500 else 780
    page = contexts(
        viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
    ).new_page()
    make(page, server)
    FOLDER.mkdir(parents=True, exist_ok=True)
    page.screenshot(
        path=FOLDER / f"{name}-{width}-{theme}.png",
        full_page=name in ("rules", "agents", "setup", "review"),
    )
    assert page.evaluate(BOXES) == []
