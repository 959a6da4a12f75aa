"""Deals that several people play: who hears what before and after, and what agents made of them."""

import asyncio
import json
import subprocess
import sys
from datetime import UTC, datetime
from time import sleep
from typing import Any

import pytest
import websockets

from serving import PATIENCE, Client, Frame, Server, steady
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.rules import Rules

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
FAST = {"pace_ms": 100}
ANN = {"kind": "person", "name": "Ann"}
SMALL = "players=2 colours=2 ranks=3 hand_size=3"


def agent(name: str) -> Frame:
    return {"kind": "agent", "agent": name}


def tokens(*texts: str) -> dict[str, str]:
    return {"X-Tamaya-Token": ",".join(texts)} if texts else {}


def attempt(server: Server, deal: str, *own: str, seats: Any = None, status: int = 201) -> Frame:
    """Open a table for a deal, with the tokens of attempts before."""
    wished = {"seats": seats or [ANN, agent("piers")], "options": FAST}
    found, opened = server.ask(f"/api/deals/{deal}/play", wished, **tokens(*own))
    assert found == status, opened
    return opened


def play(server: Server, opened: Frame, turns: int = 200) -> None:
    async def go() -> None:
        async with Client(server, opened["id"], token=opened["token"]) as tab:
            await tab.play(steady, turns)

    asyncio.run(go())


def told(server: Server, deal: str, *own: str) -> Frame:
    status, found = server.ask(f"/api/deals/{deal}", **tokens(*own))
    assert status == 200, found
    return found


def by_seed(server: Server, seed: int, rules: str = "players=2", index: int = 0) -> str:
    status, found = server.ask("/api/deals", {"rules": rules, "seed": seed, "index": index})
    assert status == 201, found
    return found["id"]


def statuses(server: Server, game: str, *own: str) -> list[int]:
    """How a game answers at all its addresses."""
    paths = ("", "/views", "/export?as=text", "/export?as=json", "/export?as=link")
    found = [server.ask(f"/api/games/{game}{path}", **tokens(*own)) for path in paths]
    seats = {"turn": 0, "seats": [ANN, agent("piers")]}
    for path, document in (("branch", seats), ("deal", {})):
        found.append(server.ask(f"/api/games/{game}/{path}", document, **tokens(*own)))
    return [status for status, _ in found]


def can_watch(server: Server, table: str, **hello: str) -> bool:
    async def look() -> bool:
        tab = Client(server, table, **hello)
        tab.socket = await open_socket(tab)
        await tab.put(tab.hello)
        frame = await tab.hear()
        await tab.close()
        assert frame["type"] == "welcome" or frame["code"] == "unplayed"
        return frame["type"] == "welcome"

    return asyncio.run(look())


async def open_socket(tab: Client) -> Any:
    return await websockets.connect(tab.url, subprotocols=[websockets.Subprotocol("tamaya.1")])


def test_nothing_is_told_before_the_own_attempt_ends(served):
    deal = by_seed(served, 424242)
    ann = attempt(served, deal)
    play(served, ann)
    before = told(served, deal)
    assert set(before) == {"id", "kind", "players", "rules", "created", "running", "told"}
    assert before["told"] is False and before["running"] is None
    ben = attempt(served, deal)
    assert ben["seen"] is False
    play(served, ben, turns=2)
    own = told(served, deal, ben["token"])
    assert own == {**before, "running": ben["id"]}
    for keys in ((), (ben["token"],), (ben["invite"],), ("x" * 22,)):
        assert statuses(served, ann["id"], *keys) == [409] * 7
        assert served.ask(f"/api/deals/{deal}/results", **tokens(*keys))[0] == 409
        hello = {"token": keys[0]} if keys else {}
        assert not can_watch(served, ann["id"], **hello)
    assert ann["id"] not in json.dumps(served.get("/api/tables"))
    assert ben["id"] not in json.dumps(served.get("/api/tables"))
    play(served, ben)
    after = told(served, deal, ben["token"])
    assert after["told"] and after["seed"] == "424242"
    assert [row["table"] for row in after["attempts"]] == [ann["id"], ben["id"]]
    assert [row["seat"] for row in after["attempts"]] == [None, 0]
    assert statuses(served, ann["id"], ben["token"]) == [200] * 5 + [201] * 2
    assert can_watch(served, ann["id"], token=ben["token"])
    assert told(served, deal) == before  # to others nothing has changed


