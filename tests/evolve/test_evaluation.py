"""What decides a run is part of its code: partners and the algorithm, but no docstring."""

from tamaya.arena.match import code_of
from tamaya.evolve import genetic, map_elites
from tamaya.evolve.evaluation import Protocol, run_code
from tamaya.evolve.fitness import LIBRARY, fitness_code
from tamaya.fingerprint import import_closure


def test_code_of_a_run_covers_partners_and_the_algorithm(tmp_path):
    partner = tmp_path / "partner.rules"
    partner.write_text("PlaySafeCard,LegalRandom")

    def code(algorithm=genetic.__name__):
        code_of.cache_clear()
        fitness_code.cache_clear()
        return run_code(Protocol("mixed", str(partner), (2,)), algorithm)

    codes = [code(), code(map_elites.__name__)]
    assert code() == codes[0]
    partner.write_text("PlaySafeCard,TellRandomly,LegalRandom")
    codes += [code(), run_code(Protocol(players=(2,)), genetic.__name__)]
    assert len(set(codes)) == 4


def test_code_of_a_run_has_all_rules_and_nothing_that_only_stores_or_shows():
    modules = import_closure(genetic.__name__, map_elites.__name__, LIBRARY)
    assert {
        "tamaya.table",
        "tamaya.agents.rules.hint_rules",
        "tamaya.evolve.fitness",
    } <= modules.keys()
    for room in ("tamaya.cli", "tamaya.report", "tamaya.store", "tamaya.learn", "tamaya.envs"):
        assert not any(name.startswith(room) for name in modules)
    for name in ("tamaya.evolve.folder", "tamaya.evolve.run", "tamaya.run_folder"):
        assert name not in modules
