"""The agents of the competition framework: as strong as the originals, rule by rule as busy."""

import numpy as np
import pytest

from support import scaled
from tamaya.agents.rules.family import decide
from tamaya.agents.rules.genes import N_ELITES, N_NEW, N_OLD, chromosome_text, gene_table, steps_of
from tamaya.agents.rules.language import parse_step
from tamaya.agents.rules.pool import CHROMOSOMES, LISTS
from tamaya.agents.rules.rule import RULES
from tamaya.compiled import hot
from tamaya.game_kernels import apply_move, deal_seeded
from tamaya.moves import GIVE_UP
from tamaya.records import GAVE_UP, RUNNING, VIEW, new_games
from tamaya.registry import find_agent
from tamaya.rng import seat_seed, seed_of
from tamaya.rules import MAX_PLAYERS, Rules
from tamaya.table import play
from tamaya.view import fill_view

SIZES = (2, 3, 4, 5)
N_MEASURED = 1000  # games of the originals behind each mean
N_GAMES = 1500

# Mean scores in mirror play with 2 to 5 players, of the originals, version 0.2.1.
MEASURED = {
    "iggi": (17.11, 16.79, 16.16, 15.10),
    "internal": (11.19, 10.98, 10.23, 10.00),
    "outer": (14.47, 14.49, 12.99, 12.70),
    "legal-random": (1.30, 1.24, 1.30, 1.29),
    "van-den-bergh": (13.76, 17.77, 17.17, 16.32),
    "flawed": (1.49, 1.57, 1.64, 1.87),
    "piers": (17.26, 17.65, 17.06, 16.30),
    "iggi-c": (16.22, 16.79, 16.16, 15.10),
    "van-den-bergh-c": (13.39, 17.55, 17.06, 16.27),
    "sample": (7.00, 7.21, 6.88, 7.17),
    "cautious": (16.61, 17.25, 16.37, 15.23),
    "iggi-2": (17.71, 17.47, 16.63, 15.39),
    "clivej": (14.24, 14.12, 13.18, 12.42),
    "risky": (11.56, 16.99, 16.52, 15.73),
    "self-recognition": (12.84, 12.18, 10.74, 9.57),
    "mirror-old": (19.33, 18.96, 18.14, 16.95),
    "mirror-situational": (20.20, 19.47, 19.45, 18.30),
    # Version 0.1 counted cards that it had used itself as not seen.
    "iggi:ghosts=true": (16.48, 15.91, 15.25, 14.29),
    "internal:ghosts=true": (9.94, 9.54, 8.69, 8.51),
    "outer:ghosts=true": (13.58, 13.19, 12.00, 11.44),
    "van-den-bergh:ghosts=true": (11.75, 16.99, 16.60, 15.63),
    "piers:ghosts=true": (16.58, 16.73, 16.31, 15.52),
}


def framework_rules(players: int) -> Rules:
    """The rules of the competition framework."""
    return Rules(players=players, bomb="keep", refill="in_place")


@pytest.mark.parametrize("spec", MEASURED)
def test_strength_agrees_with_the_originals(spec):
    for players, mean in zip(SIZES, MEASURED[spec], strict=True):
        scores = play(spec, framework_rules(players), N_GAMES, seed=3).results["score"]
        se = scores.std() * (1 / N_GAMES + 1 / N_MEASURED) ** 0.5
        assert abs(scores.mean() - mean) < 4 * se, f"{players} players: {scores.mean()}"


@pytest.mark.parametrize(
    ("spec", "players", "percent"),
    [("mirror-situational", 2, 8), ("mirror-situational", 3, 21), ("mirror-situational", 4, 27),
     ("mirror-situational", 5, 30), ("risky", 2, 52)],
)  # fmt: skip
def test_originals_break_down_as_often(spec, players, percent):
    results = play(spec, framework_rules(players), N_GAMES, seed=4).results
    share = percent / 100
    se = (share * (1 - share) * (1 / N_GAMES + 1 / N_MEASURED)) ** 0.5
    assert abs((results["status"] == GAVE_UP).mean() - share) < 4 * se + 0.005  # rounded


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", ["mirror-situational", "nyu-game-lab", "risky", "clivej"])
def test_repaired_agents_never_break_down(spec):
    for players in SIZES:
        rules = framework_rules(players)
        results = play(f"{spec}:faithful=false", rules, scaled(100), threads=1).results
        assert not (results["status"] == GAVE_UP).any()
        assert results["n_moves"].min() > 0


# How often each rule makes the move.


@hot
def count_firings(games, views, memories, params, seed, counts):
    """Play games of an agent with itself and count which line of its list made each move."""
    game, view = games[0], views[0]
    for k in range(500):
        deal_seeded(game, seed_of(seed, k))
        for seat in range(game.players):
            memories[seat].rng = seat_seed(game.seed, seat)
        while game.status == RUNNING:
            fill_view(game, game.mover, view)
            move = decide(view, memories[game.mover], params)
            counts[memories[game.mover].fired] += 1
            if move == GIVE_UP:
                break
            apply_move(game, move)