def test_a_second_attempt_is_marked(served):
    deal = by_seed(served, 77, SMALL)
    first = attempt(served, deal)
    again = attempt(served, deal, first["token"])  # begun is seen, if not all of it
    assert (first["seen"], again["seen"]) == (False, True)
    play(served, first)
    play(served, again)
    rows = told(served, deal, again["token"])["attempts"]
    assert [row["seen"] for row in rows] == [False, True]
    assert all(row["chosen"] for row in rows)  # somebody named the seed


def test_the_deal_of_a_game_is_for_who_played_it(served):
    opened = served.open("Ann", "piers", options=FAST, rules=SMALL)
    play(served, opened)
    game = opened["id"]
    assert served.ask(f"/api/games/{game}/deal", {})[0] == 403
    assert served.ask(f"/api/games/{game}")[0] == 200
    status, found = served.ask(f"/api/games/{game}/deal", {}, **tokens(opened["token"]))
    assert status == 201
    # From now on the game is for who has played its deal.
    assert statuses(served, game) == [409] * 7
    assert not can_watch(served, game)
    assert can_watch(served, game, token=opened["token"])
    status, mine = served.ask(f"/api/games/{game}", **tokens(opened["token"]))
    assert mine["deal"] == found["id"]
    again = served.ask(f"/api/games/{game}/deal", {}, **tokens(opened["token"]))
    assert again == (201, found)
    ben = attempt(served, found["id"])
    play(served, ben)
    rows = told(served, found["id"], ben["token"])["attempts"]
    assert [row["table"] for row in rows] == [game, ben["id"]]
    assert served.ask(f"/api/games/{game}", **tokens(ben["token"]))[0] == 200


def test_games_that_anybody_could_see_hide_nothing(served):
    game = Game(Rules.parse(SMALL), 99)
    while not game.is_over:
        game.apply(game.legal_moves[0])
    _, imported = served.ask("/api/games", {"text": game.to_text()})
    status, found = served.ask(f"/api/games/{imported['id']}/deal", {})
    assert status == 201
    deal = told(served, found["id"])
    assert (deal["kind"], deal["told"], deal["attempts"]) == ("open", True, [])
    assert served.ask(f"/api/games/{imported['id']}")[0] == 200
    assert attempt(served, found["id"])["seen"]


def test_a_day_has_one_deal_for_everybody_and_its_date_tells_nobody_the_cards(served):
    today = datetime.now(UTC).date().isoformat()
    deal = told(served, "today")
    assert deal["id"] in (today, datetime.now(UTC).date().isoformat())
    assert told(served, deal["id"]) == deal
    assert told(served, "today-4")["players"] == 4
    for wrong in ("1999-01-01", f"{today}-9", "today-", "nowhere", "x" * 17, "%00", "today-2"):
        assert served.ask(f"/api/deals/{wrong}")[0] == 404, wrong
    opened = attempt(served, deal["id"])
    play(served, opened)
    seed = told(served, deal["id"], opened["token"])["seed"]
    assert seed not in (today.replace("-", ""), "0") and int(seed) > 2**40


