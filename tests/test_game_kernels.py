"""The kernels of the game against the oracle: random games under all rules, and counting."""

from collections import Counter
from copy import deepcopy
from dataclasses import asdict
from random import Random

import numpy as np
import pytest

from reference import ReferenceGame
from support import (
    account,
    pick_rules,
    reference_account,
    reference_of,
    scaled,
    traced_game,
)
from tamaya import game_kernels as kernels
from tamaya.compiled import JIT, hot
from tamaya.game import Game
from tamaya.game_kernels import apply_move, copy_game, legal_mask, nth_move, write_legal
from tamaya.moves import parse_move
from tamaya.records import COMPLETE, GAINED_TOKEN, OUT_OF_CARDS, OUT_OF_LIVES, SCORED, new_games
from tamaya.rules import BOMBS, OBSERVATIONS, REFILLS, Rules
from tamaya.table import play

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

N_BLOCKS = 10  # of a thousand random games each
LARGEST_COUNT = 10**7 if JIT else 1000


def rules_of_block(block: int, n: int) -> list[Rules]:
    """The rules of the first random games of a block, hardly two alike."""
    rng = Random(block)
    return [pick_rules(rng.choice) for _ in range(n)]


@pytest.mark.parametrize("block", range(N_BLOCKS))
def test_every_position_of_random_games_is_that_of_the_oracle(block):
    for k, rules in enumerate(rules_of_block(block, scaled(600))):
        positions, facts = traced_game(rules, seed=1000 * block + k, skill=k % 4)
        last = positions[-1]
        deck = last.deck[: rules.deck_size].tolist()
        moves = last.history[: last.n_moves]["move"].tolist()
        slow = reference_account(reference_of(rules, deck, int(last.start)), moves)
        assert_same(account(positions, facts), slow, Game.from_record(rules, last))


def assert_same(fast: dict, slow: dict, game: Game) -> None:
    """Compare two accounts; the first difference is shown with the game's text."""
    assert fast.keys() == slow.keys()
    for name, column in slow.items():
        if fast[name] != column:
            rows = zip(fast[name], column, strict=True)
            k = next(k for k, (ours, theirs) in enumerate(rows) if ours != theirs)
            pytest.fail(f"{name}[{k}]: {fast[name][k]} instead of {column[k]} in\n{game.to_text()}")


def test_the_random_games_vary_every_rule():
    seen = [rules for block in range(N_BLOCKS) for rules in rules_of_block(block, scaled(1000))]
    values = {name: {getattr(rules, name) for rules in seen} for name in asdict(Rules())}
    assert values["players"] == {2, 3, 4, 5}
    assert values["colours"] == values["ranks"] == {1, 2, 3, 4, 5}
    assert values["hand_size"] == set(range(1, 9))
    assert {0, 1, 8} <= values["tokens"] and {1, 3, 20} <= values["lives"]
    assert values["observation"] == set(OBSERVATIONS)
    assert values["bomb"] == set(BOMBS) and values["refill"] == set(REFILLS)
    for name in ("random_start", "empty_hints", "discard_at_full", "no_completion_token"):
        assert values[name] == {False, True}


def test_the_random_games_reach_every_ending_and_every_effect():
    endings, effects = Counter(), Counter()
    for k, rules in enumerate(rules_of_block(0, 8 * scaled(300))):
        last = traced_game(rules, seed=k, skill=k % 4)[0][-1]
        endings[int(last.status)] += 1
        effects.update(last.history[: last.n_moves]["effect"].tolist())
    assert set(endings) == {OUT_OF_LIVES, OUT_OF_CARDS, COMPLETE}
    assert set(effects) >= {0, SCORED, GAINED_TOKEN, SCORED | GAINED_TOKEN}


def test_standard_games_are_those_of_the_oracle():
    for players in range(2, 6):
        rules = Rules(players=players)
        for k in range(scaled(60)):
            positions, facts = traced_game(rules, seed=k, skill=2 + k % 4)
            last = positions[-1]
            slow = reference_of(rules, last.deck.tolist(), int(last.start))
            moves = last.history[: last.n_moves]["move"].tolist()
            game = Game.from_record(rules, last)
            assert_same(account(positions, facts), reference_account(slow, moves), game)


# Counting, in the spirit of perft: legal move sequences of a length from a fixed deal.

COUNTED = {
    "players=2 hand_size=2 colours=1 tokens=3 lives=1":
        [5, 26, 135, 681, 3027, 14424, 61767, 281121, 1177260],
    "players=2 hand_size=2 colours=2 ranks=3 tokens=2 lives=2":
        [6, 39, 215, 1177, 6090, 32732, 165930, 850898],
    "players=3 hand_size=1 colours=2 ranks=2 tokens=1 lives=3 refill=in_place":
        [5, 13, 41, 121, 377, 1141, 3628, 10832, 29232, 71376],
    "players=2 hand_size=3 colours=2 ranks=2 tokens=0 lives=2":
        [3, 9, 24, 57, 0],
    "players=3 hand_size=2 colours=2 ranks=3 tokens=1 empty_hints=true":
        [12, 64, 448, 2816, 18392, 117808, 755872],
    "players=2 hand_size=2 colours=2 tokens=1 discard_at_full=true bomb=keep":
        [7, 44, 245, 1352, 7294, 40096, 220142, 1227361],
    "players=5 hand_size=2 colours=1 tokens=3 lives=1":
        [14, 205, 2961, 19539, 180824, 0],
    "players=2 hand_size=5":
        [10, 141, 1945, 28623, 412615],
    "players=5 hand_size=4":
        [31, 1038, 34740, 1171505],
}  # fmt: skip


