"""Every screen and state, in both themes, narrow and large: nothing for axe, nothing sticks out."""

import re
from pathlib import Path

import pytest

from browsing import FREE, ME, MIXED, PATIENCE, SMART, my_turn, open_table
from reviewing import blunder, brought, document

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # what a theme can break
RUN = """async (only) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly: only });
  const say = ({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(say).join("; ")}`);
}"""
# Width, height, size of text in percent, theme or forced colours, and what axe looks for.
LOOKS = [(1280, 800, 100, "light", TAGS), (1280, 800, 100, "forced", COLOURS),
         (320, 640, 100, "dark", TAGS), (1280, 800, 200, "dark", COLOURS),
         (640, 800, 200, "light", TAGS)]  # fmt: skip


def text_page(path: str, name: str):
    def make(page, server):
        page.goto(path)
        page.get_by_role("heading", name=name).wait_for()
        page.wait_for_load_state("networkidle")

    return make


def setup(page, server):
    page.goto("/new")
    page.get_by_text("Other rules").click()
    page.get_by_label("Seed").fill("x")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("alert").filter(has_text="whole number").wait_for()


def join(page, server):
    table = open_table(page, server, [ME, FREE, MIXED])
    invite = page.get_by_label("Send this link").input_value()
    page.evaluate("localStorage.clear()")
    page.goto(invite)
    page.reload()  # the fragment alone loads nothing
    page.get_by_label("Your name").wait_for()
    assert table in page.url


def waiting(page, server):
    open_table(page, server, [ME, FREE, MIXED])
    page.get_by_label("Send this link").wait_for()


def turn(page, server):
    open_table(page, server, [ME, MIXED, SMART])
    my_turn(page).wait_for()


def chosen(page, server):
    """A card chosen and a hint in the making, with its arrows."""
    turn(page, server)
    for key in (";", "1"):
        page.keyboard.press(key)
    page.get_by_role("group", name=re.compile("^Your hand")).get_by_role("button").first.click()


def advised(page, server):
    turn(page, server)
    page.keyboard.press("h")
    page.get_by_role("button", name="Do it").first.wait_for()
    page.get_by_role("button", name="Reasons").click()


def past(page, server):
    """After some moves, looking back."""
    turn(page, server)
    for key in (";", "1", "Control+Enter"):
        page.keyboard.press(key)
    page.get_by_role("heading", name="Turn 4").wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("group", name="Looking back").wait_for()


def watched(page, server):
    open_table(page, server, [MIXED] * 5, options={"pace_ms": 100, "undo": True})
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()


def over(page, server):
    open_table(page, server, [MIXED] * 2, "colours=2 ranks=2 hand_size=2")
    page.get_by_role("region", name="The end").wait_for()


def help_open(page, server):
    turn(page, server)
    page.get_by_role("button", name="Help and keys").click()
    page.get_by_role("dialog").get_by_role("heading").first.wait_for()


def giving(page, server):
    waiting(page, server)
    page.get_by_role("button", name="Give to an agent").first.click()
    page.get_by_role("button", name="Give the seat").wait_for()


def taking_over(page, server):
    """The dialog that opens a line from a turn."""
    over(page, server)
    page.get_by_role("link", name="Review").click()
    page.get_by_role("button", name="Play from here").click()
    page.get_by_role("dialog").get_by_role("heading").wait_for()


def line(page, server):
    """A line with open hands, where a card could become another."""
    taking_over(page, server)
    page.get_by_role("dialog").get_by_label("Show my own hand").click()
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    my_turn(page).wait_for()
    page.locator(".others .card").first.click()
    page.get_by_text("Make it another card").click()


def told_deal(page, server):
    """A deal that was played, with all agents on it."""
    over(page, server)
    page.get_by_role("button", name="How did others do").click()
    page.get_by_role("table", name="Agents and people").wait_for()


def run(page, server):
    """A run with its rules counted, and being edited."""
    page.goto("/lab?run=rules")
    page.get_by_text("Shares of all moves").wait_for()
    page.get_by_role("button", name="Edit its rules").click()


def games(page, server):
    """The games behind a figure of the report."""
    page.goto("/report")
    page.get_by_role("button", name=re.compile(r"^\d\d\.\d")).first.click()
    page.get_by_role("dialog").wait_for()


def review(page, server):
    """The blunder of a game, with what agents would do and a note."""
    notes = [["", "why not r2 [f]?"], []]
    page.goto(f"/g/{brought(page, server, document(notes=notes))}#{blunder().turn - 1}")
    page.get_by_text("Ben could know").wait_for()
    page.get_by_role("button", name="Ask the agents").click()
    page.get_by_text(re.compile("different moves? of")).wait_for()


