"""Tables that leave a game at a turn: who sits there, what they see, back, morphs, the original."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from serving import Client, Frame, Server, started, steady
from tamaya.cards import card_name
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.seat import Seat

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
FAST = {"pace_ms": 100}
ANN = {"kind": "person", "name": "Ann"}


def agent(name: str) -> Frame:
    return {"kind": "agent", "agent": name}


def branch(server: Server, game: str, status: int = 201, token: str = "", **wishes: Any) -> Frame:
    """Ask for a branch."""
    headers = {"X-Tamaya-Token": token} if token else {}
    found, answer = server.ask(f"/api/games/{game}/branch", {"options": FAST, **wishes}, **headers)
    assert found == status, answer
    return answer


def rows_of(server: Server, game: str) -> list[Any]:
    """All that the store has of a table, byte for byte."""
    with closing(sqlite3.connect(server.folder / "store.db")) as store:
        found = []
        for table, column in (("tables", "id"), ("seats", "table_id"), ("events", "table_id"),
                              ("notes", "table_id")):  # fmt: skip
            query = f"select * from web_{table} where {column} = ? order by 1, 2, 3"
            found += store.execute(query, [game]).fetchall()
    return found


async def tab_at(server: Server, opened: Frame) -> Client:
    """The tab of who opened a table."""
    tab = Client(server, opened["id"], token=opened["token"])
    await tab.connect()
    return tab


@pytest.fixture(scope="module")
def finished(served) -> Frame:
    """A game of Ann with an agent, played to its end."""
    opened = served.open("Ann", "smartbot", seed=11, options=FAST)

    async def play() -> None:
        async with Client(served, opened["id"], token=opened["token"]) as ann:
            await ann.play(steady)

    asyncio.run(play())
    return opened


def test_a_branch_goes_on_where_its_game_was_and_the_game_stays(served, finished):
    before = rows_of(served, finished["id"])
    game = served.get(f"/api/games/{finished['id']}")
    opened = branch(served, finished["id"], turn=4, seats=[ANN, agent("smartbot")])

    async def play() -> None:
        tab = await tab_at(served, opened)
        welcome, view = tab.latest["welcome"], tab.view
        assert welcome["line"] == {"parent": finished["id"], "turn": 4, "open": False}
        assert [event["move"] for event in view["past"]] == game["moves"][:4]
        assert all(slot["card"] is None for slot in view["hands"][0])
        assert all(slot["card"] is not None for slot in view["hands"][1])
        await tab.play(lambda view: view["legal"][0], turns=2)
        await tab.until(lambda: bool(tab.view["legal"]))
        reply = await tab.ask("back")
        assert (reply["turn"], reply["legal"] is not None) == (4, True)
        assert (await tab.ask("undo", turn=4))["text"].startswith("the line begins here")
        await tab.play(steady)
        await tab.close()

    asyncio.run(play())
    assert rows_of(served, finished["id"]) == before
    line = served.get(f"/api/games/{opened['id']}")
    assert line["parent"] == {"id": finished["id"], "turn": 4}
    assert line["moves"][:4] == game["moves"][:4] and line["undos"] == 1
    again = served.get(f"/api/games/{finished['id']}")
    assert [found["id"] for found in again.pop("branches")] == [opened["id"]]
    assert {**again, "branches": []} == {**game, "branches": []}
    listed = [table["id"] for table in served.get("/api/tables")["tables"]]
    assert finished["id"] in listed and opened["id"] not in listed


def test_names_stay_with_the_moves_and_with_the_seats_of_people(served, finished):
    """Who made a move stays its author; an agent in a person's seat goes by that person's name."""
    game = served.get(f"/api/games/{finished['id']}")
    maria = {"kind": "person", "name": "Maria"}

    async def heard(opened: Frame) -> tuple[list[str], list[str], list[str]]:
        tab = await tab_at(served, opened)
        seats = tab.latest["seats"]["seats"]
        words = [event["words"].split()[0] for event in tab.view["past"]]
        await tab.close()
        return [seat["name"] for seat in seats], [seat["label"] for seat in seats], words[:4]

    opened = branch(served, finished["id"], turn=4, seats=[agent("piers"), maria])
    made = ["Ann", "smartbot", "Ann", "smartbot"]
    assert asyncio.run(heard(opened)) == (["Ann", "Maria"], ["piers", "Maria"], made)
    served.kill()
    served.start().wait()
    assert asyncio.run(heard(opened)) == (["Ann", "Maria"], ["piers", "Maria"], made)
    others = branch(served, finished["id"], turn=4, seats=[maria, agent("piers")])
    assert asyncio.run(heard(others)) == (["Maria", "piers"], ["Maria", "piers"], made)
    assert game["names"] == ["Ann", "smartbot"]


def test_agents_remember_what_they_did_there(served):
    """A line of the same agents makes the same moves, also those that draw random numbers."""
    team = ("random", "random", "smartbot")
    rules = Rules(players=3, lives=10, bomb="keep")
    opened = served.open(*team, seed=5, rules=rules.to_text(), options={"pace_ms": 0})

    async def watch(table: Frame) -> list[str]:
        async with Client(served, table["id"], token=table["token"]) as tab:
            await tab.until(lambda: "over" in tab.latest)
            return [event["move"] for event in tab.view["past"]]

    played = asyncio.run(watch(opened))
    wished = {"turn": 7, "seats": [agent(name) for name in team], "options": {"pace_ms": 0}}
    assert asyncio.run(watch(branch(served, opened["id"], **wished))) == played
    assert len(played) > 20


def test_whoever_was_not_there_has_seen_the_game(served, finished):
    """Another agent in a seat plays as one that observed every move."""
    seats = [agent("piers"), agent("certainty")]
    opened = branch(served, finished["id"], turn=6, seats=seats, options={"pace_ms": 0})
    record = Game(Rules(), 11)
    moves = served.get(f"/api/games/{finished['id']}")["moves"][:6]
    sitters = [Seat(find_agent(name), record, k) for k, name in enumerate(("piers", "certainty"))]
    for move in moves:
        record.apply(move)
        for sitter in sitters:
            sitter.observe()
    while not record.is_over:
        record.apply(sitters[record.mover].act())
        for sitter in sitters:
            sitter.observe()

    async def watch() -> list[str]:
        async with Client(served, opened["id"], token=opened["token"]) as tab:
            await tab.until(lambda: "over" in tab.latest)
            return [event["move"] for event in tab.view["past"]]

    assert asyncio.run(watch()) == [move_text(record.rules, move) for move in record.moves]


def test_open_hands_and_morphs(served, finished):
    opened = branch(served, finished["id"], turn=0, seats=[ANN, agent("piers")], open=True)

    async def play() -> None:
        tab = await tab_at(served, opened)
        view = tab.view
        faces = {slot["order"]: slot["card"] for hand in view["hands"] for slot in hand}
        assert None not in faces.values() and view["legal"]
        assert tab.latest["welcome"]["line"]["open"]
        card = next(card for card in range(25) if card not in faces.values())  # in the deck
        after = await tab.ask("morph", order=0, card=card)
        assert after["hands"][0][0]["card"] == card
        again = await tab.ask("morph", order=0, card=card)
        assert again["type"] == "error" and "already" in again["text"]
        # Once something has been told, a card that it named stays named so.
        rank = after["hands"][1][0]["card"] % 5
        await tab.ask("move", turn=0, move=f"h1{rank + 1}")
        other = next(k for k in range(25) if k % 5 not in (rank, card % 5))
        refused = await tab.ask("morph", order=after["hands"][1][0]["order"], card=other)
        assert refused["type"] == "error" and refused["code"] == "illegal"
        assert "the hint at turn 1" in refused["text"]
        assert f"Ann tells piers rank {rank + 1}" in refused["text"]
        await tab.close()
        back = await tab_at(served, opened)
        assert back.view["hands"][0][0]["card"] == card
        await back.close()

    asyncio.run(play())


def test_hidden_cards_decide_nothing(served, finished):
    opened = branch(served, finished["id"], turn=0, seats=[ANN, agent("piers")])

    async def play() -> None:
        tab = await tab_at(served, opened)
        refused = await tab.ask("morph", order=tab.view["hands"][0][0]["order"], card=3)
        assert refused["text"] == "you do not see that card"
        shown = [slot["card"] for slot in tab.view["hands"][1]]
        unseen = next(card for card in range(25) if card not in shown)
        refused = await tab.ask("morph", order=tab.view["hands"][1][0]["order"], card=unseen)
        assert "is left to change places with" in refused["text"]
        other = next(k for k in range(1, 5) if shown[k] != shown[0])
        first = tab.view["hands"][1][0]["order"]
        after = await tab.ask("morph", order=first, card=shown[other])
        assert after["hands"][1][0]["card"] == shown[other]
        assert sorted(slot["card"] for slot in after["hands"][1]) == sorted(shown)
        await tab.close()

    asyncio.run(play())


def test_morphs_come_along_and_so_do_those_of_the_parent(served, finished):
    """A branch of a branch has its parent's cards."""
    deck = Game(Rules(), 11).deck
    two = [ANN, agent("piers")]
    opened = branch(served, finished["id"], turn=0, seats=two, morphs=[[0, 49], [1, 30]], open=True)

    async def play() -> None:
        tab = await tab_at(served, opened)
        assert [slot["card"] for slot in tab.view["hands"][0]][:2] == [deck[49], deck[30]]
        await tab.play(lambda view: view["legal"][-1] if view["tokens"] else "d0")
        await tab.close()

    asyncio.run(play())
    child = branch(served, opened["id"], turn=2, seats=two, open=True)

    async def look() -> None:
        tab = await tab_at(served, child)
        first = await tab.ask("look", turn=0)
        assert [slot["card"] for slot in first["hands"][0]][:2] == [deck[49], deck[30]]
        await tab.close()

    asyncio.run(look())


