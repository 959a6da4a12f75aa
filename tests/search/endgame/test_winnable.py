"""Open hands: the answers equal those of trying every legal move, and lines lead where they say."""

from itertools import product
from random import Random

from support import best_score, play_randomly, scaled
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.search.endgame.winnable import NO, UNKNOWN, YES, Solver, solve

SMALL = Rules(players=2, colours=2, ranks=3, hand_size=2, tokens=2, lives=2)
TABLES = (
    SMALL,
    Rules(players=3, colours=2, ranks=3, hand_size=1, tokens=2, lives=3),
    Rules(players=2, colours=2, ranks=3, hand_size=2, tokens=11, lives=1),
    Rules(players=2, colours=2, ranks=3, hand_size=2, tokens=1, lives=3, bomb="keep"),
    Rules(players=3, colours=1, ranks=5, hand_size=2, tokens=1, lives=2, discard_at_full=True),
)  # fmt: skip


def late_position(rules: Rules, seed: int, deck_size: int) -> Game:
    """A random game at the moment when so few cards are left in the deck."""
    whole = play_randomly(Game(rules, seed), Random(seed))
    turn = 0
    while turn < whole.turn and int(whole.at(turn).record.deck_size) > deck_size:
        turn += 1
    return whole.at(turn)


def test_answers_are_those_of_trying_everything():
    found = set()
    for rules, seed in product(TABLES, range(scaled(15))):
        game = late_position(rules, seed, seed % 5)
        best, solver = best_score(game), Solver()
        for target in range(game.points + 1, rules.max_score + 1):
            solution = solver.solve(game, target)
            assert solution.answer == (YES if best >= target else NO), game.to_text()
            found.add(solution.answer)
            if solution.answer == YES:
                after = game.copy()
                for move in solution.moves:
                    after.apply(move)
                assert after.score >= target
    assert found == {YES, NO}


def test_a_solver_remembers_only_what_holds_for_a_deal():
    solver = Solver()
    for seed in range(scaled(10)):
        game = play_randomly(Game(SMALL, seed), Random(seed))
        backwards = [solver.solve(game.at(turn)).answer for turn in range(game.turn, -1, -1)]
        assert backwards == [solve(game.at(turn)).answer for turn in range(game.turn, -1, -1)]
        assert backwards == sorted(backwards)  # once lost, always lost


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


def test_ones_at_the_bottom_are_noticed():
    game = Game(Rules(players=2), seed=4)
    ones = [card for card in game.deck if card == 0]
    deck = [*(card for card in game.deck if card != 0), *ones]
    solution = solve(Game(game.rules, deck=deck))
    assert (solution.answer, solution.n_positions) == (NO, 1)
