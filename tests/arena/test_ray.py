"""A Ray cluster gives the same tallies as threads, also when workers die on the way."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from tamaya.arena.executor import RayCluster, Threads
from tamaya.arena.match import ONE, Match
from tamaya.arena.runner import Runner
from tamaya.evolve.evaluation import Protocol, evaluate
from tamaya.rules import Rules

MATCHES = [
    Match(("certainty",), Rules(players=4), 1),
    Match(("certainty", "example"), Rules(players=3), 2, ONE),
]


@pytest.fixture(scope="module")
def ray():
    """The package, which takes seconds to import."""
    return pytest.importorskip("ray", reason="Ray is not installed: the cluster is not tested")


@pytest.fixture(scope="module")
def cluster(ray):
    from ray.cluster_utils import Cluster

    os.environ["RAY_DISABLE_IMPORT_WARNING"] = "1"
    two_nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    two_nodes.add_node(num_cpus=1)
    yield RayCluster(two_nodes.address)
    ray.shutdown()
    two_nodes.shutdown()


def tallies(executor, games: int):
    return [outcome.tally for outcome in Runner(executor, chunk=100).play(MATCHES, games)]


def test_two_nodes_give_what_threads_give(cluster, ray):
    assert len(ray.nodes()) == 2
    assert tallies(cluster, 1000) == tallies(Threads(1), 1000) == tallies(Threads(2), 1000)


def test_evolution_on_two_nodes_gives_what_threads_give(cluster):
    genes = ("PlaySafeCard", "TellAnyoneAboutUsefulCard", "OsawaDiscard", "LegalRandom")
    orders = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]])
    protocol = Protocol("mixed", "iggi,flawed", players=(2, 3))
    there = evaluate(orders, genes, True, protocol, 20, 1, cluster)
    here = evaluate(orders, genes, True, protocol, 20, 1, Threads(1))
    assert (there.cells == here.cells).all()


@pytest.mark.slow
def test_a_dying_worker_changes_nothing(cluster, ray):
    @ray.remote
    def who() -> int:
        return os.getpid()

    victims = {ray.get(who.remote()) for _ in range(4)}

    def kill() -> None:
        time.sleep(0.5)
        for victim in victims:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                continue

    killer = threading.Thread(target=kill)
    killer.start()
    played = tallies(cluster, 10_000)
    killer.join()
    assert played == tallies(Threads(2), 10_000)
