"""J1 and J2: whole games from the address of the page, by mouse, by touch and by keyboard alone."""

import json
import re

import pytest

from browsing import DESKTOP, PHONE, Ear, Hand, Server, my_turn
from support import run_command
from tamaya import Rules, play
from tamaya.moves import move_text

SEED, INDEX = 7, 3
AGENT = "tamaya-mixed"  # which also advises
COLOUR_KEYS = dict(zip("RYGWB", "qwert", strict=True))
WAYS = pytest.mark.parametrize(
    ("way", "size"),
    [("mouse", DESKTOP), ("touch", PHONE), ("keyboard", DESKTOP)],
    ids=["mouse", "touch", "keyboard"],
)


def deal_known(page) -> None:
    """Let the page ask for a deal that the test knows, played without pauses."""

    def go_on(route):
        if route.request.method != "POST":
            return route.continue_()
        body = json.loads(route.request.post_data)
        body |= {"seed": SEED, "index": INDEX}
        body["options"]["pace_ms"] = 100
        return route.continue_(post_data=json.dumps(body))

    page.route("**/api/tables", go_on)


def compiled_moves(agents: list[str], rules: Rules) -> list[str]:
    """What the compiled table plays on that deal."""
    played = play(agents, rules, 1, seed=SEED, first=INDEX, record=True)
    return [move_text(rules, move) for move in played.game(0).moves]


def watched_moves(agents: list[str], *options: str) -> dict:
    """What `tamaya watch` says of that deal."""
    done = run_command(
        "watch", *agents, "--seed", str(SEED), "--game", str(INDEX), "--json", *options
    )
    return json.loads(done.stdout)


def follow_advice(page, hand: Hand, ear: Ear) -> None:
    """Ask for advice and do what it says."""
    if hand.way == "keyboard":
        page.keyboard.press("h")
    else:
        hand.use(page.get_by_role("button", name="Advise"))
    done = page.get_by_role("button", name="Do it").first
    done.wait_for()
    if hand.way == "keyboard":
        press_move(page, ear.last("view"), ear.last("reasons")["move"])
    else:
        hand.use(done)


def press_move(page, view: dict, move: str) -> None:
    """Make a move by the keys that hanab.live has for it."""
    if move[0] == "h":
        for key in (*[";"] * int(move[1]), COLOUR_KEYS.get(move[2], move[2]), "Control+Enter"):
            page.keyboard.press(key)
    else:
        n_cards = sum(slot["order"] >= 0 for slot in view["hands"][view["seat"]])
        page.keyboard.press("a" if move[0] == "p" else "d")
        page.keyboard.press(str(n_cards - int(move[1:])))  # slot 1 is the newest


@WAYS
def test_a_game_by_advice(contexts, server: Server, way, size):
    page = contexts(reduced_motion="reduce", **size).new_page()
    ear, hand = Ear(page), Hand(page, way)
    deal_known(page)
    page.goto("/")
    hand.use(page.get_by_role("button", name="Play", exact=True))
    mine = my_turn(page)
    mine.first.wait_for()
    assert hand.n_uses == 1  # and the next click may be a move
    end = page.get_by_role("region", name="The end")
    for _ in range(60):
        mine.or_(end).first.wait_for()
        if end.count():
            break
        before = page.locator("h1").first.text_content()
        follow_advice(page, hand, ear)
        page.wait_for_function("turn => document.querySelector('h1')?.textContent !== turn",
                               arg=before)  # fmt: skip
    wanted = watched_moves([AGENT], "-p", "2")
    assert end.get_by_role("heading").inner_text() == f"{wanted['score']} of 25"
    table = re.search(r"/t/(\w+)", page.url)
    assert table is not None
    record = server.get(f"/api/games/{table[1]}")
    assert record["moves"] == wanted["moves"] == compiled_moves([AGENT, AGENT], Rules())
    assert record["score"] == wanted["score"] == ear.last("over")["score"]
    assert ear.complaints == []


@WAYS
def test_agents_are_watched(contexts, server: Server, way, size):
    team, rules = ["tamaya-mixed", "smartbot", "smartbot"], Rules(players=3, colours=3)
    page = contexts(reduced_motion="reduce", **size).new_page()
    ear, hand = Ear(page), Hand(page, way)
    page.goto("/watch")
    page.get_by_text("Its hints mean what they say").first.wait_for()  # the agents are known
    hand.pick(page.get_by_role("radio", name="3", exact=True))
    for seat, agent in enumerate(team):
        hand.choose(page.get_by_label(f"Seat {seat + 1}"), agent)
    hand.write(page.get_by_label("Seed"), str(SEED))
    hand.write(page.get_by_label("Game number"), str(INDEX))
    hand.pick(page.get_by_role("radio", name="10 per second"))
    hand.use(page.get_by_text("Other rules"))
    hand.write(page.get_by_label("Colours", exact=True), "3")
    hand.use(page.get_by_role("button", name="Watch", exact=True))
    hand.use(page.get_by_role("button", name="Pause"))
    page.get_by_role("button", name="Go on").wait_for()
    paused = ear.last("view")["turn"]
    hand.use(page.get_by_role("button", name="Step"))
    page.get_by_role("heading", name=f"Turn {paused + 2}").wait_for()
    hand.use(page.get_by_role("button", name="Why?"))
    page.get_by_role("tabpanel").get_by_role("heading").wait_for()
    if way == "touch":  # reasons cover the table
        hand.use(page.get_by_role("button", name="Close", exact=True))
    hand.use(page.get_by_role("button", name="Go on"))
    end = page.get_by_role("region", name="The end")
    end.wait_for()
    wanted = watched_moves(team, "--rules", "colours=3")
    last = ear.last("view")
    assert (
        [event["move"] for event in last["past"]] == wanted["moves"] == compiled_moves(team, rules)
    )
    assert end.get_by_role("heading").inner_text() == f"{wanted['score']} of 15"
    before = [
        text for frame in ear.frames if frame["type"] != "over" for text in [json.dumps(frame)]
    ]
    assert not any('"deck": [' in text or '"seed": 7' in text for text in before[:-2])
    assert ear.complaints == []
