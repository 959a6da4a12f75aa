"""The analysis engine: a process that values the moves of finished games for reviews.

    python -m tamaya.web.analysis_engine NICENESS [FILE...]

Like ``tamaya.web.engine`` it reads and writes lines of JSON and ends with its input. The first line
names the store for all sums. It works on several requests at once: values of moves in slices of
about 50 ms, by turns, in one thread; stored values in another; what agents would have done in a
third, because an agent that was never compiled may block it for a minute; deals that all agents
play in a fourth. Requests may be focused, extended and cancelled between slices.
``tamaya.web.analyses`` is the other side.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Any

from tamaya.game import Game
from tamaya.moves import GIVE_UP, move_text
from tamaya.player import AgentError, Player, exception_text
from tamaya.replays.agreement import move_at, moves_of
from tamaya.replays.analysis import TurnAnalysis
from tamaya.replays.analyst import Analyst
from tamaya.replays.kept_sums import TurnSums
from tamaya.replays.lost import loss_in, loss_words
from tamaya.replays.marks import summarise
from tamaya.replays.review import Review
from tamaya.store.database import Store, StoreError
from tamaya.web.compiling import CompilerWatch
from tamaya.web.deal_work import played_deal
from tamaya.web.engine import BEAT, Message, connect
from tamaya.web.minds import dealt_game
from tamaya.web.questions import Position
from tamaya.web.snapshots import known_agent

ANALYSE, CHOICES, DISAGREE, DEAL = "analyse", "choices", "disagree", "deal"
FOCUS, MORE, CANCEL = "focus", "more", "cancel"
MOST_OPEN = 8  # games whose sums stay in memory
PROGRESS_SECONDS = 0.25  # between two progress messages of a review
Send = Callable[[Message], None]


@dataclass
class Work:
    """A request in progress: its steps, and the queue of orders about it."""

    id: int
    player: Player | None
    steps: Iterator[Message | None]
    review: Review | None = None


class Worker:
    """A thread that works on its requests by turns, a step of each at a time."""

    def __init__(self, send: Send, begin: Callable[[Message], Work]) -> None:
        self.requests: SimpleQueue[Message] = SimpleQueue()
        self.works: dict[int, Work] = {}
        self._send, self._begin = send, begin
        self.current: Work | None = None  # whose step is being taken

    def run(self) -> None:
        """Work for ever."""
        while True:
            self.turn()

    def turn(self) -> None:
        """Read new requests, waiting only if idle, and take a step of each."""
        while not self.works or not self.requests.empty():
            try:
                self._hear(self.requests.get(block=not self.works))
            except Empty:
                break
        for work in list(self.works.values()):
            self.current = work
            self._step(work)
            self.current = None

    def _hear(self, request: Message) -> None:
        number, ask = request["id"], request["ask"]
        work = self.works.get(number)
        if ask == CANCEL:
            if work is not None:
                del self.works[number]
                work.steps.close()  # type: ignore[attr-defined]  # a generator, which saves
            self._send({"id": number, "cancelled": True})
        elif ask == FOCUS and work is not None and work.review is not None:
            work.review.focus(request["turn"])
        elif ask == MORE and work is not None and work.review is not None:
            work.review.more(request["turn"])
        elif ask in (ANALYSE, CHOICES, DISAGREE, DEAL):
            self._try(number, lambda: self.works.update({number: self._begin(request)}))

    def _step(self, work: Work) -> None:
        def step() -> None:
            message = next(work.steps, {"done": None})
            if message is not None:
                self._send({"id": work.id, **message})
                if "done" in message:
                    del self.works[work.id]

        self._try(work.id, step)

    def _try(self, number: int, action: Callable[[], None]) -> None:
        """Run a step of a request; an error ends only that request."""
        try:
            action()
        except Exception as error:
            self.works.pop(number, None)
            text = "this game cannot be analysed that way"
            if isinstance(error, AgentError):
                text = str(error)
            elif isinstance(error, StoreError):
                text = "the server cannot read or write its store"
            self._send({"id": number, "error": ["unavailable", text, exception_text(error)]})


class Library:
    """Games that were asked about lately, with the sums of their turns."""

    def __init__(self, store: Store | None) -> None:
        self.store = store
        self._games: OrderedDict[tuple[Any, ...], tuple[Analyst, Game, dict[int, TurnSums]]]
        self._games = OrderedDict()

    def review(self, position: Position, blueprint: str, last: int) -> Review:
        """The review of a game up to a turn, counted from 1."""
        key = (*vars(position).values(), blueprint)
        if key not in self._games:
            known_agent(blueprint)  # which may be a copy of an agent of a run
            self._games[key] = Analyst(blueprint, store=self.store), game_of(position), {}
            if len(self._games) > MOST_OPEN:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        analyst, game, known = self._games[key]
        missing = [turn for turn in range(1, last + 1) if turn not in known]
        known.update({sums.choice.turn: sums for sums in analyst.open(game, missing)})
        opened = [known[turn] for turn in range(1, last + 1)]
        return Review(analyst, game, opened=opened)


def game_of(position: Position) -> Game:
    """The game of a position, with all its moves."""
    game = dealt_game(position)
    for move in position.moves:
        game.apply(move)
    return game


def position_of(request: Message) -> Position:
    """The position of a request."""
    said = request["position"]
    return Position(said["rules"], said["start"], tuple(said["deck"]), said["seed"],
                    tuple(said["moves"]))  # fmt: skip


# Values.


def begin_analysis(library: Library, request: Message) -> Work:
    """Start or continue valuing the moves of a game."""
    review = library.review(position_of(request), request["blueprint"], request["last"])
    review.focus(request["focus"])
    for turn in request["more"]:
        review.more(turn)
    if request["stored"]:
        review.cancel()  # stored results are still reported
    game = game_of(position_of(request))
    if request["gave_up"]:
        game.apply(GIVE_UP)
    return Work(request["id"], review.analyst.agent, _values(review, game), review)


def _values(review: Review, game: Game) -> Iterator[Message | None]:
    told, is_whole = 0.0, False
    for row in review.steps():
        yield None if row is None else {"value": _value(row)}
        if not is_whole and len(review.rows) == game.turn:
            is_whole = True
            yield _lost(game)
        if monotonic() - told > PROGRESS_SECONDS:
            told = monotonic()
            yield {"progress": vars(review.progress)}
    rows = [review.rows[turn] for turn in sorted(review.rows)]
    yield {"progress": vars(review.progress)}
    yield {"done": [seat.as_dict() for seat in summarise(rows)]}


def _value(row: TurnAnalysis) -> Message:
    """A turn for the page, its mark as chess players write it."""
    return {
        "turn": row.turn,
        "seat": row.seat,
        "deals": row.deals,
        "mark": row.mark.sign,
        "expected": row.expected,
        "se": row.se,
        "loss": row.loss,
        "loss_se": row.loss_se,
        "sure": row.sure,
        "best": row.best,
        "moves": [[value.move, value.mean, value.se, value.gain, value.gain_se]
                  for value in row.moves],
    }  # fmt: skip


def _lost(game: Game) -> Message | None:
    """Up to which turn a game could be won with open hands, if it was lost.

    It follows the first value of the last turn: a reader who fears spoilers, or who may see only
    what was analysed before, does not hear more than that.
    """
    loss = loss_in(game)
    return (
        None if loss is None else {"lost": {"turn": loss.turn or None, "words": loss_words(loss)}}
    )


# What agents would have done.


def begin_asking(request: Message) -> Work:
    """Begin to ask agents, at one turn or at all."""
    game = game_of(position_of(request))
    steps = _choices if request["ask"] == CHOICES else _disagreements
    work = Work(request["id"], None, iter(()))
    work.steps = steps(work, game, request)
    return work


def _choices(work: Work, game: Game, request: Message) -> Iterator[Message | None]:
    """The move of each agent at a turn."""
    for text in request["agents"]:
        work.player = known_agent(text)
        try:
            move = move_at(work.player, game, request["turn"])
        except AgentError:  # for example it does not compile: continue with the others
            move = None
        yield {"choice": [text, None if move is None else move_text(game.rules, move)]}


def _disagreements(work: Work, game: Game, request: Message) -> Iterator[Message | None]:
    """How many different moves the agents would make, turn by turn."""
    asked = []
    for text in request["agents"]:
        work.player = known_agent(text)
        asked.append(moves_of(work.player, game))
    for turn in range(game.turn):
        moves = []
        for own in asked:
            with suppress(AgentError):
                moves.append(next(own, None))
            yield None
        made = [move for move in moves if move is not None]
        yield {"disagreement": [turn, len(set(made)), len(made)]}


# What agents make of a deal.


def begin_deal(store: Store | None, send: Send, request: Message) -> Work:
    """Begin to let agents play a deal."""
    assert store is not None
    work = Work(request["id"], None, iter(()))

    def steps() -> Iterator[Message | None]:
        def tell(progress: Message) -> None:
            send({"id": work.id, "progress": progress})

        for said in played_deal(store, request["config"], tell):
            if isinstance(said, Player):
                work.player = said
                yield None
            else:
                yield {"done": said}

    work.steps = steps()
    return work


# The process.


def beat(workers: list[Worker], compiler: CompilerWatch, send: Send) -> None:
    """Send regular signs of life, and what is being compiled for which request."""
    while True:
        sleep(BEAT)
        for worker in workers:
            if (work := worker.current) is not None:
                compiling = compiler.progress(work.player)
                if compiling is not None and work.player is not None:
                    told = {"agent": work.player.name, **compiling}
                    send({"id": work.id, "compiling": told})


def main() -> None:
    """Serve until the input ends."""
    requests, send = connect()
    compiler = CompilerWatch()
    send({"id": 0, "ready": True})
    store = Store(requests.get()["store"])
    library, kept = Library(store), Library(store)
    lanes = {
        "values": Worker(send, lambda request: begin_analysis(library, request)),
        "kept": Worker(send, lambda request: begin_analysis(kept, request)),
        "moves": Worker(send, begin_asking),
        "deals": Worker(send, lambda request: begin_deal(store, send, request)),
    }
    workers = list(lanes.values())
    for worker in workers:
        Thread(target=worker.run, daemon=True).start()
    Thread(target=beat, args=(workers, compiler, send), daemon=True).start()
    while True:
        request = requests.get()
        lanes[request["lane"]].requests.put(request)


if __name__ == "__main__":
    main()
