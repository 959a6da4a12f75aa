"""What several test files share: rules, games, the oracle's account of a position, decisions.

``account`` of a game played by the kernels and ``reference_account`` of the same game played by
the oracle are compared field by field; ``decisions`` asks an agent for its moves, game in hand;
``permuted`` exchanges everything that a seat cannot see.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from errno import ENOSPC
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from reference import ReferenceGame, ReferenceRules
from tamaya import game_kernels as kernels
from tamaya.agent import Agent, Player
from tamaya.cards import COLOUR_OF, RANK_OF, card_name
from tamaya.cli.main import run
from tamaya.compiled import BOUNDS_CHECKED, JIT, hot, popcount
from tamaya.game import Game
from tamaya.moves import PLAY, kind_of, move_text, slot_of
from tamaya.records import (
    DREW,
    GAINED_TOKEN,
    GAME,
    RUNNING,
    SCORED,
    SEER,
    TOLD_COLOUR,
    TOLD_RANK,
    record,
)
from tamaya.rng import random_below
from tamaya.rules import BOMBS, MAX_MOVES, OBSERVATIONS, REFILLS, Rules
from tamaya.seat import Seat
from tamaya.view import fill_view

Pick = Callable[[Sequence[Any]], Any]  # chooses one of a sequence
GENERATOR = record([("rng", np.uint64)])


def scaled(n: int) -> int:
    """A number of cases: a fifth of it with bounds checking, far fewer with the compiler off."""
    if BOUNDS_CHECKED:
        return max(1, n // 5)
    return n if JIT else max(1, n // 60)


def examples(n: int) -> settings:
    """Settings of a property: so many cases, always the same."""
    return settings(max_examples=max(5, scaled(n)), deadline=None, derandomize=True,
                    suppress_health_check=[HealthCheck.too_slow])  # fmt: skip


def affordable(player: Player) -> Player:
    """An agent as tests can afford it: search agents with a few samples instead of time."""
    if not isinstance(player, Agent) or not player.is_slow:
        return player
    cheap = {"samples": 3, "ms": 0, "rollout": 4, "moves": "good", "support": 100, "draws": 4,
             "rollouts": 3}  # fmt: skip
    return player.with_params({key: cheap[key] for key in cheap if key in player.settings})


# Rules and games.


def pick_rules(pick: Pick) -> Rules:
    """Rules of which every option was picked from its range."""
    colours, ranks = pick(range(1, 6)), pick(range(1, 6))
    n_cards = Rules(colours=colours, ranks=ranks, hand_size=1).deck_size
    players = pick(range(2, min(5, n_cards) + 1))
    return Rules(
        players=players,
        colours=colours,
        ranks=ranks,
        hand_size=pick(range(1, min(8, n_cards // players) + 1)),
        tokens=pick((0, 1, 2, 3, 5, 8, 8, 20)),
        lives=pick((1, 1, 2, 3, 3, 5, 20)),
        random_start=pick((False, True)),
        observation=pick(OBSERVATIONS),
        bomb=pick(BOMBS),
        empty_hints=pick((False, True)),
        discard_at_full=pick((False, True)),
        refill=pick(REFILLS),
        no_completion_token=pick((False, False, True)),
    )


@st.composite
def any_rules(draw: Any) -> Rules:
    """Hypothesis: any rules."""
    return pick_rules(lambda options: draw(st.sampled_from(options)))


@st.composite
def any_game(draw: Any) -> Game:
    """Hypothesis: a game under any rules, stopped anywhere."""
    game = Game(draw(any_rules()), seed=draw(st.integers(0, 2**64 - 1)))
    for number in draw(st.lists(st.integers(0, 55), max_size=40)):
        if not game.is_over:
            legal = game.legal_moves
            game.apply(legal[number % len(legal)])
    return game


def play_randomly(game: Game, rng: Random) -> Game:
    """Play a game to its end with random legal moves; returns the game."""
    while not game.is_over:
        game.apply(rng.choice(game.legal_moves))
    return game


def best_score(game: Game) -> int:
    """The highest score that any legal moves lead to, at any time."""
    best: dict[tuple[object, ...], int] = {}

    def search(position: Game) -> int:
        if position.is_over:
            return position.score
        state = position.record
        key = (tuple(map(tuple, map(sorted, position.hands))), state.firework.tobytes(),
               int(state.tokens), int(state.lives), int(state.deck_size), int(state.turns_left),
               position.mover)  # fmt: skip
        if key not in best:
            n_slots = 2 * game.rules.hand_size
            hints = [move for move in position.legal_moves if move >= n_slots]
            scores = [position.score]
            for move in (*(move for move in position.legal_moves if move < n_slots), *hints[:1]):
                after = position.copy()
                after.apply(move)
                scores.append(search(after))
            best[key] = max(scores)
        return best[key]

    return search(game)


def replay(game: Game, *, deck: Iterable[int] | None = None, turns: int | None = None) -> Game:
    """The same moves once more, all or the first ones, on the same deck or another."""
    again = Game(game.rules, deck=deck or game.deck, start=int(game.record.start))
    again.record.seed = game.record.seed
    for move in game.moves[:turns]:
        again.apply(move)
    return again


def transcript(game: Game) -> str:
    """A game turn by turn, for people who compare golden games."""
    lines = []
    for turn, event in enumerate(game.events):
        seen = replay(game, turns=turn + 1)
        marks = ((SCORED, "scored"), (GAINED_TOKEN, "token"), (DREW, "drew"))
        effects = " ".join(name for bit, name in marks if event.effect & bit)
        slots = [str(slot) for slot in range(8) if event.touched >> slot & 1]
        what = card_name(event.card) if event.card >= 0 else f"slots {','.join(slots)}"
        move = move_text(game.rules, int(event.move))
        lines.append(f"{turn + 1:2} seat {event.seat} {move} {what} {effects}".rstrip())
        lines += [f"   {line}".rstrip() for line in str(seen).splitlines()]
    return "\n".join(lines) + "\n"


# Kernels and oracle, field by field.


def reference_of(rules: Rules, deck: Iterable[int], start: int) -> ReferenceGame:
    """The oracle's game of a deal."""
    names = ("players", "colours", "ranks", "hand_size", "tokens", "lives", "observation",
             "bomb", "empty_hints", "discard_at_full", "refill",
             "no_completion_token")  # fmt: skip
    options = {name: getattr(rules, name) for name in names}
    return ReferenceGame(ReferenceRules(**options), [(c // 5, c % 5) for c in deck], start)


@hot
def wander(game, skill, memory):
    """A random legal move; plays that would fail are drawn again up to ``skill`` times."""
    legal = kernels.legal_mask(game)
    move = 0
    for _ in range(skill + 1):
        move = kernels.nth_move(legal, random_below(memory, popcount(legal)))
        if kind_of(game, move) != PLAY:
            return move
        card = game.card[game.mover, slot_of(game, move)]
        if game.firework[COLOUR_OF[card]] == RANK_OF[card]:
            return move
    return move


@hot
def trace(game, skill, memory, positions, facts):
    """Play a dealt game to its end and keep every position; returns the number of moves.

    ``facts`` gets legal_mask, the same from is_legal of every id, and the score of each position.
    """
    n = 0
    while True:
        positions[n] = game
        facts[n, 0] = kernels.legal_mask(game)
        for move in range(64):
            if kernels.is_legal(game, move):
                facts[n, 1] |= kernels.MOVE_BIT[move]
        facts[n, 2] = kernels.score(game)
        if game.status != RUNNING:
            return n
        kernels.apply_move(game, wander(game, skill, memory))
        n += 1


def traced_game(rules: Rules, seed: int, skill: int) -> tuple[np.ndarray, np.ndarray]:
    """Every position of a random game, and the facts about it."""
    positions = np.zeros(MAX_MOVES + 1, GAME)
    facts = np.zeros((MAX_MOVES + 1, 3), np.uint64)
    memory = np.zeros(1, GENERATOR)
    memory["rng"] = seed
    n_moves = trace(Game(rules, seed).record, skill, memory[0], positions, facts)
    return positions[: n_moves + 1], facts[: n_moves + 1]


def account(positions: np.ndarray, facts: np.ndarray) -> dict[str, list[Any]]:
    """Everything the kernels say about successive positions, one list per field."""
    first = positions[0]
    seats, slots = slice(first.players), slice(first.hand_size)
    columns = {name: positions[name][:, seats, slots].tolist()
               for name in ("card", "order", "possible", "told")}  # fmt: skip
    columns["firework"] = positions["firework"][:, : first.colours].tolist()
    columns["discarded"] = positions["discarded"].tolist()
    columns["n_cards"] = positions["n_cards"][:, seats].tolist()
    for name in ("tokens", "lives", "mover", "deck_size", "turns_left", "status", "points"):
        columns[name] = positions[name].tolist()
    columns["legal_mask"], columns["is_legal"], columns["score"] = facts.T.tolist()
    n = len(positions) - 1
    columns["event"] = positions["history"][np.arange(1, n + 1), np.arange(n)].tolist()
    return columns


def reference_account(game: ReferenceGame, moves: Iterable[int]) -> dict[str, list[Any]]:
    """Everything the oracle says about the positions of the same game, as ``account`` has it."""
    rows = [_reference_row(game)]
    events = []
    for move in moves:
        game.apply(move)
        rows.append(_reference_row(game))
        events.append(_reference_event(game.history[-1]))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return {**columns, "event": events}


def _reference_row(game: ReferenceGame) -> dict[str, Any]:
    discarded = [0] * 25
    for colour, rank in game.discards:
        discarded[5 * colour + rank] += 1
    legal = sum(1 << move for move in game.legal_moves())
    slots = [[_reference_slot(held) for held in hand] for hand in game.hands]
    names = ("card", "order", "possible", "told")
    return {
        **{name: [[slot[k] for slot in hand] for hand in slots] for k, name in enumerate(names)},
        "firework": list(game.fireworks),
        "discarded": discarded,
        "n_cards": [sum(held is not None for held in hand) for hand in game.hands],
        "tokens": game.tokens,
        "lives": game.lives,
        "mover": game.mover,
        "deck_size": len(game.deck),
        "turns_left": game.turns_left,
        "status": game.status,
        "points": game.points(),
        "legal_mask": legal,
        "is_legal": legal,
        "score": game.score(),
    }


def _reference_slot(held: Any) -> tuple[int, int, int, int]:
    if held is None:
        return -1, -1, 0, 0
    possible = sum(1 << (5 * colour + rank) for colour in held.colours for rank in held.ranks)
    told = TOLD_COLOUR * held.colour_hinted + TOLD_RANK * held.rank_hinted
    return 5 * held.card[0] + held.card[1], held.order, possible, told


def _reference_event(event: Any) -> tuple[int, ...]:
    target = -1 if event["target"] is None else event["target"]
    card = -1 if event["card"] is None else 5 * event["card"][0] + event["card"][1]
    order = -1 if event["order"] is None else event["order"]
    touched, newly = (sum(1 << slot for slot in event[name]) for name in ("touched", "newly"))
    effect = SCORED * event["scored"] + GAINED_TOKEN * event["token"] + DREW * event["drew"]
    return event["seat"], event["move"], target, card, order, touched, newly, effect


# Decisions of agents, and what is hidden from them.


def decisions(
    player: Player, game: Game, seat: int, fill: Callable[..., None] = fill_view
) -> list[int]:
    """The moves that an agent chooses in a seat, at each of its turns so far and now.

    The game is replayed from the deal, the agent sees and remembers it as at a table. ``fill``
    writes its views.
    """
    position = replay(game, turns=0)
    mind = Seat(player, position, seat, fill)
    chosen = []
    for move in [*game.moves, None]:
        if position.mover == seat and not position.is_over:
            chosen.append(mind.act())
        if move is not None:
            position.apply(move)
            mind.observe()
    return chosen


def beliefs(
    player: Player, game: Game, seat: int, fill: Callable[..., None] = fill_view
) -> np.ndarray:
    """What an agent believes of its own cards in a seat, having seen the game from the deal."""
    position = replay(game, turns=0)
    mind = Seat(player, position, seat, fill)
    for move in game.moves:
        position.apply(move)
        mind.observe()
    return mind.believe()


def decide(player: Player, game: Game, seat: int) -> int:
    """The move that an agent chooses in a seat whose turn it is."""
    return decisions(player, game, seat)[-1]


def permuted(game: Game, seat: int | Iterable[int], rng: Random) -> Game:
    """The same moves with everything that a seat cannot see exchanged at random.

    The cards in its own hand and in the deck change places in any way that agrees with the hints
    it got; a seer sees its own hand, so that only the deck changes. Of several seats all hands
    change places: that is what somebody cannot see who watches them.
    """
    now = game.record
    own = {} if now.observation == SEER else {
        int(now.order[holder, slot]): int(now.possible[holder, slot])
        for holder in ([seat] if isinstance(seat, int) else seat)
        for slot in range(game.rules.hand_size)
        if now.order[holder, slot] >= 0
    }  # fmt: skip
    undealt = range(game.rules.deck_size - int(now.deck_size), game.rules.deck_size)
    pool = [game.deck[order] for order in (*own, *undealt)]
    while True:
        rng.shuffle(pool)
        left, deck = list(pool), game.deck
        for order in sorted(own, key=lambda order: own[order].bit_count()):
            fitting = [card for card in left if own[order] >> card & 1]
            if not fitting:
                break
            deck[order] = fitting[0]
            left.remove(fitting[0])
        else:
            for order, card in zip(undealt, left, strict=True):
                deck[order] = card
            return replay(game, deck=deck)


# Programs of the system and fresh interpreters.


def installed(package: str, *places: str) -> Path | None:
    """A program at one of some places (patterns), after installing its Debian package if we may."""

    def found() -> list[Path]:
        return sorted(path for place in places for path in Path("/").glob(place.lstrip("/")))

    if not found() and os.geteuid() == 0 and shutil.which("apt-get"):
        for step in (["update"], ["install", "-y", "--no-install-recommends", package]):
            subprocess.run(["apt-get", "-qq", *step], capture_output=True, check=False)
    return found()[-1] if found() else None


def chromium() -> Path | None:
    """A browser; the one without windows comes last, as it takes a third of the other's time."""
    places = (f"/usr/bin/chromium{end}" for end in ("", "-browser", "-headless-shell"))
    return installed("chromium-headless-shell", *places)


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new interpreter that sees the same packages."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        check=False,
        timeout=600,
    )


def write_run(folder: Path, seed: int, *means: float) -> None:
    """A folder as training leaves it, with a line without validation at the end of its log."""
    folder.mkdir(parents=True)
    plan = {"algorithm": "ppo", "preset": "self-play", "rules": "players=2 hand_size=5",
            "seed": seed, "turns": 10**8}  # fmt: skip
    (folder / "run.json").write_text(json.dumps(plan))
    rows = [{"turns": 10**6 * (k + 1), "validation": {"mean": mean}, "cpu_seconds": 50.0 * (k + 1)}
            for k, mean in enumerate(means)]  # fmt: skip
    rows.append({"turns": 10**6 * len(means) + 5, "cpu_seconds": 50.0 * len(means) + 1})
    (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can be written to disk."""

    def fail(descriptor: int) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    with mock.patch.object(os, "fsync", fail):
        yield


def run_command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A `tamaya` command as a shell would run it, in this process: a new one has to import all."""
    out, err = StringIO(), StringIO()
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "argv", ["tamaya", *arguments]),
        mock.patch.dict(os.environ, environment),
    ):
        try:
            run()
            code: Any = 0
        except SystemExit as end:
            code = end.code or 0
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def as_another_process() -> Any:
    """Inside this block, the locks of folders that are held here belong to another process."""
    return mock.patch("tamaya.run_folder._held", {})