@pytest.mark.parametrize(("wishes", "place"), [
    ({"turn": 999}, "turn"), ({"turn": 160}, "turn"), ({"turn": -1}, "turn"),
    ({"turn": "x"}, "turn"), ({"turn": None}, "turn"),
    ({"turn": 0, "seats": [ANN]}, "seats"), ({"turn": 0, "seats": [ANN, ANN]}, "seats[1]"),
    ({"turn": 0, "seats": [ANN, {"kind": "agent", "agent": "/tmp/x.py"}]}, "seats[1].agent"),
    ({"turn": 0, "morphs": [[0, 50]]}, "morphs[0][1]"),
    ({"turn": 0, "morphs": [[0]]}, "morphs[0]"),
    ({"turn": 0, "morphs": [[1, 2, 3]]}, "morphs[0]"), ({"turn": 0, "morphs": 7}, "morphs"),
    ({"turn": 0, "morphs": [[0, 1]] * 26}, "morphs"), ({"turn": 0, "open": "yes"}, "open"),
    ({"turn": 0, "deck": []}, "document"),
])  # fmt: skip
def test_bad_wishes_get_the_place(served, finished, wishes, place):
    wished = {"seats": [ANN, agent("piers")], **wishes}
    error = branch(served, finished["id"], 400, **wished)["error"]
    assert error["text"] and error["place"] == place


