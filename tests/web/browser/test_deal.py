"""J5: one deal for everybody; nothing of it before the own attempt ends, then all agents on it."""

import json
import re

import pytest

from browsing import DESKTOP, PHONE, Ear, Hand, Server, my_turn

# Small rules, so that a game takes seconds.
RULES = "players=2 colours=2 ranks=2 hand_size=2 lives=1"


def new_deal(server: Server, seed: int) -> str:
    status, found = server.ask("/api/deals", {"rules": RULES, "seed": seed})
    assert status == 201, found
    return str(found["id"])


def play_out(page) -> None:
    """Play the oldest card until the end; the first wrong one is the last."""
    end = page.get_by_role("region", name="The end")
    for _ in range(40):
        my_turn(page).or_(end).first.wait_for()
        if end.count():
            return
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("a")
        page.keyboard.press("1")
        if page.get_by_role("button", name=re.compile("anyway")).count():
            page.get_by_role("button", name=re.compile("anyway")).click()
        page.wait_for_function("() => !document.querySelector('.call')")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("way", "size"), [("mouse", DESKTOP), ("touch", PHONE),
                                           ("keyboard", DESKTOP)])  # fmt: skip
def test_a_deal_for_everybody(contexts, server: Server, way, size):
    deal = new_deal(server, 900 + ord(way[0]))
    others = server.ask(f"/api/deals/{deal}/play", {"seats": [
        {"kind": "person", "name": "Eve"}, {"kind": "agent", "agent": "piers"}]})[1]  # fmt: skip
    page = contexts(reduced_motion="reduce", **size).new_page()
    bodies: list[str] = []
    page.on("response", lambda answer: bodies.append(answer.url))
    ear, hand = Ear(page), Hand(page, way)
    page.goto(f"/d/{deal}")
    hand.choose(page.get_by_label("Partner"), "piers")
    hand.use(page.get_by_role("button", name="Play this deal"))
    my_turn(page).first.wait_for()
    table = page.url.rpartition("/")[2]
    assert not page.get_by_role("button", name="Undo").count()
    said = json.dumps(ear.frames)
    assert others["id"] not in said and '"seed": "9' not in said
    # Half way it is still not told, and leads back to the table.
    page.goto(f"/d/{deal}")
    page.get_by_role("link", name="Go on").wait_for()
    assert not page.get_by_role("heading", name="All agents").count()
    hand.use(page.get_by_role("link", name="Go on"))
    play_out(page)
    hand.use(page.get_by_role("button", name="How did others do on this deal?"))
    page.wait_for_url(f"**/d/{deal}")
    page.get_by_role("heading", name="In your seat").wait_for()
    agents = page.get_by_role("table", name="Agents and people on this deal")
    assert agents.get_by_role("row").filter(has_text="(you)").count() == 1
    page.get_by_text(re.compile(r"This deal is .*±")).wait_for()
    found = [url for url in bodies if "/results" in url]
    assert found and table not in json.dumps(server.get("/api/tables"))
    # A second attempt is marked, and so it is told.
    hand.use(page.get_by_role("button", name="Play it again"))
    my_turn(page).first.wait_for()
    play_out(page)
    page.goto(f"/d/{deal}")
    page.get_by_text("seen before").wait_for()
    assert ear.complaints == []


def test_a_table_of_a_deal_that_is_still_to_be_played_leads_to_the_deal(contexts, server: Server):
    deal = new_deal(server, 77)
    opened = server.ask(f"/api/deals/{deal}/play", {"seats": [
        {"kind": "person", "name": "Eve"}, {"kind": "agent", "agent": "piers"}]})[1]  # fmt: skip
    page = contexts(**DESKTOP).new_page()
    page.goto(f"/t/{opened['id']}")
    page.wait_for_url(f"**/d/{deal}")
    page.get_by_role("button", name="Play this deal").wait_for()


def test_the_first_page_leads_to_the_deal_of_the_day(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    page.goto("/")
    page.get_by_role("link", name="Deal of the day").click()
    page.get_by_role("heading", name="Deal of the day").wait_for()
    page.wait_for_url(re.compile(r"/d/\d{4}-\d\d-\d\d$"))
