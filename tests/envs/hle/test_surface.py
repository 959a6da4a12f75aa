"""HLE's Python surface: texts, dicts, errors, copies, random streams and play beyond the end."""

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from tamaya.envs.hle import pyhanabi, rl_env
from tamaya.envs.hle.agents.random_agent import RandomAgent
from tamaya.envs.hle.agents.simple_agent import SimpleAgent
from tamaya.envs.hle.pyhanabi import HanabiCard, HanabiGame, HanabiMove, HanabiState

pytestmark = pytest.mark.interpreted

DEAL = pyhanabi.HanabiMoveType.DEAL


def dealt(options: dict[str, Any] | None = None) -> HanabiState:
    """A state after the deal."""
    state = HanabiGame({"seed": 42, **(options or {})}).new_initial_state()
    deal(state)
    return state


def deal(state: HanabiState) -> None:
    while state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
        state.deal_random_card()


def deal_moves() -> dict[str, HanabiMove]:
    """Deal moves by the name of their card, taken from histories as a program has to."""
    moves: dict[str, HanabiMove] = {}
    game = HanabiGame({"seed": 1, "players": 5})
    while len(moves) < 25:
        state = game.new_initial_state()
        deal(state)
        for item in state.move_history():
            moves[f"{item.move()}"[6:8]] = item.move()
    return moves


def stacked(cards: str, options: dict[str, Any]) -> HanabiState:
    """A state whose first cards are chosen."""
    moves = deal_moves()
    state = HanabiGame(options).new_initial_state()
    for name in cards.split():
        state.apply_move(moves[name])
    return state


class TestNames:
    def test_colors(self) -> None:
        assert pyhanabi.COLOR_CHAR == ["R", "Y", "G", "W", "B"]
        assert [pyhanabi.color_idx_to_char(color) for color in (-1, 0, 4)] == [None, "R", "B"]
        assert pyhanabi.color_idx_to_char(np.int8(2)) == "G"
        assert pyhanabi.color_char_to_idx("W") == 3
        with pytest.raises(ValueError, match="'Z'"):
            pyhanabi.color_char_to_idx("Z")
        with pytest.raises(AssertionError):
            pyhanabi.color_idx_to_char("R")  # type: ignore[arg-type]

    def test_loading_is_always_done(self) -> None:
        assert pyhanabi.cdef_loaded() and pyhanabi.lib_loaded()
        assert pyhanabi.try_cdef(prefixes=("/nowhere",)) and pyhanabi.try_load(prefixes=(".",))

    def test_enums(self) -> None:
        assert rl_env.MOVE_TYPES == [
            "INVALID", "PLAY", "DISCARD", "REVEAL_COLOR", "REVEAL_RANK", "DEAL",
        ]  # fmt: skip
        assert [end.name for end in pyhanabi.HanabiEndOfGameType] == [
            "NOT_FINISHED", "OUT_OF_LIFE_TOKENS", "OUT_OF_CARDS", "COMPLETED_FIREWORKS",
        ]  # fmt: skip
        assert [int(kind) for kind in pyhanabi.AgentObservationType] == [0, 1, 2]

    def test_cards(self) -> None:
        card = HanabiCard(2, 4)
        assert (str(card), repr(card), card.valid()) == ("G5", "G5", True)
        assert card.to_dict() == {"color": "G", "rank": 4}
        assert card == HanabiCard(2, 4) and card != HanabiCard(2, 3) and card != "G5"
        hidden = HanabiCard(-1, -1)
        assert (str(hidden), hidden.valid()) == ("XX", False)
        assert hidden.to_dict() == {"color": None, "rank": -1}
        with pytest.raises(TypeError):
            hash(card)


