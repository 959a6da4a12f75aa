"""ACHA: unrolls equal a naive account, its network a step by step loop and the compiled agent."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.files import make_network
from tamaya.agents.learned.recurrent import RecurrentAgent
from tamaya.game import Game
from tamaya.learn.acha import Learner, Settings
from tamaya.learn.actors import Actors
from tamaya.learn.networks import RecurrentPolicyValue, masked
from tamaya.learn.run import Plan, Run
from tamaya.learn.validation import full_metadata
from tamaya.rules import Rules
from tamaya.seat import Seat
from training import assert_equal, train_twice

torch.set_num_threads(1)
TINY = Settings(width=16, games=6, unroll=5, batch=4, lag=2)


def blank(n: int, width: int):
    return torch.zeros(2, n, width), torch.zeros(2, n, width)


# The network.


def naive_unroll(network, inputs, state, ends):
    """Turn by turn, a blank state after each end of a game."""
    logits, values = [], []
    for turn in range(len(inputs)):
        if turn:
            goes_on = (~ends[turn - 1]).float()[None, :, None]
            state = tuple(part * goes_on for part in state)
        out, value, state = network(inputs[turn], state)
        logits.append(out)
        values.append(value)
    return torch.stack(logits), torch.stack(values)


@pytest.mark.parametrize("share_of_ends", [0.0, 0.3, 1.0])
def test_unrolls_and_gradients_equal_a_loop_over_turns(share_of_ends):
    torch.manual_seed(1)
    network = RecurrentPolicyValue(30, 16, 7)
    inputs, ends = torch.rand(9, 8, 30), torch.rand(9, 8) < share_of_ends
    state = torch.randn(2, 8, 16), torch.randn(2, 8, 16)
    weights = torch.randn(9, 8, 7), torch.randn(9, 8)
    results = []
    for unroll in (network.unroll, lambda *given: naive_unroll(network, *given)):
        network.zero_grad()
        logits, values = unroll(inputs, state, ends)
        ((logits * weights[0]).sum() + (values * weights[1]).sum()).backward()
        results.append([logits, values, *(each.grad.clone() for each in network.parameters())])
    for one, other in zip(*results, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize(("players", "encoder"), [(2, "hle"), (3, "derived")])
def test_compiled_outputs_equal_those_of_torch_along_a_game(players, encoder):
    rules = Rules(players=players, lives=20)
    torch.manual_seed(1)
    length = len(Game(rules).vector(0, encoder))
    network = RecurrentPolicyValue(length + players, 256, rules.n_moves)
    for parameter in network.parameters():
        parameter.data += 0.02 * torch.randn_like(parameter)
    metadata = full_metadata(rules, {"kind": "lstm", "encoder": encoder, "width": 256})
    agent = RecurrentAgent("network", [make_network(metadata, network.weights())])
    rng, game = np.random.default_rng(1), Game(rules, seed=9)
    seats = [Seat(agent, game, seat) for seat in range(players)]
    states = [blank(1, 256) for _ in range(players)]
    while not game.is_over:
        seat = game.mover
        inputs = np.concatenate([game.vector(seat, encoder), np.eye(players)[seat]])
        with torch.no_grad():
            logits, value, states[seat] = network(torch.tensor(inputs)[None].float(), states[seat])
        move = seats[seat].act()
        legal = game.legal_moves
        assert logits[0, move] >= logits[0, legal].max() - 1e-4
        memory = seats[seat].memory["state"][0][: 4 * 256].reshape(2, 2, 256)
        for part in range(2):
            wanted = states[seat][part][:, 0].numpy()
            assert np.abs(memory[:, part] - wanted).max() < 1e-4
        shown = dict(seats[seat].explain())["points expected from here on"]
        assert float(shown) == pytest.approx(float(value), abs=0.06)
        game.apply(int(rng.choice(legal)))
        for each in seats:
            each.observe()


# The actors.


@pytest.mark.parametrize("players", [2, 3])
def test_unrolls_are_what_each_seat_saw_did_and_got(players):
    rules = Rules(players=players, lives=1)
    actors = Actors(rules, "hle", 4, 3, 16, seed=4)
    network = RecurrentPolicyValue(actors.n_inputs, 16, rules.n_moves)
    games = [actors.rollouts.env.game(lane) for lane in range(4)]
    n_dealt = [1] * 4
    turns = {(lane, seat): [] for lane in range(4) for seat in range(players)}  # of each actor
    states = {key: blank(1, 16) for key in turns}
    wanted = []
    for _ in range(60):
        seen = {}
        for lane, game in enumerate(games):
            key = lane, game.mover
            inputs = np.concatenate([game.vector(game.mover, "hle"), np.eye(players)[game.mover]])
            seen[lane] = {"inputs": inputs, "legal": game.legal_moves, "state": states[key],
                          "reward": 0.0, "end": False, "game": n_dealt[lane]}  # fmt: skip
            with torch.no_grad():
                logits, _, states[key] = network(torch.tensor(inputs)[None].float(), states[key])
            legal = torch.zeros(rules.n_moves, dtype=torch.bool)
            legal[game.legal_moves] = True
            seen[lane]["chances"] = masked(logits, legal[None]).log_softmax(-1)[0]
            turns[key].append(seen[lane])
            if len(turns[key]) % 3 == 1 and len(turns[key]) > 1:
                wanted.append(turns[key][-4:])
        actors.play(network)
        for lane, game in enumerate(games):
            own = turns[lane, game.mover][-1]
            mover = lane * players + game.mover
            move = int(actors.current.moves[mover, actors.n_seen[mover] - 1])
            own["move"], before = move, game.score
            game.apply(move)
            for seat in range(players):
                last = turns[lane, seat][-1:]
                if last and last[0]["game"] == n_dealt[lane]:
                    last[0]["reward"] += game.score - before
                    last[0]["end"] = game.is_over
            if game.is_over:
                seed = int(actors.rollouts.env.state()["seed"][0])
                games[lane] = Game(rules, seed, lane + 4 * n_dealt[lane])
                n_dealt[lane] += 1
                for seat in range(players):
                    states[lane, seat] = blank(1, 16)
    waiting = actors.waiting
    assert len(waiting) == len(wanted) > 20 and max(n_dealt) > 3
    for k, rows in enumerate(wanted):
        assert (waiting.inputs[k].numpy() == [row["inputs"] for row in rows]).all()
        for turn, row in enumerate(rows[:3]):  # of the last only what it saw is used
            assert np.flatnonzero(waiting.legal[k, turn]).tolist() == row["legal"]
            assert int(waiting.moves[k, turn]) == row["move"]
            chance = float(row["chances"][row["move"]])
            assert float(waiting.log_probs[k, turn]) == pytest.approx(chance, abs=1e-5)
            assert float(waiting.rewards[k, turn]) == row["reward"]
            assert bool(waiting.ends[k, turn]) == row["end"]
        for part, stored in zip(rows[0]["state"], (waiting.outputs, waiting.cells), strict=True):
            assert torch.allclose(part[:, 0], stored[k], atol=1e-6)


def test_unrolls_are_taken_in_their_order():
    rules = Rules()
    actors = Actors(rules, "hle", 4, 3, 16, seed=4)
    network = RecurrentPolicyValue(actors.n_inputs, 16, rules.n_moves)
    while len(actors.waiting) < 6:
        actors.play(network)
    all_moves = actors.waiting.moves.clone()
    taken = actors.take(4)
    assert torch.equal(taken.moves, all_moves[:4])
    assert torch.equal(actors.waiting.moves, all_moves[4:])


# Learning.


def test_actors_lag_behind_by_as_many_updates_as_told():
    learner = Learner(Rules(), replace(TINY, lag=3), 1, 1000)
    first = learner.network.first.weight.detach().clone()
    lagging, equal = 0, 0
    while learner.n_updates < 12:
        before = learner.n_updates
        learner.step()
        same = torch.equal(learner.played.first.weight, learner.network.first.weight)
        if learner.n_updates > before:
            assert same == (learner.n_updates % 3 == 0)
            lagging, equal = lagging + (not same), equal + same
    assert lagging and equal
    assert not torch.equal(first, learner.network.first.weight)


def test_good_moves_become_more_likely_and_bad_ones_less():
    learner = Learner(Rules(lives=20), replace(TINY, entropy=0.0, value_weight=0.0), 1, 1000)
    while len(learner.actors.waiting) < 4:
        learner.actors.play(learner.played)
    unrolls = learner.actors.take(4)
    unrolls.rewards[:] = torch.tensor([1.0, -1.0, 1.0, -1.0])[:, None]
    unrolls.ends[:] = True  # every turn for itself

    def chosen():
        inputs, state = unrolls.inputs.transpose(0, 1).float(), blank(4, 16)
        logits, _ = learner.network.unroll(inputs, state, unrolls.ends.T)
        logits = masked(logits.transpose(0, 1), unrolls.legal).log_softmax(-1)
        return logits.gather(2, unrolls.moves[..., None]).squeeze(2)[:, :-1].detach()

    unrolls.outputs[:], unrolls.cells[:] = 0, 0
    before = chosen()
    for _ in range(5):
        learner._update(unrolls)
    change = (chosen() - before).mean(1)
    assert (change * unrolls.rewards[:, 0] > 0).all()


SETTINGS = (("games", 6), ("unroll", 4), ("batch", 4), ("width", 16), ("lag", 3))
PLAN = Plan("acha", turns=640, settings=SETTINGS, log_every=100, validate_every=300,
            validation_games=10)  # fmt: skip


def test_a_resumed_run_equals_one_that_was_not_stopped(tmp_path):
    _, log = train_twice(tmp_path, PLAN, 48, 200, 430)
    assert log[-1]["learning_rate"] == Settings().learning_rate
    assert log[-1]["entropy_weight"] == Settings().entropy


@pytest.mark.slow
def test_the_full_game_is_learned_beyond_never_playing(tmp_path):
    """Who never plays unless it is sure scores about one point at first."""
    plan = Plan("acha", turns=800_000, preset="derived", log_every=100_000, validate_every=100_000)
    run = Run(tmp_path, plan)
    run.train()
    assert run.best > 2


def test_an_heir_goes_on_from_another_state_with_deals_of_its_own():
    source, heir = (Learner(Rules(), TINY, seed, 1000) for seed in (1, 2))
    for _ in range(6):
        source.step()
        heir.step()
    heir.inherit(source.state(), {"learning_rate": 0.5, "entropy": 0.25}, 3)
    assert_equal(heir.network.state_dict(), source.network.state_dict())
    assert_equal(heir.optimizer.state_dict()["state"], source.optimizer.state_dict()["state"])
    assert (heir.learning_rate, heir.entropy, heir.generation) == (0.5, 0.25, 3)
    one, other = (each.actors.snapshot() for each in (source, heir))
    assert_equal(one["current"], other["current"])
    assert torch.equal(one["rollouts"]["games"], other["rollouts"]["games"])
    assert not torch.equal(one["rollouts"]["seed"], other["rollouts"]["seed"])
    assert not torch.equal(one["rollouts"]["generator"], other["rollouts"]["generator"])
