"""Searches that are watched: the same moves and memories, and a count that grows."""

import threading
from time import sleep

import pytest

from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.web.compiling import n_expected
from tamaya.web.thinking import Thinking

pytestmark = pytest.mark.skipif(not JIT, reason="searches without the compiler take minutes")
AGENT = "search:blueprint=certainty,samples={}"


@pytest.mark.parametrize("seed", range(3))
def test_a_search_that_is_watched_moves_and_remembers_the_same(seed):
    player = find_agent(AGENT.format(40))
    game = Game(Rules(players=2 + seed), seed=seed)
    hand_size = game.rules.hand_size
    watched, plain = (Seat(player, game, game.mover) for _ in range(2))
    for _ in range(4):
        move = Thinking(watched).act()
        assert move == plain.act()
        assert watched.memory.tobytes() == plain.memory.tobytes()
        game.apply(move)
        while game.mover != watched.seat:
            game.apply(min(game.legal_moves, key=lambda move: hand_size <= move < 2 * hand_size))


def test_the_count_of_deals_grows_up_to_the_samples():
    game = Game(seed=1)
    thinking = Thinking(Seat(find_agent(AGENT.format(4000)), game, 0))
    assert thinking.progress() == (0, 4000)
    thread = threading.Thread(target=thinking.act)
    thread.start()
    counts = []
    while thread.is_alive():
        counts.append(thinking.progress()[0] or 0)
        sleep(0.001)
    thread.join()
    assert counts == sorted(counts) and len(set(counts)) > 2
    assert 0 < (thinking.progress()[0] or 0) <= 4000


def test_of_other_agents_only_time_is_known():
    game = Game(seed=1)
    assert Thinking(Seat(find_agent("smartbot"), game, 0)).progress() == (None, None)
    assert Thinking(Seat(find_agent("mcts:samples=5"), game, 0)).progress() == (None, None)
    done, of = Thinking(Seat(find_agent("mcts:ms=5000"), game, 0)).progress()
    assert done is not None and 0 <= done < 5000 and of == 5000
    done, of = Thinking(Seat(find_agent(AGENT.format(5) + ",ms=700"), game, 0)).progress()
    assert of == 700


def test_a_search_needs_its_blueprint_compiled_too():
    alone, both = n_expected(find_agent("certainty")), n_expected(find_agent(AGENT.format(5)))
    assert 20 < alone < both < 1000
    assert n_expected(find_agent("tamaya-mixed")) > n_expected(find_agent("iggi"))
