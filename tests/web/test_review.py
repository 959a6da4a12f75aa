"""Reviews of finished games: values, what agents would do, beliefs, notes; and who may not."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import websockets

from serving import PATIENCE, PROTOCOL, Client, Frame, Server, started
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.moves import GIVE_UP, move_text
from tamaya.replays import to_json
from tamaya.replays.analyst import Analyst
from tamaya.replays.blueprints import default_blueprint
from tamaya.replays.lost import loss_in, loss_words
from tamaya.replays.marks import Mark
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.web.analyses import MOVES, Analyses, Job, Limits
from tamaya.web.questions import EngineError

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
RULES = Rules(players=2, colours=2, lives=1)


def played(seed: int = 1) -> Game:
    """A short game that ends with a card which costs the last life."""
    game = Game(RULES, seed)
    for k in range(6):
        game.apply(game.legal_moves[-1 - (k + 1) % 2])
    for move in game.legal_moves:
        after = game.copy()
        after.apply(move)
        if after.status == "out of lives":
            return after
    raise AssertionError("every play scores")


GAME = played()


def brought(server: Server, game: Game = GAME, **headers: str) -> str:
    """The id of a game that was imported."""
    head = {"X-Tamaya": "1", **headers}
    document = {"text": json.dumps(to_json(game, ["Ann", "Ben"]))}
    answer = httpx.post(f"{server.address}/api/games", json=document, headers=head, timeout=60)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


class Reviewer(Client):
    """A tab that reviews a game."""

    async def connect(self) -> None:
        """Connect and say which game."""
        self.socket = await websockets.connect(
            self.url, subprotocols=[websockets.Subprotocol(PROTOCOL)], max_queue=None
        )
        self.latest.clear()
        await self.put(self.hello)
        await self.until(lambda: "reviewing" in self.latest or "error" in self.latest)

    async def values(self) -> dict[int, Frame]:
        """The last value of each turn, when all is done."""
        self.latest.pop("done", None)
        first = len(self.frames)
        await self.until(lambda: "done" in self.latest or "error" in self.latest)
        return {frame["turn"]: frame for frame in self.frames[first:] if frame["type"] == "value"}

    async def analysed(self, **fields: Any) -> dict[int, Frame]:
        """The values of an analysis from its beginning to its end."""
        first = len(self.frames)
        reply = await self.ask("analyse", **fields)
        assert reply["type"] == "analysing", reply
        await self.until(lambda: any(f["type"] == "done" for f in self.frames[first:]))
        return {f["turn"]: f for f in self.frames[first:] if f["type"] == "value"}


def reviewer(server: Server, game: str, **fields: Any) -> Reviewer:
    """A tab, before it connects."""
    tab = Reviewer(server, "")
    tab.hello = {"type": "review", "game": game, **fields}
    return tab


@asynccontextmanager
async def reviewing(server: Server, game: str, **fields: Any) -> AsyncIterator[Reviewer]:
    """A tab that reviews a game."""
    tab = reviewer(server, game, **fields)
    async with tab:
        yield tab


def run(test: Callable[[], Any]) -> None:
    """Run a test in an event loop, not for ever."""

    async def go() -> None:
        async with asyncio.timeout(3 * PATIENCE):
            await test()

    asyncio.run(go())


@pytest.fixture(scope="module")
def game(served) -> str:
    return brought(served)


# Values.


def test_values_are_those_of_the_command(served, game):
    async def review() -> None:
        async with reviewing(served, game) as tab:
            hello = tab.latest["reviewing"]
            assert hello["blueprint"] == default_blueprint(["", ""], 2)
            assert (hello["turns"], hello["may_analyse"]) == (GAME.turn, True)
            values = await tab.analysed()
            analyst = Analyst(hello["blueprint"], seed=0)
            rows = analyst.analyse(GAME, deals=300, open_deals=1200, threads=1)
            assert sorted(values) == [row.turn - 1 for row in rows]
            for row in rows:
                value = values[row.turn - 1]
                assert (value["mark"], value["deals"]) == (row.mark.sign, row.deals)
                assert (value["best"], value["sure"]) == (row.best, row.sure)
                assert (value["expected"], value["se"]) == (row.expected, row.se)
                assert (value["loss"], value["loss_se"]) == (row.loss, row.loss_se)
                found = [(m["move"], m["mean"], m["se"], m["gain"], m["gain_se"])
                         for m in value["moves"]]  # fmt: skip
                assert found == [(m.move, m.mean, m.se, m.gain, m.gain_se) for m in row.moves]
            assert values[GAME.turn - 1]["mark"] == Mark.BLUNDER.sign
            assert values[0]["moves"][0]["words"].startswith(("tell ", "play ", "discard "))
            players = tab.latest["done"]["players"]
            assert [player["name"] for player in players] == ["Ann", "Ben"]
            assert sum(player["marks"]["??"] for player in players) >= 1
            assert sum(player["turns"] for player in players) == GAME.turn
            progress = tab.latest["progress"]
            assert progress["done"] == progress["of"] == 3 * GAME.turn

    run(review)


def test_up_to_which_turn_a_game_could_be_won_is_that_of_the_command(served, game):
    given_up = GAME.at(5)
    given_up.apply(GIVE_UP)
    unfinished = brought(served, GAME.at(4))
    document = {"text": given_up.to_text()}  # hanab.live's format has no such end
    answer = httpx.post(f"{served.address}/api/games", json=document, headers={"X-Tamaya": "1"})
    other = answer.json()["id"]

    async def review() -> None:
        for name, lost, turn in ((game, GAME, GAME.turn - 1), (other, given_up, None)):
            loss = loss_in(lost)
            assert loss is not None
            for _ in range(2):  # who comes later hears it too
                async with reviewing(served, name) as tab:
                    await tab.analysed()
                    told = tab.latest["lost"]
                    assert (told["turn"], told["words"]) == (turn, loss_words(loss))
                    assert told["job"] == tab.latest["done"]["job"]
        async with reviewing(served, unfinished) as tab:
            await tab.analysed()
            assert "lost" not in tab.latest

    run(review)


def test_a_reader_who_fears_spoilers_hears_of_no_later_turn(served, game):
    async def review() -> None:
        async with reviewing(served, game) as tab:
            assert sorted(await tab.analysed(to=2)) == [0, 1, 2]
            assert sorted(await tab.analysed(to=4)) == [0, 1, 2, 3, 4]
            jobs = {f["job"] for f in tab.frames if f["type"] == "analysing"}
            assert len(jobs) == 2
            assert (await tab.ask("more", turn=5))["code"] == "stale"
            assert "lost" not in tab.latest
            await tab.analysed(to=GAME.turn - 1)
            assert "lost" in tab.latest

    run(review)


def test_who_fears_spoilers_hears_neither_the_length_nor_later_notes(served):
    game = brought(served, played(5))

    async def review() -> None:
        async with reviewing(served, game) as writer:
            assert writer.latest["reviewing"]["turns"] == GAME.turn
            for note in ({"turn": 1}, {"turn": 4}, {"order": 3}, {"order": 10}):
                await writer.ask("note", **note, text="[f] [y2]", name="Zoë")
        async with reviewing(served, game, to=2) as tab:
            hello = tab.latest["reviewing"]
            assert hello["turns"] is None
            assert [seat["name"] for seat in hello["seats"]] == ["Ann", "Ben"]
            assert hello["rules"]["colours"] == RULES.colours
            told = [(note["turn"], note["order"]) for note in hello["notes"]]
            assert told == [(1, None), (None, 3)]
            assert [note["cards"] for note in hello["notes"]] == [None, 1 << 6]  # yellow 2
            assert [note["meanings"] for note in hello["notes"]] == [[], ["finessed"]]
            await tab.put({"type": "disagree", "to": 2})
            await tab.until(lambda: tab.latest.get("disagreement", {}).get("turn", 0) is None)
            turns = [frame["turn"] for frame in tab.frames if frame["type"] == "disagreement"]
            assert turns == [0, 1, None]
            assert (await tab.ask("disagree", to=99))["place"] == "turn"
            assert (await tab.ask("focus", turn=1))["type"] == "progress"
            assert "notes" not in tab.latest
            await tab.ask("focus", turn=4)
            await tab.until(lambda: "notes" in tab.latest)
            assert (4, None) in [(n["turn"], n["order"]) for n in tab.latest["notes"]["notes"]]

    run(review)


def test_more_deals_are_for_one_turn(served, game):
    async def review() -> None:
        async with reviewing(served, game) as tab:
            before = await tab.analysed()
            reply = await tab.ask("more", turn=GAME.turn - 1)
            assert (reply["type"], reply["job"]) == ("progress", before[0]["job"])
            more = await tab.values()
            assert list(more) == [GAME.turn - 1]
            assert more[GAME.turn - 1]["deals"] == 8000
            assert more[GAME.turn - 1]["job"] == before[0]["job"]

    run(review)


def test_an_analysis_is_focused_and_cancelled(served):
    game = brought(served, played(2))

    async def review() -> None:
        async with reviewing(served, game) as tab:
            assert (await tab.ask("focus", turn=4))["job"] is None
            begun = await tab.ask("analyse")
            await tab.until(lambda: "value" in tab.latest)
            assert tab.latest["value"]["turn"] == 4
            assert (await tab.ask("focus", turn=GAME.turn))["job"] == begun["job"]
            assert (await tab.ask("focus", turn=99))["code"] == "stale"
            reply = await tab.ask("cancel")
            assert (reply["type"], reply["job"]) == ("cancelled", begun["job"])
            assert (await tab.ask("cancel"))["job"] is None

    run(review)


def test_who_asks_for_the_same_later_hears_all_of_it(served, game):
    async def review() -> None:
        async with reviewing(served, game) as one, reviewing(served, game) as other:
            first, second = await one.analysed(), await other.analysed()
            assert first == second

    run(review)


@pytest.mark.parametrize(("agents", "blueprint"), [
    (["piers", "piers"], "piers"),
    (["search:blueprint=/tmp/x.py"] * 2, default_blueprint(["", ""], 2)),
    (["nobody", "piers"], default_blueprint(["", "piers"], 2)),
])  # fmt: skip
def test_a_game_that_names_agents_is_valued_by_them_if_they_are_known(served, agents, blueprint):
    async def review() -> None:
        names = [f"{agent} {seat}"[-40:] for seat, agent in enumerate(agents)]
        text = json.dumps(to_json(GAME, names, agents=agents))
        answer = httpx.post(f"{served.address}/api/games", json={"text": text},
                            headers={"X-Tamaya": "1"}, timeout=60)  # fmt: skip
        async with reviewing(served, answer.json()["id"]) as tab:
            assert tab.latest["reviewing"]["blueprint"] == blueprint

    run(review)


@pytest.mark.parametrize("blueprint", ["piers", "certainty"])
def test_another_blueprint_may_be_chosen_from_the_list(served, game, blueprint):
    async def review() -> None:
        async with reviewing(served, game) as tab:
            texts = {row["text"]: row for row in tab.latest["reviewing"]["blueprints"]}
            assert "convention" in texts[blueprint]["warning"]  # it sat in no seat
            values = await tab.analysed(blueprint=blueprint, to=1)
            row = Analyst(blueprint).weigh(GAME, 1, values[0]["deals"])
            assert values[0]["expected"] == row.expected
            for text in ("random", "search:blueprint=/tmp/x.py", "nobody"):
                reply = await tab.ask("analyse", blueprint=text)
                assert (reply["type"], reply["place"]) == ("error", "blueprint")

    run(review)


# What agents would have done.


def test_agents_say_what_they_would_do(served, game):
    async def review() -> None:
        async with reviewing(served, game) as tab:
            agents = {row["name"]: row["code"] for row in tab.latest["reviewing"]["agents"]}
            assert agents["certainty"] is False and agents["information"] is True
            await tab.put({"type": "choices", "turn": 3})
            await tab.until(lambda: tab.latest.get("choice", {}).get("agent", "") is None)
            choices = [frame for frame in tab.frames if frame["type"] == "choice"][:-1]
            assert [choice["agent"] for choice in choices] == list(agents)
            made = move_text(RULES, GAME.moves[3])
            assert all(c["same"] == (c["move"] == made) for c in choices if c["move"])
            assert sum(c["move"] is not None for c in choices) > 10
            assert (await tab.ask("choices", turn=GAME.turn))["code"] == "over"

    run(review)


def test_turns_at_which_agents_differ_are_counted(served, game):
    async def review() -> None:
        async with reviewing(served, game) as tab:
            await tab.put({"type": "disagree"})
            await tab.until(lambda: tab.latest.get("disagreement", {}).get("turn", 0) is None)
            counts = [frame for frame in tab.frames if frame["type"] == "disagreement"][:-1]
            assert [count["turn"] for count in counts] == list(range(GAME.turn))
            assert all(1 <= count["kinds"] <= count["agents"] for count in counts)
            assert max(count["kinds"] for count in counts) > 1

    run(review)


def test_an_agent_gives_its_reasons_and_beliefs(served, game):
    async def review() -> None:
        async with reviewing(served, game) as tab:
            reasons = await tab.ask("why", turn=2, agent="piers")
            assert (reasons["type"], reasons["turn"], reasons["agent"]) == ("reasons", 2, "piers")
            assert reasons["move"]
            assert reasons["rows"][-1]["parts"] == [{"text": "why"}]  # in plain words
            assert all(row["words"] for row in reasons["details"])  # and what its rules do
            assert (await tab.ask("why", turn=2))["code"] == "unavailable"  # a person moved
            assert (await tab.ask("why", turn=2, agent="nobody"))["place"] == "agent"
            counted = await tab.ask("believe", turn=5, seat=1)
            position = GAME.at(5)
            wanted = Seat(_counter(), position, 1).believe()
            for slot in counted["slots"]:
                assert slot["p"] == pytest.approx(wanted[slot["slot"]].tolist())
                assert slot["p"][slot["truth"]] > 0
                assert slot["hints"] >> slot["truth"] & 1 and slot["sight"] >> slot["truth"] & 1
                assert slot["truth"] == int(position.record.card[1, slot["slot"]])
            assert len(counted["slots"]) == RULES.hand_size
            own = await tab.ask("believe", turn=5, seat=1, agent="fireflower")
            assert own["agent"] == "fireflower" and len(own["slots"]) == RULES.hand_size
            assert (await tab.ask("believe", turn=5, seat=2))["place"] == "seat"
            assert (await tab.ask("believe", turn=99, seat=1))["place"] == "turn"

    run(review)


def _counter() -> Any:
    from tamaya.lookup import find_agent

    return find_agent("certainty")


# Notes.


def test_notes_are_told_to_all_tabs_replaced_and_removed(served):
    game = brought(served, played(3))

    async def review() -> None:
        async with reviewing(served, game) as one, reviewing(served, game) as other:
            note = {"turn": 2, "text": "why not\n<b>play</b>?", "name": "Zoë"}
            notes = (await one.ask("note", **note))["notes"]
            assert [(n["author"], n["turn"], n["order"], n["text"]) for n in notes] == [
                ("Zoë", 2, None, note["text"])
            ]
            await other.until(lambda: "notes" in other.latest)
            assert other.latest["notes"]["notes"] == notes
            await other.ask("note", order=4, text="r2", name="Max")
            notes = (await one.ask("note", **{**note, "text": "better"}))["notes"]
            assert [n["text"] for n in notes] == ["better", "r2"]
            assert len((await one.ask("note", **{**note, "text": " "}))["notes"]) == 1
            for bad, place in (
                ({**note, "turn": 99}, "turn"), ({**note, "order": 3}, "turn"),
                ({**note, "text": "x" * 501}, "text"), ({**note, "text": "\u202ex"}, "text"),
                ({**note, "name": ""}, "name"),
            ):  # fmt: skip
                reply = await one.ask("note", **bad)
                assert (reply["type"], reply["place"]) == ("error", place)
        exported = httpx.get(f"{served.address}/api/games/{game}/export?as=json").json()
        assert [note["text"] for note in exported["tamaya"]["notes"]] == ["r2"]

    run(review)


# Who may not.


def test_nothing_of_a_running_game_is_told(served):
    opened = served.open("Ann", "piers")

    async def ask() -> None:
        for token in (None, opened["token"]):
            tab = reviewer(served, opened["id"], **({"token": token} if token else {}))
            async with tab:
                assert tab.latest["error"]["code"] == "forbidden"
                assert "reviewing" not in tab.latest
                for type, fields in (
                    ("analyse", {}), ("choices", {"turn": 0}), ("disagree", {}), ("cancel", {}),
                    ("believe", {"turn": 0, "seat": 1}), ("why", {"turn": 0, "agent": "piers"}),
                    ("note", {"turn": 0, "text": "x", "name": "Y"}), ("more", {"turn": 0}),
                ):  # fmt: skip
                    reply = await tab.ask(type, **fields)
                    assert (reply["type"], reply["code"]) == ("error", "bad_frame"), type

    run(ask)


def test_a_game_that_is_not_there_closes_the_socket(served):
    async def ask() -> None:
        tab = reviewer(served, "a" * 16)
        async with tab:
            assert tab.latest["error"]["code"] == "no_such_table"
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await tab.hear()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404

    run(ask)


# The engine: killed, started again, in line.


def test_an_engine_that_is_killed_and_a_server_that_is_started_again(tmp_path):
    key = "12345678"
    with started(tmp_path, "--name", "tables.example", TAMAYA_KEY=key) as server:
        server.wait()
        opener = {"X-Tamaya-Key": key}
        game = brought(server, played(4), **opener)
        refused = httpx.post(f"{server.address}/api/games", json={"text": GAME.to_text()},
                             headers={"X-Tamaya": "1"})  # fmt: skip
        assert refused.status_code == 403

        async def review() -> dict[int, Frame]:
            async with reviewing(server, game) as stranger:
                assert stranger.latest["reviewing"]["may_analyse"] is False
                assert await stranger.analysed() == {}  # nothing is known, and nothing is begun
                assert "lost" not in stranger.latest
                for type, fields in (
                    ("more", {"turn": 0}), ("choices", {"turn": 0}), ("disagree", {}),
                    ("note", {"turn": 0, "text": "x", "name": "Y"}),
                    ("why", {"turn": 0, "agent": "piers"}),
                    ("believe", {"turn": 0, "seat": 0, "agent": "piers"}),
                ):  # fmt: skip
                    assert (await stranger.ask(type, **fields))["code"] == "forbidden"
            async with reviewing(server, game, key=key) as tab:
                await tab.ask("analyse")
                await tab.until(lambda: "value" in tab.latest)
                os.kill(engine_of(server), signal.SIGKILL)
                values = {f["turn"]: f for f in tab.frames if f["type"] == "value"}
                return {**values, **await tab.values()}

        values = asyncio.run(review())
        assert sorted(values) == list(range(GAME.turn))
        assert all(value["deals"] >= 300 for value in values.values())
        server.kill()
        server.start().wait()

        async def again() -> dict[int, Frame]:
            async with reviewing(server, game, key=key) as tab, reviewing(server, game) as stranger:
                found = await tab.analysed()
                assert {t: v["moves"] for t, v in (await stranger.analysed()).items()} == {
                    t: v["moves"] for t, v in found.items()
                }
                assert stranger.latest["lost"]["words"] == tab.latest["lost"]["words"]
                return found

        found = asyncio.run(again())
        assert {turn: v["moves"] for turn, v in found.items()} == {
            turn: v["moves"] for turn, v in values.items()
        }

        async def guess() -> list[str]:
            async with reviewing(server, game) as tab:
                keys = [f"{k:08}" for k in range(11)]
                return [(await tab.ask("review", game=game, key=k))["type"] for k in (*keys, key)]

        assert asyncio.run(guess()) == ["reviewing"] * 10 + ["error"] * 2
        head = {"X-Tamaya-Key": key}  # wrong keys count wherever they are tried
        assert httpx.get(f"{server.address}/api/status", headers=head).status_code == 429


def engine_of(server: Server) -> int:
    """The process of the analysis engine."""
    assert server.process is not None
    for folder in os.listdir("/proc"):
        if folder.isdecimal():
            try:
                with open(f"/proc/{folder}/stat") as stat, open(f"/proc/{folder}/cmdline") as line:
                    parent = int(stat.read().rpartition(")")[2].split()[1])
                    if parent == server.process.pid and "analysis_engine" in line.read():
                        return int(folder)
            except OSError:
                continue
    raise AssertionError("there is no analysis engine")


class Note(Job):
    """A job that remembers what it heard."""

    def __init__(self, fields: Frame, address: str = "") -> None:
        super().__init__()
        self.fields, self.heard = fields, list[Frame]()
        self.address = address
        self.ended = asyncio.Event()

    def request(self) -> Frame:
        return self.fields

    def hear(self, message: Frame) -> None:
        self.heard.append(message)
        if "error" in message or "done" in message:
            self.ended.set()


def test_a_job_that_ends_its_process_twice_fails_and_others_go_on(tmp_path):
    """A position without a deck is nothing that an engine can work on; killing it is as bad."""

    async def go() -> None:
        analyses = Analyses(str(tmp_path / "store.db"))
        job = Note({"ask": "analyse", "position": {}})
        analyses.submit(job)
        await asyncio.wait_for(job.ended.wait(), PATIENCE)
        assert job.heard[-1]["error"][0] == "unavailable"
        game = Game(Rules(players=5, lives=50), 1)
        for _ in range(30):
            game.apply(game.legal_moves[-1])
        position = {"rules": game.rules.to_text(), "start": 0, "deck": game.deck, "seed": 0,
                    "moves": game.moves}  # fmt: skip
        job = Note({"ask": "analyse", "position": position, "blueprint": "piers",
                    "last": game.turn, "focus": 1, "more": [], "stored": False,
                    "gave_up": False})  # fmt: skip
        analyses.submit(job)
        pid = None
        for _ in range(2):
            while analyses.pid in (None, pid):  # what the last one sent may still be on its way
                await asyncio.sleep(0.01)
            pid, n_heard = analyses.pid, len(job.heard)
            while len(job.heard) == n_heard:
                await asyncio.sleep(0.01)
            os.kill(pid, signal.SIGKILL)
        await asyncio.wait_for(job.ended.wait(), PATIENCE)
        assert job.heard[-1]["error"][:2] == [
            "fault", "the analysis ended its process (signal 9)",
        ]  # fmt: skip
        assert analyses.n_started == 2
        await analyses.stop()

    asyncio.run(go())


def test_two_are_done_at_once_and_eight_wait(tmp_path):
    async def go() -> None:
        analyses = Analyses(str(tmp_path / "store.db"), limits=Limits(start=0.0))
        jobs = [Note({"ask": "analyse"}, f"10.0.0.{k}") for k in range(8)]
        analyses.submit(jobs[0])
        analyses.submit(jobs[1])
        for job in jobs[2:]:
            analyses.submit(job)
        assert [analyses.n_before(job) for job in jobs] == [0, 0, 1, 2, 3, 4, 5, 6]
        with pytest.raises(EngineError) as refused:
            analyses.submit(Note({}))
        assert refused.value.code == "busy"
        await analyses.cancel(jobs[3])
        assert analyses.n_before(jobs[7]) == 5
        await asyncio.wait_for(jobs[7].ended.wait(), PATIENCE)  # no process in no time
        assert jobs[0].heard[0]["error"][0] == "unavailable"
        assert jobs[3].heard == []
        await analyses.stop()

    asyncio.run(go())


def test_one_address_has_its_share_of_the_queue(tmp_path):
    async def go() -> None:
        analyses = Analyses(str(tmp_path / "store.db"), limits=Limits(start=0.0))
        for k in range(Limits.share):
            analyses.submit(Note({"ask": "analyse", "k": k}, "10.0.0.1"))
        with pytest.raises(EngineError) as refused:
            analyses.submit(Note({"ask": "analyse"}, "10.0.0.1"))
        assert refused.value.code == "busy"
        other = Note({"ask": "analyse"}, "10.0.0.2")
        analyses.submit(other)
        choices = Note({"ask": "choices"}, "10.0.0.1")
        choices.lane = MOVES  # type: ignore[misc]
        analyses.submit(choices)  # that is another queue
        await asyncio.wait_for(other.ended.wait(), PATIENCE)
        analyses.submit(Note({"ask": "analyse"}, "10.0.0.1"))  # what has ended does not count
        await analyses.stop()

    asyncio.run(go())