@hot
def count_sequences(games, left, depth):
    """Legal sequences of ``depth`` moves from games[0], without recursion.

    games[k] stands after k moves of a sequence, left[k] are the moves still to be tried there.
    """
    n, k = 0, 0
    left[0] = legal_mask(games[0])
    while k >= 0:
        if left[k] == 0:
            k -= 1
            continue
        move = nth_move(left[k], 0)
        left[k] ^= kernels.MOVE_BIT[move]
        copy_game(games[k + 1], games[k])
        apply_move(games[k + 1], move)
        if k + 1 == depth:
            n += 1
        else:
            k += 1
            left[k] = legal_mask(games[k])
    return n


def count_by_kernels(rules: Rules, depth: int) -> int:
    """Legal sequences of moves from the first deal of seed 0, by the kernels."""
    games = new_games(depth + 1, rules)
    games[0] = Game(rules).record
    return count_sequences(games, np.zeros(depth, np.uint64), depth)


def count_by_oracle(game: ReferenceGame, depth: int) -> int:
    """Legal sequences of moves from a position, by the oracle."""
    moves = game.legal_moves()
    if depth == 1:
        return len(moves)
    n = 0
    for move in moves:
        after = deepcopy(game)
        after.apply(move)
        n += count_by_oracle(after, depth - 1)
    return n


@pytest.mark.parametrize("text", COUNTED)
def test_kernels_count_the_sequences_in_the_table(text):
    rules = Rules.parse(text)
    for depth, n in enumerate(COUNTED[text], start=1):
        if max(COUNTED[text][:depth]) <= LARGEST_COUNT:
            assert count_by_kernels(rules, depth) == n


@pytest.mark.parametrize("text", COUNTED)
def test_the_oracle_counts_the_sequences_in_the_table(text):
    rules = Rules.parse(text)
    game = Game(rules)
    for depth, n in enumerate(COUNTED[text], start=1):
        if max(COUNTED[text][:depth]) <= min(6000, LARGEST_COUNT):
            assert count_by_oracle(reference_of(rules, game.deck, 0), depth) == n


# What the kernels promise beyond the oracle.


def test_a_copy_goes_its_own_way():
    games = new_games(2, Rules(players=3))
    game = Game(Rules(players=3), seed=4)
    for move in ("p0", "h11", "d2"):
        if parse_move(game.rules, move) in game.legal_moves:
            game.apply(move)
    games[1] = Game(Rules(players=3), seed=9).record  # what was there before is overwritten
    copy_game(games[1], game.record)
    games[1]["seed"] = game.record.seed
    copy = Game.from_record(game.rules, games[1])
    assert copy == game and copy.legal_moves == game.legal_moves
    before = game.to_text()
    apply_move(games[1], game.rules.hand_size)
    assert game.to_text() == before != Game.from_record(game.rules, games[1]).to_text()


def test_legal_moves_are_written_as_a_row():
    game = Game(Rules(players=4), seed=2)
    row = np.full(game.rules.n_moves, 7, np.int8)
    write_legal(game.record, row)
    assert np.flatnonzero(row).tolist() == game.legal_moves and row.max() == 1


def test_nth_move_counts_the_bits_of_a_mask():
    legal = np.uint64(sum(1 << move for move in (0, 3, 17, 40, 63)))
    assert [int(nth_move(legal, n)) for n in range(5)] == [0, 3, 17, 40, 63]


def test_dealing_again_leaves_nothing_of_the_game_before():
    rules = Rules(players=3)
    used = play("random", rules, 1, record=True).records[0]
    fresh = Game(rules, seed=5).record
    kernels.deal_seeded(used, fresh.seed)
    used.history[:] = fresh.history
    assert used.tobytes() == fresh.tobytes()


def test_a_make_move_without_refill_leaves_a_gap_for_the_dealer():
    game = Game(Rules(refill="in_place")).record
    slot = kernels.make_move(game, parse_move(Rules(), "p2"))
    assert (slot, game.card[0, 2], game.n_cards[0], game.deck_size) == (2, -1, 4, 40)
    kernels.refill(game, slot)
    assert (game.card[0, 2], game.order[0, 2], game.deck_size) == (game.deck[10], 10, 39)


@pytest.mark.parametrize(("is_without", "tokens"), [(False, 8), (True, 7)])
def test_a_completed_colour_returns_a_token_unless_the_rules_forbid_it(is_without, tokens):
    rules = Rules(colours=2, ranks=2, hand_size=1, no_completion_token=is_without)
    game = Game(rules, deck=[0, 5, 1, 5, 5, 6, 0, 0])
    for move in ("p0", "h12", "p0"):  # R1; a hint about R2, which replaced it; R2
        game.apply(move)
    assert game.record.tokens == tokens


@pytest.mark.parametrize("players", range(2, 6))
def test_every_start_seat_occurs_when_the_start_is_random(players):
    rules = Rules(players=players, random_start=True)
    starts = {int(Game(rules, seed=seed).record.start) for seed in range(60)}
    assert starts == set(range(players))


def test_shuffles_put_every_card_everywhere():
    n = 3000 if JIT else 600
    first = Counter(Game(seed=1, index=k).deck[0] for k in range(n))
    copies = Counter(Game().deck)
    for card in range(25):
        expected = n * copies[card] / 50
        assert abs(first[card] - expected) < 5 * expected**0.5
