"""Batch agents as blueprints: beliefs by brute force, deals as played at a table."""

from random import Random
from time import monotonic_ns

import numpy as np
import pytest

from search.batches import AT_ONCE, BY_STATE, as_batch_agent
from search.belief.test_support import TABLES, TINY, check_supports, hand_of, seen_by
from search.positions import params_of
from support import scaled
from tamaya.agent import AgentError, AgentFault, BatchAgent
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.records import GAME
from tamaya.registry import find_agent, register
from tamaya.rules import Rules
from tamaya.search.agents.sparta import decide, terms_of
from tamaya.search.belief.blueprints import blueprint_for
from tamaya.search.belief.contest import Contest, Terms
from tamaya.search.belief.lanes import deal_hands, number_deals
from tamaya.search.belief.support import Believing, support_of
from tamaya.search.workspace import N_IDS
from tamaya.seat import Seat
from tamaya.table import play

AGENTS = [AT_ONCE, BY_STATE]
SMALL = Rules(players=3, colours=3, ranks=4, hand_size=3)


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players}x{rules.hand_size}")
@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_a_support_is_brute_force_over_all_deals_after_every_event(player, rules):
    check_supports(rules, player, Random(player.name))


@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_the_true_hand_never_leaves_the_support(player):
    n_exact = 0
    for seed in range(scaled(6)):
        whole = play(player, SMALL, 1, seed=seed, record=True).game(0)
        for turn in range(0, whole.turn, 2):
            game = whole.at(turn)
            for seat in range(SMALL.players):
                support = support_of(seen_by(game, seat), blueprint_for(player), Believing())
                assert support.strikes.max() == 0
                if support.is_exact:
                    assert hand_of(game, support) in support.hands
                    n_exact += 1
    assert n_exact > scaled(20)