def review_tab(name: str, text: str):
    def make(page, server):
        page.goto(f"/g/{brought(page, server)}#{blunder().turn - 1}")
        page.get_by_text("Ben could know").wait_for()
        page.get_by_role("tab", name=name).click()
        page.get_by_text(text).first.wait_for()

    return make


def quiz(page, server):
    page.goto(f"/g/{brought(page, server)}#0")
    page.locator(".graph .shape.blunder").wait_for()
    page.keyboard.press("h")
    page.get_by_role("heading", name="Find the better move").wait_for()


def answered(page, server):
    quiz(page, server)
    page.get_by_role("button", name="Show me").click()
    page.get_by_text("this was made").first.wait_for(state="attached")


def spoiler_free(page, server):
    """Two turns of a game, of which nothing else is drawn."""
    page.goto(f"/g/{brought(page, server)}?safe=1#1")
    page.get_by_role("heading", name="Turn 2").wait_for()
    page.get_by_role("tab", name="Game").click()
    page.get_by_label("Spoiler-free").wait_for()


def own_attempt(page, server):
    """A deal that one has begun to play."""
    page.goto("/d/today")
    page.get_by_role("button", name=re.compile("^Play (this deal|it again)")).click()
    page.wait_for_url("**/t/*")
    page.goto("/d/today")
    page.get_by_text("Your attempt is under way.").wait_for()


def damaged(page, server):
    """A run that cannot be read."""
    folder = Path(server.arguments[server.arguments.index("--runs") + 1]) / "damaged"
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text("{")
    page.goto("/lab?run=damaged")
    page.get_by_text("damaged/run.json: not JSON").wait_for()


def quiz_moves(page, server):
    quiz(page, server)
    page.get_by_role("tab", name="Notes").click()
    page.get_by_text("This could give the answer away").wait_for()


def safe(page, server):
    page.goto(f"/g/{brought(page, server)}?safe=1#2")
    page.get_by_text("What would you do as Ann?").wait_for()


def picking(page, server):
    """Agents that are found by typing."""
    page.goto("/new")
    page.get_by_text("Its hints mean what they say").first.wait_for()
    page.get_by_label("Seat 2").click()
    page.get_by_role("option", name="piers").wait_for()


def bad_import(page, server):
    page.goto("/import#nonsense")
    page.get_by_role("alert").filter(has_text="This is not a game").wait_for()


STATES = {
    "home": text_page("/", "Hanabi, with"),
    "watch": text_page("/watch", "Watch agents"),
    "agents": text_page("/agents", "Speak a code"),
    "rules": text_page("/rules", "Hanabi in three minutes"),
    "settings": text_page("/settings", "Settings"),
    "deal": text_page("/d/today", "Deal of the day"),
    "lab": text_page("/lab", "styles"),
    "run": run,
    "map": text_page("/lab?run=styles", "Map of styles"),
    "report": text_page("/report", "Who is best"),
    "games": games,
    "lost": text_page("/nowhere", "Nothing here"),
    "setup": setup,
    "join": join,
    "waiting": waiting,
    "turn": turn,
    "chosen": chosen,
    "advised": advised,
    "past": past,
    "watched": watched,
    "over": over,
    "help": help_open,
    "giving": giving,
    "taking over": taking_over,
    "line": line,
    "told deal": told_deal,
    "review": review,
    "review-moves": review_tab("Moves", "Discards"),
    "review-beliefs": review_tab("Beliefs", "can know by counting"),
    "review-notes": review_tab("Notes", "Your note on turn"),
    "review-game": review_tab("Game", "3 moves"),
    "quiz": quiz,
    "answered": answered,
    "own attempt": own_attempt,
    "damaged run": damaged,
    "no such game": text_page(f"/g/{'a' * 16}", "No such game"),
    "quiz-notes": quiz_moves,
    "safe": safe,
    "picking": picking,
    "import": bad_import,
    "spoiler-free": spoiler_free,
}


@pytest.fixture(scope="module")
def page(browser, server):
    context = browser.new_context(base_url=server.address, reduced_motion="reduce", bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("state", STATES)
def test_nothing_to_find(page, server, state):
    from axe_playwright_python.base import AXE_SCRIPT

    page.goto("about:blank")  # nothing is left of the state before
    page.set_viewport_size({"width": 1280, "height": 800})
    STATES[state](page, server)
    page.evaluate(AXE_SCRIPT)
    found = []
    for width, height, text, theme, only in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        forced = "active" if theme == "forced" else "none"
        scheme = "dark" if theme == "dark" else "light"
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        page.evaluate("text => { document.documentElement.style.fontSize = text }", f"{text}%")
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        problems = page.evaluate(RUN, only)
        if beyond > 0:
            problems.append(f"{beyond} px beyond the edge")
        found += [f"{width} px, {text} %, {theme}: {problem}" for problem in problems]
    assert not found, "\n".join(found)
