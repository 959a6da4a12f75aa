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
from tamaya.replays import replay_url
from tamaya.rules import Rules
from tamaya.table import play

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


def turn_to(page, hand: Hand, old: str, new: str) -> None:
    """From a tab to the next one: arrows walk them where Tab has led."""
    if hand.way == "mouse":
        hand.use(tab(page, new))
    else:
        hand.reach(tab(page, old))
        page.keyboard.press("ArrowRight")


def look_around(page, hand: Hand) -> None:
    """Beliefs, notes, the quiz, the whole game, another's eyes."""
    turn_to(page, hand, "Turn", "Moves")
    page.locator(".moves [aria-current=true]").get_by_text("Ben plays red 1").wait_for()
    turn_to(page, hand, "Moves", "Beliefs")
    page.get_by_role("img", name=re.compile("^slot 5: red 1 100 %; it is red 1")).wait_for()
    turn_to(page, hand, "Beliefs", "Notes")
    hand.write(page.get_by_label(f"Your note on turn {LAST + 1}"), "why? <i>r2</i>")
    hand.use(page.get_by_role("button", name="Save", exact=True).last)
    page.locator(".notes .text").get_by_text("why? <i>r2</i>").wait_for()
    toast, tools = (page.locator(what).bounding_box() for what in (".over", ".tools"))
    assert toast["y"] > tools["y"] + tools["height"]  # it covers nothing that is for use
    turn_to(page, hand, "Notes", "Game")
    page.get_by_role("row", name=re.compile("^Ben 3 moves")).wait_for()
    assert page.get_by_text("Losses of single moves do not add up to the score").is_visible()
    lost = page.locator("section", has=page.get_by_role("heading", name="Where it was lost"))
    lost.get_by_text(f"On turn {LAST + 1} the last life was lost.").wait_for()
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
    listed = page.locator(f'.recent a[href^="/g/{game}"]')
    assert listed.get_attribute("href") == f"/g/{game}?safe=1#0"
    assert "points" not in listed.locator("xpath=..").inner_text()
    ear = Ear(page)

    def told() -> int:
        """The last turn that anything received or asked for speaks of."""
        assert ear.last("reviewing")["turns"] is None
        turns = [frame["turn"] + 1 for frame in ear.of("value")]
        asked = [re.findall(r"[?&]to=(\d+)", url) for url in ear.addresses if "/games/" in url]
        assert all(asked), "something was asked for without an end"
        return max(*turns, *(int(to) for (to,) in asked), 0)

    page.goto(f"/g/{game}?safe=1#2")
    heading(page, 3).wait_for()
    page.get_by_text("What would you do as Ann?").wait_for()
    # Who moves does not see the own hand: nor does who guesses, unless the eye opens it.
    hidden = page.get_by_role("group", name="Hand of Ann").get_by_role("button").first
    other = page.get_by_role("group", name="Hand of Ben").get_by_role("button").first
    assert hidden.locator(".face").get_attribute("class") == "face c-x"
    assert other.locator(".face").get_attribute("class") != "face c-x"
    assert re.fullmatch(r"Ann, slot 1, newest(, knows .*)?", hidden.get_attribute("aria-label"))
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
    assert ear.of("lost") == []
    page.keyboard.press("ArrowRight")
    heading(page, 5).wait_for()
    assert hidden.locator(".face").get_attribute("class") == "face c-x"
    page.get_by_role("button", name="See the cards as Ann does").click()
    assert hidden.locator(".face").get_attribute("class") != "face c-x"
    # Who is not afraid any more hears all of it, in this game and in the next.
    page.get_by_role("button", name="spoiler-free: show all").click()
    page.locator(".graph .shape.blunder").wait_for()
    assert slider.get_attribute("max") == str(LAST + 1)
    assert page.url.endswith(f"/g/{game}#4")
    page.keyboard.press("End")
    page.get_by_text("the last life was lost").wait_for()
    page.get_by_role("button", name=f"turn {LAST + 1}", exact=True).click()
    heading(page, LAST + 1).wait_for()
    page.goto("/import")
    assert not page.get_by_label("Spoiler-free").is_checked()
    assert ear.complaints == []


