"""A person lets ``adaptive`` remember how they play, sees what it has seen, and deletes it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from browsing import DESKTOP, ME, PHONE, Ear, Hand, Server, my_turn, open_table

ADAPTIVE = {"kind": "agent", "agent": "adaptive"}
WAYS = pytest.mark.parametrize(
    ("way", "size"), [("mouse", DESKTOP), ("touch", PHONE), ("keyboard", DESKTOP)],
    ids=["mouse", "touch", "keyboard"],
)  # fmt: skip


def play_to_the_end(page) -> None:
    """Play the oldest card until one fails, at a table with one life."""
    end = page.get_by_role("region", name="The end")
    mine = my_turn(page)
    for _ in range(20):
        mine.or_(end).first.wait_for()
        if end.count():
            return
        before = page.locator("h1").first.text_content()
        page.keyboard.press("a")
        page.keyboard.press("5")
        page.wait_for_function("turn => document.querySelector('h1')?.textContent !== turn",
                               arg=before)  # fmt: skip
    raise AssertionError("every card could be played")


@WAYS
def test_a_person_is_remembered_until_they_say_no(contexts, server: Server, way, size):
    page = contexts(reduced_motion="reduce", **size).new_page()
    ear, hand = Ear(page), Hand(page, way)
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert page.locator("remember-me").count() == 0
    page.goto("/?partner=adaptive")
    box = page.get_by_role("checkbox", name=re.compile("Let adaptive remember how I play"))
    box.wait_for()
    assert not box.is_checked()
    assert page.get_by_text("under a random key that only this browser has").count() == 1

    # Without consent nothing is sent.
    open_table(page, server, [ME, ADAPTIVE], "lives=1")
    my_turn(page).first.wait_for()
    assert any(frame["type"] == "hello" for frame in ear.sent)
    assert not any("person" in frame for frame in ear.sent)

    page.goto("/?partner=adaptive")
    if way == "keyboard":
        hand.reach(box)
        page.keyboard.press("Space")
    else:
        hand.use(box)
    assert box.is_checked()
    open_table(page, server, [ME, ADAPTIVE], "lives=1")
    play_to_the_end(page)
    [key] = {
        frame["person"] for frame in ear.sent if frame["type"] == "hello" and "person" in frame
    }
    assert len(key) == 22

    page.goto("/?partner=adaptive")
    page.get_by_text("It has seen 1 game of yours.").wait_for()
    assert box.is_checked()
    assert not Axe().run(page).response["violations"]
    hand.use(page.get_by_role("button", name="Forget them"))
    page.get_by_text("It has seen").wait_for(state="detached")
    assert not box.is_checked()
    assert page.evaluate("localStorage.getItem('tamaya.person')") == "{}"
    assert server.ask("/api/acquaintance", **{"X-Tamaya-Person": key}) == (200, {"games": 0})
    assert ear.complaints == []


def test_open_tabs_hear_at_once(contexts, server: Server):
    context = contexts(reduced_motion="reduce", **DESKTOP)
    page, settings = context.new_page(), context.new_page()
    ear = Ear(page)
    open_table(page, server, [ME, ADAPTIVE])
    my_turn(page).first.wait_for()
    settings.goto("/settings")
    box = settings.get_by_role("checkbox", name=re.compile("Let adaptive remember how I play"))

    def heard(is_on: bool) -> None:
        hellos = len(ear.of("welcome"))
        box.click()
        for _ in range(200):
            if len(ear.of("welcome")) > hellos:
                break
            page.wait_for_timeout(20)
        last = [frame for frame in ear.sent if frame["type"] == "hello"][-1]
        assert ("person" in last) == is_on

    heard(True)
    heard(False)
    assert ear.complaints == []


def test_guests_are_asked_too(contexts, server: Server):
    page, guest = (contexts(reduced_motion="reduce", **DESKTOP).new_page() for _ in range(2))
    open_table(page, server, [ME, ADAPTIVE, {"kind": "open"}, {"kind": "open"}])
    invite = page.get_by_label("Send this link").input_value()
    question = "Let adaptive remember how I play"
    page.get_by_text(question).wait_for()
    guest.goto(invite)
    guest.get_by_label(question).check()
    guest.get_by_role("button", name="Sit down").click()
    guest.get_by_role("heading", name="Waiting for players").wait_for()
    assert guest.get_by_label(question).is_checked()
    assert not page.get_by_label(question).is_checked()
