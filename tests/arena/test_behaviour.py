"""Behaviour tables: kernels against a naive count, a game counted by hand, sums and JSON."""

import json
from collections import Counter
from functools import reduce
from math import isnan
from operator import add
from random import Random

import numpy as np
import pytest

from support import pick_rules, play_randomly, scaled
from tamaya.arena.behaviour import Behaviour, behaviour_of, n_actions
from tamaya.cards import COLOUR_LETTERS, parse_card
from tamaya.game import Game
from tamaya.moves import DISCARD, HINT_COLOUR, HINT_RANK, PLAY, describe, parse_move
from tamaya.records import GAME
from tamaya.rules import Rules
from tamaya.table import play

pytestmark = pytest.mark.interpreted

TINY = Rules(players=2, colours=2, ranks=2, hand_size=2, tokens=2, lives=2)


def tiny_game() -> Game:
    """A game of nine turns, small enough to count by hand."""
    deck = [parse_card(name) for name in ("R1", "Y2", "R1", "Y1", "R1", "R2", "Y1", "Y1")]
    game = Game(TINY, deck=deck, start=0)
    for move in (
        "h1R",  # touches R1, playable
        "p0",  # R1 scores
        "h1R",  # touches R1, no longer playable
        "d1",  # R1, worthless
        "d1",  # Y2, the only one
        "h11",  # touches R1 and Y1, the latter playable
        "p0",  # R1 fails, a life is lost
        "h11",  # touches Y1 once more and a new Y1, both playable
        "p0",  # Y1 scores, the turns are over
    ):
        game.apply(move)
    assert game.is_over
    return game


def records_of(games: list[Game]) -> np.ndarray:
    """The records of games as one array."""
    return np.concatenate([game.array for game in games])


# The naive count.


def naive_label(rules: Rules, move: int) -> str:
    """Label of the action of a move."""
    kind, place, value = describe(rules, move)
    if kind in (DISCARD, PLAY):
        return f"{'DP'[kind]}{place + 1}"
    return f"C{COLOUR_LETTERS[value]}" if kind == HINT_COLOUR else f"R{value + 1}"


