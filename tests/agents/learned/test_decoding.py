"""Decoding many hands at once against the head that runs for one hand."""

from random import Random

import numpy as np
import pytest

from agents.learned.test_bad import some_metadata, some_weights
from support import play_randomly, replay, scaled
from tamaya.agents.learned.bad import MEMORY, look_and_run, write_brain
from tamaya.agents.learned.decoding import DESK, find_agreeing, lay_out_rows, set_up
from tamaya.agents.learned.family import best_move
from tamaya.agents.learned.files import Network, make_network
from tamaya.agents.learned.public import BRAIN, head_of, run_head
from tamaya.cards import NO_CARD
from tamaya.game import Game
from tamaya.game_kernels import legal_mask
from tamaya.records import record
from tamaya.rules import MAX_HAND, Rules

pytestmark = pytest.mark.interpreted
SMALL_HANDS = Rules(colours=2, ranks=3, hand_size=2, lives=3, tokens=3)
LARGE_HANDS = Rules.parse("colours=3 hand_size=7 empty_hints=true refill=in_place")


def network_for(rules: Rules, marks: bool, width: int) -> Network:
    metadata = some_metadata(rules, marks=marks, width=width)
    return make_network(metadata, some_weights(rules, width, marks))


def possible_hands(memory: np.record, seat: int, size: int, n: int, rng: Random) -> np.ndarray:
    """Hands of cards that are believed possible, each for itself."""
    hands = np.full((n, MAX_HAND), NO_CARD, np.int64)
    for slot in range(size):
        cards = np.flatnonzero(memory.belief[seat, slot])
        if len(cards):
            hands[:, slot] = rng.choices(cards.tolist(), k=n)
    return hands


def plain_answer(game, memory, brain, hand, noise, move) -> bool | None:
    """Whether the head makes a move with a hand, or None where two moves are too close to tell."""
    other, seat, size = game.copy(), 1 - game.mover, game.rules.hand_size
    other.record.card[seat, :size] = hand[:size]
    legal = legal_mask(other.record)
    width, n_moves = int(brain["network"]["width"]), game.rules.n_moves
    units, out = np.empty(width, np.float32), np.empty(n_moves + 1, np.float32)
    run_head(head_of(brain), memory.hidden, hand[:size].copy(), memory.masks, brain, units, out)
    outputs = [out[k] + noise[k] for k in range(n_moves) if int(legal) >> k & 1]
    highest = sorted(outputs)[-2:]
    if len(highest) == 2 and highest[1] - highest[0] < 1e-4:
        return None
    out[:-1] += noise
    return best_move(out, legal) == move


def brain_and_desk(network: Network) -> tuple[np.record, np.ndarray]:
    """A brain, and a desk set up for it on which nothing else is zero."""
    brains, desk = np.zeros(1, BRAIN), np.full(DESK.itemsize, 0xFF, np.uint8).view(DESK)
    write_brain(network, brains[0])
    set_up(brains[0], desk[0])
    return brains[0], desk


@pytest.mark.parametrize("rules", [SMALL_HANDS, LARGE_HANDS, Rules()], ids=["2", "7", "5"])
@pytest.mark.parametrize("marks", [True, False])
def test_the_same_hands_agree_as_with_the_plain_head(rules, marks):
    network, rng = network_for(rules, marks, 20), Random(1)
    brain, desk = brain_and_desk(network)
    found = []
    for number in range(scaled(12)):
        game = play_randomly(Game(rules, seed=number), rng)
        game = replay(game, turns=rng.randrange(game.turn))
        memories = np.zeros(1, record(MEMORY))
        memory = memories[0]
        memory.likelihood[:] = 1
        look_and_run(game.record, memory, brain)
        hands = possible_hands(memory, 1 - game.mover, rules.hand_size, 8, rng)
        lay_out_rows(memory.belief[1 - game.mover], memory.masks, brain, desk[0])
        noise = np.random.default_rng(number).gumbel(size=rules.n_moves).astype(np.float32)
        for move in range(rules.n_moves):
            agrees = np.zeros(len(hands), np.bool_)
            find_agreeing(game.record, move, memory, hands, brain, noise, desk[0], agrees)
            for hand, answer in zip(hands, agrees, strict=True):
                wanted = plain_answer(game, memory, brain, hand, noise, move)
                if wanted is not None:
                    assert answer == wanted
                    found.append(wanted)
    assert 0 < np.mean(found) < 0.5


def test_the_first_of_equal_moves_is_the_best():
    weights = some_weights(SMALL_HANDS, 20, True)
    for name in ("out", "out bias"):
        weights[name] = np.zeros_like(weights[name])
    network = make_network(some_metadata(SMALL_HANDS, marks=True, width=20), weights)
    brain, desk = brain_and_desk(network)
    game, n_moves = Game(SMALL_HANDS, seed=1), SMALL_HANDS.n_moves
    memories = np.zeros(1, record(MEMORY))
    memories[0].likelihood[:] = 1
    look_and_run(game.record, memories[0], brain)
    hands = np.full((1, MAX_HAND), NO_CARD, np.int64)
    hands[0, :2] = game.record.card[1, :2]
    lay_out_rows(memories[0].belief[1], memories[0].masks, brain, desk[0])
    noise, found = np.zeros(n_moves, np.float32), []
    for move in range(n_moves):
        agrees = np.zeros(1, np.bool_)
        find_agreeing(game.record, move, memories[0], hands, brain, noise, desk[0], agrees)
        found += [move] * int(agrees[0])
    assert found == [min(game.legal_moves)]
