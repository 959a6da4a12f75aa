"""Which known agent made the moves of some games: likelihoods by compiled replay.

Each candidate is put into every seat of a finished game, with a memory of its own, and asked at
every decision what it would do; it observes every move that was really made. The likelihood of a
decision is ``(1 - noise) * agreement + noise / legal moves``, where agreement is 1 or 0, or for
agents that draw random numbers the share of repeated draws that agree. An observer sees all cards
of a finished game, so all seats' views follow from it. Where the
partners played with others, only their seats are asked, which are given as bits.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from tamaya.agent import Agent
from tamaya.compiled import hot, popcount
from tamaya.dispatch import call_act, call_observe
from tamaya.game import Game
from tamaya.game_kernels import apply_move, copy_game, deal, legal_mask
from tamaya.records import GAME, VIEW, record
from tamaya.registry import find_agent
from tamaya.rng import seed_of
from tamaya.rules import MAX_MOVES, Rules
from tamaya.table import play
from tamaya.view import fill_view

NOISE = 0.02  # share of moves that are anything at all
DRAWS = 8  # of a random decision
NOBODY = -1  # a seat that is nobody's own
EVERYBODY = -1  # the bits of all seats
SLACK, SPREADS = 0.12, 3.0  # of a move's mean log-likelihood, below what is usual
RANDOM = -3.0  # usual log-likelihood of a move of agents that play at random
USUAL_GAMES, USUAL_SEED = 20, 77_003  # by which it is known how well an agent explains itself

CANDIDATE = record([
    ("act", np.int64), ("observe", np.int64), ("params", np.int64),  # addresses, 0 for none
    ("words", np.int64),   # 8-byte words of memory per seat
    ("shared", np.int64),  # one memory serves all seats
])  # fmt: skip


class Stage(NamedTuple):
    """Records to replay games in."""

    again: np.ndarray  # GAME
    seen: np.ndarray  # VIEW
    memory: np.ndarray  # of all seats, in words
    kept: np.ndarray  # of one seat, before a decision


def candidate(agent: Agent) -> np.ndarray:
    """An agent as one CANDIDATE record; the agent must stay alive."""
    code = agent.compile()
    who = np.zeros(1, CANDIDATE)
    who["act"], who["observe"] = code.act, code.observe
    who["params"] = code.params.ctypes.data
    who["words"] = -(-code.memory_size // 8)
    who["shared"] = agent.shared and code.observe != 0
    return who


@hot
def new_stage(players, words):
    """A stage for candidates with at most so many words of memory per seat."""
    return Stage(np.zeros(1, GAME), np.zeros(1, VIEW), np.zeros(players * words, np.uint64),
                 np.zeros(words, np.uint64))  # fmt: skip


@hot
def open_stage(stage, game, who, seed):
    """Deal a game again, with fresh memories of a candidate for all seats."""
    again = stage.again[0]
    copy_game(again, game)
    deal(again)
    stage.memory[:] = 0
    for seat in range(again.players):
        stage.memory[place_of(who, seat)] = seed_of(seed, seat)


@hot
def place_of(who, seat):
    """Where the memory of a seat begins, in words."""
    return 0 if who.shared else seat * who.words


@hot
def ask(stage, who, seat):
    """What a candidate does in a seat of the game on the stage."""
    fill_view(stage.again[0], seat, stage.seen[0])
    return ask_on(stage, who, stage.seen[0])


@hot
def ask_on(stage, who, view):
    """What a candidate does on a view, with the memory of its seat.

    The caller holds the stage: memory of which only an address is left would be freed at once.
    """
    place = stage.memory.ctypes.data + 8 * place_of(who, np.int64(view.seat))
    return call_act(who.act, view, place, who.params)


@hot
def agreement(stage, who, seat, move, n_draws):
    """The share of a candidate's draws that are a move; one draw unless it is random."""
    place, kept = place_of(who, seat), stage.kept
    for word in range(who.words):
        kept[word] = stage.memory[place + word]
    n_hits = 1 if ask(stage, who, seat) == move else 0
    if stage.memory[place] == kept[0]:
        return float(n_hits)
    for _ in range(n_draws - 1):
        rng = stage.memory[place]
        for word in range(who.words):
            stage.memory[place + word] = kept[word]
        stage.memory[place] = rng
        n_hits += 1 if ask(stage, who, seat) == move else 0
    return n_hits / n_draws


@hot
def step(stage, who, move, own):
    """Make a move on the stage and let all seats observe it, or only one of them.

    With ``own`` not NOBODY only that seat's memory is right afterwards.
    """
    again, view = stage.again[0], stage.seen[0]
    apply_move(again, move)
    if who.observe == 0:
        return
    event, base = again.history[again.n_moves - 1], stage.memory.ctypes.data
    if who.shared:
        seat = own if own >= 0 else np.int64(again.mover)
        fill_view(again, seat, view)
        call_observe(who.observe, view, event, base, who.params)
        return
    for seat in range(again.players):
        if own < 0 or seat == own:
            fill_view(again, seat, view)
            call_observe(who.observe, view, event, base + 8 * place_of(who, seat), who.params)