class TestMoves:
    @pytest.mark.parametrize(
        ("move", "text", "as_dict"),
        [
            (HanabiMove.get_play_move(0), "(Play 0)", {"action_type": "PLAY", "card_index": 0}),
            (
                HanabiMove.get_discard_move(np.int64(3)),
                "(Discard 3)",
                {"action_type": "DISCARD", "card_index": 3},
            ),
            (
                HanabiMove.get_reveal_color_move(1, 0),
                "(Reveal player +1 color R)",
                {"action_type": "REVEAL_COLOR", "target_offset": 1, "color": "R"},
            ),
            (
                HanabiMove.get_reveal_rank_move(2, 0),
                "(Reveal player +2 rank 1)",
                {"action_type": "REVEAL_RANK", "target_offset": 2, "rank": 0},
            ),
        ],
    )
    def test_text_and_dict(self, move: HanabiMove, text: str, as_dict: dict[str, Any]) -> None:
        assert (str(move), repr(move)) == (text, text)
        assert list(move.to_dict().items()) == list(as_dict.items())
        game = HanabiGame({"players": 3})
        assert str(game.get_move(game.get_move_uid(move))) == text

    def test_meaningless_numbers_are_minus_one(self) -> None:
        move = HanabiMove.get_play_move(2)
        assert (move.target_offset(), move.color(), move.rank()) == (-1, -1, -1)
        hint = HanabiMove.get_reveal_rank_move(1, 3)
        assert (hint.card_index(), hint.color()) == (-1, -1)
        assert type(HanabiMove.get_play_move(np.int64(2)).card_index()) is int

    def test_invalid_and_deals(self) -> None:
        invalid = HanabiMove(pyhanabi.HanabiMoveType.INVALID)
        assert str(invalid) == "(INVALID)"
        assert HanabiGame().get_move_uid(invalid) == -1
        with pytest.raises(ValueError, match="INVALID"):
            invalid.to_dict()
        assert str(HanabiMove(DEAL)) == "(Deal XX)"
        first = dealt().move_history()[0]
        assert (str(first), first.deal_to_player(), first.player()) == ("<(Deal W5)>", 0, -1)
        assert first.move().to_dict() == {"action_type": "DEAL", "color": "W", "rank": 4}

    def test_slots_are_whole_numbers(self) -> None:
        with pytest.raises(TypeError):
            HanabiMove.get_play_move("0")  # type: ignore[arg-type]

    def test_ids_that_do_not_exist(self) -> None:
        for uid in (-1, 20):
            with pytest.raises(ValueError, match=f"move {uid} does not exist"):
                HanabiGame().get_move(uid)

    def test_a_slot_beyond_the_hand_is_no_hint(self) -> None:
        state = dealt()
        move = HanabiMove.get_play_move(5)
        assert state.parent.get_move_uid(move) == 10
        assert not state.move_is_legal(move)
        with pytest.raises(ValueError, match=r"\(Play 5\) is not legal"):
            state.apply_move(move)


class TestOptions:
    def test_defaults(self) -> None:
        game = HanabiGame()
        assert game.parameter_string().splitlines()[2:] == [
            "max_life_tokens=3",
            "max_information_tokens=8",
            "hand_size=5",
            "ranks=5",
            "colors=5",
            "observation_type=1",
            "players=2",
        ]
        assert HanabiGame({"players": 4}).hand_size() == 4
        assert (game.num_cards(0, 0), game.num_cards(4, 4), game.num_cards(5, 0)) == (3, 1, 0)
        assert game.observation_type() == pyhanabi.AgentObservationType.CARD_KNOWLEDGE

    def test_values_may_be_text(self) -> None:
        game = HanabiGame({"players": "3", "colors": "2.9", "random_start_player": "1", "x": 1})
        assert (game.num_players(), game.num_colors()) == (3, 2)
        assert game.parameter_string().startswith("random_start_player=true\n")
        assert "=false" in HanabiGame({"random_start_player": "yes"}).parameter_string()

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("players", 1), ("players", 6), ("players", "two"), ("players", True),
            ("colors", 0), ("colors", 6), ("ranks", 0), ("ranks", 6),
            ("hand_size", 0), ("hand_size", 9), ("max_information_tokens", -1),
            ("max_information_tokens", 51), ("max_life_tokens", 0), ("max_life_tokens", 101),
            ("seed", 2**31), ("seed", None), ("observation_type", "seer"),
            ("no_completion_token", True), ("no_completion_token", "true"),
        ],
    )  # fmt: skip
    def test_bad_values(self, name: str, value: Any) -> None:
        with pytest.raises(ValueError, match=name):
            HanabiGame({name: value})

    def test_more_cards_than_the_deck_has(self) -> None:
        with pytest.raises(ValueError, match="hand_size"):
            HanabiGame({"players": 5, "colors": 1, "hand_size": 3})

    def test_observation_types_without_meaning_pass(self) -> None:
        game = HanabiGame({"observation_type": 7})
        assert "observation_type=7\n" in game.parameter_string()
        assert pyhanabi.ObservationEncoder(game).shape() == [658]