def test_arrows_go_through_turns_after_a_click(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    page.goto(f"/g/{brought(page, server)}#0")
    heading(page, 1).wait_for()
    for control in (tab(page, "Moves"), page.locator(".others .card").first,
                    page.get_by_role("tabpanel"), tab(page, "Turn")):  # fmt: skip
        control.click()
        page.keyboard.press("ArrowRight")
        heading(page, 2).wait_for()
        page.keyboard.press("ArrowLeft")
        heading(page, 1).wait_for()
    assert tab(page, "Turn").get_attribute("aria-selected") == "true"
    # Where Tab leads, arrows are those of the control.
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")
    assert tab(page, "Moves").get_attribute("aria-selected") == "true"
    heading(page, 1).wait_for()


def test_menu_to_save_closes_by_escape(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    page.goto(f"/g/{brought(page, server)}#1")
    heading(page, 2).wait_for()
    save, file = (page.get_by_role("button", name=name) for name in ("Save", "JSON file"))
    save.click()
    with page.expect_download() as downloaded:
        file.click()
    assert downloaded.value.suggested_filename.endswith(".json")
    page.keyboard.press("Escape")
    file.wait_for(state="hidden")
    assert save.evaluate("node => node === document.activeElement")
    save.press("Enter")
    file.wait_for()
    page.locator(".board").click()  # elsewhere
    file.wait_for(state="hidden")
    heading(page, 2).wait_for()


def test_other_tabs_do_not_tell_the_answer(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    page.goto(f"/g/{brought(page, server)}#{LAST}")
    page.locator(".graph .shape.blunder").wait_for()
    page.keyboard.press("h")
    page.get_by_role("heading", name="Find the better move").wait_for()

    def told() -> str:
        """All that is drawn or said of hands and moves."""
        return page.get_by_role("main").aria_snapshot()

    tab(page, "Moves").click()
    page.locator(".moves").get_by_text("Ann").first.wait_for()
    assert page.locator(".moves li").count() == LAST and "loses a life" not in told()
    tab(page, "Beliefs").click()
    page.get_by_role("img", name=re.compile("^slot 5: red 1 100 %")).wait_for()
    assert "; it is" not in told()
    for name in ("Notes", "Game"):
        tab(page, name).click()
        page.get_by_text("This could give the answer away").wait_for()
    page.get_by_role("button", name="To the question").click()
    page.locator(".others .card").last.click()  # what can be said of a card of Ben
    page.get_by_role("heading", name=re.compile("^Ben, slot")).wait_for()
    assert not re.search(r"Ben, slot \d[^\"]*: ", told()) and page.locator("td.true").count() == 0
    page.get_by_role("button", name="Show me").click()
    page.locator(".verdict").wait_for()
    assert re.search(r"Ben, slot \d[^\"]*: red 1", told())


def test_more_deals_are_there_after_a_reload(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    game = brought(page, server, document(names=("Maria", "Ben")))
    page.goto(f"/g/{game}#0")
    page.get_by_role("button", name="More deals").click()
    words = re.compile("All legal moves on 8000 imagined deals")
    page.get_by_text(words).wait_for()
    assert page.get_by_role("button", name="More deals").count() == 0
    page.reload()
    page.get_by_text(words).wait_for()


def test_reasons_come_into_sight(contexts, server: Server):
    page = contexts(viewport={"width": 1280, "height": 500}).new_page()
    page.goto(f"/g/{brought(page, server)}#{LAST}")
    page.get_by_role("button", name="Ask the agents").click()
    page.get_by_text(re.compile(r"^\d+ different moves? of \d+ agents")).wait_for()
    page.get_by_role("button", name="piers", exact=True).click()
    reasons = page.get_by_role("heading", name=re.compile("^piers: "))
    reasons.wait_for()
    page.wait_for_function(
        "node => { const { top, bottom } = node.getBoundingClientRect();"
        " return top >= 0 && bottom <= innerHeight }",
        arg=reasons.element_handle(),
    )
    panel = page.locator(".reasons-of")
    assert panel.locator("dt", has_text="why").is_visible()  # in plain words
    panel.get_by_text("The rules it tried, in order").click()
    assert panel.get_by_text("Plays a card that is surely playable").is_visible()
    assert panel.get_by_text("2 PlaySafeCard").is_visible()
    tab(page, "Moves").click()
    page.keyboard.press("y")  # a person moved: the reasons are asked for in the tab of the turn
    page.get_by_role("alert").filter(has_text="a person moved here").wait_for()
    assert tab(page, "Turn").get_attribute("aria-selected") == "true"


def test_games_are_found_again(contexts, server: Server):
    page = contexts(**DESKTOP).new_page()
    link = replay_url(play("iggi", Rules(players=2), 1, seed=77, record=True).game(0))
    page.goto(f"/import#{quote(link)}")
    heading(page, 1).wait_for()
    address = page.url
    page.get_by_text(re.compile("^hanab.live.s colours")).wait_for()
    tab(page, "Game").click()
    page.get_by_text("Colours are those of hanab.live").wait_for()
    page.goto("/import")
    page.get_by_label("A game as text").fill(link)
    page.get_by_role("button", name="Review", exact=True).click()
    page.get_by_role("main").get_by_text("This game was already here.").wait_for()
    assert page.url == address
    page.goto("/")
    games = page.locator("section", has=page.get_by_role("heading", name="Games to review"))
    games.get_by_role("link", name="Alice, Bob").first.click()
    page.wait_for_url(address)
    page.goto("/")
    page.get_by_role("link", name="All games, and import others").click()
    find = page.get_by_label("Find by name")
    if find.count():  # of many games
        find.fill("alice")
    page.locator(f'.recent a[href="{address.removeprefix(server.address)[:-2]}"]').wait_for()


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
    page.get_by_role("alert").filter(has_text="2 to 5 players, and there is 1 name").wait_for()
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


def test_nothing_begun_is_lost_and_tabs_begin_where_one_is(contexts, server: Server):
    page = contexts(viewport={"width": 1280, "height": 500}).new_page()
    page.goto(f"/g/{brought(page, server)}#{LAST}")
    page.locator(".graph .shape.blunder").wait_for()
    tab(page, "Notes").click()
    note = page.get_by_label(f"Your note on turn {LAST + 1}")
    note.fill("not saved yet")
    heading(page, LAST + 1).click()
    page.keyboard.press("ArrowLeft")
    page.get_by_label(f"Your note on turn {LAST}").wait_for()
    page.keyboard.press("ArrowRight")
    note.wait_for()
    assert note.input_value() == "not saved yet"
    page.locator("#tab").evaluate("node => { node.scrollTop = 1000 }")
    tab(page, "Moves").click()
    sight = (
        "node => { const { top, bottom } = node.getBoundingClientRect();"
        " const panel = document.querySelector('#tab').getBoundingClientRect();"
        " return top >= panel.top && bottom <= panel.bottom }"
    )
    assert page.locator(".moves [aria-current=true]").evaluate(sight)
    page.keyboard.press("h")
    page.get_by_role("heading", name="Find the better move").wait_for()
    page.keyboard.press("ArrowLeft")  # the focus is in the panel, which takes no keys
    heading(page, LAST).wait_for()