def middle_games(rules: Rules, n: int) -> list[Game]:
    """Games of a compiled agent, stopped somewhere."""
    played = play("example", rules, scaled(n), seed=5, record=True)
    games = [played.game(k) for k in range(len(played.results))]
    return [game.at(game.turn * (2 + k % 7) // 9) for k, game in enumerate(games)]


@pytest.mark.parametrize("how", [
    Believing(), Believing(tolerance=0.1), Believing(most=3, draws=40),
    Believing(most=3, draws=40, tolerance=0.2),
], ids=["listed", "tolerant", "drawn", "drawn-tolerant"])  # fmt: skip
def test_it_believes_and_decides_as_the_same_agent_compiled(how):
    compiled = blueprint_for(find_agent("example"))
    batched = blueprint_for(as_batch_agent("example"))
    n_exact = n_changed = 0
    for game in middle_games(SMALL, 12):
        view = seen_by(game, game.mover)
        moves = sum(1 << move for move in game.legal_moves)
        supports = [support_of(view, blueprint, how) for blueprint in (compiled, batched)]
        for field in ("hands", "strikes", "weights"):
            assert np.array_equal(*(getattr(support, field) for support in supports))
        terms = Terms(samples=200, check=10, seed=3)
        one, two = (Contest(view, blueprint, support, terms).run(moves)
                    for blueprint, support in zip((compiled, batched), supports,
                                                  strict=True))  # fmt: skip
        assert one.arms.tobytes() == two.arms.tobytes()
        assert (one.move, *one[3:]) == (two.move, *two[3:])
        n_exact += one.is_exact
        n_changed += one.move != one.default
    assert n_changed > 0 or not JIT  # which plays fewer games
    assert n_exact > 0 or how.most == 3 or not JIT


def played_out(root: Game, player: BatchAgent, move: int) -> int:
    """Score if a move is made and every seat follows the agent, as it plays at the table."""
    again, moves = root.at(0), [*root.moves, move]
    seats = [Seat(player, again, seat) for seat in range(again.rules.players)]
    for made in moves:
        seats[again.mover].act()  # it is asked, whatever is done
        again.apply(made)
    while not again.is_over:
        again.apply(seats[again.mover].act())
    return again.score


@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_a_deal_is_played_out_as_at_the_table(player):
    n_deals, seen = 3, set()
    for game in middle_games(SMALL, 6):
        view, blueprint = seen_by(game, game.mover), blueprint_for(player)
        support = support_of(view, blueprint, Believing())
        contest = Contest(view, blueprint, support, Terms(samples=10**4, seed=7))
        moves = sum(1 << move for move in game.legal_moves)
        values = np.zeros((n_deals, N_IDS), np.float32)
        assert blueprint.play(view, contest.how, contest.deals, moves, 4, values, 1).all()
        roots = np.zeros(n_deals, GAME)
        number_deals(view, contest.how[0], contest.deals, 4, roots)
        for root, row in zip(roots, values, strict=True):
            deal = Game(SMALL, deck=root["deck"][: SMALL.deck_size], start=int(root["start"]))
            for move in game.moves:
                deal.apply(move)
            expected = {move: played_out(deal, player, move) for move in game.legal_moves}
            assert {move: row[move] for move in game.legal_moves} == expected
            seen |= set(expected.values())
    assert len(seen) > 2 or not JIT


@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_exact_expectations_are_those_of_the_table(player):
    n_compared = 0
    for seed in range(scaled(8)):
        whole = play("example", TINY, 1, seed=seed, record=True).game(0)
        game = whole.at(whole.turn - 2)
        if game.is_over or int(game.record.deck_size) > 1:
            continue  # with one card at most, the hand determines the deal
        view, blueprint = seen_by(game, game.mover), blueprint_for(player)
        support = support_of(view, blueprint, Believing(tolerance=0.5))
        contest = Contest(view, blueprint, support, Terms(samples=10**4))
        outcome = contest.run(sum(1 << move for move in game.legal_moves))
        assert outcome.is_exact
        games = np.zeros(len(support.hands), GAME)
        deal_hands(view, support.hands, support.n_cards, support.sight.orders, games)
        totals = np.zeros(N_IDS)
        for hand, root in zip(support.hands.tolist(), games, strict=True):
            deck = root["deck"][: TINY.deck_size].tolist()
            left = support.sight.unseen.copy()
            for place in range(support.n_cards):
                left[hand >> 5 * place & 31] -= 1
            deck[TINY.deck_size - int(view.deck_size) :] = np.repeat(np.arange(25), left).tolist()
            deal = Game(TINY, deck=deck)
            for move in game.moves:
                deal.apply(move)
            weight = support.weights[support.hands == hand][0] / support.weights.sum()
            for move in game.legal_moves:
                totals[move] += weight * played_out(deal, player, move)
        for move in game.legal_moves:
            arm = outcome.arms[move]
            assert arm.total / arm.n == pytest.approx(totals[move])
            n_compared += 1
    assert n_compared > 0


@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_neither_threads_nor_repetition_make_a_difference(player):
    game, outcomes = middle_games(SMALL, 3)[-1], []
    view = seen_by(game, game.mover)
    for threads in (1, 2, 2):
        text = f"sparta:blueprint={player.name},samples=400,support=900,threads={threads}"
        params = params_of(f"{text},seats=each")
        outcomes.append(decide(view, params, terms_of(params, 5, check=20)))
    for support, outcome in outcomes[1:]:
        assert np.array_equal(support.hands, outcomes[0][0].hands)
        assert outcome.arms.tobytes() == outcomes[0][1].arms.tobytes()
        assert outcome.move == outcomes[0][1].move


@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_seats_that_do_not_search_play_as_the_agent_itself(player):
    text = f"sparta:blueprint={player.name},samples=60,support=300,draws=20,margin=0"
    game = play(text, SMALL, 1, seed=3, record=True).game(0)
    again, changed = game.at(0), {seat: 0 for seat in range(3)}
    seats = [Seat(player, again, seat) for seat in range(3)]
    for move in game.moves:
        changed[again.mover] += seats[again.mover].act() != move
        again.apply(move)
    assert changed[0] == changed[1] == 0
    assert changed[2] > 0


@pytest.mark.parametrize("ms", [60_000, -1])
def test_deals_are_played_while_time_allows(ms):
    game = middle_games(SMALL, 1)[0]
    view, blueprint = seen_by(game, game.mover), blueprint_for(AT_ONCE)
    terms = Terms(deadline=monotonic_ns() + ms * 10**6)
    contest = Contest(view, blueprint, support_of(view, blueprint, Believing()), terms)
    moves, values = sum(1 << move for move in game.legal_moves), np.zeros((40, N_IDS), np.float32)
    is_done = blueprint.play(view, contest.how, contest.deals, moves, 0, values, 1)
    assert (is_done == (ms > 0)).all()
    assert values.any() == (ms > 0)


def test_a_limit_of_time_leads_to_a_move():
    game = middle_games(SMALL, 1)[0]
    params = params_of("sparta:blueprint=at-once,seats=each,ms=30,support=300,draws=20")
    outcome = decide(seen_by(game, game.mover), params, terms_of(params, 5))[1]
    assert outcome.move in game.legal_moves


def test_it_explains_and_believes():
    game = middle_games(SMALL, 1)[0]
    agent = find_agent("sparta:blueprint=by-state,seats=each,samples=200,support=2000,draws=50")
    seat = Seat(agent, game, game.mover)
    names = [name for name, _ in seat.explain()]
    assert names[0] == "support"
    assert "the blueprint's move" in names
    assert np.allclose(seat.believe().sum(axis=1), 1)


@pytest.mark.parametrize("seats", ["all", "code"])
def test_agreements_need_compiled_blueprints(seats):
    with pytest.raises(AgentError, match=rf"seats={seats} needs a compiled blueprint.*at-once"):
        find_agent(f"sparta:blueprint=at-once,seats={seats}")


def test_a_blueprint_that_fails_is_named():
    def fail(observations, legal, state):
        raise ValueError("no such weights")

    register(BatchAgent("failing", fail))
    game = middle_games(SMALL, 1)[0]
    agent = find_agent("sparta:blueprint=failing,seats=each,support=50,draws=5")
    with pytest.raises(AgentFault, match=r"'failing', asked for .* moves.*no such weights"):
        Seat(agent, game, game.mover).explain()