class TestChance:
    def test_a_random_seed_is_shown(self) -> None:
        games = [HanabiGame({"seed": -1}) for _ in range(2)]
        seeds = [int(game.parameter_string().splitlines()[1][5:]) for game in games]
        assert seeds[0] != seeds[1] and -1 not in seeds
        state = games[0].new_initial_state()
        deal(state)
        assert str(dealt({"seed": seeds[0]})) == str(state)

    def test_games_go_on_in_one_stream(self) -> None:
        game = HanabiGame({"seed": 42})
        states = [game.new_initial_state() for _ in range(2)]
        for state in states:
            deal(state)
        assert str(states[0]) == str(dealt())
        assert str(states[1]) != str(states[0])

    def test_copies_share_the_stream(self) -> None:
        assert str(dealt().move_history()[:2]) == "[<(Deal W5)>, <(Deal R4)>]"
        state = HanabiGame({"seed": 42}).new_initial_state()
        other = state.copy()
        for _ in range(2):
            state.deal_random_card()
            other.deal_random_card()
        assert str(state.move_history()) == "[<(Deal W5)>, <(Deal W4)>]"
        assert str(other.move_history()) == "[<(Deal R5)>, <(Deal W1)>]"

    def test_copies_are_independent(self) -> None:
        state = dealt()
        before, other = str(state), state.copy()
        other.apply_move(other.legal_moves()[0])
        assert str(state) == before != str(other)
        assert other.fireworks() == [0, 0, 0, 0, 0]

    def test_pickles(self) -> None:
        state = dealt()
        state.apply_move(state.legal_moves()[0])
        twin = pickle.loads(pickle.dumps(state))
        for one in (state, twin):
            deal(one)
        assert str(twin) == str(state)
        observation = copy.deepcopy(state.observation(1))
        assert str(observation) == str(state.observation(1))

    def test_only_deals_while_a_card_is_due(self) -> None:
        state = HanabiGame().new_initial_state()
        assert state.cur_player() == pyhanabi.CHANCE_PLAYER_ID
        assert state.observation(0).cur_player_offset() == -1
        assert state.observation(0).legal_moves() == []
        assert not state.move_is_legal(HanabiMove.get_play_move(0))
        with pytest.raises(ValueError, match="a card has to be dealt"):
            state.legal_moves()
        with pytest.raises(ValueError, match="a card has to be dealt"):
            state.apply_move(HanabiMove.get_play_move(0))

    def test_no_deals_on_a_turn(self) -> None:
        state = dealt()
        move = state.move_history()[0].move()
        assert not state.move_is_legal(move)
        for attempt in (lambda: state.apply_move(move), state.deal_random_card):
            with pytest.raises(ValueError, match="player's turn"):
                attempt()

    def test_chosen_deals(self) -> None:
        state = stacked("R1 R1 R1", {"players": 2, "hand_size": 2})
        assert str(state.player_hands()) == "[[R1, R1], [R1]]"
        last = state.move_history()[-1].move()
        assert not state.move_is_legal(last)
        with pytest.raises(ValueError, match="the deck has no such card"):
            state.apply_move(last)
        with pytest.raises(ValueError, match="the deck has no such card"):
            state.apply_move(HanabiMove(DEAL))


