"""Eger's players decide as the programs did in the logged games with people.

The data are not part of the project; where they are absent, the tests are skipped. Some decisions
of the programs are random: there the logged move must be one that the agent makes with some
generator, and what it then remembers is what it goes on with. ``eger-outer`` remembers which card
it meant, which a log does not say, so that several memories may fit.
"""

from pathlib import Path

import numpy as np
import pytest

from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.replays.data_files import DataGame, read_data
from tamaya.seat import Seat, ask, tell

LOG = Path(__file__).resolve().parents[4] / "shared" / "data" / "human-2p.jsonl.gz"
GAMES = 100
FEW, MANY = 10, 500  # generators, to see whether a decision is random and to see all outcomes

needs_data = pytest.mark.skipif(not LOG.is_file(), reason=f"no games with people at {LOG}")


@pytest.fixture(scope="module")
def logged() -> dict[str, list[DataGame]]:
    found: dict[str, list[DataGame]] = {}
    for each in read_data(LOG):
        found.setdefault(each.about["partner"], []).append(each)
    return found


def places_of(memories: np.ndarray) -> np.ndarray:
    """Addresses of memories."""
    return memories.ctypes.data + memories.itemsize * np.arange(len(memories))


def outcomes(seat: Seat, memories: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The moves that an agent makes with some memories and different generators, and its notes."""
    code, view = seat.player.compile(), seat.view()
    for n in (FEW, max(FEW, MANY // len(memories))):
        after = np.repeat(memories, n)
        after["rng"] = np.arange(len(after))
        params = code.params.ctypes.data
        moves = np.array([ask(code.act, view, place, params) for place in places_of(after)])
        if (moves == moves[0]).all():
            break
    return moves, after


def observe(seat: Seat, memories: np.ndarray) -> None:
    """Let an agent see the last move with some memories."""
    code, view, event = seat.player.compile(), seat.view(), seat.game.events[-1]
    if code.observe:
        for place in places_of(memories):
            tell(code.observe, view, event, place, code.params.ctypes.data)


def without_generators(memories: np.ndarray) -> np.ndarray:
    """Different memories, once each."""
    clean = np.zeros(len(memories), memories.dtype)  # a copy may leave anything between the fields
    for name in memories.dtype.names:
        if name != "rng":
            clean[name] = memories[name]
    return np.unique(clean.view(f"V{clean.itemsize}")).view(clean.dtype)


def random_decisions(agent: str, found: DataGame) -> list[str]:
    """The decisions of a logged game that were random, after a check that all fit the agent."""
    game, random = found.game, []
    position = Game(game.rules, deck=game.deck, start=int(game.record.start))
    seat = Seat(find_agent(agent), position, 0)
    memories = without_generators(seat.memory.copy())
    for move in game.moves:
        if position.mover == 0:
            moves, after = outcomes(seat, memories)
            text = move_text(game.rules, move)
            assert move in moves, f"{found.name}, turn {position.turn + 1}: {text}"
            if (moves != move).any():
                random.append(text)
            memories = after[moves == move]
        position.apply(move)
        observe(seat, memories)
        memories = without_generators(memories)
    return random


@needs_data
@pytest.mark.parametrize("partner", ["full", "intentional"])
def test_only_sure_discards_are_random(logged, partner):
    random = [move for each in logged[partner][:GAMES]
              for move in random_decisions(f"eger-{partner}", each)]  # fmt: skip
    assert all(move.startswith("d") for move in random)
    assert len(random) < GAMES


@needs_data
def test_outer_may_have_made_every_logged_move(logged):
    n_random = n = 0
    for each in logged["outer"][:GAMES]:
        n_random += len(random_decisions("eger-outer", each))
        n += len(each.game.moves) // 2
    assert 0 < n_random < n
