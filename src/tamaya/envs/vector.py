"""Thousands of games in one Gymnasium-style vector environment, stepped by one compiled call.

Every step plays the move of the seat whose turn it is in each game. Finished games are dealt again
within the step; their last observation is in ``info["final_obs"]``. Arrays are reused from step to
step, never copied: copy what you need to keep.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv

from tamaya.compiled import hot
from tamaya.encoding import (
    SAD_GREEDY,
    encode,
    encode_greedy,
    encoder_kind,
    vector_dtype,
    vector_length,
)
from tamaya.game import Game
from tamaya.game_kernels import apply_move, deal_seeded, is_legal, score, write_legal
from tamaya.moves import move_phrase
from tamaya.records import GAME, RUNNING, new_games, record
from tamaya.rng import seed_of, wrapped_seed
from tamaya.rules import Rules, checked_rules, whole_number

MOVER, ALL = "mover", "all"

RUN = record([
    ("seed", np.uint64),
    ("n_lanes", np.int64),  # game j of a lane is game lane + j * n_lanes of the seed
    ("encoder", np.int64),
    ("all_seats", np.int64),
])  # fmt: skip


class Buffers(NamedTuple):
    """What a step writes, one row per game."""

    observations: np.ndarray  # [game, 1 or seat, entry]
    final_observations: np.ndarray  # the same, only rows of games that just ended are written
    masks: np.ndarray  # [game, move] legal moves of the seat to move
    seats: np.ndarray  # seat to move
    rewards: np.ndarray
    terminated: np.ndarray
    scores: np.ndarray  # of games that just ended
    numbers: np.ndarray  # index of the game within the seed


@hot
def encode_seats(game, run, out):
    """Vectors of the seat to move, or of all seats in absolute order."""
    if run.all_seats:
        for seat in range(game.players):
            encode(run.encoder, game, seat, out[seat])
    else:
        encode(run.encoder, game, game.mover, out[0])


@hot
def encode_greedy_seats(after, mover, run, out):
    """The greedy section of those vectors; ``mover`` is the seat to move now."""
    if run.all_seats:
        for seat in range(after.players):
            encode_greedy(after, seat, out[seat])
    else:
        encode_greedy(after, mover, out[0])


@hot
def deal_lanes(games, run, buffers, first_lane):
    """Deal the current game of each lane and write its observations."""
    for k in range(len(games)):
        deal_seeded(games[k], seed_of(run.seed, buffers.numbers[first_lane + k]))
        show_lane(games[k], run, buffers, first_lane + k)


@hot
def show_lane(game, run, buffers, lane):
    """Write observation, legal moves and seat of a game."""
    encode_seats(game, run, buffers.observations[lane])
    write_legal(game, buffers.masks[lane])
    buffers.seats[lane] = game.mover


@hot
def first_illegal(games, moves):
    """First lane whose move is not legal, or -1."""
    for lane in range(len(games)):
        if not is_legal(games[lane], moves[lane]):
            return lane
    return -1


@hot
def step_lanes(games, moves, greedy, scratch, run, buffers, first_lane):
    """Play one move in each game of some lanes, and deal again those that ended."""
    has_greedy = run.encoder == SAD_GREEDY
    for k in range(len(games)):
        lane = first_lane + k
        game = games[k]
        if has_greedy:
            scratch[0] = game
            apply_move(scratch[0], greedy[k])
        before = score(game)
        apply_move(game, moves[k])
        buffers.rewards[lane] = score(game) - before
        is_over = game.status != RUNNING
        buffers.terminated[lane] = is_over
        if is_over:
            encode_seats(game, run, buffers.final_observations[lane])
            if has_greedy:
                out = buffers.final_observations[lane]
                encode_greedy_seats(scratch[0], game.mover, run, out)
            buffers.scores[lane] = score(game)
            buffers.numbers[lane] += run.n_lanes
            deal_seeded(game, seed_of(run.seed, buffers.numbers[lane]))
        show_lane(game, run, buffers, lane)
        if has_greedy and not is_over:
            encode_greedy_seats(scratch[0], game.mover, run, buffers.observations[lane])


class HanabiVectorEnv(VectorEnv):
    """Many games of Hanabi; each step moves the seat to move in every one of them.

    Observations have one row per game, for the seat to move, or with ``seats="all"`` one per game
    and absolute seat. ``info`` has ``action_mask`` and ``seat``, after the end of a game also
    ``final_obs`` and ``final_score``, valid where ``_final_obs`` is true. Lane k plays the games
    k, k + num_envs, k + 2 num_envs, ... of the seed; without a seed, one is drawn.
    """

    def __init__(
        self,
        num_envs: int,
        rules: Rules | None = None,
        *,
        encoder: str = "hle",
        dtype: Any = None,
        seats: str = MOVER,
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        if whole_number("num_envs", num_envs) < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs}")
        if whole_number("threads", threads) < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        if seats not in (MOVER, ALL):
            raise ValueError(f"seats must be 'mover' or 'all', not {seats!r}")
        self.rules = checked_rules(rules)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self._run = np.zeros(1, RUN)
        entropy = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._run["seed"] = entropy if seed is None else wrapped_seed(seed)
        self._run["n_lanes"] = num_envs
        self._run["encoder"] = encoder_kind(encoder)
        self._run["all_seats"] = seats == ALL
        self.games = new_games(num_envs, self.rules)
        self._make_buffers(vector_length(self.rules, encoder), vector_dtype(encoder, dtype), seats)
        self._parts = np.array_split(np.arange(num_envs), max(1, min(threads, num_envs)))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _make_buffers(self, length: int, dtype: np.dtype, seats: str) -> None:
        n, n_moves = self.num_envs, self.rules.n_moves
        shape = n, self.rules.players if seats == ALL else 1, length
        self._buffers = Buffers(
            observations=np.zeros(shape, dtype),
            final_observations=np.zeros(shape, dtype),
            masks=np.zeros((n, n_moves), np.int8),
            seats=np.zeros(n, np.int64),
            rewards=np.zeros(n, np.float32),
            terminated=np.zeros(n, np.bool_),
            scores=np.zeros(n, np.int64),
            numbers=np.arange(n),
        )
        self._truncated = np.zeros(n, np.bool_)
        single_shape = shape[1:] if seats == ALL else shape[2:]
        self._shape = (n, *single_shape)
        box = gymnasium.spaces.Box(0, 1, single_shape, dtype.type)
        self.single_observation_space = box
        self.single_action_space = gymnasium.spaces.Discrete(n_moves)
        self.observation_space = gymnasium.spaces.Box(0, 1, self._shape, dtype.type)
        self.action_space = gymnasium.spaces.MultiDiscrete([n_moves] * n)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal all games from the first of the seed on; without a seed, the next ones."""
        self._check_open()
        if seed is None:
            self._buffers.numbers[:] += self.num_envs if self._buffers.masks.any() else 0
        else:
            self._run["seed"] = wrapped_seed(seed)
            self._buffers.numbers[:] = np.arange(self.num_envs)
        for part in self._parts:
            deal_lanes(self.games[part[0] : part[-1] + 1], self._run[0], self._buffers, part[0])
        self._buffers.terminated[:] = False
        return self._buffers.observations.reshape(self._shape), self._info()

    def step(
        self, actions: Any, greedy: Any = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one move in every game; ``greedy`` are the moves without exploration, for SAD."""
        self._check_open()
        moves = self._checked(actions)
        greedy = moves if greedy is None else self._checked(greedy)
        if self._pool is None:
            self._step_part(self._parts[0], moves, greedy)
        else:
            list(self._pool.map(lambda part: self._step_part(part, moves, greedy), self._parts))
        buffers = self._buffers
        observations = buffers.observations.reshape(self._shape)
        return observations, buffers.rewards, buffers.terminated, self._truncated, self._info()

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("the environment is closed: create another one")

    def _checked(self, actions: Any) -> np.ndarray:
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or not np.issubdtype(moves.dtype, np.integer):
            raise ValueError(
                f"expected {self.num_envs} move ids, got {moves.dtype} of {moves.shape}"
            )
        if not self._buffers.masks.any():
            raise ValueError("call reset before step")
        moves = np.ascontiguousarray(moves, np.int64)
        lane = first_illegal(self.games, moves)
        if lane >= 0:
            move = int(moves[lane])
            known = 0 <= move < self.rules.n_moves
            name = f" ({move_phrase(self.rules, move)})" if known else ""
            raise ValueError(f"game {lane}: move {move}{name} is not legal, no game was stepped")
        return moves

    def _step_part(self, part: np.ndarray, moves: np.ndarray, greedy: np.ndarray) -> None:
        lanes = slice(part[0], part[-1] + 1)
        scratch = np.zeros(1, GAME)
        step_lanes(self.games[lanes], moves[lanes], greedy[lanes], scratch, self._run[0],
                   self._buffers, part[0])  # fmt: skip

    def _info(self) -> dict[str, Any]:
        buffers = self._buffers
        return {
            "action_mask": buffers.masks,
            "seat": buffers.seats,
            "final_obs": buffers.final_observations.reshape(self._shape),
            "final_score": buffers.scores,
            "_final_obs": buffers.terminated,
            "_final_score": buffers.terminated,
        }

    def state(self) -> dict[str, np.ndarray]:
        """A copy of everything that determines how the games continue, for ``restore``."""
        games = self.games.view(np.uint8).copy()  # as bytes: NumPy does not copy padding of records
        return {"games": games, "numbers": self._buffers.numbers.copy(),
                "seed": self._run["seed"].copy()}  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> tuple[np.ndarray, dict[str, Any]]:
        """Return to a state of an environment with the same rules and size; writes observations."""
        self.games.view(np.uint8)[:] = state["games"]
        self._buffers.numbers[:] = state["numbers"]
        self._run["seed"] = state["seed"]
        for lane in range(self.num_envs):
            show_lane(self.games[lane], self._run[0], self._buffers, lane)
        self._buffers.terminated[:] = False
        return self._buffers.observations.reshape(self._shape), self._info()

    def game(self, lane: int) -> Game:
        """A copy of one of the games."""
        return Game.from_record(self.rules, self.games[lane])

    def __repr__(self) -> str:
        return f"<HanabiVectorEnv {self.num_envs} games, {self.rules.to_text()}>"

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()