def test_a_morph_that_a_hint_contradicts_is_refused_with_the_hint(served, finished):
    moves = served.get(f"/api/games/{finished['id']}")["moves"]
    game = Game(Rules(), 11)
    for move in moves:
        game.apply(move)
        event = game.events[-1]
        if event["target"] >= 0 and event["touched"] & 1:
            break
    named = int(game.record.order[int(event["target"]), 0])
    kind = moves[game.turn - 1][2]
    unlike = next(k for k in range(49, 0, -1) if kind not in card_name(game.deck[k]))
    wished = {"turn": game.turn, "seats": [ANN, agent("piers")], "morphs": [[named, unlike]]}
    error = branch(served, finished["id"], 400, **wished)["error"]
    assert error["place"] == "morphs[0]"
    assert f"the hint at turn {game.turn} would touch other cards: " in error["text"]


def test_games_of_people_that_go_on_have_no_branches_and_those_of_agents_do(served):
    running = served.open("Ann", "piers", options=FAST)
    error = branch(served, running["id"], 409, turn=0, seats=[ANN, agent("piers")])["error"]
    assert error["text"] == "the game is not over"
    branch(served, "a" * 16, 404, turn=0, seats=[ANN, agent("piers")])
    watched = served.open("piers", "smartbot", options={"pace_ms": 100})

    async def watch() -> None:
        async with Client(served, watched["id"], token=watched["token"]) as tab:
            await tab.until(lambda: tab.view["turn"] >= 3)
            await tab.ask("pause", on=True)
            turn = tab.view["turn"]
        two = [ANN, agent("piers")]
        refused = branch(served, watched["id"], 400, turn=turn, seats=two, morphs=[[0, 49]])
        assert refused["error"]["text"] == "nobody sees those cards yet"
        opened = branch(served, watched["id"], turn=turn - 1, seats=two)
        line = await tab_at(served, opened)
        assert line.view["turn"] >= turn - 1
        await line.close()

    asyncio.run(watch())


