"""Re-determinization: a hand as its owner must think of it, and the way back."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import GENERATOR, any_game, examples
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import apply_move, legal_mask
from tamaya.rules import Rules
from tamaya.search.sampling.determinize import PLAN
from tamaya.search.sampling.redeterminize import TRUTH, blindfold, give_back

pytestmark = pytest.mark.interpreted


@hot
def blind_move(game, pick, memory):
    """A move of the mover with a hand as it may be, and its hand back; -1 for no move."""
    truth, plan = np.zeros(1, TRUTH)[0], np.zeros(1, PLAN)[0]
    seat = np.int64(game.mover)
    blindfold(game, seat, truth, plan, memory)
    if pick >= 0:
        legal, move = legal_mask(game), 0
        while pick >= 0:
            move = (move + 1) % 64
            if legal >> np.uint64(move) & np.uint64(1):
                pick -= 1
        apply_move(game, move)
    give_back(game, seat, truth)


def memory_of(seed: int) -> np.record:
    memory = np.zeros(1, GENERATOR)
    memory["rng"] = seed
    return memory[0]


def is_consistent(game: np.record) -> bool:
    held = [(seat, slot) for seat in range(game.players) for slot in range(game.hand_size)
            if game.order[seat, slot] >= 0]  # fmt: skip
    return all(
        game.card[place] == game.deck[game.order[place]]
        and int(game.possible[place]) >> int(game.card[place]) & 1
        for place in held
    )


@examples(300)
@given(any_game(), st.integers(0, 1000))
def test_without_a_move_everything_is_as_before(game, seed):
    if game.is_over:
        return
    before = game.record.card.copy()
    cards = sorted(game.deck)
    blind_move(game.record, -1, memory_of(seed))
    assert (game.record.card == before).all()
    assert sorted(game.deck) == cards
    assert is_consistent(game.record)


@examples(300)
@given(any_game(), st.integers(0, 1000))
def test_after_a_move_the_rest_of_the_hand_comes_back(game, seed):
    if game.is_over:
        return
    now, seat = game.record, game.mover
    before = {int(now.order[seat, slot]): int(now.card[seat, slot])
              for slot in range(game.rules.hand_size)}  # fmt: skip
    cards = sorted(game.deck)
    blind_move(now, seed % 7, memory_of(seed))
    assert sorted(game.deck) == cards
    assert is_consistent(now)
    event = game.events[-1]
    kept = [slot for slot in range(game.rules.hand_size) if int(now.order[seat, slot]) in before]
    changed = [slot for slot in kept if now.card[seat, slot] != before[int(now.order[seat, slot])]]
    # Only a card of which the imagined move used a copy that belongs elsewhere may be missing.
    assert len(changed) <= (event.card >= 0)


def test_the_mover_does_not_know_its_cards():
    rules = Rules(players=3)
    first = Counter()
    for seed in range(40):
        game = Game(rules, seed=5)
        seen = game.record.card[game.mover].copy()
        blindfold_only(game.record, memory_of(seed))
        first[int(game.record.card[game.mover, 0])] += 1
        assert (game.record.card[1:] == Game(rules, seed=5).record.card[1:]).all()
        assert len(seen) == 8
    assert len(first) > 8


@hot
def blindfold_only(game, memory):
    truth, plan = np.zeros(1, TRUTH)[0], np.zeros(1, PLAN)[0]
    blindfold(game, game.mover, truth, plan, memory)
