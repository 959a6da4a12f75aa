"""BAD as an agent: decoding moves against a slow account, one memory for both seats, no peeking."""

from itertools import product
from random import Random

import numpy as np
import pytest

from support import decisions, permuted, play_randomly, replay, scaled
from tamaya.agent import AgentError
from tamaya.agents.learned.bad import BadAgent
from tamaya.agents.learned.files import Network, make_network, write_network
from tamaya.agents.learned.public import layout, vector_sizes
from tamaya.encoding import observation_spec
from tamaya.game import Game
from tamaya.game_kernels import legal_mask
from tamaya.knowledge.hand_beliefs import counted_beliefs
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.view import critical_mask, dead_mask, playable_mask

# The interpreter checks indices too; compiling it all with checks would take a minute.
pytestmark = pytest.mark.interpreted
TINY = Rules(colours=2, ranks=3, hand_size=2, lives=3, tokens=3)
VARIANTS = [TINY, Rules.parse("colours=2 ranks=3 hand_size=3 empty_hints=true refill=in_place "
                              "random_start=true")]  # fmt: skip


def some_weights(rules: Rules, width: int = 16, marks: bool = True, seed: int = 0):
    rng = np.random.default_rng(seed)
    shapes = layout(rules, width, 3 if marks else 0)
    return {name: rng.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


def some_metadata(rules: Rules, **changes) -> dict:
    metadata = {"kind": "bad", "rules": rules.to_text(), "encoder": "hle", "width": 16,
                "belief": "V2", "hands": 64, "rounds": 4, "mixing": 0.01, "marks": True,
                "observation": observation_spec(rules, "hle")}  # fmt: skip
    return {**metadata, **changes}


def some_network(rules: Rules, **changes) -> Network:
    metadata = some_metadata(rules, **changes)
    return make_network(metadata, some_weights(rules, marks=metadata["marks"]))


def some_agent(rules: Rules, **changes) -> BadAgent:
    return BadAgent("bad", [some_network(rules, **changes)])


def naive_outputs(game: Game, weights, belief: np.ndarray, hand: list[int]) -> np.ndarray:
    """The network once more in NumPy, as if the other seat held a hand."""
    rules, record, mover = game.rules, game.record, game.mover
    kinds = [5 * c + r for c in range(rules.colours) for r in range(rules.ranks)]
    n_marks = len(weights["private"]) // rules.hand_size - len(kinds)
    sizes = vector_sizes(rules, n_marks)
    masks = [int(f(record)) for f in (playable_mask, dead_mask, critical_mask)][:n_marks]
    rows = [belief[seat, slot] for seat in (mover, 1 - mover) for slot in range(rules.hand_size)]
    chances = [sum(row[c] for c in kinds if mask >> c & 1) for row in rows for mask in masks]
    public = np.concatenate([game.vector(mover, "hle")[sizes.hand :],
                             *(row[kinds] for row in rows), chances])  # fmt: skip
    units = public @ weights["first"] + weights["first bias"]
    units = normal(units) * weights["first scale"] + weights["first shift"]
    units = np.maximum(0, units) @ weights["second"] + weights["second bias"]
    for slot, card in enumerate(hand):
        if card >= 0:
            units = units + weights["private"][slot * len(kinds) + kinds.index(card)]
            for k, mask in enumerate(masks):
                if mask >> card & 1:
                    units = units + weights["private"][sizes.hand + slot * n_marks + k]
    units = np.maximum(0, normal(units) * weights["second scale"] + weights["second shift"])
    return units @ weights["out"] + weights["out bias"]


def normal(units: np.ndarray) -> np.ndarray:
    return (units - units.mean()) / np.sqrt(units.var() + 1e-5)


def greedy(game: Game, weights, belief, hand: list[int]) -> int:
    """The legal move with the highest output if the other seat held a hand."""
    other = game.copy()
    other.record.card[1 - game.mover, : len(hand)] = hand
    legal = int(legal_mask(other.record))
    out = naive_outputs(game, weights, belief, hand)
    return max((move for move in range(game.rules.n_moves) if legal >> move & 1),
               key=lambda move: out[move])  # fmt: skip


def hand_of(game: Game, seat: int) -> list[int]:
    return game.record.card[seat, : game.rules.hand_size].tolist()


def fresh_belief(game: Game) -> np.ndarray:
    belief = np.zeros((2, 8, 25))
    belief[:, : game.rules.hand_size] = np.bincount(game.deck, minlength=25) / len(game.deck)
    return belief


@pytest.mark.parametrize("rules", VARIANTS, ids=["tiny", "other"])
@pytest.mark.parametrize("marks", [True, False])
def test_it_makes_the_move_of_the_network_once_more(rules, marks):
    weights = some_weights(rules, marks=marks)
    agent = BadAgent("bad", [make_network(some_metadata(rules, marks=marks), weights)])
    rng = Random(1)
    for number in range(scaled(6)):
        game = Game(rules, seed=number)
        seats = [Seat(agent, game, seat) for seat in range(2)]
        while not game.is_over:
            memory = seats[0].memory[0]
            belief = memory.belief if game.turn else fresh_belief(game)
            move = seats[game.mover].act()
            assert move == greedy(game, weights, belief, hand_of(game, 1 - game.mover))
            game.apply(move if rng.random() < 0.7 else rng.choice(game.legal_moves))
            for seat in seats:
                seat.observe()


@pytest.mark.parametrize("rules", VARIANTS[:1], ids=["tiny"])
def test_moves_are_decoded_as_bayes_would(rules):
    """The likelihoods after each move, with every hand tried in plain Python."""
    weights = some_weights(rules)
    agent = BadAgent("bad", [make_network(some_metadata(rules), weights)])
    rng, n_told = Random(2), 0
    for number in range(scaled(12)):
        game = Game(rules, seed=number)
        seat = Seat(agent, game, 1)
        likelihood = np.ones((2, 8, 25))
        while not game.is_over:
            belief = seat.memory[0].belief.copy() if game.turn else fresh_belief(game)
            mover, target = game.mover, 1 - game.mover
            move = seat.act() if mover == 1 and rng.random() < 0.7 else rng.choice(game.legal_moves)
            unseen = [c for c in game.deck]
            for event in game.events:
                if event.card >= 0:
                    unseen.remove(int(event.card))
            sums = np.zeros((2, rules.hand_size, 25))
            for hand in product(*(np.flatnonzero(row) if row.any() else [-1]
                                  for row in belief[target, : rules.hand_size])):  # fmt: skip
                cards = [int(card) for card in hand]
                if all(cards.count(card) <= unseen.count(card) for card in cards if card >= 0):
                    fits = greedy(game, weights, belief, cards) == move
                    held = [(slot, card) for slot, card in enumerate(cards) if card >= 0]
                    weight = np.prod([belief[target][place] for place in held])
                    for slot, card in held:
                        sums[:, slot, card] += weight, weight * fits
            for slot in range(rules.hand_size):
                if sums[1, slot].any():
                    n_told += 1
                    share = sums[1, slot].sum() / sums[0, slot].sum()
                    chances = np.full(25, share)
                    np.divide(sums[1, slot], sums[0, slot], out=chances, where=sums[0, slot] > 0)
                    row = likelihood[target, slot] * chances
                    likelihood[target, slot] = row / row.max() if row.max() > 0 else 1
            game.apply(move)
            if game.events[-1].card >= 0:
                likelihood[mover, move % rules.hand_size : -1] = likelihood[
                    mover, move % rules.hand_size + 1 :
                ]
                likelihood[mover, rules.hand_size - 1] = 1
            seat.observe()
            size = rules.hand_size
            found = seat.memory[0].likelihood[:, :size]
            assert np.allclose(found, likelihood[:, :size], atol=1e-4)
    assert n_told > scaled(12)


@pytest.mark.parametrize("rules", VARIANTS, ids=["tiny", "other"])
@pytest.mark.parametrize("hands", [64, 5], ids=["listed", "drawn"])
def test_both_seats_believe_the_same(rules, hands):
    agent = some_agent(rules, hands=hands)
    for number in range(scaled(6)):
        whole = play_randomly(Game(rules, seed=number), Random(number))
        game = Game(rules, deck=whole.deck, start=int(whole.record.start))
        seats = [Seat(agent, game, seat) for seat in range(2)]
        for move in whole.moves:
            game.apply(move)
            for seat in seats:
                seat.observe()
            assert seats[0].memory.tobytes() == seats[1].memory.tobytes()


def test_seats_with_memories_of_their_own_play_as_those_that_share_one():
    one, other = some_agent(TINY), some_agent(TINY)
    together = play(one, TINY, scaled(50), seed=2).results
    apart = play([one, other], TINY, scaled(50), seed=2).results
    assert (together == apart).all()


@pytest.mark.parametrize("rules", VARIANTS, ids=["tiny", "other"])
def test_it_does_not_peek(rules):
    agent, rng = some_agent(rules), Random(1)
    played = play(agent, rules, scaled(25), record=True)
    for k in range(len(played.results)):
        game = replay(played.game(k), turns=rng.randrange(max(1, played.game(k).turn)))
        other = permuted(game, game.mover, rng)
        assert decisions(agent, other, game.mover) == decisions(agent, game, game.mover)


@pytest.mark.parametrize("hands", [64, 5], ids=["listed", "drawn"])
def test_beliefs_survive_a_partner_that_plays_at_random(hands):
    """All mass on cards that are possible, some of it on the true one."""
    agent = some_agent(TINY, hands=hands)
    for number in range(scaled(30)):
        whole = play_randomly(Game(TINY, seed=number), Random(number))
        game = replay(whole, turns=0)
        seat = Seat(agent, game, 0)
        for move in whole.moves[:-1]:
            game.apply(move)
            seat.observe()
            belief = seat.memory[0].belief
            for who, slot in product(range(2), range(2)):
                card = int(game.record.card[who, slot])
                row = belief[who, slot]
                assert np.isfinite(row).all()
                if card >= 0:
                    assert row.sum() == pytest.approx(1, abs=1e-5) and row[card] > 0
                    for other in np.flatnonzero(row):
                        assert game.record.possible[who, slot] >> int(other) & 1


def test_without_the_likelihood_moves_tell_nothing():
    agents = {version: some_agent(TINY, belief=version) for version in ("V0", "V1", "V2")}
    game = replay(play_randomly(Game(TINY, seed=3), Random(3)), turns=6)
    beliefs = {}
    for version, agent in agents.items():
        again = replay(game, turns=0)
        seat = Seat(agent, again, 0)
        for move in game.moves:
            again.apply(move)
            seat.observe()
        beliefs[version] = seat.memory[0].belief.copy()
        assert (seat.memory[0].likelihood == 1).all() == (version != "V2")
    assert not np.allclose(beliefs["V1"], beliefs["V2"], atol=1e-3)
    assert not np.allclose(beliefs["V0"], beliefs["V1"], atol=1e-3)


def test_it_plays_on_where_its_network_does_not_fit():
    agent = some_agent(TINY)
    for text in ("players=2", "colours=2 hand_size=2", "observation=minimal"):
        assert (play(agent, Rules.parse(text), scaled(50)).results["n_moves"] > 0).all()
    with pytest.raises(AgentError, match="plays with 2 players, not 3"):
        play(agent, Rules(players=3), 1)


def test_explanations_show_moves_and_beliefs():
    game = Game(TINY, seed=5)
    seats = [Seat(some_agent(TINY), game, seat) for seat in range(2)]
    assert "believed" not in str(seats[0].explain())
    game.apply(seats[0].act())
    for seat in seats:
        seat.observe()
    rows = seats[1].explain()
    assert [row[0] for row in rows[-2:]] == ["believed of slot 0", "believed of slot 1"]
    assert "%" in rows[-1][1]


def test_files_are_agents_and_mistakes_are_explained(tmp_path):
    path = tmp_path / "mine.npz"
    write_network(path, some_metadata(TINY), some_weights(TINY))
    agent = find_agent(str(path))
    assert isinstance(agent, BadAgent) and agent.players == (2, 2)
    assert (play(agent, TINY, scaled(20)).results["n_moves"] > 0).all()
    with pytest.raises(ValueError, match="BAD is for 2 players, not 3"):
        layout(Rules(players=3), 16, 0)
    with pytest.raises(ValueError, match="at most 384, not 512"):
        layout(TINY, 512, 0)


def seen_from(agent: BadAgent, game: Game) -> Seat:
    """The seat to move, having seen a game from the deal."""
    position = game.at(0)
    seat = Seat(agent, position, game.mover)
    for move in game.moves:
        position.apply(move)
        seat.observe()
    return seat


def test_its_beliefs_decode_moves_and_do_not_peek():
    rng, own, counting = Random(8), [], []
    agent, plain = some_agent(TINY, hands=4096), some_agent(TINY, belief="V1")
    played = play(agent, TINY, scaled(60), seed=3, record=True)
    for k in range(len(played.results)):
        finished = played.game(k)
        game = finished.at(rng.randrange(max(1, finished.turn)))
        found, counted = seen_from(agent, game).believe(), counted_beliefs(game.view())
        other = permuted(game, game.mover, rng)
        assert (seen_from(agent, other).believe() == found).all()
        np.testing.assert_allclose(seen_from(plain, game).believe(), counted)
        hand = game.record.card[game.mover, : TINY.hand_size]
        own += [found[slot, card] for slot, card in enumerate(hand) if card >= 0]
        counting += [counted[slot, card] for slot, card in enumerate(hand) if card >= 0]
    assert len(own) < 20 or np.log(own).mean() > np.log(counting).mean()