def firing_percents(spec: str, players: int) -> np.ndarray:
    """Percent of the decisions of an agent made by each line of its list."""
    agent = find_agent(spec)
    counts = np.zeros(len(agent.steps(players)) + 1, np.int64)  # the last place is for no rule
    games, views = new_games(1, framework_rules(players)), np.zeros(1, VIEW)
    memories = np.zeros(MAX_PLAYERS, agent.memory)
    count_firings(games, views, memories, agent.compile().params[0], np.uint64(5), counts)
    return 100 * counts / counts.sum()


@pytest.mark.parametrize(
    ("spec", "players", "percents"),
    [
        ("iggi", 2, (19.0, 4.8, 38.8, 4.8, 30.1, 2.6)),
        ("iggi", 5, (18.0, 7.4, 44.0, 3.7, 26.9, 0)),
        ("outer", 3, (21.6, 7.5, 32.0, 13.1, 25.8)),
        ("internal", 3, (15.3, 5.5, 34.7, 13.0, 31.4)),
        ("piers", 2, (0, 18.3, 7.4, 33.2, 7.5, 11.5, 20.0, 2.1, 0)),
        ("piers", 5, (0, 21.4, 8.6, 41.7, 0.5, 3.3, 24.4, 0, 0)),
    ],
)
def test_rules_fire_as_often_as_in_the_originals(spec, players, percents):
    found = firing_percents(spec, players)
    assert found[-1] == 0
    assert np.abs(found[:-1] - percents).max() < 1.5, found


@pytest.mark.parametrize(
    ("players", "percents"),
    [(2, (20.1, 9.7, 24.3, 20.3, 25.6)), (4, (28.7, 7.9, 39.3, 2.0, 22.1))],
)
def test_van_den_bergh_has_two_lines_for_one_rule(players, percents):
    """The original counts the play with many lives and the safe play as one rule."""
    found = firing_percents("van-den-bergh", players)
    assert np.abs([found[0] + found[1], *found[2:-1]] - np.array(percents)).max() < 1.5, found


@pytest.mark.parametrize(
    ("players", "percents"),
    [(2, {68: 37.5, 7: 22.6, 52: 7.3, 35: 5.7, 36: 24.4, 19: 1.9}),
     (4, {63: 2.5, 50: 21.4, 7: 8.5, 67: 40.5, 29: 27.0})],
)  # fmt: skip
def test_genes_fire_as_often_as_in_the_originals(players, percents):
    genes = CHROMOSOMES["mirror-situational"][1]["2" if players == 2 else "3-5"].split(",")
    found = dict(zip(map(int, genes), firing_percents("mirror-situational", players), strict=False))
    for gene, percent in percents.items():
        assert abs(found[gene] - percent) < 1.5, f"gene {gene}: {found[gene]}"


@pytest.mark.parametrize(
    ("spec", "sizes", "fired"),
    [
        ("mixed-old", "2-5", "47,46,13,8,32,36,27,15,22"),
        ("mirror-old", "2-5", "46,8,13,25,38,1,36,27,17,14,19"),
        ("mirror-situational", "2", "68,7,52,35,36,33,54,48,69,19,4,27"),
        ("mirror-situational", "3-5", "63,50,7,67,29,39"),
    ],
)
def test_the_same_genes_are_alive(spec, sizes, fired):
    genes = CHROMOSOMES[spec][1][sizes].split(",")
    low, _, high = sizes.partition("-")
    percents = np.mean([firing_percents(spec, n) for n in range(int(low), int(high or low) + 1)], 0)
    alive = {gene for gene, percent in zip(genes, percents, strict=False) if percent > 0}
    often = {gene for gene, percent in zip(genes, percents, strict=False) if percent > 0.01}
    assert often <= set(fired.split(",")) <= alive, alive ^ set(fired.split(","))


# Tables.


def test_every_agent_of_the_lists_is_registered():
    for name, (source, text) in LISTS.items():
        agent = find_agent(name)
        assert (agent.name, agent.source) == (name, source)
        assert [str(step) for step in agent.steps(2)] == [
            str(step) for step in find_agent(f"rules:{text}").steps(5)
        ]
    for name in CHROMOSOMES:
        assert find_agent(name).name == name


def test_gene_tables_have_their_sizes():
    assert (N_OLD, N_NEW, N_ELITES) == (50, 72, 105)
    table = gene_table()
    assert len(table) == 105
    assert len(set(table)) == 105
    new = {"PlayJustHinted", "TellUnambiguous", "TellUnambiguous2"}
    assert not new & {step.rule.name for step in table[:N_OLD]}
    assert {step.rule.name for step in table[N_OLD:N_NEW]} == new
    theirs = {name for name, rule in RULES.items() if rule.source != "Tamaya"}
    unused = theirs - {step.rule.name for step in table}
    assert unused == {"TellToSave", "TellToSavePartialOnly", "OsawaRandom"}


