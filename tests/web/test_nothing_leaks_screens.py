"""Nothing leaks from the screens beside the table: reviews, lines, deals, the lab, the report.

A *story* is told at two servers that differ in what its subject must not know, and then everything
is asked there: every address of the server, every type of frame, with every token that the subject
has. All answers must be equal, byte for byte, but for ids drawn by chance and the time. Addresses
and frames are taken from the server itself, so that new ones are asked too. Serializers that leak
are planted, one per screen at least, and must be caught.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from asking import BEN, BOT, FRAMES, FREE, POSTED, QUERIES, SEATS, SMALL, SOMEBODY, routes_of
from inside import KEY, Frame, Inside, inside
from lab_runs import write_runs
from support import permuted, play_randomly, replay
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.web import branches, deals, lab, live, opening, reports, shelf, tables
from tamaya.web.comparisons import Comparisons
from tamaya.web.deals import Deals, SharedDeal
from tamaya.web.events import AGENT, MOVED, PERSON, Event, Opening, Options, SeatState
from tamaya.web.guard import Refusal
from tamaya.web.journal import Entry, TableRecord
from tamaya.web.live import LiveTable
from tamaya.web.messages import _READERS, Message, Why
from tamaya.web.opening import hash_of
from tamaya.web.reports import MadeReport, Reports
from tamaya.web.review import HANDLERS, ReviewTab
from tamaya.web.review_frames import Believe
from tamaya.web.review_jobs import Analysis, Asking, ReviewJob
from tamaya.web.run_folders import RunFolder
from tamaya.web.table import Table
from tamaya.web.tables import Tables

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00|\"now\":\d{9,}\.\d+")
Told = list[tuple[str, str]]  # what was asked, and the answer
Story = Callable[[Inside, int], Awaitable[Told]]


async def asked_of_addresses(server: Inside, ids: list[str], tokens: list[str]) -> Told:
    """What all addresses answer about some tables and deals, with each of some tokens."""
    told: Told = []
    for method, template in routes_of(server):
        if method == "GET":
            queries: list[Any] = [*QUERIES.get(template, [""])]
        else:
            queries = POSTED[template]
        for query in queries:
            for known in ids if "{id}" in template else [""]:
                path = template.replace("{id}", known).replace("{path:path}", f"t/{ids[0]}")
                document = query if isinstance(query, dict) else None
                for token in tokens:
                    where = path if document is not None else path + query
                    answer = await server.ask(where, document, method, X_Tamaya_Token=token,
                                              X_Tamaya_Person=SOMEBODY)  # fmt: skip
                    told.append((f"{method} {template}", f"{answer.status_code} {answer.text}"))
                    if template.endswith("/branch") and answer.status_code == 201:
                        said = {"type": "hello", "table": answer.json()["id"]}
                        token = answer.json()["token"]
                        heard = await asked_in_frames(server, {**said, "token": token}, ["look"])
                        told += [(f"{method} {template}, hello", text) for _, text in heard]
    return told


async def asked_in_frames(server: Inside, first: Frame, types: list[str]) -> Told:
    """What a socket hears that says something first, and then all else that can be said."""
    told: Told = []
    async with server.socket() as wire:
        for type, fields in ((first["type"], first), *((type, FRAMES[type]) for type in types)):
            name = f"{first['type']}, {type}"
            try:
                await wire.put({**fields, "type": type, "id": 7})
                while not is_last(type, await wire.hear()):
                    pass
            except ConnectionError:  # it was sent away
                break
            finally:
                told += [(name, text) for text in wire.texts]
                wire.texts.clear()
    return told


def is_last(type: str, frame: Frame) -> bool:
    """Whether a frame ends the answer to one of a type."""
    if type == "choices" and frame["type"] == "choice":
        return frame["agent"] is None
    if type == "disagree" and frame["type"] == "disagreement":
        return frame["turn"] is None
    return frame.get("re") == 7


async def everything(server: Inside, ids: list[str], tokens: list[str], types: list[str]) -> Told:
    """All that somebody can find out about some tables and deals."""
    told = await asked_of_addresses(server, ids, ["", *tokens])
    for known in ids:
        for token in ("", *tokens):
            secret = {"token": token} if token else {}
            for first in ({"type": "hello", "table": known}, {"type": "review", "game": known}):
                told += await asked_in_frames(server, {**first, **secret}, types)
            if token:
                invited = {"type": "hello", "table": known, "invite": token}
                told += await asked_in_frames(server, invited, types)
    return told


class Numbered:
    """Takes the place of chance: ids and tokens one after the other."""

    def __init__(self) -> None:
        self.numbers = count(1)

    def token_bytes(self, n: int) -> bytes:
        """Those of an id."""
        return next(self.numbers).to_bytes(n, "big")

    def token_urlsafe(self, n: int) -> str:
        """A token or an invite."""
        return f"{next(self.numbers):022d}"


def leaked(folder: Path, story: Story, key: str = "", runs: str = "") -> set[str]:
    """What the two servers of a story answer differently."""
    found = []
    for secret in (0, 1):
        home = folder / f"{story.__name__}-{secret}-{len(list(folder.iterdir()))}"
        home.mkdir()

        async def tell(secret: int = secret, home: Path = home) -> Told:
            place = home / runs if runs else None
            if place is not None:
                write_runs(place)
                (place / "damaged").mkdir()
                (place / "damaged" / "run.json").write_text("{" + "x" * secret)
            async with inside(home, key, place) as server:
                return await story(server, secret)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(opening, "secrets", Numbered())
            for module in (tables, deals):
                patch.setattr(module, "randbits", lambda bits, secret=secret: 987654321 + secret)
            patch.setattr(Reports, "_make", report_of(secret if key else 0))
            told = asyncio.run(asyncio.wait_for(tell(), 120))
        found.append([(name, MOMENT.sub("then", text.replace(str(home), "/home")))
                      for name, text in told])  # fmt: skip
    one, other = found
    assert len(one) > 10
    return {name for name in {*dict(one), *dict(other)} if said(one, name) != said(other, name)}


def said(told: Told, name: str) -> list[str]:
    """All answers to one question."""
    return [text for other, text in told if other == name]


def report_of(secret: int) -> Callable[..., Awaitable[MadeReport]]:
    """Makes the report of a server, which takes no time here."""

    async def made(self: Reports, url: str, state: tuple[int, int]) -> MadeReport:
        return MadeReport(state, f"<p>{secret} results</p>", {})

    return made


# A deal that the subject has still to play.


async def played(server: Inside, opened: Frame, seed: int) -> None:
    """Play to the end, somehow."""
    hello = {"type": "hello", "table": opened["id"], "token": opened["token"]}
    rng = Random(seed)
    async with server.socket(hello) as tab:
        view = await tab.until("view")
        while view["phase"] != "over":
            if view["legal"]:
                view = await tab.ask("move", turn=view["turn"], move=rng.choice(view["legal"]))
            else:
                view = await tab.until("view")


async def unplayed(server: Inside, secret: int) -> Told:
    """Eve has played a deal, written on it, gone on from it and taken it elsewhere; Ben has not."""
    eve = (await server.ask("/api/tables", {"rules": SMALL, **SEATS})).json()
    await played(server, eve, secret)
    game, token = f"/api/games/{eve['id']}", {"X_Tamaya_Token": eve["token"]}
    deal = (await server.ask(f"{game}/deal", {}, **token)).json()["id"]
    line = (await server.ask(f"{game}/branch", {"turn": 0, **SEATS, "open": True}, **token)).json()
    text = (await server.ask(f"{game}/export?as=text", **token)).text
    copy = (await server.ask("/api/games", {"text": text})).json()["id"]
    said = {"type": "review", "game": eve["id"], "token": eve["token"]}
    async with server.socket(said) as tab:
        await tab.until("reviewing")
        await tab.ask("note", turn=0, text=f"the first card is {secret}", name="Eve")
    own = (await server.ask(f"/api/deals/{deal}/play", {"seats": [BEN, FREE]})).json()
    ids = [own["id"], eve["id"], line["id"], copy, deal, "today"]
    types = [name for name in FRAMES if name not in ("fill", "start")]  # what lets Ben play
    return await everything(server, ids, [own["token"], own["invite"]], types)


# A game that goes on.


def running(secret: int) -> Game:
    """A game for two after some moves, in which seat 0 has another hand, and the deck is other."""
    rng = Random(3)
    whole = play_randomly(Game(Rules.parse("players=2 colours=3 hand_size=3 lives=9"), 4), rng)
    game = replay(whole, turns=6)
    return permuted(game, 0, rng) if secret else game


def enter(server: Inside, game: Game, table_id: str, seats: tuple[SeatState, ...]) -> str:
    """Write a table and its moves to the journal; returns the token of its host."""
    token = "host".ljust(22, "-")
    opened = Opening(table_id, game.rules, seats, 987654321, options=Options(pace_ms=5000),
                     deck=tuple(game.deck), start=int(game.record.start))  # fmt: skip
    record = TableRecord(opened, Table(opened).kind, hash_of(token), hash_of("i" * 22), "0")
    server.tables.journal.create(record)
    for turn, event in enumerate(game.events):
        text = move_text(game.rules, int(event["move"]))
        entry = Entry(turn + 1, Event(MOVED, turn + 1, int(event["seat"]), text))
        server.tables.journal.append(table_id, entry)
    return token


async def unfinished(server: Inside, secret: int) -> Told:
    """Ben plays, and asks about his game as if it were over."""
    seats = (SeatState(PERSON, "Ben", token_hash=hash_of("b" * 22)),
             SeatState(PERSON, "Eve", token_hash=hash_of("e" * 22)))  # fmt: skip
    enter(server, running(secret), "a" * 16, seats)
    types = [name for name in FRAMES if name not in ("move", "leave", "undo")]
    return await everything(server, ["a" * 16], ["b" * 22, "i" * 22], types)


# A line that leaves a game which agents still play.


async def left(server: Inside, secret: int) -> Told:
    """Ben watches agents, sees all hands, and goes on himself; the deck is known to nobody."""
    game = running(0)
    game = permuted(game, (), Random(5)) if secret else game
    bot = SeatState(AGENT, "piers", "piers", "piers", code="c0de")
    token = enter(server, game, "a" * 16, (bot, bot))
    held = set(game.array["order"][0, :2, :3].ravel().tolist())
    told: Told = []
    for turn, morphs in ((game.turn, []), (game.turn, [sorted(held)[:2]]), (game.turn - 2, []),
                         (game.turn, [[min(held), 20]]), (0, [[4, 20]])):  # fmt: skip
        wished = {"turn": turn, "seats": [BEN, BOT], "morphs": morphs, "options": {"pace_ms": 5000}}
        answer = await server.ask(f"/api/games/{'a' * 16}/branch", wished, X_Tamaya_Token=token)
        told.append(("branch", answer.text))
        if answer.status_code != 201:
            continue
        line = answer.json()
        hello = {"type": "hello", "table": line["id"], "token": line["token"]}
        async with server.socket(hello) as tab:
            await tab.until("view")
            for k in range(turn):
                await tab.ask("look", turn=k)
            for order in range(game.rules.deck_size):
                await tab.ask("morph", order=order, card=order % 6 + 2 * (order % 6 > 2))
            await tab.ask("advise", turn=turn)
            told += [("line", text) for text in tab.texts]
    return told + await everything(server, ["a" * 16], [token], ["analyse", "believe", "choices"])


# A review free of spoilers.


def finished(secret: int) -> Game:
    """A game that goes on in two ways after six moves."""
    game = running(0)
    game = permuted(game, (), Random(5)) if secret else game
    return play_randomly(game, Random(secret))


async def unseen(server: Inside, secret: int) -> Told:
    """Ben has seen six turns of a game, of which others know the end."""
    brought = await server.ask("/api/games", {"text": finished(secret).to_text()})
    game, seen = brought.json()["id"], running(0).turn
    async with server.socket({"type": "review", "game": game}) as eve:
        await eve.until("reviewing")
        for note in ({"turn": seen - 1}, {"turn": seen + 1}, {"order": 2}, {"order": 16}):
            known = ("turn" in note and note["turn"] < seen) or note.get("order") == 2
            await eve.ask("note", **note, text="r1" if known else f"b{secret + 1}", name="Eve")
    told: Told = []
    for turn in (0, 2, seen):
        path = f"/api/games/{game}/views?from=0&to={turn}"
        for query in ("", "&seat=0", "&seat=1"):
            told.append(("views", (await server.ask(path + query)).text))
    async with server.socket({"type": "review", "game": game, "to": seen - 2}) as ben:
        await ben.until("reviewing")
        for turn in range(seen + 1):
            await ben.ask("focus", turn=turn)
            for seat in (0, 1):
                await ben.ask("believe", turn=turn, seat=seat)
        await ben.ask("analyse", blueprint="piers", to=seen - 1)
        await ben.until("done")
        for turn in range(seen):
            await ben.put({"type": "choices", "turn": turn})
            while (await ben.until("choice"))["agent"] is not None:
                pass
            await ben.ask("why", turn=turn, agent="piers")
        await ben.put({"type": "disagree", "to": seen})
        while (await ben.until("disagreement"))["turn"] is not None:
            pass
        await ben.ask("note", turn=1, text="hm", name="Ben")
        told += [(frame["type"], text) for frame, text in zip(ben.frames, ben.texts, strict=True)
                 if frame["type"] != "progress"]  # fmt: skip
    return told


# The lab and the report of a server with a key.


async def locked(server: Inside, secret: int) -> Told:
    """Ben has no key; of the runs he hears nothing, and whoever has it hears of no place."""
    told = await asked_of_addresses(server, ["a" * 16], [""])
    for method, template in routes_of(server):
        if "/lab" in template or "/report" in template:
            for query in QUERIES.get(template, [""]) if method == "GET" else [""]:
                document = POSTED[template][0] if method == "POST" else None
                answer = await server.ask(template + query, document, method, X_Tamaya_Key=KEY)
                shown = answer.text if "/home" in answer.text or "/tmp" in answer.text else ""
                told.append((f"{template} with the key", f"{secret} {shown}" if shown else ""))
    return told


STORIES: dict[Story, dict[str, str]] = {
    unplayed: {}, unfinished: {}, left: {}, unseen: {}, locked: {"key": KEY, "runs": "runs"},
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_nothing_is_told_that_the_subject_must_not_know(tmp_path, story):
    assert leaked(tmp_path, story, **STORIES[story]) == set()


def test_every_frame_is_sent():
    assert {*FRAMES, "hello", "review"} == set(_READERS)


# Planted leaks.

Plant = Callable[[pytest.MonkeyPatch], None]


def adding(owner: Any, name: str, add: Callable[..., Frame]) -> Plant:
    """Lets a function that answers with a frame say more."""
    honest = getattr(owner, name)

    async def later(*given: Any, **named: Any) -> Frame:
        return {**await honest(*given, **named), **add(*given)}

    def now(*given: Any, **named: Any) -> Frame:
        return {**honest(*given, **named), **add(*given)}

    return instead(owner, name, later if iscoroutinefunction(honest) else now)


def adding_to_all(owner: Any, name: str, add: Callable[..., Frame]) -> Plant:
    """The same for one that answers with several frames."""
    honest = getattr(owner, name)

    async def later(*given: Any) -> list[Frame]:
        return [{**frame, **add(*given)} for frame in await honest(*given)]

    def now(*given: Any) -> list[Frame]:
        return [{**frame, **add(*given)} for frame in honest(*given)]

    return instead(owner, name, later if iscoroutinefunction(honest) else now)


def telling_length(type: type[Message]) -> Plant:
    """Lets the answers to frames of a review say how long the game is."""
    honest = HANDLERS[type]

    async def later(tab: ReviewTab, message: Any) -> list[Frame]:
        return [{**frame, "now": tab.table.turn} for frame in await honest(tab, message)]

    return lambda patch: patch.setitem(HANDLERS, type, later)


def instead(owner: Any, name: str, value: Any) -> Plant:
    """Puts something in the place of something."""
    return lambda patch: patch.setattr(owner, name, value)


async def nothing(*_: Any) -> None:
    """A check that lets everybody pass."""


async def any_game(tables: Tables, table_id: str, token: str | None = None) -> LiveTable:
    """A game, whether it is over or not."""
    found = await tables.get(table_id)
    if found is None:
        raise Refusal(404, "no_such_table", "there is no such table", "id")
    return found


async def anybody(self: Comparisons, deal: SharedDeal, *_: Any) -> Frame:
    """What agents made of a deal, whoever asks."""
    return {"state": "done", "agents": [{"name": "piers", "score": deal.deck[0]}]}


def ignoring(job: type[ReviewJob], place: int, last: Callable[[Table], int | None]) -> Plant:
    """Lets a job of a review go to the end, whatever it was told."""
    honest = job.__init__

    def to_the_end(self: Any, table: Table, *given: Any, **named: Any) -> None:
        honest(self, table, *given[:place], last(table), *given[place + 1 :], **named)

    return instead(job, "__init__", to_the_end)


def next_card(table: Table, *_: Any) -> Frame:
    """The card that is drawn next."""
    n_left = int(table.game.record.deck_size)
    return {"next": table.game.deck[-n_left] if n_left else None}


def last_turn(tab: Any, *_: Any) -> Frame:
    """How long a game was."""
    return {"turns": tab.table.turn}


# By screen: the story in which somebody could notice, and the questions whose answers give it away.
PLANTED: dict[str, tuple[Story, Plant, str]] = {
    "deal: its cards": (
        unplayed, adding(Deals, "document", lambda _, deal, __: {"first": deal.deck[0]}),
        "GET /api/deals/{id}"),
    "deal: results": (
        unplayed, instead(Comparisons, "document", anybody), "GET /api/deals/{id}/results"),
    "deal: attempts": (
        unplayed, adding(Deals, "play", lambda _, deal, *__: {"seed": deal.seed}),
        "POST /api/deals/{id}/play"),
    "home: recent tables": (
        unplayed, instead(Deals, "hides_key", lambda *_: False), "GET /api/tables"),
    "table: welcome": (
        unplayed, adding(live, "welcome_frame", lambda table, *_: {"seed": table.seed}),
        "hello, hello"),
    "table: watching": (unplayed, instead(Deals, "check_may_watch", nothing), "hello, look"),
    "review, export, line: of a deal": (
        unplayed, instead(Deals, "check_may_see", nothing),
        "review, believe; GET /api/games/{id}/export; POST /api/games/{id}/branch, hello"),
    "review, export: too early": (
        unfinished, instead(Tables, "finished", any_game),
        "review, believe; GET /api/games/{id}/export"),
    "line: too early": (
        unfinished, instead(branches, "_parent", any_game), "POST /api/games/{id}/branch, hello"),
    "line: positions": (left, adding(live, "view_frame", next_card), "line"),
    "line: other cards": (
        left, instead(branches, "orders_in_hands", lambda game: set(range(50))), "line"),
    "review: length": (unseen, adding_to_all(ReviewTab, "welcome", last_turn), "reviewing"),
    "review: notes": (
        unseen, instead(ReviewTab, "_seen_of", lambda _, notes: [told for _, told in notes]),
        "reviewing"),
    "review: values": (unseen, ignoring(Analysis, 1, lambda table: table.turn), "value"),
    "review: disagreement": (unseen, ignoring(Asking, 2, lambda table: None), "disagreement"),
    "review: beliefs": (unseen, telling_length(Believe), "beliefs"),
    "review: reasons": (unseen, telling_length(Why), "reasons"),
    "review: positions": (
        unseen, adding_to_all(shelf, "review_views", lambda table, *_: {"now": table.turn}),
        "views"),
    "lab: places": (
        locked, instead(RunFolder, "words", lambda _, error: str(error)), "/api/lab with the key"),
    "lab: without a key": (locked, instead(lab, "check_key", lambda *_: None), "GET /api/lab/run"),
    "report: without a key": (
        locked, instead(reports, "check_key", lambda *_: None), "GET /api/report"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_caught(tmp_path, monkeypatch, name):
    story, plant, where = PLANTED[name]
    plant(monkeypatch)
    assert leaked(tmp_path, story, **STORIES[story]) >= set(where.split("; "))