def naive_playable(game: Game, card: int) -> bool:
    return int(game.record.firework[card // 5]) == card % 5


def naive_critical(game: Game, card: int) -> bool:
    """Whether a card is needed, can still be reached, and has no other copy left."""
    left = Counter(game.deck)
    for other, n in enumerate(game.record.discarded.tolist()):
        left[other] -= n
    colour, rank = divmod(card, 5)
    height = int(game.record.firework[colour])
    path = [5 * colour + lower for lower in range(height, rank)]
    return height <= rank and all(left[lower] > 0 for lower in path) and left[card] == 1


def naive_count(games: list[Game], seats: list[int] | None = None) -> Counter:
    """All counts by name; pairs of labels are the keys of the table."""
    total: Counter = Counter(games=len(games))
    for k, played in enumerate(games):
        game = Game(played.rules, deck=played.deck, start=int(played.record.start))
        told: set[tuple[int, int]] = set()
        label_before = None
        for move in played.moves:
            label = naive_label(game.rules, move)
            own: Counter = Counter({label: 1})
            if label_before:
                own[label_before, label] += 1
            own += naive_outcome(game, move, told)
            if seats is None or seats[k] == game.mover:
                total += own
            label_before = label
            game.apply(move)
    return total


def naive_outcome(game: Game, move: int, told: set[tuple[int, int]]) -> Counter:
    """What a move does besides being made; ``told`` remembers (order, kind of hint)."""
    kind, place, value = describe(game.rules, move)
    counts: Counter = Counter()
    if kind in (DISCARD, PLAY):
        card = int(game.record.card[game.mover, place])
        if kind == PLAY and naive_playable(game, card):
            counts["scored"] += 1
        if kind == DISCARD and naive_critical(game, card):
            counts["critical_discards"] += 1
        return counts
    target = (game.mover + place) % game.rules.players
    playable_ones = 0
    for slot in range(game.rules.hand_size):
        card, order = int(game.record.card[target, slot]), int(game.record.order[target, slot])
        if card < 0 or (card // 5 if kind == HINT_COLOUR else card % 5) != value:
            continue
        playable_ones += naive_playable(game, card)
        if (order, kind) not in told and game.rules.observation != "seer":
            told.add((order, kind))
            counts["touched"] += 1
            counts["playable_touched"] += naive_playable(game, card)
    counts["playable_hints"] += playable_ones > 0
    return counts


def assert_equal(found: Behaviour, expected: Counter) -> None:
    """Compare every count with the naive one."""
    names = ("games", "scored", "playable_hints", "touched", "playable_touched")
    counts = {name: getattr(found, name) for name in (*names, "critical_discards")}
    labels = found.labels()
    for a, first in enumerate(labels):
        counts[first] = int(found.first[a])
        counts.update({(first, then): int(found.following[a, b]) for b, then in enumerate(labels)})
    assert +Counter(counts) == +expected


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["random", "certainty", "example"])
def test_kernels_agree_with_the_naive_count(players, name):
    rules = Rules(players=players)
    played = play(name, rules, scaled(30), seed=players, record=True)
    games = [played.game(k) for k in range(len(played.results))]
    assert_equal(behaviour_of(played.records, rules), naive_count(games))
    seats = np.arange(len(games)) % players
    assert_equal(behaviour_of(played.records, rules, seats), naive_count(games, seats.tolist()))


@pytest.mark.parametrize("case", range(scaled(60)))
def test_kernels_agree_with_the_naive_count_under_any_rules(case):
    rng = Random(case)
    rules = pick_rules(rng.choice)
    games = [play_randomly(Game(rules, seed=case, index=k), rng) for k in range(5)]
    assert_equal(behaviour_of(records_of(games), rules), naive_count(games))
    seats = [rng.randrange(rules.players) for _ in games]
    found = behaviour_of(records_of(games), rules, np.array(seats))
    assert_equal(found, naive_count(games, seats))


# By hand.


def test_a_game_counted_by_hand():
    found = behaviour_of(tiny_game().array, TINY)
    assert found.labels() == ["D1", "D2", "P1", "P2", "CR", "CY", "R1", "R2"]
    assert found.first.tolist() == [0, 2, 3, 0, 2, 0, 2, 0]
    assert found.rates == {
        "play": 3 / 9, "discard": 2 / 9, "hint_colour": 2 / 9, "hint_rank": 2 / 9
    }  # fmt: skip
    assert (found.games, found.turns_per_game, found.hints_per_game) == (1, 9.0, 4.0)
    assert (found.play_success, found.lives_lost_per_game) == (2 / 3, 1.0)
    assert (found.playable_hint_precision, found.touched_playable) == (3 / 4, 3 / 5)
    assert found.discarded_critical_per_game == 1.0
    nan = float("nan")
    assert np.array_equal(
        found.conditional(),
        [
            #  D1   D2   P1   P2   CR   CY   R1   R2
            [nan] * 8,
            [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0],  # D2
            [0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.5, 0.0],  # P1
            [nan] * 8,
            [0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0],  # CR
            [nan] * 8,
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],  # R1
            [nan] * 8,
        ],
        equal_nan=True,
    )
    assert found.marginal() == pytest.approx(np.array([0, 2, 3, 0, 2, 0, 2, 0]) / 9)


def test_one_seat_of_the_same_game():
    found = behaviour_of(tiny_game().array, TINY, seats=0)
    assert found.first.tolist() == [0, 1, 2, 0, 2, 0, 0, 0]
    assert (found.turns_per_game, found.hints_per_game) == (5.0, 2.0)
    assert (found.play_success, found.lives_lost_per_game) == (1 / 2, 1.0)
    assert (found.playable_hint_precision, found.touched_playable) == (1 / 2, 1 / 2)
    assert found.discarded_critical_per_game == 1.0
    replies = np.zeros((8, 8))
    replies[2, 4] = replies[1, 1] = 1  # CR after P1, D2 after D2
    replies[6, 2] = 2  # P1 after R1
    assert np.array_equal(found.following, replies)


def test_a_game_cut_short_counts_as_far_as_it_went():
    found = behaviour_of(tiny_game().at(3).array, TINY)
    assert found.first.tolist() == [0, 0, 1, 0, 2, 0, 0, 0]
    assert found.following.sum() == 2


@pytest.mark.parametrize("players", [2, 4])
def test_labels_follow_the_moves(players):
    rules = Rules(players=players)
    nothing = behaviour_of(np.zeros(0, GAME), rules)
    assert len(nothing.labels()) == n_actions(rules)
    assert nothing.labels()[0] == "D1"
    for offset in range(1, players):
        hinter = Game(rules, seed=3)
        move = parse_move(rules, f"h{offset}{hinter.hands[offset][0] % 5 + 1}")
        hinter.apply(move)
        found = behaviour_of(hinter.array, rules)
        assert found.labels()[int(found.first.argmax())] == naive_label(rules, move)
        assert describe(rules, move)[0] == HINT_RANK


# Sums, JSON and what cannot be counted.


def test_chunks_add_up():
    rules = Rules(players=3)
    records = play("certainty", rules, scaled(300), record=True).records
    whole = behaviour_of(records, rules)
    cuts = [len(records) // 3, len(records) // 2]
    chunks = [behaviour_of(chunk, rules) for chunk in np.split(records, cuts)]
    assert reduce(add, chunks) == whole
    assert chunks[0] != whole
    assert behaviour_of(records[::-1], rules) == whole  # not contiguous


def test_the_seats_add_up_to_the_table():
    rules = Rules(players=4)
    records = play("random", rules, scaled(100), record=True).records
    whole = behaviour_of(records, rules)
    seats = reduce(add, (behaviour_of(records, rules, seat) for seat in range(4)))
    assert seats.games == 4 * whole.games
    assert seats.to_dict() | {"games": whole.games} == whole.to_dict()


def test_other_rules_do_not_add_up():
    two, three = (behaviour_of(np.zeros(0, GAME), Rules(players=n)) for n in (2, 3))
    with pytest.raises(ValueError, match="different rules"):
        two + three
    with pytest.raises(TypeError):
        two + 1


def test_json_gives_it_back():
    rules = Rules(players=5, bomb="keep")
    records = play("random", rules, 5, record=True).records
    found = behaviour_of(records, rules)
    again = Behaviour.from_dict(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    assert again == found
    assert again.rates == found.rates
    assert (again + found).games == 10


def test_json_of_other_sizes_is_refused():
    values = behaviour_of(tiny_game().array, TINY).to_dict()
    with pytest.raises(ValueError, match="expected 20 actions"):
        Behaviour.from_dict({**values, "rules": Rules().as_dict()})


def test_nothing_has_no_shares():
    nothing = behaviour_of(np.zeros(0, GAME), Rules())
    assert np.isnan(nothing.conditional()).all()
    assert np.isnan(nothing.marginal()).all()
    assert all(isnan(rate) for rate in nothing.rates.values())
    assert isnan(nothing.turns_per_game)
    assert isnan(nothing.play_success)
    assert isnan(nothing.touched_playable)


def test_seats_must_exist():
    game = tiny_game()
    for seats in (2, -1, np.array([0, 1]), np.array([0.0]), np.array([True])):
        with pytest.raises(ValueError, match="seats must be"):
            behaviour_of(game.array, TINY, seats)


def test_records_must_be_games_of_the_rules():
    game = tiny_game()
    with pytest.raises(ValueError, match="lives differs"):
        behaviour_of(game.array, Rules(**{**TINY.as_dict(), "lives": 1}))
    with pytest.raises(ValueError, match="array of game records"):
        behaviour_of(np.zeros(3), TINY)
    game.record.history[0].move = 7  # rank 2, which the other seat does not hold
    with pytest.raises(ValueError, match="game 0 of the records is broken"):
        behaviour_of(game.array, TINY)


def test_the_records_stay_as_they_are():
    game = tiny_game()
    before = game.array.tobytes()
    behaviour_of(game.array, TINY)
    assert game.array.tobytes() == before
