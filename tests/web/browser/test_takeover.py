"""J4: from any turn of a game, whoever plays on; back, another card, leave; the game stays."""

import json

import pytest

from browsing import DESKTOP, MIXED, SMART, Ear, Hand, Server, my_turn, open_table

WAYS = pytest.mark.parametrize("way", ["mouse", "keyboard"])
TURN = 6


def look_at(page, server: Server) -> str:
    """A finished game of agents under review, at a turn."""
    table = open_table(page, server, [MIXED, SMART], options={"pace_ms": 0, "undo": True})
    page.get_by_role("region", name="The end").wait_for()
    page.goto(f"/g/{table}#{TURN}")
    page.get_by_role("heading", name=f"Turn {TURN + 1}").wait_for()
    return table


@WAYS
def test_a_line_of_ones_own(contexts, server: Server, way):
    page = contexts(reduced_motion="reduce", **DESKTOP).new_page()
    ear, hand = Ear(page), Hand(page, way)
    table = look_at(page, server)
    record = server.get(f"/api/games/{table}")
    hand.use(page.get_by_role("button", name="Play from here"))
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name=f"Play from turn {TURN + 1}").wait_for()
    assert dialog.get_by_label("Seat 2").input_value() == "smartbot"
    hand.choose(dialog.get_by_label("Seat 2"), "piers")
    hand.use(dialog.get_by_role("button", name="Play", exact=True))
    line = page.get_by_role("region", name="Your line")
    line.get_by_text(f"from turn {TURN + 1}").wait_for()
    my_turn(page).wait_for()
    view = ear.last("view")
    assert [event["move"] for event in view["past"]] == record["moves"][:TURN]
    assert all(slot["card"] is None for slot in view["hands"][0])  # the own hand stays hidden
    # A move, the answer to it, and back to where the line begins.
    page.evaluate("document.activeElement.blur()")
    for key in (";", "1", "Control+Enter"):
        page.keyboard.press(key)
    page.get_by_role("heading", name=f"Turn {TURN + 3}", exact=True).wait_for()
    hand.use(line.get_by_role("button", name="Back to its start"))
    page.get_by_role("heading", name=f"Turn {TURN + 1}", exact=True).wait_for()
    # A card that is seen becomes one that is seen elsewhere, unless a hint says otherwise.
    shown = [slot for slot in ear.last("view")["hands"][1] if not any(slot["told"].values())]
    one, other = next((a, b) for a in shown for b in shown if a["card"] != b["card"])
    card = page.locator(f'.card[data-order="{one["order"]}"]')
    if way == "keyboard":
        card.focus()
        page.keyboard.press("Enter")
    else:
        card.click()
    hand.use(page.get_by_text("Make it another card"))
    name = ["red", "yellow", "green", "white", "blue"][other["card"] // 5]
    hand.use(page.get_by_role("group", name="Make it").get_by_role(
        "button", name=f"{name} {other['card'] % 5 + 1}"))  # fmt: skip
    page.get_by_text("It is a").first.wait_for()
    now = {slot["order"]: slot["card"] for slot in ear.last("view")["hands"][1]}
    assert now[one["order"]] == other["card"] and now[other["order"]] == one["card"]
    hand.use(line.get_by_role("button", name="Leave"))
    page.wait_for_url(f"**/g/{table}#{TURN}")
    page.get_by_role("heading", name=f"Turn {TURN + 1}").wait_for()
    again = server.get(f"/api/games/{table}")
    assert json.dumps({**again, "branches": []}) == json.dumps({**record, "branches": []})
    assert [branch["turn"] for branch in again["branches"]] == [TURN]
    assert ear.complaints == []


def test_an_open_table_is_marked_and_shows_all_hands(contexts, server: Server):
    page = contexts(reduced_motion="reduce", **DESKTOP).new_page()
    ear, hand = Ear(page), Hand(page, "mouse")
    look_at(page, server)
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name=f"Turn {TURN + 2}").wait_for()
    hand.use(page.get_by_role("button", name="Play from here"))
    seats = [page.get_by_role("dialog").get_by_label(f"Seat {k}") for k in (1, 2)]
    assert [seat.input_value() for seat in seats] == [MIXED["agent"], "You"]  # I am who moves
    hand.use(page.get_by_role("dialog").get_by_label("Show my own hand"))
    hand.use(page.get_by_role("dialog").get_by_role("button", name="Play", exact=True))
    page.get_by_role("region", name="Your line").get_by_text("hands open").wait_for()
    my_turn(page).wait_for()
    hands = ear.last("view")["hands"]
    assert all(slot["card"] is not None for hand in hands for slot in hand)
    assert ear.complaints == []
