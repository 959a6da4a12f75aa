"""Numbers about hints and own cards, against hands and sets of cards in plain Python."""

from random import Random

import pytest

from support import play_randomly, scaled
from tamaya.agents.learned.people.cards import N_PROBABILITIES
from tamaya.agents.learned.people.hints import N_COUNTS, N_FOCUS, N_SLOTS
from tamaya.game import Game
from tamaya.learn.imitation.decisions import Watcher
from tamaya.learn.imitation.games import PersonGame
from tamaya.moves import describe
from tamaya.rules import Rules
from tamaya.view import critical_mask, dead_mask, playable_mask

pytestmark = pytest.mark.interpreted
EFFECT = N_COUNTS + N_FOCUS + 2 * N_SLOTS  # where what the target will know begins


def cards_of(mask: int) -> set[int]:
    return {card for card in range(25) if int(mask) >> card & 1}


def turns_of_seat(game: Game, seat: int):
    """The game before every turn of a seat, and what it saw."""
    turns = iter(Watcher(game.rules, []).turns(PersonGame(game, (seat,), "somebody")))
    again = game.at(0)
    for move in game.moves:
        if again.mover == seat:
            yield again, next(turns)[0]
        again.apply(move)


def random_games(players: int):
    for seed in range(scaled(8)):
        yield play_randomly(Game(Rules(players=players, lives=20), seed), Random(seed))


@pytest.mark.parametrize("players", [2, 3])
def test_what_hints_touch_and_tell(players):
    for game in random_games(players):
        for again, situation in turns_of_seat(game, 1):
            view = again.view(1)
            playable, dead = cards_of(playable_mask(view)), cards_of(dead_mask(view))
            critical = cards_of(critical_mask(view))
            for move in again.legal_moves:
                kind, offset, value = describe(again.rules, move)
                if kind < 2:
                    continue
                row = situation.hints[move - 10]
                seat = (1 + offset) % players
                hand = again.hands[seat]
                possible = [cards_of(view.possible[seat, slot]) for slot in range(len(hand))]
                named = {c for c in range(25) if (c // 5 if kind == 2 else c % 5) == value}
                touched = [slot for slot, card in enumerate(hand) if card in named]
                after = [p & named if s in touched else p - named for s, p in enumerate(possible)]
                told = [bool(view.told[seat, slot]) for slot in range(len(hand))]
                fresh = [slot for slot in touched if not told[slot]]
                chop = told.index(False) if False in told else -1
                focus = chop if chop in fresh else max(fresh or touched)
                assert round(row[0] * 5) == len(touched) and round(row[2] * 5) == len(fresh)
                assert round(row[1] * 5) == sum(after[s] != possible[s] for s in touched)
                for k, cards in enumerate((playable, dead, critical)):
                    assert row[3 + k] == sum(hand[slot] in cards for slot in touched)
                    assert row[N_COUNTS + k] == (hand[focus] in cards)
                assert row[N_COUNTS + 7] == (focus == chop)
                slots = row[N_COUNTS + N_FOCUS :][:N_SLOTS]
                assert [slot for slot in range(5) if slots[slot]] == touched
                sure = sum(new <= playable and not old <= playable
                           for old, new in zip(possible, after, strict=True))  # fmt: skip
                assert row[EFFECT] == sure


def test_chances_of_own_cards():
    for game in random_games(2):
        for again, situation in turns_of_seat(game, 1):
            view = again.view(1)
            left = {card: int(view.copies[card]) - int(view.discarded[card]) for card in range(25)}
            for colour in range(5):
                for rank in range(int(view.firework[colour])):
                    left[5 * colour + rank] -= 1
            for card in again.hands[0]:
                left[card] -= 1
            sets = [cards_of(mask(view)) for mask in (playable_mask, dead_mask, critical_mask)]
            for slot in range(len(again.hands[1])):
                possible = cards_of(view.possible[1, slot])
                total = sum(left[card] for card in possible)
                row = situation.cards[slot]
                for k, cards in enumerate(sets):
                    chance = sum(left[card] for card in possible & cards) / total
                    assert row[k] == pytest.approx(chance, abs=1e-6)
                assert row[4] == (row[0] == 1) and row[5] == (row[0] == 0)
            empty = range(len(again.hands[1]), 5)
            assert not any(situation.cards[slot].any() for slot in empty)
            best = situation.cards[:, N_PROBABILITIES].max()
            chances = sorted(situation.cards[:, 0])
            assert best == pytest.approx(chances[-1] - chances[-2], abs=1e-6)
