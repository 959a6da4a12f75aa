"""What others write reaches the page as text, and what is kept in the browser may be anything."""

import json
from pathlib import Path

from websockets.sync.client import connect
from websockets.typing import Subprotocol

from browsing import FREE, ME, Ear, open_table
from lab_runs import write_evolution
from reviewing import brought, document
from serving import PROTOCOL

EVIL = "<img src=x onerror=window.hit=1>"  # as long as a name may be
POLICY = (
    "addEventListener('securitypolicyviolation', ({ blockedURI }) => console.error(blockedURI))"
)


def invite_of(page, table: str) -> str:
    """The link that the host of a table sends to others."""
    kept = json.loads(page.evaluate("localStorage.getItem('tamaya.tables')"))
    return f"/t/{table}#{kept[table]['invite']}"


def test_names_are_texts_wherever_they_are_shown(contexts, server):
    page, guest = contexts().new_page(), contexts().new_page()
    ears = [Ear(one) for one in (page, guest)]
    for one in (page, guest):
        one.add_init_script(POLICY)
    table = open_table(page, server, [{**ME, "name": EVIL}, FREE])
    page.get_by_role("heading", name="Waiting for players").wait_for()
    assert page.get_by_text("The host chose the deal.").is_visible()
    assert page.get_by_text("on this computer only").is_visible()
    guest.goto(f"/t/{table}")  # who was not invited is offered no seat
    guest.get_by_role("heading", name="Waiting for players").wait_for()
    assert guest.get_by_role("button", name="Sit here").count() == 0
    guest.goto("/")  # the fragment alone loads nothing
    guest.goto(invite_of(page, table))
    guest.get_by_text(f"At the table: {EVIL}").wait_for()
    assert guest.get_by_text("The host chose the deal.").is_visible()
    guest.get_by_label("Your name").fill('"><script>window.hit=1</script>')
    guest.get_by_role("button", name="Sit down").click()
    page.get_by_role("group", name='Hand of "><script>').wait_for()
    guest.get_by_role("group", name=f"Hand of {EVIL}").wait_for()
    page.keyboard.press("a")
    page.keyboard.press("1")
    guest.locator(".log").get_by_text(EVIL).first.wait_for()
    page.get_by_role("button", name="Undo").click()  # as soon as it can be
    guest.get_by_text(f"{EVIL} wants to go back").first.wait_for()
    guest.goto("/")
    guest.get_by_text(EVIL).first.wait_for()  # among the recent tables
    for one in (page, guest):
        assert one.evaluate("window.hit") is None
        assert one.locator("img[src=x], main script").count() == 0
    assert [ear.complaints for ear in ears] == [[], []]


def test_names_and_notes_of_games_from_elsewhere_are_texts(contexts, server):
    page = contexts().new_page()
    page.add_init_script(POLICY)
    ear = Ear(page)
    other = '"><script>window.hit=1</script>'
    game = brought(page, server, document((EVIL, other), notes=[[EVIL] * 12, [other] * 12]))
    page.goto(f"/g/{game}#0")
    page.get_by_role("group", name=f"Hand of {EVIL}").wait_for()
    page.locator(".graph .shape.blunder").wait_for()
    for tab in ("Moves", "Beliefs", "Notes", "Game"):
        page.get_by_role("tab", name=tab).click()
        page.locator("#tab").get_by_text(EVIL).first.wait_for(state="attached")
    page.get_by_role("tab", name="Notes").click()
    write_note(server, game, text=f"now {EVIL}", name=other)
    page.locator(".notes").get_by_text(f"now {EVIL}").first.wait_for()
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x], main script").count() == 0
    assert ear.complaints == []


def test_runs_of_others_are_texts(contexts, server):
    folder = Path(server.arguments[server.arguments.index("--runs") + 1]) / EVIL
    write_evolution(folder)
    plan = json.loads((folder / "run.json").read_text())
    plan["protocol"] |= {"kind": "mixed", "pool": EVIL}
    plan["genes"] = [EVIL, *plan["genes"][1:]]
    (folder / "run.json").write_text(json.dumps(plan))
    page = contexts().new_page()
    page.add_init_script(POLICY)
    ear = Ear(page)
    page.goto("/lab")
    page.get_by_role("link", name=EVIL).click()
    page.get_by_role("heading", name=EVIL).wait_for()
    page.get_by_text(f"partners {EVIL}").wait_for()
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x], main script").count() == 0
    assert ear.complaints == []


def write_note(server, game: str, **note: str) -> None:
    """Somebody else writes a note on the first turn of a game."""
    url = server.address.replace("http", "ws", 1) + "/ws"
    with connect(url, subprotocols=[Subprotocol(PROTOCOL)]) as socket:
        for frame in ({"type": "review", "game": game}, {"type": "note", "turn": 0, **note}):
            socket.send(json.dumps(frame))
            assert json.loads(socket.recv())["type"] in ("reviewing", "notes")


def test_whatever_is_kept_in_the_browser_the_page_works(contexts, server):
    page = contexts().new_page()
    ear = Ear(page)
    page.goto("/settings")
    for kept in ('{"a": null, "b": 5, "c": {"at": "x"}}', "[null]", "7", "{"):
        page.evaluate("kept => localStorage.setItem('tamaya.tables', kept)", kept)
        page.goto("/")
        page.get_by_role("button", name="Open a table").click()
        page.get_by_role("heading", name="Waiting for players").wait_for()
    assert ear.complaints == []


def test_an_invite_that_lost_its_end_is_told_so(contexts, server):
    page, guest = contexts().new_page(), contexts().new_page()
    table = open_table(page, server, [ME, FREE])
    guest.goto(invite_of(page, table)[:-3])
    guest.get_by_text("The link is old or incomplete.").wait_for()