def test_a_line_can_be_tried_again(served, finished):
    seats = [ANN, agent("piers")]
    opened = branch(served, finished["id"], turn=5, seats=seats, morphs=[[40, 41]])

    async def play() -> None:
        tab = await tab_at(served, opened)
        assert (await tab.ask("again"))["code"] == "forbidden"
        await tab.play(steady)
        again = await tab.ask("again")
        second = await tab_at(served, {"id": again["table"], "token": again["token"]})
        assert second.view["turn"] >= 5
        assert second.latest["welcome"]["line"]["parent"] == finished["id"]
        await tab.close()
        await second.close()

    asyncio.run(play())


def test_only_the_host_changes_a_line_and_only_a_line_is_changed(served, finished):
    opened = branch(served, finished["id"], turn=2, seats=[ANN, {"kind": "open"}])

    async def meddle() -> None:
        ann = await tab_at(served, opened)
        ben = Client(served, opened["id"], invite=opened["invite"])
        await ben.connect()
        assert (await ben.ask("back"))["code"] == "forbidden"
        await ben.ask("sit", seat=1, name="Ben")
        assert (await ann.ask("back"))["text"] == "others have a seat here: nothing can be changed"
        assert (await ann.ask("morph", order=5, card=0))["code"] == "forbidden"
        await ann.close()
        await ben.close()
        game = served.open("Ann", "piers", options=FAST)
        async with Client(served, game["id"], token=game["token"]) as tab:
            for frame in ({"type": "back"}, {"type": "morph", "order": 5, "card": 0}):
                reply = await tab.ask(**frame)
                assert reply["text"] == "this is a game, not a line of your own"

    asyncio.run(meddle())


def test_kill_9_resumes_a_line(tmp_path: Path):
    """A branch with morphs and moves is as it was, and goes on as it would have."""
    with started(tmp_path) as server:
        server.wait()
        parent = server.open("Ann", "smartbot", seed=3, options=FAST)

        async def play(opened: Frame, turns: int) -> Client:
            tab = await tab_at(server, opened)
            await tab.play(steady, turns)
            return tab

        asyncio.run(play(parent, 200))
        wished: Frame = {"turn": 6, "seats": [ANN, agent("smartbot")], "morphs": [[45, 47]]}
        one, two = (branch(server, parent["id"], **wished) for _ in range(2))

        async def undisturbed() -> list[str]:
            tab = await play(one, 200)
            return [event["move"] for event in tab.view["past"]]

        async def disturbed() -> list[str]:
            tab = await play(two, 3)
            server.kill()
            server.start().wait()
            tab = await play(two, 200)
            return [event["move"] for event in tab.view["past"]]

        assert asyncio.run(disturbed()) == asyncio.run(undisturbed())
        decks = [server.get(f"/api/games/{table['id']}")["json"]["deck"] for table in (one, two)]
        assert json.dumps(decks[0]) == json.dumps(decks[1])
        assert "Traceback" not in server.log()
