"""SmartBot makes the moves of the original program."""

import numpy as np
import pytest

from agents.smartbot.original import decks, digest, games_on, log_line
from tamaya.cards import card_name
from tamaya.compiled import BOUNDS_CHECKED

DECK = (
    "1g 3y 1b 1o 2b 4g 4y 1y 2y 4r 4o 5o 4r 3o 2o 3y 3g 3r 5y 5g 1b 4o 4b 4g 5r 1r 2y 1o 3o 2r "
    "1y 2b 1o 4y 3b 5b 2g 3g 3b 1r 4b 1b 1r 2r 2o 1g 1y 2g 3r 1g"
)

FIRST_GAMES = {
    2: "V11 P2 C12 P2 D0 V01 P2 C04 P1 C01 P4 V03 P3 C02 P0 V02 P0 D1 V14 P2 C11 P2 D1 V05 D4 D4 "
    "V15 D3 C10 P4 D2 D4 D3 C00 P4 D4 D4 D4 C12 P4 C14 P4 V15 C02 P2 D1 D3 D4 D3 C04 P4 P3 V14 D3 "
    "V14 D3 V14 D3 C13 P4 P4 C03 P4 C00 P4 V01 P1 = 21 1",
    3: "V11 P2 V01 P3 C21 P4 V12 P2 C03 V13 P3 C04 V15 D0 C14 D2 P4 C12 P0 P0 D0 C20 P1 P4 V15 D4 "
    "C11 D0 V23 D2 D2 P4 V02 P0 C00 D0 P2 C24 P1 D2 P0 V05 D4 C23 D3 C10 P4 P3 D4 P2 V14 V24 P1 D4 "
    "P3 V03 D4 P0 D4 D4 P0 = 22 0",
    4: "C12 P3 V01 C22 P3 C31 P0 P2 V33 V25 C02 P1 P1 V31 D0 P3 V14 P2 D3 C01 P3 D3 C14 D3 C20 P0 "
    "P3 D3 C10 P3 D3 C22 D0 V03 P2 C21 P3 D2 P1 C00 P1 C30 D0 P0 C24 D2 P3 V25 D3 D2 P1 V11 P0 P3 "
    "V02 C03 P1 P1 D3 D0 D3 = 22 1",
    5: "C12 P3 V01 C14 C22 P3 P3 P0 C02 V33 D1 C31 C03 P2 C30 P0 D2 V12 P3 D0 C40 P0 D3 P1 P3 V24 "
    "D3 P1 V43 P0 D0 C43 D2 P1 P3 C24 D3 P0 C42 P2 D0 V05 P2 D1 P0 P0 C21 P0 C03 P3 P1 P2 V14 "
    "= 21 2",
}

# Scores of the first games with risk at all tables; * for three strikes.
FIRST_SCORES = {
    2: "21 21 22 25 20 22 22 15 25 23 22 24 24 25 25 20 18 25 22 23",
    3: "22 25 25 25 22 23 25 22 23 23 24 23 22 25 25 22 24 23 22 23",
    4: "22 23* 22 23 20 25 22 22 21 24 21 21 22 20 22 22 22 21 19 23",
    5: "21 20 21 20 21 17* 22 22 23 17* 22 21 21 22 18* 20 21 20* 20 20",
}

# Hashes of the logs of 10, 100 and 1000 games, and the mean of the last, by players and risk.
LOGS = {
    (2, True): ("5f84fdd021708262", "8f7a18a0dd9e8bb2", "76b47de0b1495cc9", 23.000),
    (3, True): ("00c651314cbb5eb7", "2a9bdb74954523d9", "5acd899720532ee8", 23.226),
    (4, True): ("fc402d050bc55548", "ea386c7f7cc1e0cf", "96908fbd85284fc8", 22.377),
    (5, True): ("6993791f1cb28a53", "8655d07fba393bb3", "65388faf09ea01ad", 20.600),
    (2, False): ("9e19a384c3de7e23", "c091f7ea21a527aa", "ae7d6541ec2b602b", 22.868),
    (3, False): ("9f581a44d2807012", "6345db285d4f08b5", "54ab4715df218625", 23.059),
    (4, False): ("0e8aeed90697eed1", "446c743fb2450b61", "f4cac0b7e07f80fe", 22.110),
    (5, False): ("8e36900a96e05bab", "ccc62d0bd5570f5e", "b2e93961be020c14", 20.210),
}


def test_decks_are_those_of_the_program():
    colours = dict(zip("RYGWB", "roygb", strict=True))
    names = [card_name(card) for card in decks(1, 1)[0]]
    assert " ".join(name[1] + colours[name[0]] for name in names) == DECK


@pytest.mark.interpreted
@pytest.mark.parametrize("players", FIRST_GAMES)
def test_the_first_game(players):
    (game,) = games_on(decks(1, 1), "smartbot:risk=5", players)
    assert log_line(game) == FIRST_GAMES[players]


@pytest.mark.parametrize("players", FIRST_SCORES)
def test_the_first_scores(players):
    games = games_on(decks(1, 20), "smartbot:risk=5", players)
    scores = [f"{game.points}{'*' if game.lives == 0 else ''}" for game in games]
    assert scores == FIRST_SCORES[players].split()


@pytest.mark.parametrize(("players", "has_risk"), LOGS)
def test_logs_are_the_same(players, has_risk):
    agent = f"smartbot:risk={5 if has_risk else 0}"
    *hashes, mean = LOGS[players, has_risk]
    n = 100 if BOUNDS_CHECKED else 1000
    lines, points = [], []
    for game in games_on(decks(1, n), agent, players):
        lines.append(log_line(game))
        points.append(game.points)
    sizes = [size for size in (10, 100, 1000) if size <= n]
    assert [digest(lines[:size]) for size in sizes] == hashes[: len(sizes)]
    assert n < 1000 or np.mean(points) == pytest.approx(mean)
