"""Actors: unrolls are what each seat saw, did and got, by a naive account."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.game import Game
from tamaya.learn.actors import Actors
from tamaya.learn.networks import RecurrentPolicyValue, masked
from tamaya.rules import Rules
from training import assert_equal, blank_state

torch.set_num_threads(1)


@pytest.mark.parametrize("players", [2, 3])
def test_unrolls_are_what_each_seat_saw_did_and_got(players):
    torch.manual_seed(players)
    rules = Rules(players=players, lives=1)
    actors = Actors(rules, "hle", 4, 3, 16, seed=4)
    network = RecurrentPolicyValue(actors.n_inputs, 16, rules.n_moves)
    games = [actors.rollouts.env.game(lane) for lane in range(4)]
    n_dealt = [1] * 4
    turns = {(lane, seat): [] for lane in range(4) for seat in range(players)}  # of each actor
    states = {key: blank_state(1, 16) for key in turns}
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
                    states[lane, seat] = blank_state(1, 16)
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
            assert torch.allclose(part[:, 0], stored[k], atol=1e-5)


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


def test_checkpoints_of_earlier_versions_are_restored():
    """They had another name for the log probabilities of the moves."""
    rules = Rules()
    actors, others = (Actors(rules, "hle", 4, 3, 16, seed=seed) for seed in (4, 5))
    network = RecurrentPolicyValue(actors.n_inputs, 16, rules.n_moves)
    for _ in range(20):
        actors.play(network)
    state = actors.snapshot()
    for name in ("current", "waiting"):
        unrolls = state[name]
        state[name] = {key.replace("log_probs", "log_chances"): unrolls[key] for key in unrolls}
    others.restore(state)
    assert_equal(others.snapshot(), actors.snapshot())
