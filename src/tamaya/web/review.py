"""Reviews: tabs that look at a finished game, and what they ask about it.

A tab sends ``review`` and belongs to that game from then on. Games in progress are refused by
``Tables.finished``. On a server with a key only people who have it can start computations.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tamaya.replays.blueprints import (
    Blueprint,
    blueprint_of,
    blueprints_for,
    caution,
    default_blueprint,
)
from tamaya.web.advice import told_reasons, why
from tamaya.web.analyses import Analyses
from tamaya.web.events import AGENT, IMPORT, Role, TableError
from tamaya.web.eyes import ALL_FACES, check_looks_back, scene_of
from tamaya.web.guard import NEEDS_KEY, Refusal
from tamaya.web.live import LiveTable
from tamaya.web.log import palette_of
from tamaya.web.messages import Why
from tamaya.web.names import distinct_name
from tamaya.web.notes import Note, all_notes, has_room, notes_entry, told_notes
from tamaya.web.questions import Position, Question
from tamaya.web.review_frames import (
    Analyse,
    Believe,
    Cancel,
    Choices,
    Disagree,
    Focus,
    More,
    ReviewGame,
    WriteNote,
)
from tamaya.web.review_jobs import Analysis, Asking
from tamaya.web.sight import Presence, reasons_frame, rules_fields, seats_frame
from tamaya.web.tab import Frame, Tab
from tamaya.web.values import Message
from tamaya.web.wording import HANAB_LIVE

if TYPE_CHECKING:
    from tamaya.web.tables import Tables


class Reviews:
    """All reviews of a server."""

    def __init__(self, tables: "Tables", analyses: Analyses) -> None:
        self.tables, self.analyses = tables, analyses
        self._tabs: dict[str, set[ReviewTab]] = {}  # by game
        self._jobs: dict[tuple[str, str, int, bool], Analysis] = {}

    async def open(self, tab: Tab, message: ReviewGame, *, may_analyse: bool) -> "ReviewTab":
        """Let a tab look at a game; TableError if it is not over."""
        try:
            live = await self.tables.finished(message.game, message.token)
        except Refusal as refusal:
            place = refusal.place if refusal.code == "unplayed" else "game"
            raise TableError(refusal.code, refusal.text, place) from None
        self.analyses.wake()
        agents = [sitter.agent for sitter in live.table.seats]
        offered, usual = await asyncio.to_thread(_offered, agents, live.table.rules.players)
        review = ReviewTab(self, live, tab, offered, usual)
        review.may_analyse, review.seen = may_analyse, message.to
        review.role = live.role_of(message.token)
        self._tabs.setdefault(message.game, set()).add(review)
        return review

    def part(self, review: "ReviewTab") -> None:
        """A tab looks no longer."""
        tabs = self._tabs.get(review.game, set())
        tabs.discard(review)
        if not tabs:
            self._tabs.pop(review.game, None)

    def tabs_of(self, game: str) -> set["ReviewTab"]:
        """The tabs that look at a game."""
        return self._tabs.get(game, set())

    def analysis(self, wanted: Analysis) -> Analysis:
        """The analysis that is wanted: one that others have asked for already, or this one."""
        found = self._jobs.get(wanted.key)
        is_stale = found is not None and found.is_stored and found.is_done  # more may be known now
        if found is not None and not found.has_failed and not is_stale:
            return found
        self._jobs.pop(wanted.key, None)
        self.analyses.submit(wanted)
        self._jobs[wanted.key] = wanted
        return wanted

    async def leave(self, job: Analysis | Asking, tab: Tab) -> None:
        """A tab wants no more of a job; without any it ends."""
        job.tabs.discard(tab)
        if not job.tabs:
            if isinstance(job, Analysis) and self._jobs.get(job.key) is job:
                del self._jobs[job.key]
            await self.analyses.cancel(job)


def _offered(agents: list[str], players: int) -> tuple[list[Blueprint], str]:
    """The blueprints to choose from, and the one that is taken first."""
    usual, offered = default_blueprint(agents, players), blueprints_for(players)
    if usual not in [blueprint.text for blueprint in offered]:
        offered.insert(0, blueprint_of(usual))
    return [replace(one, warning=caution(one.text, agents)) for one in offered], usual


class ReviewTab:
    """A tab that looks at a finished game."""

    def __init__(
        self, reviews: Reviews, live: LiveTable, tab: Tab, offered: list[Blueprint], usual: str
    ) -> None:
        self.reviews, self.live, self.tab = reviews, live, tab
        self.table, self.game = live.table, live.table.id
        self.offered, self.usual = offered, usual
        self.may_analyse, self.role = False, Role()
        self.seen: int | None = None  # the last turn that may be spoken of, None for all
        self._agents = reviews.tables.guests.quick(self.table.rules)
        self._analysis: Analysis | None = None
        self._asking: dict[str, Asking] = {}  # by what is asked
        self._focus = 0

    async def welcome(self) -> list[Frame]:
        """What a review begins with."""
        return [{
            "type": "reviewing",
            "game": self.game,
            "turns": self.table.turn if self.seen is None else None,
            "rules": rules_fields(self.table.rules),
            "seats": seats_frame(self.table, [Presence(tabs=1)] * len(self.table.seats))["seats"],
            "palette": self.table.options.palette,
            "may_analyse": self.may_analyse,
            "may_note": self._may_note,
            "seat": self.role.seat,
            "blueprints": [vars(blueprint) for blueprint in self.offered],
            "blueprint": self.usual,
            "agents": [{"name": name, "code": code} for name, code in self._agents.items()],
            "notes": self._seen_of(await self._all_notes()),
        }]  # fmt: skip

    async def part(self) -> None:
        """The tab was closed, or looks at something else."""
        self.reviews.part(self)
        for job in (self._analysis, *self._asking.values()):
            if job is not None:
                await self.reviews.leave(job, self.tab)
        self._analysis, self._asking = None, {}

    async def answer(self, message: Message) -> list[Frame]:
        """The frames that answer a message."""
        if type(message) not in HANDLERS:
            raise TableError("bad_frame", "this tab reviews a game: say hello to a table", "type")
        return await HANDLERS[type(message)](self, message)

    # Values.

    def _check_may_analyse(self) -> None:
        if not self.may_analyse:
            raise TableError("forbidden", NEEDS_KEY)

    async def analyse(self, message: Analyse) -> list[Frame]:
        """Begin to value the moves, instead of what was begun before.

        Who has no key hears what is known already.
        """
        blueprint = message.blueprint or self.usual
        if blueprint not in [offered.text for offered in self.offered]:
            known = ", ".join(offered.text for offered in self.offered)
            raise TableError("bad_frame", f"expected one of {known}", "blueprint")
        turns = self.table.turn
        if not turns:
            raise TableError("unavailable", "the game has no moves to analyse")
        last = turns if message.to is None else min(message.to + 1, turns)
        before, self._analysis = self._analysis, None
        wanted = Analysis(self.table, blueprint, last, is_stored=not self.may_analyse)
        if before is not None and before.key != wanted.key:
            await self.reviews.leave(before, self.tab)
        wanted.address = self.tab.address
        job = self._analysis = self.reviews.analysis(wanted)
        job.tabs.add(self.tab)
        if not self.reviews.analyses.is_running(job):
            job.focus = min(self._focus + 1, last)
        waiting = self.reviews.analyses.n_before(job)
        begun = {"type": "analysing", "job": job.name, "blueprint": blueprint,
                 "to": last - 1, "waiting": waiting}  # fmt: skip
        return [begun, *job.so_far()]

    async def focus(self, message: Focus) -> list[Frame]:
        """Let the turn on the screen go first."""
        check_looks_back(self.table, message.turn)
        self._focus = message.turn
        if (job := self._analysis) is not None:
            job.focus = min(message.turn + 1, job.last)
            await self.reviews.analyses.tell(job, "focus", turn=job.focus)
        if self.seen is None or message.turn <= self.seen:
            return [self._progress()]
        self.seen = message.turn
        return [self._progress(), self.notes_frame(await self._all_notes())]

    async def more(self, message: More) -> list[Frame]:
        """Weigh a turn on more deals."""
        self._check_may_analyse()
        job = self._analysis
        if job is None or message.turn >= job.last:
            raise TableError("stale", "that turn is not being analysed", "turn")
        job.more.add(message.turn + 1)
        if job.is_done:
            job.address = self.tab.address
            self.reviews.analyses.submit(job)
            job.is_done = False
        else:
            await self.reviews.analyses.tell(job, "more", turn=message.turn + 1)
        return [self._progress()]

    async def cancel(self, message: Cancel) -> list[Frame]:
        """Stop."""
        job, self._analysis = self._analysis, None
        if job is not None:
            await self.reviews.leave(job, self.tab)
        return [{"type": "cancelled", "job": job.name if job else None}]

    def _progress(self) -> Frame:
        job = self._analysis
        if job is None:
            return {"type": "progress", "job": None, "done": 0, "of": 0}
        return {**job.progress, "job": job.name}

    # What agents would have done.

    async def choices(self, message: Choices) -> list[Frame]:
        """Ask every quick agent for its move at a turn."""
        self._check_running(message.turn)
        return await self._ask("choices", Asking(self.table, self._agents, message.turn))

    async def disagree(self, message: Disagree) -> list[Frame]:
        """Ask at every turn, perhaps up to one, how many ways the agents would go."""
        if message.to is not None:
            check_looks_back(self.table, message.to)
        agents: dict[str, bool] = {}
        agents.update((name, code) for name, code in self._agents.items() if not code)
        return await self._ask("disagree", Asking(self.table, agents, None, message.to))

    async def _ask(self, kind: str, job: Asking) -> list[Frame]:
        self._check_may_analyse()
        if before := self._asking.pop(kind, None):
            await self.reviews.leave(before, self.tab)
        job.tabs.add(self.tab)
        job.address = self.tab.address
        self.reviews.analyses.submit(job)
        self._asking[kind] = job
        return []

    def _check_running(self, turn: int) -> int:
        """The seat that moves at a turn; TableError if none does."""
        check_looks_back(self.table, turn)
        game = self.table.game
        if turn < game.turn:
            return int(game.events[turn]["seat"])
        if game.is_over:
            raise TableError("over", f"nobody moves at turn {turn}, the game is over", "turn")
        return game.mover

    async def why(self, message: Why) -> list[Frame]:
        """Why an agent moves as it does, or why the one that sat there did."""
        seat = self._check_running(message.turn)
        tables = self.reviews.tables
        if message.agent is None:
            if self.table.seats[seat].kind != AGENT:
                raise TableError("unavailable", "a person moved here: ask an agent", "agent")
            return [await why(self.table, Role(), message.turn, seat, tables.engines)]
        self._check_may_analyse()
        text = tables.guests.admit(message.agent, {}, self.table.rules)
        asked = Question(Position.of(self.table.game, message.turn), seat, text)
        said = await tables.engines.explain(asked, choose=True)
        scene = scene_of(self.table.game.at(message.turn), seat)
        reasons = told_reasons(scene, text, said.move, said.rows)
        return [reasons_frame(self.table, "why", message.turn, seat, reasons)]

    async def believe(self, message: Believe) -> list[Frame]:
        """What a seat takes its own cards for: by counting, or as an agent there would."""
        check_looks_back(self.table, message.turn)
        if message.seat >= self.table.rules.players:
            raise TableError("no_such_seat", f"seat {message.seat} does not exist", "seat")
        tables, seat = self.reviews.tables, message.seat
        text = ""
        if message.agent is not None:
            self._check_may_analyse()
            text = tables.guests.admit(message.agent, {}, self.table.rules)
        asked = Question(Position.of(self.table.game, message.turn), seat, text)
        rows = await tables.engines.believe(asked)
        game = self.table.game.at(message.turn)
        scene = scene_of(game, seat)
        faces = scene_of(game, ALL_FACES).row("card", seat)
        orders, hints = scene.row("order", seat), scene.row("possible", seat)
        slots = [
            {"slot": slot, "order": order, "p": rows[slot], "hints": hints[slot],
             "sight": scene.own[seat][slot], "truth": faces[slot]}
            for slot, order in enumerate(orders)
            if order >= 0
        ]  # fmt: skip
        return [{"type": "beliefs", "turn": message.turn, "seat": seat, "agent": message.agent,
                 "slots": slots}]  # fmt: skip

    # Notes.

    async def _all_notes(self) -> list[tuple[Note, Frame]]:
        palette, store = palette_of(self.table), self.reviews.tables.store
        suits = () if palette == HANAB_LIVE else palette.colours
        return await asyncio.to_thread(told_notes, store, self.game, self.table.rules, suits)

    def _seen_of(self, notes: list[tuple[Note, Frame]]) -> list[Frame]:
        """The notes that this tab may know."""
        seen = self.table.turn if self.seen is None else min(self.seen, self.table.turn)
        n_left = scene_of(self.table.game.at(seen), ALL_FACES).number("deck_size")
        drawn = self.table.rules.deck_size - n_left
        return [
            told
            for note, told in notes
            if (note.order < drawn if note.order is not None else (note.turn or 0) <= seen)
        ]

    def notes_frame(self, notes: list[tuple[Note, Frame]]) -> Frame:
        """Those of some notes that this tab may know."""
        return {"type": "notes", "notes": self._seen_of(notes)}

    @property
    def _may_note(self) -> bool:
        return self.may_analyse or self.role.seat is not None

    async def note(self, message: WriteNote) -> list[Frame]:
        """Write a note; who sat in a seat writes under its name."""
        if not self._may_note:
            raise TableError("forbidden", "notes are for people with the key of this server, and "
                             "for those who played")  # fmt: skip
        if message.turn is not None:
            check_looks_back(self.table, message.turn)
        if message.order is not None and message.order >= self.table.rules.deck_size:
            raise TableError("bad_frame", f"there is no card {message.order}", "order")
        tables = self.reviews.tables
        if not has_room(await asyncio.to_thread(all_notes, tables.store, self.game), message.text):
            raise TableError("busy", "there are too many notes on this game already", "text")
        name = message.name
        if self.table.kind != IMPORT:  # nobody writes under the name of somebody who played
            name = distinct_name(name, [sitter.name for sitter in self.table.seats])
        note = Note(name, None, message.turn, message.order, message.text)
        if (seat := self.role.seat) is not None:
            note = replace(note, seat=seat, author=self.table.seats[seat].name)
        await tables.writer.put(notes_entry(self.game, [note]))
        notes = await self._all_notes()
        for review in self.reviews.tabs_of(self.game):
            if review is not self:
                review.tab.send(review.notes_frame(notes))
        return [self.notes_frame(notes)]


HANDLERS: dict[type[Message], Callable[[ReviewTab, Any], Awaitable[list[Frame]]]] = {
    Analyse: ReviewTab.analyse,
    Focus: ReviewTab.focus,
    More: ReviewTab.more,
    Cancel: ReviewTab.cancel,
    Choices: ReviewTab.choices,
    Disagree: ReviewTab.disagree,
    Why: ReviewTab.why,
    Believe: ReviewTab.believe,
    WriteNote: ReviewTab.note,
}
