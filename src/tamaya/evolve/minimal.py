"""Removing the rules of a chromosome that never make a move."""

import numpy as np

from tamaya.agents.rules.language import Step, parse_step
from tamaya.evolve.fitness import play_programs, programs_of
from tamaya.evolve.genetic import Config


def rules_that_fire(config: Config, chromosome: np.ndarray, games: int, seed: int) -> list[Step]:
    """The rules of a chromosome that make at least one move in the games of its protocol."""
    programs = programs_of(chromosome[np.newaxis], config.genes, config.faithful)
    for rules, partner in config.protocol.cells():
        play_programs(programs, rules, partner, games, seed, measured=True)
    fired = programs["lines"]["n_fired"][0, : len(chromosome)] > 0
    return [parse_step(config.genes[gene]) for gene in chromosome[fired]]