class TestTexts:
    def test_state_and_observation(self) -> None:
        state = stacked("R1 Y2 G3 B1", {"players": 2, "hand_size": 2, "colors": 5})
        state.apply_move(HanabiMove.get_reveal_rank_move(1, 2))
        state.apply_move(HanabiMove.get_play_move(1))
        assert str(state) == (
            "Life tokens: 3\nInfo tokens: 7\nFireworks: R0 Y0 G0 W0 B1 \nHands:\n"
            "R1 || XX|RYGWB12345\nY2 || XX|RYGWB12345\n-----\nG3 || X3|RYGWB3\n"
            "Deck size: 46\nDiscards:"
        )
        assert [str(item) for item in state.move_history()[4:]] == [
            "<(Reveal player +1 rank 3) by player 0 reveal 0>",
            "<(Play 1) by player 1 scored B1>",
        ]
        state.apply_move(deal_moves()["W5"])
        state.apply_move(HanabiMove.get_discard_move(0))
        observation = state.observation(1)
        assert str(observation) == (
            "Life tokens: 3\nInfo tokens: 8\nFireworks: R0 Y0 G0 W0 B1 \nHands:\n"
            "XX || X3|RYGWB3\nXX || XX|RYGWB12345\n-----\nY2 || XX|RYGWB12345\n"
            "Deck size: 45\nDiscards: R1"
        )
        assert [(str(item), item.deal_to_player()) for item in observation.last_moves()] == [
            ("<(Discard 0) by player 1 info_token R1>", -1),
            ("<(Deal XX)>", 0),
            ("<(Play 1) by player 0 scored B1>", -1),
        ]
        state.deal_random_card()
        assert "Cur player\nXX || X3|RYGWB3" in str(state.observation(1))

    def test_knowledge(self) -> None:
        state = stacked("R1 Y2 G3 B1", {"players": 2, "hand_size": 2})
        state.apply_move(HanabiMove.get_reveal_color_move(1, 2))
        told, excluded = state.observation(0).card_knowledge()[1]
        assert (str(told), told.color(), told.rank()) == ("GX|G12345", 2, None)
        assert (str(excluded), excluded.color()) == ("XX|RYWB12345", None)
        assert told.to_dict() == {"color": "G", "rank": None}
        assert excluded.to_dict() == {"color": None, "rank": None}
        assert [excluded.color_plausible(color) for color in range(6)] == [1, 1, 0, 1, 1, 0]
        assert excluded.rank_plausible(np.int64(0)) == 1

    def test_newly_revealed(self) -> None:
        state = stacked("R1 Y2 G3 G1", {"players": 2, "hand_size": 2})
        state.apply_move(HanabiMove.get_reveal_color_move(1, 2))
        state.apply_move(HanabiMove.get_discard_move(0))
        state.apply_move(deal_moves()["G5"])
        state.apply_move(HanabiMove.get_reveal_color_move(1, 2))
        item = state.move_history()[-1]
        assert (item.card_info_revealed(), item.card_info_newly_revealed()) == ([0, 1], [1])


class TestObservations:
    def test_stay_as_they_were(self) -> None:
        state = dealt()
        observation = state.observation(0)
        text = str(observation)
        state.apply_move(state.legal_moves()[0])
        assert str(observation) == text
        assert observation.observation() is observation

    def test_own_cards_are_not_inside(self) -> None:
        """Two games that differ in what seat 0 cannot see give it the same bytes."""
        options = {"players": 2, "hand_size": 2, "seed": 1}
        states = [stacked(cards, options) for cards in ("R1 Y2 G3 B1", "W5 W4 G3 B1")]
        views = [state.observation(0) for state in states]
        assert pickle.dumps(views[0]) == pickle.dumps(views[1])
        assert str(views[0].observed_hands()[0]) == "[XX, XX]"
        assert states[0].observations()[0]._bytes == views[0]._bytes

    def test_a_seer_sees_its_cards(self) -> None:
        state = stacked("R1 Y2 G3 B1", {"players": 2, "hand_size": 2, "observation_type": 2})
        assert str(state.observation(0).observed_hands()[0]) == "[R1, Y2]"
        assert str(state.observation(0).card_knowledge()[0]) == "[R1|R1, Y2|Y2]"

    def test_seats_that_do_not_exist(self) -> None:
        with pytest.raises(ValueError, match="player must be from 0 to 1"):
            dealt().observation(2)
        assert type(dealt().observation(np.int64(1)).cur_player_offset()) is int

    def test_plain_ints(self) -> None:
        observation = dealt().observation(0)
        values = [
            observation.deck_size(), observation.life_tokens(), observation.information_tokens(),
            observation.cur_player_offset(), *observation.fireworks(),
            observation.observed_hands()[1][0].rank(),
        ]  # fmt: skip
        assert {type(value) for value in values} == {int}
        assert type(observation.card_playable_on_fireworks(0, 0)) is bool

    def test_programs_make_encoders_of_the_game_behind_an_observation(self) -> None:
        class Shim:  # what programs write to hand the pointer of HLE's library on
            def __init__(self, c_game: Any) -> None:
                self.c_game = c_game

        state = dealt({"players": 3})
        observation = state.observation(1)
        encoder = pyhanabi.ObservationEncoder(Shim(observation._game))
        own = pyhanabi.ObservationEncoder(HanabiGame({"players": 3}))
        assert encoder.encode(observation) == own.encode(observation)
        assert {observation._game: "cached"}[state.observation(2)._game] == "cached"
        assert (observation._game.num_players(), observation._game.max_moves()) == (3, 30)

    def test_the_game_behind_an_observation_knows_nothing_hidden(self) -> None:
        game = dealt().observation(0)._game
        assert not hasattr(game, "streams") and not hasattr(game, "parameter_string")
        assert {type(value).__name__ for value in vars(game).values()} == {"Rules", "Catalogue"}


