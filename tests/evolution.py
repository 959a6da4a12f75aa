"""What tests of evolution share: a small run."""

from pathlib import Path

from tamaya.arena.executor import Threads
from tamaya.evolve.evaluation import Protocol
from tamaya.evolve.genetic import Config
from tamaya.evolve.run import EvolutionRun

GENES = ("PlaySafeCard", "TellAnyoneAboutUsefulCard", "OsawaDiscard", "DiscardOldestFirst",
         "TellRandomly", "IfLives>1:PlayProbablySafe(0.6)", "LegalRandom", "PlayIfCertain",
         "PlayJustHinted", "TellUnambiguous")  # fmt: skip
SMALL = Config(GENES, Protocol(players=(2, 3)), population=16, generations=6, games=3, elite=3,
               final_games=20, finalists=4, seed=5)  # fmt: skip


def finished(folder: Path, config: Config = SMALL, threads: int = 1) -> EvolutionRun:
    """A run that has evolved to its last generation."""
    run = EvolutionRun(folder, config, Threads(threads))
    run.evolve()
    return run
