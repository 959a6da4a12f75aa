"""The same random games with HLE itself and with ours, compared after every move."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tamaya.envs.hle import pyhanabi, rl_env

pytest.importorskip(
    "hanabi_learning_environment",
    reason="parity needs hanabi-learning-environment 0.0.4: see the peers extra",
)
from hanabi_learning_environment import pyhanabi as hle_pyhanabi
from hanabi_learning_environment import rl_env as hle_rl_env

SMALL = {"colors": 2, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1}
PRESETS: dict[str, dict[str, Any]] = {
    "full": {},
    "minimal": {"observation_type": 0},
    "small": SMALL,
    "very-small": {**SMALL, "colors": 1},
}
VARIANTS: dict[str, dict[str, Any]] = {
    "random-start": {"random_start_player": True},
    "seer": {"observation_type": 2},
    "long": {"max_life_tokens": 40, "random_start_player": "true"},
    "negative-seed": {"seed": -77, "max_life_tokens": "5"},
    "odd": {"colors": 4, "ranks": 3, "hand_size": 3, "max_information_tokens": 5},
    "large-hands": {"hand_size": 8, "max_life_tokens": 10, "players": 3},
    "one-rank": {"ranks": 1, "hand_size": 2, "max_life_tokens": 9},
    "no-tokens": {"max_information_tokens": 0, "max_life_tokens": 30},
}
GAMES = 130  # of each preset and number of players: 4 * 4 * 130 = 2080
VARIANT_GAMES = 12


def options_of(variants: dict[str, dict[str, Any]]) -> Iterator[Any]:
    """Every variant with every number of players, named."""
    for name, changes in variants.items():
        for players in range(2, 6):
            options = {"players": players, "seed": 1000 + players, **changes}
            if options["players"] == players:
                yield pytest.param(options, id=f"{name}-{players}")


class Pair:
    """One table of HLE and one of ours under the same options, moved together."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.games = [module.HanabiGame(options) for module in (hle_pyhanabi, pyhanabi)]
        self.encoders = [
            module.ObservationEncoder(game)
            for module, game in zip((hle_pyhanabi, pyhanabi), self.games, strict=True)
        ]
        self.states: list[Any] = []

    def start(self) -> None:
        self.states = [game.new_initial_state() for game in self.games]
        self.deal()

    def deal(self) -> None:
        for state in self.states:
            while state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
                state.deal_random_card()

    def move(self, choice: int) -> None:
        for state in self.states:
            state.apply_move(state.legal_moves()[choice])
        self.deal()

    def check(self) -> list[str]:
        """Compare everything that is cheap to ask; returns the legal moves."""
        theirs, ours = (self.facts(index) for index in (0, 1))
        assert ours == theirs
        return ours["legal"]

    def facts(self, index: int) -> dict[str, Any]:
        state, encoder = self.states[index], self.encoders[index]
        return {
            "mover": state.cur_player(),
            "score": state.score(),
            "end": int(state.end_of_game_status()),
            "deck": state.deck_size(),
            "lives": state.life_tokens(),
            "legal": [str(move) for move in state.legal_moves()],
            "vectors": [
                encoder.encode(state.observation(seat)) for seat in range(state.num_players())
            ],
        }


def play_and_compare(options: dict[str, Any], n_games: int) -> None:
    """Play random games in a row, so that the random stream has to go on as well."""
    pair = Pair(options)
    rng = random.Random(str(options))
    for _ in range(n_games):
        pair.start()
        legal = pair.check()
        while legal and not pair.states[0].is_terminal():
            pair.move(rng.randrange(len(legal)))
            legal = pair.check()


@pytest.mark.parametrize("options", [*options_of(PRESETS)])
def test_presets(options: dict[str, Any]) -> None:
    play_and_compare(options, GAMES)


@pytest.mark.parametrize("options", [*options_of(VARIANTS)])
def test_variants(options: dict[str, Any]) -> None:
    play_and_compare(options, VARIANT_GAMES)


def assert_same(theirs: Any, ours: Any) -> None:
    """Equal values of equal types, dicts in equal order."""
    assert type(ours) is type(theirs), (theirs, ours)
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            if key != "pyhanabi":
                assert_same(theirs[key], ours[key])
    elif isinstance(theirs, list | tuple):
        assert len(ours) == len(theirs)
        for one, other in zip(theirs, ours, strict=True):
            assert_same(one, other)
    else:
        assert ours == theirs


@pytest.mark.parametrize("options", [*options_of(PRESETS), *options_of(VARIANTS)])
def test_dicts(options: dict[str, Any]) -> None:
    """What ``rl_env`` answers, also for some moves beyond the end of the game."""
    environments = [hle_rl_env.HanabiEnv(options), rl_env.HanabiEnv(options)]
    rng = random.Random(str(options))
    theirs, ours = (environment.reset() for environment in environments)
    assert_same(theirs, ours)
    beyond = 4
    while beyond:
        mover = theirs["player_observations"][theirs["current_player"]]
        if not mover["legal_moves"]:
            break
        choice = rng.randrange(len(mover["legal_moves"]))
        action = mover[rng.choice(["legal_moves", "legal_moves_as_int"])][choice]
        answers = [environment.step(action) for environment in environments]
        assert_same(*answers)
        theirs = answers[0][0]
        beyond -= answers[0][2]


def texts(state: Any) -> list[Any]:
    """Everything that prints, deals and hidden cards included."""
    lines: list[Any] = [str(state), str(state.player_hands()), str(state.discard_pile())]
    lines.append([item_facts(item) for item in state.move_history()])
    for seat in range(state.num_players()):
        observation = state.observation(seat)
        lines += [str(observation), observation.cur_player_offset()]
        lines += [str(observation.observed_hands()), str(observation.card_knowledge())]
        lines += [str(observation.legal_moves()), observation.fireworks()]
        lines.append([item_facts(item) for item in observation.last_moves()])
    return lines


def item_facts(item: Any) -> tuple[Any, ...]:
    return (
        str(item), item.player(), item.scored(), item.information_token(), item.color(),
        item.rank(), item.card_info_revealed(), item.card_info_newly_revealed(),
        item.deal_to_player(), item.move().to_dict(),
    )  # fmt: skip


@pytest.mark.parametrize("options", [*options_of(PRESETS), *options_of(VARIANTS)])
def test_texts(options: dict[str, Any]) -> None:
    """Printed text, histories and knowledge, also while cards have to be dealt."""
    pair = Pair(options)
    assert pair.games[1].parameter_string() == pair.games[0].parameter_string()
    rng = random.Random(str(options))
    pair.states = [game.new_initial_state() for game in pair.games]
    while True:
        theirs, ours = (texts(state) for state in pair.states)
        assert ours == theirs
        if pair.states[0].cur_player() == pyhanabi.CHANCE_PLAYER_ID:
            for state in pair.states:
                state.deal_random_card()
            continue
        n_legal = len(pair.states[0].legal_moves())
        if pair.states[0].is_terminal() or n_legal == 0:
            break
        choice = rng.randrange(n_legal)
        for state in pair.states:
            state.apply_move(state.legal_moves()[choice])
