"""J3: a game is brought in, valued and explained, by mouse and by keyboard alone."""

import json
import re
import subprocess
import sys
from urllib.parse import quote

import pytest

from browsing import DESKTOP, MIXED, Ear, Hand, Server, open_table
from reviewing import RULES, blunder, brought, document
from tamaya.moves import move_text

LAST = blunder().turn - 1  # the turn of the blunder, as frames count
WORDS = "Ben could know that this card cannot be played: it would cost a life."


@pytest.fixture(scope="module")
def analysed(tmp_path_factory) -> dict:
    """What `tamaya analyse --turn` says of the blunder."""
    folder = tmp_path_factory.mktemp("analysed")
    (folder / "game.json").write_text(document())
    command = [sys.executable, "-m", "tamaya", "analyse", str(folder / "game.json"), "--turn",
               str(LAST + 1), "--seed", "0", "--samples", "300", "--json",
               "--store", str(folder / "store.db")]  # fmt: skip
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    (turn,) = said["turns"]
    return turn


def tab(page, name: str):
    return page.get_by_role("tab", name=name)


def heading(page, turn: int):
    return page.get_by_role("heading", level=1, name=re.compile(rf"^Turn {turn}\b"))


def figure(mean: float, se: float, sign: bool = False) -> str:
    digits = 2 if 0 < se < 0.1 else 1
    text = re.sub(r"^-(0\.0+)$", r"\1", f"{mean:.{digits}f}")
    plus = "+" if sign and float(text) > 0 else ""
    return f"{plus}{text} ± {se:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def free_keys(page) -> None:
    page.evaluate("document.activeElement.blur()")


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_game_is_brought_in_and_its_blunder_explained(contexts, server: Server, analysed, way):
    page = contexts(reduced_motion="reduce", **DESKTOP).new_page()
    ear, hand = Ear(page), Hand(page, way)
    page.goto("/")
    hand.use(page.get_by_role("link", name="Review a game"))
    hand.write(page.get_by_label("A game as text"), document())
    hand.use(page.get_by_role("button", name="Review", exact=True))
    heading(page, 1).wait_for()
    page.wait_for_url(re.compile(r"/g/[a-z2-7]{16}#0$"))
    free_keys(page)
    for key, turn in (("ArrowRight", 2), ("]", 4), ("[", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        heading(page, turn).wait_for()
        assert page.url.endswith(f"#{turn - 1}")
    page.keyboard.press("End")
    page.get_by_role("heading", name="The end").wait_for()
    page.keyboard.press("Home")
    heading(page, 1).wait_for()
    page.locator(".graph .shape.blunder").wait_for()
    # n goes to the mistakes, of which the last is the blunder.
    while not page.url.endswith(f"#{LAST}"):
        before = page.url
        if way == "keyboard":
            page.keyboard.press("n")
        else:
            hand.use(page.get_by_role("button", name="The next mistake"))
        page.wait_for_url(lambda url, before=before: url != before)
    verdict = page.locator(".verdict")
    verdict.get_by_text("Ben plays red 1, loses a life").wait_for()
    assert verdict.get_by_text("blunder", exact=True).count() == 1
    assert verdict.get_by_text(WORDS).is_visible()
    assert verdict.get_by_text("A move by a convention that").is_visible()
    # All alternatives are those of the command.
    page.get_by_text("All legal moves on 300 imagined deals").wait_for()
    rows = page.locator(".figures-of tbody tr")
    assert rows.count() == len(analysed["moves"])
    value = [frame for frame in ear.of("value") if frame["turn"] == LAST][-1]
    assert [move["move"] for move in value["moves"]] == [m["move"] for m in analysed["moves"]]
    for row, move in zip(rows.all(), analysed["moves"], strict=True):
        mean, gain = (cell.inner_text() for cell in row.get_by_role("cell").all())
        assert mean == figure(move["mean"], move["se"])
        if move["move"] == analysed["played"]:
            assert "made" in row.inner_text() and "this was made" in gain
        else:
            assert gain == figure(move["gain"], move["gain_se"], sign=True)
    look_around(page, hand)
    assert ear.complaints == []


def look_around(page, hand: Hand) -> None:
    """Beliefs, notes, the quiz, the whole game, another's eyes."""
    hand.use(tab(page, "Turn"))
    hand.reach(tab(page, "Turn"))
    page.keyboard.press("ArrowRight")
    page.locator(".moves [aria-current=true]").get_by_text("Ben plays red 1").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("img", name=re.compile("^slot 5: red 1 100 %; it is red 1")).wait_for()
    page.keyboard.press("ArrowRight")
    hand.write(page.get_by_label(f"Your note on turn {LAST + 1}"), "why? <i>r2</i>")
    hand.use(page.get_by_role("button", name="Save", exact=True).last)
    page.locator(".notes .text").get_by_text("why? <i>r2</i>").wait_for()
    toast, tools = (page.locator(what).bounding_box() for what in (".over", ".tools"))
    assert toast["y"] > tools["y"] + tools["height"]  # it covers nothing that is for use
    hand.use(tab(page, "Game") if hand.way == "mouse" else tab(page, "Notes"))
    if hand.way == "keyboard":
        page.keyboard.press("ArrowRight")
    page.get_by_role("row", name=re.compile("^Ben 3 moves")).wait_for()
    assert page.get_by_text("Losses of single moves do not add up to the score").is_visible()
    hand.use(page.get_by_role("button", name="Find the better move").last)
    page.get_by_role("heading", name="Find the better move").wait_for()
    assert page.locator(".figures-of").count() == 0 and WORDS not in page.content()
    asked = page.locator(".quiz p").first
    assert re.match(r"Ben played slot \d\. That lost something\.", asked.inner_text())
    page.keyboard.press("Escape")
    page.locator(".verdict").wait_for()
    page.keyboard.press("h")
    hand.use(page.get_by_role("button", name="Leave", exact=True))
    page.locator(".verdict").wait_for()
    page.keyboard.press("h")
    page.get_by_role("heading", name="Find the better move").wait_for()
    held = page.get_by_role("group", name="Hand of Ben").get_by_role("button").last
    assert held.locator(".face").get_attribute("class") == "face c-r"  # he knew it, see below
    unknown = page.get_by_role("group", name="Hand of Ben").get_by_role("button").first
    assert unknown.locator(".face").get_attribute("class") == "face c-x"  # and not this one
    hand.use(page.get_by_role("button", name="Play slot 1", exact=True))
    page.get_by_text("You chose").wait_for()
    assert page.get_by_role("button", name="Next one").is_visible()
    hand.choose(
        page.get_by_role("combobox", name="Cards as"),
        "Ben saw them" if hand.way == "keyboard" else "1",
    )
    page.wait_for_url(re.compile(rf"\?seat=1#{LAST}$"))
    assert unknown.locator(".face").get_attribute("class") == "face c-x"


def test_agents_are_asked_at_a_turn_and_say_why(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    ear = Ear(page)
    page.goto(f"/g/{brought(page, server)}#{LAST}")
    heading(page, LAST + 1).wait_for()  # a link to a turn
    page.get_by_role("button", name="Ask the agents").click()
    page.get_by_text(re.compile(r"^\d+ different moves? of \d+ agents")).wait_for()
    choices = [frame for frame in ear.of("choice") if frame["move"]]
    shown = page.locator(".agents-here li .link").all_inner_texts()
    assert sorted(name.rstrip("*") for name in shown) == sorted(c["agent"] for c in choices)
    made = move_text(RULES, blunder().moves[LAST])
    assert {c["same"] for c in choices} <= {True, False} and all(
        c["same"] == (c["move"] == made) for c in choices
    )
    page.get_by_role("button", name="certainty", exact=True).click()
    page.get_by_role("heading", name=re.compile("^certainty: ")).wait_for()
    tab(page, "Game").click()
    page.get_by_role("button", name="Ask them all").click()
    page.get_by_text(re.compile(r"^\d+ different moves? of \d+ agents")).first.wait_for()
    assert ear.complaints == []


def test_who_fears_spoilers_is_sent_nothing_ahead(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    game = brought(page, server)
    page.goto("/import")
    page.get_by_label("Spoiler-free").check()
    ear = Ear(page)

    def told() -> int:
        """The last turn that anything received or asked for speaks of."""
        assert ear.last("reviewing")["turns"] is None
        turns = [frame["turn"] + 1 for frame in ear.of("value")]
        asked = [re.findall(r"[?&]to=(\d+)", url) for url in ear.addresses if "/games/" in url]
        assert all(asked), "something was asked for without an end"
        return max(*turns, *(int(to) for (to,) in asked), 0)

    page.goto(f"/g/{game}#2")
    heading(page, 3).wait_for()
    page.get_by_text("What would you do?").wait_for()
    slider = page.get_by_role("slider", name="Turn")
    page.locator(".graph .line[d^=M]").wait_for()
    assert slider.get_attribute("max") == "2" and told() == 2
    page.keyboard.press("End")  # the last that was seen
    page.keyboard.press("ArrowRight")
    heading(page, 4).wait_for()
    assert slider.get_attribute("max") == "3" and told() == 3
    page.get_by_role("button", name="Show the move").click()
    page.locator(".verdict").get_by_text("Ben plays red 1, scores").wait_for()
    page.get_by_text(re.compile("All legal moves on")).wait_for()
    assert told() == 4 and "loses a life" not in page.content()
    # Who is not afraid any more hears all of it.
    tab(page, "Game").click()
    page.get_by_label("Spoiler-free").uncheck()
    page.locator(".graph .shape.blunder").wait_for()
    assert slider.get_attribute("max") == str(LAST + 1)
    assert ear.complaints == []


def test_who_has_no_key_is_told_so(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()

    def without_key(line) -> None:
        house = line.connect_to_server()
        line.on_message(house.send)

        def pass_on(text: str) -> None:
            frame = json.loads(text)
            if frame["type"] == "value":  # of a few turns only
                text = json.dumps({**frame, "mark": ""}) if frame["turn"] in (0, 2, 3) else ""
            if text:
                line.send(text.replace('"may_analyse":true', '"may_analyse":false'))

        house.on_message(pass_on)

    page.route_web_socket(re.compile("/ws$"), without_key)
    page.goto(f"/g/{brought(page, server)}#{LAST}")
    tab(page, "Game").click()
    page.get_by_text("Only people with the key of this server can analyse").wait_for()
    assert page.get_by_role("button", name="Cancel").count() == 0
    page.get_by_text("Not all moves are analysed yet.").wait_for()
    drawn = page.locator(".graph .line").get_attribute("d")
    assert re.fullmatch(r"M[^ML]+h0M[^ML]+L[^ML]+", drawn)  # nothing between others
    page.goto("/import")
    page.get_by_label("A game as text").fill('{"players": ["Ann"], "deck": []}')
    page.get_by_role("button", name="Review", exact=True).click()
    page.get_by_role("alert").filter(has_text="players").wait_for()
    # A file, or a text in the address, is read without another click.
    file = {"name": "game.json", "mimeType": "application/json", "buffer": document().encode()}
    page.get_by_label("Or choose a file").set_input_files(file)
    heading(page, 1).wait_for()
    page.goto(f"/import#{quote(blunder().to_text())}")
    heading(page, 1).wait_for()
    page.wait_for_url(re.compile(r"/g/[a-z2-7]{16}#0$"))


def test_a_finished_table_leads_to_its_review(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    game = open_table(page, server, [MIXED] * 2, "colours=2 ranks=2 hand_size=2")
    page.get_by_role("region", name="The end").get_by_role("link", name="Review").click()
    page.wait_for_url(re.compile(rf"/g/{game}#0$"))
    heading(page, 1).wait_for()
    page.goto("/")
    page.locator(f'a[href="/g/{game}"]').wait_for()
    page.goto("/g/aaaaaaaaaaaaaaaa")
    page.get_by_role("heading", name="No such game").wait_for()