def test_who_is_invited_sees_nothing_before_it_plays(served):
    deal = by_seed(served, 31, "players=3 colours=2 ranks=3 hand_size=3")
    three = [ANN, {"kind": "open"}, {"kind": "open"}]
    opened = attempt(served, deal, seats=three)

    async def go() -> None:
        ann = Client(served, opened["id"], token=opened["token"])
        ben, eve = (Client(served, opened["id"], invite=opened["invite"]) for _ in range(2))
        for tab in (ann, ben, eve):
            await tab.connect()
        assert (await ben.ask("sit", seat=1, name="Ben"))["seat"] == 1
        await ann.ask("start")
        with pytest.raises(websockets.ConnectionClosed, match="1012"):  # and is not let in again
            while True:
                frame = await eve.hear()
                assert frame["type"] == "seats" or frame["phase"] == "waiting"
        assert not await asyncio.to_thread(can_watch, served, opened["id"], invite=opened["invite"])
        for tab in (ann, ben):
            await tab.close()

    asyncio.run(go())


@pytest.mark.parametrize(("document", "place"), [
    ({}, "seed"), ({"seed": None}, "seed"), ({"seed": -1}, "seed"), ({"seed": "x"}, "seed"),
    ({"seed": 2**64}, "seed"), ({"seed": 1, "index": -1}, "index"), ([], "document"),
    ({"seed": 1, "rules": 3}, "rules"), ({"seed": 1, "rules": "players=9"}, "rules"),
    ({"seed": 1, "deck": []}, "document"),
])  # fmt: skip
def test_bad_deals_get_the_place(served, document, place):
    status, found = served.ask("/api/deals", document)
    assert (status, found["error"]["place"]) == (400, place), found


@pytest.mark.parametrize(("wished", "place"), [
    ({"seats": [ANN]}, "seats"), ({"seats": [agent("piers")] * 2}, "seats"), ({}, "seats"),
    ({"seats": [ANN, ANN]}, "seats[1]"), ({"seats": [ANN, agent("nobody")]}, "seats[1].agent"),
    ({"seats": [ANN, agent("piers")], "options": {"pace_ms": 1}}, "options.pace_ms"),
    ({"seats": [ANN, agent("piers")], "seed": 4}, "document"),
])  # fmt: skip
def test_bad_attempts_get_the_place(served, wished, place):
    status, found = served.ask("/api/deals/today/play", wished)
    assert (status, found["error"]["place"]) == (400, place), found


def compared(server: Server, deal: str, token: str) -> Frame:
    """What agents made of a deal, once that is known."""
    for _ in range(int(PATIENCE * 20)):
        status, found = server.ask(f"/api/deals/{deal}/results", **tokens(token))
        assert status == 200 and found["state"] != "failed", found
        if found["state"] == "done":
            return found
        sleep(0.05)
    raise AssertionError("the deal is never done")


def test_agents_do_as_the_command_says(served):
    deal = by_seed(served, 7, index=3)
    opened = attempt(served, deal, seats=[agent("tamaya-mixed"), ANN])
    play(served, opened)
    found = compared(served, deal, opened["token"])
    command = [sys.executable, "-m", "tamaya", "deal", "7", "--game", "3", "-p", "2", "--team",
               "tamaya-mixed", "--seat", "1", "--json", "--store",
               str(served.folder / "store.db")]  # fmt: skip
    wanted = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert found["guests"] == wanted["guests"] and len(found["guests"]) > 20
    rows = {row["name"]: row["score"] for row in found["agents"] if not row["is_given"]}
    assert rows == {row["name"]: row["score"] for row in wanted["agents"]}
    hard = wanted["difficulty"]
    assert found["difficulty"] == {"points": hard["points"], "se": hard["se"],
                                   "share": hard["share"], "panel": len(hard["panel"])}  # fmt: skip
    own = [row for row in found["agents"] if row["mine"]]
    assert [row["name"] for row in own] == ["Ann"]
    score = told(served, deal, opened["token"])["attempts"][0]["score"]
    assert (own[0]["score"], found["score"]) == (score, score)
    assert own[0]["rank"] == 1 + sum(points > score for points in rows.values())
    assert found["beside"] == ["tamaya-mixed"]