@hot
def replay(stage, game, who, seats, n_draws, seed, liked):
    """Write the agreement of a candidate with the moves of some seats; -1 for those of others."""
    open_stage(stage, game, who, seed)
    for k in range(game.n_moves):
        event = game.history[k]
        seat, move = np.int64(event.seat), np.int64(event.move)
        liked[k] = -1.0
        if seats >> seat & 1:
            liked[k] = agreement(stage, who, seat, move, n_draws)
        step(stage, who, move, NOBODY)


@hot
def count_legal(game, again, n_legal):
    """Write how many moves were legal at each decision of a game."""
    copy_game(again, game)
    deal(again)
    for k in range(game.n_moves):
        n_legal[k] = popcount(legal_mask(again))
        apply_move(again, np.int64(game.history[k].move))


@hot
def log_likelihood(liked, n_legal, noise):
    """Log-likelihood of decisions with an agreement."""
    total = 0.0
    for k in range(len(n_legal)):
        if liked[k] >= 0:
            total += np.log((1.0 - noise) * liked[k] + noise / max(1, n_legal[k]))
    return total


@hot
def explain_games(games, seats, who, n_draws, noise, totals, agreed):
    """Write the log-likelihood of each game and the share of its moves that a candidate makes.

    Only the moves of some seats count, by bits for each game.
    """
    stage = new_stage(np.int64(games[0].players), np.int64(who.words))
    liked, n_legal = np.zeros(MAX_MOVES), np.zeros(MAX_MOVES, np.int64)
    for g in range(len(games)):
        game = games[g]
        n = np.int64(game.n_moves)
        count_legal(game, stage.again[0], n_legal)
        replay(stage, game, who, seats[g], n_draws, np.uint64(g), liked)
        totals[g] = log_likelihood(liked[:n], n_legal[:n], noise)
        agreed[g] = mean_agreement(liked[:n])


@hot
def mean_agreement(liked):
    """The mean agreement with the moves that count."""
    total, n = 0.0, 0
    for share in liked:
        if share >= 0:
            total += share
            n += 1
    return total / n if n else 1.0


class Evidence(NamedTuple):
    """What games say about some candidates."""

    names: tuple[str, ...]
    log_likelihoods: np.ndarray  # [candidate, game]
    agreements: np.ndarray  # [candidate, game], shares of moves
    n_moves: int

    def posterior(self, temper: float = 1.0) -> dict[str, float]:
        """Probabilities from a uniform prior; evidence is divided by ``temper``."""
        logs = self.log_likelihoods.sum(axis=1) / temper
        shares = np.exp(logs - logs.max())
        shares /= shares.sum()
        return dict(zip(self.names, shares.tolist(), strict=True))

    def best(self) -> str:
        """The candidate with the highest likelihood."""
        return self.names[int(np.argmax(self.log_likelihoods.sum(axis=1)))]

    def per_move(self, name: str) -> float:
        """Mean log-likelihood of a move according to a candidate."""
        return float(self.log_likelihoods[self.names.index(name)].sum()) / max(1, self.n_moves)


def evidence(games: Sequence[Game], names: Sequence[str], seats: Sequence[int] = ()) -> Evidence:
    """What finished games say about which agents played them, or some seats of each, as bits."""
    records = np.concatenate([game.array for game in games])
    bits = np.array(seats or [EVERYBODY] * len(games), np.int64)
    shape = len(names), len(games)
    totals, agreed = np.zeros(shape), np.zeros(shape)
    for k, name in enumerate(names):
        agent = find_agent(name)
        assert isinstance(agent, Agent)
        explain_games(records, bits, candidate(agent)[0], DRAWS, NOISE, totals[k], agreed[k])
    n_moves = sum(int((mask >> game.events["seat"].astype(int) & 1).sum())
                  for game, mask in zip(games, bits, strict=True))  # fmt: skip
    return Evidence(tuple(names), totals, agreed, n_moves)


@cache
def usual(name: str, rules: Rules) -> tuple[float, float]:
    """How well an agent explains its own games: mean and spread of a move's log-likelihood.

    The spread is that of a game's mean, times the root of its moves.
    """
    played = play(name, rules, USUAL_GAMES, seed=USUAL_SEED, record=True, threads=1)
    games = [played.game(k) for k in range(USUAL_GAMES)]
    found = evidence(games, [name])
    turns = np.array([max(1, game.turn) for game in games])
    means = found.log_likelihoods[0] / turns
    return found.per_move(name), float(np.std(means * np.sqrt(turns)))


def is_explained(found: Evidence, name: str, rules: Rules) -> bool:
    """Whether a candidate explains games nearly as well as it explains its own.

    One that moves at random explains nothing: no other agent's games would be much less likely.
    """
    mean, spread = usual(name, rules)
    if mean < RANDOM:
        return False
    return found.per_move(name) >= mean - SLACK - SPREADS * spread / max(1, found.n_moves) ** 0.5
