"""Open hands: the answers equal those of trying every legal move, and lines lead where they say."""

from functools import cache
from random import Random

import pytest

from support import play_randomly, scaled
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.search.endgame.winnable import NO, UNKNOWN, YES, solve

SMALL = Rules(players=2, colours=2, ranks=3, hand_size=2, tokens=2, lives=2)


def best_score(game: Game) -> int:
    """The highest score that any legal moves lead to."""

    @cache
    def best(moves: tuple[int, ...]) -> int:
        position = game.copy()
        for move in moves:
            position.apply(move)
        if position.is_over:
            return position.score
        return max(best((*moves, move)) for move in position.legal_moves)

    return best(())


def late_position(seed: int, n_left: int) -> Game:
    """A random game, so many moves before its end."""
    rng = Random(seed)
    whole = play_randomly(Game(SMALL, seed), rng)
    return whole.at(max(0, whole.turn - n_left))


@pytest.mark.parametrize("n_left", [2, 4])
def test_answers_are_those_of_trying_everything(n_left):
    found = set()
    for seed in range(40):
        game = late_position(seed, n_left)
        if int(game.record.deck_size) > 1:
            continue
        best = best_score(game)
        for target in range(1, SMALL.max_score + 1):
            solution = solve(game, target)
            assert solution.answer == (YES if best >= target else NO), game.to_text()
            found.add(solution.answer)
            if solution.answer == YES:
                after = game.copy()
                for move in solution.moves:
                    after.apply(move)
                assert after.score >= target
    assert found == {YES, NO}


def test_most_deals_of_the_whole_game_are_won_with_open_hands():
    answers = [solve(Game(Rules(players=players), seed)).answer
               for players in (2, 4) for seed in range(scaled(15))]  # fmt: skip
    assert answers.count(YES) > 0.8 * len(answers)


def test_a_lost_card_is_noticed():
    game = Game(Rules(players=2), seed=4)
    fives = [order for order, card in enumerate(game.deck) if card % 5 == 4]
    deck = game.deck
    deck[0], deck[fives[0]] = deck[fives[0]], deck[0]  # seat 0 holds a 5
    game = Game(game.rules, deck=deck)
    game.apply("h1" + str(game.hands[1][0] % 5 + 1))
    game.apply("h1" + str(game.hands[0][0] % 5 + 1))
    game.apply("d0")
    assert solve(game).answer == NO
    assert solve(game).n_positions == 1


def test_it_gives_up_when_told_to():
    assert solve(Game(Rules(players=2), seed=1), most=3).answer == UNKNOWN
    assert solve(Game(Rules(players=2), seed=1), most=3).text == "unknown"