class TestEnvironment:
    def test_dicts_are_fresh(self) -> None:
        env = rl_env.make("Hanabi-Full", num_players=3)
        env.reset()
        observations = [env._make_observation_all_players() for _ in range(2)]
        for seat in observations[0]["player_observations"]:
            for value in seat.values():
                if isinstance(value, list):
                    for inner in value:
                        inner.clear() if isinstance(inner, dict | list) else None
                    value.clear()
                elif isinstance(value, dict):
                    value.clear()
        seats = [seat | {"pyhanabi": None} for seat in observations[1]["player_observations"]]
        again = env._make_observation_all_players()["player_observations"]
        assert [seat | {"pyhanabi": None} for seat in again] == seats
        assert str(observations[0]["player_observations"][0]["pyhanabi"])

    @pytest.mark.parametrize("kind", [int, bool, np.int32, np.uint8, np.array])
    def test_ids(self, kind: Any) -> None:
        env = rl_env.HanabiEnv({"max_information_tokens": 8, "seed": 3})
        first = env.reset()["player_observations"][0]["legal_moves_as_int"][0]
        env.step(first)
        env.step(kind(1) if env.state.move_is_legal(env.game.get_move(1)) else first)

    def test_refusals(self) -> None:
        env = rl_env.make()
        env.reset()
        for action in (1.0, "1", None, [1]):
            with pytest.raises(ValueError, match="expected a dict or the id"):
                env.step(action)
        with pytest.raises(ValueError, match=r"\(Discard 0\) is not legal: expected one of"):
            env.step(0)
        with pytest.raises(ValueError, match="move 20 does not exist"):
            env.step(20)
        with pytest.raises(AssertionError, match=r"\(Discard 0\) is not legal"):
            env.step({"action_type": "DISCARD", "card_index": 0})
        with pytest.raises(AssertionError, match="action_type"):
            env.step({"card_index": 0})
        with pytest.raises(AssertionError, match="FOLD"):
            env.step({"action_type": "FOLD"})
        with pytest.raises(ValueError, match="DEAL"):
            env.step({"action_type": "DEAL", "color": "R", "rank": 0})
        with pytest.raises(TypeError):
            env.step({"action_type": "REVEAL_RANK", "rank": "0", "target_offset": 1})
        with pytest.raises(AssertionError):
            rl_env.HanabiEnv([])  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="Hanabi-Tiny"):
            rl_env.make("Hanabi-Tiny")

    def test_refused_moves_change_nothing(self) -> None:
        env = rl_env.make()
        env.reset()
        before = str(env.state)
        with pytest.raises(ValueError, match="not legal"):
            env.step(0)
        assert str(env.state) == before

    def test_play_goes_on_after_the_end(self) -> None:
        """All cards are played blindly: lives fall below zero, the deck still refills."""
        env = rl_env.HanabiEnv({"seed": 42, "max_life_tokens": 1})
        env.reset()
        lives, rewards, dones = [], [], []
        for _ in range(50):
            observation, reward, done, info = env.step(env.game.hand_size())
            lives.append(env.state.life_tokens())
            rewards.append(reward)
            dones.append(done)
            assert info == {}
        mover = observation["player_observations"][observation["current_player"]]
        assert {move["action_type"] for move in mover["legal_moves"]} == set()
        assert min(lives) < 0 and lives[-1] == mover["life_tokens"]
        assert sum(rewards) == 0 and env.state.score() == 0
        assert dones.index(True) == lives.index(0) and all(dones[lives.index(0) :])
        assert env.state.deck_size() == 0 and len(env.state.discard_pile()) > 30
        assert env.state.end_of_game_status() == 1

    def test_terminal_observation_is_refilled(self) -> None:
        env = rl_env.HanabiEnv({"seed": 42, "max_life_tokens": 1})
        env.reset()
        observation, _, done, _ = env.step(5)
        mover = observation["player_observations"][1]
        assert done and mover["current_player_offset"] == 0 and mover["deck_size"] == 39
        assert len(mover["observed_hands"][1]) == 5 and mover["legal_moves_as_int"]

    def test_custom_encoder(self) -> None:
        class DeckOnly(pyhanabi.ObservationEncoder):
            def shape(self) -> list[int]:
                return [1]

            def encode(self, observation: Any) -> list[int]:
                return [observation.deck_size()]

        env = rl_env.make()
        env.observation_encoder = DeckOnly(env.game)
        assert env.reset()["player_observations"][1]["vectorized"] == [40]
        assert env.vectorized_observation_shape() == [1]
        with pytest.raises(ValueError, match="encoder"):
            pyhanabi.ObservationEncoder(env.game, 3)  # type: ignore[arg-type]

    def test_states_can_be_exchanged(self) -> None:
        env = rl_env.HanabiEnv({"seed": 42})
        env.reset()
        earlier = env.state.copy()
        env.step(5)
        env.state = earlier
        assert env._make_observation_all_players()["current_player"] == 0