@pytest.mark.parametrize(
    ("gene", "text"),
    [
        (0, "PlayFinesse"), (1, "PlayFinesseTold"), (2, "PlayIfCertain"),
        (3, "PlayProbablySafe(0)"), (7, "PlayProbablySafe(0.8)"), (8, "PlaySafeCard"),
        (9, "PlayUniquePossibleCard"), (10, "CompleteTellUsefulCard"), (11, "TellAboutOnes"),
        (12, "TellAnyoneAboutOldestUsefulCard"), (13, "TellAnyoneAboutUsefulCard"),
        (14, "TellAnyoneAboutUselessCard"), (15, "TellDispensable"), (16, "TellFinesse"),
        (17, "TellFives"), (18, "TellIllInformed"), (19, "TellMostInformation(no)"),
        (20, "TellPlayableCard"), (21, "TellPlayableCardOuter"), (22, "TellRandomly"),
        (23, "TellUnknown"), (24, "DiscardHighest"), (25, "DiscardIfCertain"),
        (26, "DiscardLeastLikelyToBeNecessary"), (27, "DiscardOldestFirst"),
        (28, "DiscardOldestNoInfoFirst"), (29, "DiscardProbablyUseless(0)"),
        (31, "DiscardProbablyUseless(0.4)"), (33, "DiscardProbablyUseless(0.8)"),
        (34, "DiscardRandomly"), (35, "DiscardSafeCard"), (36, "DiscardUnidentifiedCard"),
        (37, "DiscardUselessCard"), (38, "OsawaDiscard"), (39, "LegalRandom"),
        (40, "TryToUnBlock"), (41, "IfHailMary:PlayProbablySafe(0)"),
        (42, "IfHailMary:PlayProbablySafe(0.1)"), (43, "IfLives>1:PlayProbablySafe(0)"),
        (46, "IfLives>1:PlayProbablySafe(0.6)"), (48, "IfTokens<4:TellDispensable"),
        (49, "PlayProbablySafe(0.25)"), (50, "PlayJustHinted(no,no,0,0)"),
        (51, "PlayJustHinted(yes,yes,2,0)"), (52, "PlayJustHinted(yes,no,2,0)"),
        (53, "PlayJustHinted(no,yes,2,0)"), (54, "PlayJustHinted(no,no,2,0)"),
        (57, "PlayJustHinted(no,yes,2,0.6)"), (60, "PlayJustHinted(yes,no,2,0.8)"),
        (63, "PlayJustHinted(yes,yes,2,1)"), (66, "PlayJustHinted(no,no,2,1)"),
        (67, "TellUnambiguous(yes)"), (68, "TellUnambiguous(no)"),
        (69, "TellUnambiguous2(1,0)"), (70, "TellUnambiguous2(10,-1)"),
        (71, "TellUnambiguous2(2,-1)"), (72, "TellUnambiguous3(1,0)"),
        (73, "TellUnambiguous3(0,-1)"), (77, "TellUnambiguous3(1,-10)"),
        (78, "TellAtLeastNUseless(1)"), (82, "TellAtLeastNUseless(5)"),
        (83, "TellHighProbabilityMistake(yes,0)"), (93, "TellHighProbabilityMistake(yes,1)"),
        (94, "TellHighProbabilityMistake(no,0)"), (101, "TellHighProbabilityMistake(no,0.7)"),
        (104, "TellHighProbabilityMistake(no,1)"),
    ],
)  # fmt: skip
def test_genes_are_the_published_rules(gene, text):
    assert gene_table()[gene] == parse_step(text)


def test_chromosomes_become_lists():
    assert chromosome_text("8,46,39") == "PlaySafeCard,IfLives>1:PlayProbablySafe,LegalRandom"
    assert [str(step) for step in steps_of([71, 8, 8])] == [
        "TellUnambiguous2(2,-1)", "PlaySafeCard", "PlaySafeCard"
    ]  # fmt: skip
    for name, (_, sizes) in CHROMOSOMES.items():
        for size, genes in sizes.items():
            assert find_agent(name).steps(int(size[0])) == steps_of(map(int, genes.split(",")))


@pytest.mark.parametrize(
    ("name", "n_rules"), [("mirror-old", 50), ("mixed-old", 50), ("mirror-situational", 72)]
)
def test_evolved_agents_are_permutations_of_their_rule_set(name, n_rules):
    for genes in CHROMOSOMES[name][1].values():
        assert sorted(map(int, genes.split(","))) == list(range(n_rules))
