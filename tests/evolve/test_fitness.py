"""Fitness equals what the table plays, individual by individual."""

import numpy as np
import pytest

from tamaya.agents.rules.genes import gene_table
from tamaya.arena.executor import Threads
from tamaya.arena.match import ALL, ONE, Match
from tamaya.evolve.evaluation import Protocol, evaluate
from tamaya.evolve.fitness import firing_profile
from tamaya.registry import find_agent
from tamaya.rules import Rules

GENES = tuple(map(str, (gene_table()[k] for k in (46, 8, 13, 38, 27, 22))))
ORDERS = np.array([[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [1, 2, 3, 5, 4, 0]])


def text_of(order: np.ndarray) -> str:
    return "rules:" + ",".join(GENES[gene] for gene in order)


@pytest.mark.parametrize("threads", [1, 2])
def test_mirror_fitness_is_what_the_table_plays(threads):
    protocol = Protocol(players=(2, 4))
    scores = evaluate(ORDERS, GENES, True, protocol, 30, 9, Threads(threads))
    for order, cells in zip(ORDERS, scores.cells, strict=True):
        for (rules, _), mean in zip(protocol.cells(), cells, strict=True):
            played = Match((text_of(order),), rules, 9, ALL).play(0, 30, threads=1)
            assert played.results["score"].mean() == pytest.approx(mean)


def test_mixed_fitness_is_what_the_table_plays():
    protocol = Protocol("mixed", "iggi,flawed", players=(3,))
    scores = evaluate(ORDERS, GENES, True, protocol, 30, 9, Threads(1))
    for order, cells in zip(ORDERS, scores.cells, strict=True):
        for (rules, partner), mean in zip(protocol.cells(), cells, strict=True):
            played = Match((text_of(order), partner), rules, 9, ONE).play(0, 30, threads=1)
            assert played.results["score"].mean() == pytest.approx(mean)


def test_means_give_all_cells_the_same_weight():
    scores = evaluate(ORDERS, GENES, True, Protocol(players=(2, 3)), 20, 1, Threads(1))
    assert scores.means == pytest.approx(scores.cells.mean(axis=1))
    assert scores.games == 40


def test_measured_play_is_the_same_play():
    protocol = Protocol(players=(2,))
    plain = evaluate(ORDERS, GENES, True, protocol, 20, 3, Threads(1))
    counted = evaluate(ORDERS, GENES, True, protocol, 20, 3, Threads(1), measured=True)
    assert plain.means.tolist() == counted.means.tolist()
    assert (counted.measured[:, 0] >= counted.measured[:, 1]).all()  # hints need a token
    assert plain.measured.sum() == 0


def test_firing_profile_counts_every_move():
    rules = Rules(players=2, bomb="keep", refill="in_place")
    agent = find_agent("iggi")
    counts = firing_profile(agent, rules, 50, seed=4)
    played = Match(("iggi",), rules, 4).play(0, 50, threads=1)
    assert counts.sum() == played.results["n_moves"].sum()


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="mirror or mixed, not 'solo'"):
        Protocol("solo")
    with pytest.raises(ValueError, match="unknown agent 'iggy'"):
        Protocol("mixed", "iggy")