class TestAgents:
    def test_interfaces_are_abstract(self) -> None:
        with pytest.raises(NotImplementedError):
            rl_env.Environment().reset({})
        with pytest.raises(NotImplementedError):
            rl_env.Environment().step(0)
        with pytest.raises(NotImplementedError):
            rl_env.Agent({})
        with pytest.raises(NotImplementedError):
            RandomAgent({}).reset({})
        with pytest.raises(NotImplementedError):
            rl_env.Agent.act(RandomAgent({}), {})

    def test_random_agent(self) -> None:
        env = rl_env.make(num_players=3)
        seats = env.reset()["player_observations"]
        random.seed(5)
        expected = random.choice(seats[0]["legal_moves"])
        random.seed(5)
        assert RandomAgent({}).act(seats[0]) == expected
        assert RandomAgent({}).act(seats[1]) is None

    def test_simple_agent(self) -> None:
        state = stacked("Y2 Y2 G3 B1", {"players": 2, "hand_size": 2, "seed": 1})
        env = rl_env.HanabiEnv({"players": 2, "hand_size": 2, "seed": 1})
        env.state = state
        agent, moves = SimpleAgent({}), []
        for _ in range(3):
            seats = env._make_observation_all_players()["player_observations"]
            actions = [agent.act(seat) for seat in seats]
            assert actions[1 - state.cur_player()] is None
            moves.append(actions[state.cur_player()])
            env.step(moves[-1])
        assert moves == [
            {"action_type": "REVEAL_COLOR", "color": "B", "target_offset": 1},
            {"action_type": "PLAY", "card_index": 1},
            {"action_type": "DISCARD", "card_index": 0},
        ]


def test_ids_far_out_of_range_are_refused() -> None:
    """Also those that no array could hold."""
    env = rl_env.make("Hanabi-Full", 2)
    env.reset()
    for move in (20, 63, 64, 10**6, 10**9):
        with pytest.raises(ValueError):
            env.step(move)
        with pytest.raises(ValueError):
            env.state.take_turn(move)
