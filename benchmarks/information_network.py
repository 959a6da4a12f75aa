"""Train the network by which ``information`` weighs moves at a table of two, by policy iteration.

A round plays games of the agent with the network so far. At some turns every move that it would
weigh is made in turn, and the agent plays on to the end from the same position, hidden cards
included. What the network learns is the expectation of these outcomes given what the mover sees:
only differences between the moves of a turn count, so that luck in the deal cancels out. A random
move now and then keeps the games varied. The first round plays without a network.

Run `python benchmarks/information_network.py FOLDER [--rounds 5] [--games 40000]`; it needs the
extra `learn`, takes some minutes per round, and goes on where it stopped. Deals have seeds from
1,000,000 up; the score that it prints after each round is on other deals. To ship a network, copy
`round-N.npz` over `network.npz` in the package of the agent.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from tamaya.agents.wtfwthat.decisions import decide
from tamaya.agents.wtfwthat.network import NETWORK
from tamaya.agents.wtfwthat.public_state import (
    MAX_WEIGHED,
    N_HIDDEN,
    N_MOVE,
    N_SITUATION,
    PUBLIC_STATE,
    fill_now,
    fill_own,
)
from tamaya.agents.wtfwthat.settings import params_of
from tamaya.agents.wtfwthat.updates import note_event
from tamaya.agents.wtfwthat.weighing import DISCARDS, HINTS, PLAYS, weigh
from tamaya.atomic import replacing
from tamaya.compiled import hot
from tamaya.game_kernels import apply_move, copy_game, deal_seeded, score
from tamaya.knowledge.tables import TABLE
from tamaya.lookup import find_agent
from tamaya.records import RUNNING, VIEW, new_games, record
from tamaya.rng import GOLDEN, scramble, seed_of
from tamaya.rules import Rules
from tamaya.view import fill_view

MEMORY = record([("rng", np.uint64), TABLE])
SHARE, EXPLORED = 0.12, 0.03  # of turns: all moves are tried, a random one is made
ROWS_PER_GAME = 32  # at most, on average
SEED, TEST_SEED, TEST_GAMES = 1_000_000, 900_000, 20_000
EPOCHS, BATCH, RATE, DECAY = 12, 2048, 2e-3, 1e-3  # batches are of turns


class Table(NamedTuple):
    """Records of one game, or of two: the game itself, and one in which a move is tried."""

    games: np.ndarray
    views: np.ndarray
    memories: np.ndarray  # the last is empty, for the next deal
    params: np.record
    states: np.ndarray


class Outcomes(NamedTuple):
    """A row for each move that was tried; rows of the same turn are together."""

    inputs: np.ndarray  # situation, then features of the move
    kinds: np.ndarray
    scores: np.ndarray  # less their mean over the moves of the turn
    turns: np.ndarray  # numbers of turns, ascending


@hot
def make_move(table, place, move):
    """Make a move in one of the games; everybody notes it."""
    games, views, memories, params, states = table
    game = games[place]
    apply_move(game, move)
    fill_view(game, np.int64(game.mover), views[place])
    event = game.history[game.n_moves - 1]
    note_event(views[place], event, memories[place], params.options[2], states[0])


@hot
def own_move(table, place):
    """The agent's move in one of the games, whose view is filled."""
    return decide(table.views[place], table.memories[place], table.params, table.states[0])


@hot
def play_on(table, place):
    """Play one of the games to the end; returns its score."""
    game = table.games[place]
    while game.status == RUNNING:
        make_move(table, place, own_move(table, place))
    return score(game)


@hot
def begin(table, seed, number):
    """Deal a game."""
    deal_seeded(table.games[0], seed_of(seed, number))
    table.memories[0] = table.memories[2]
    fill_view(table.games[0], np.int64(table.games[0].mover), table.views[0])


@hot
def play_games(table, seed, scores):
    """Play games to the end."""
    for number in range(len(scores)):
        begin(table, seed, number)
        scores[number] = play_on(table, np.int64(0))


@hot
def list_moves(table, moves, inputs):
    """Write the moves that would be weighed, and the network's inputs; returns their number."""
    view, state, params = table.views[0], table.states[0], table.params
    options = params.options[2]
    fill_now(view, table.memories[0], state, options.deduce)
    fill_own(view, state, options.deduce)
    state.n_weighed = 0
    weigh(view, state, params.network, options)
    for k in range(state.n_weighed):
        moves[k] = state.weighed[k]
        inputs[k, :N_SITUATION] = state.situation
        inputs[k, N_SITUATION:] = state.features[k]
    return np.int64(state.n_weighed)


@hot
def try_moves(table, moves, n, scores):
    """Play on after each of n moves; writes the scores less their mean."""
    mean = 0.0
    for k in range(n):
        copy_game(table.games[1], table.games[0])
        table.memories[1] = table.memories[0]
        make_move(table, np.int64(1), moves[k])
        scores[k] = play_on(table, np.int64(1))
        mean += scores[k] / n
    for k in range(n):
        scores[k] -= mean


@hot
def gather(table, seed, n_games, found):
    """Play games and try all moves at some turns; returns how many rows were written."""
    inputs = np.zeros((MAX_WEIGHED, N_SITUATION + N_MOVE), np.float32)
    moves, scores = np.zeros(MAX_WEIGHED, np.int64), np.zeros(MAX_WEIGHED)
    game, row, turn = table.games[0], 0, 0
    for number in range(n_games):
        begin(table, seed, number)
        rng = seed_of(seed + np.uint64(1), number)
        while game.status == RUNNING:
            rng += GOLDEN
            dice = np.int64(scramble(rng) >> np.uint64(1))
            is_tried = dice % 10_000 < 10_000 * SHARE
            is_random = dice // 10_000 % 10_000 < 10_000 * EXPLORED
            n = list_moves(table, moves, inputs) if game.deck_size > 0 else np.int64(0)
            if is_tried and n >= 2 and row + n <= len(found.scores):
                try_moves(table, moves, n, scores)
                for k in range(n):
                    found.inputs[row] = inputs[k]
                    found.kinds[row] = kind_of_move(moves[k], np.int64(game.hand_size))
                    found.scores[row] = scores[k]
                    found.turns[row] = turn
                    row += 1
                turn += 1
            if is_random and n > 0:
                move = moves[dice // 100_000_000 % n]
            else:
                move = own_move(table, np.int64(0))
            make_move(table, np.int64(0), move)
    return row


@hot
def kind_of_move(move, hand_size):
    """The kind of a move by its id."""
    if move < hand_size:
        return DISCARDS
    return PLAYS if move < 2 * hand_size else HINTS


def new_table(weights: Path | None) -> Table:
    """Records for the agent with the network of a file, or without one."""
    params = params_of(find_agent("information").values)
    if weights is None:
        params["options"]["weigh"] = 0
    else:
        with np.load(weights) as arrays:
            for name in NETWORK.names or ():
                params["network"][name][0] = arrays[name]
    return Table(new_games(2, Rules(players=2)), np.zeros(2, VIEW), np.zeros(3, MEMORY), params[0],
                 np.zeros(1, PUBLIC_STATE))  # fmt: skip


def gather_on_threads(weights: Path | None, seed: int, n_games: int, threads: int) -> Outcomes:
    """Outcomes of tried moves; every thread has its own games."""

    def one(part: int, n: int = n_games // threads) -> Outcomes:
        found = Outcomes(np.zeros((ROWS_PER_GAME * n, N_SITUATION + N_MOVE), np.float32),
                         np.zeros(ROWS_PER_GAME * n, np.int8),
                         np.zeros(ROWS_PER_GAME * n, np.float32),
                         np.zeros(ROWS_PER_GAME * n, np.int64))  # fmt: skip
        size = gather(new_table(weights), np.uint64(seed + 2 * part), n, found)
        return Outcomes(*(array[:size] for array in found))

    one(0, 0)  # compiles
    with ThreadPoolExecutor(threads) as pool:
        return joined(list(pool.map(one, range(threads))))


def joined(parts: list[Outcomes]) -> Outcomes:
    """All outcomes, with turns numbered anew."""
    firsts = np.cumsum([0, *(part.turns[-1] + 1 for part in parts)])
    parts = [part._replace(turns=part.turns + first)
             for part, first in zip(parts, firsts[:-1], strict=True)]  # fmt: skip
    return Outcomes(*map(np.concatenate, zip(*parts, strict=True)))


class Network(nn.Module):
    """The same network as the agent's, for many moves at once."""

    def __init__(self) -> None:
        super().__init__()
        n = N_SITUATION + N_MOVE
        self.inner = nn.Parameter(0.15 * torch.randn(3, n, N_HIDDEN))
        self.bias = nn.Parameter(torch.zeros(3, N_HIDDEN))
        self.out = nn.Parameter(0.05 * torch.randn(3, N_HIDDEN))
        self.direct = nn.Parameter(torch.zeros(3, n))

    def forward(self, inputs: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        """The value of each move, up to a constant of its turn."""
        values = torch.zeros(len(inputs))
        for kind in range(3):
            places = (kinds == kind).nonzero()[:, 0]
            some = inputs[places]
            hidden = torch.relu(some @ self.inner[kind] + self.bias[kind])
            value = hidden @ self.out[kind] + some @ self.direct[kind]
            values = values.index_put((places,), value)
        return values

    def save(self, path: Path) -> None:
        """Write the weights as the agent reads them."""
        weights = {name: array.detach().numpy() for name, array in self.named_parameters()}
        inner, direct = weights["inner"], weights["direct"]
        with replacing(path) as file:
            np.savez_compressed(
                file, by_situation=inner[:, :N_SITUATION], by_move=inner[:, N_SITUATION:],
                bias=weights["bias"], out=weights["out"],
                direct_situation=direct[:, :N_SITUATION], direct_move=direct[:, N_SITUATION:],
            )  # fmt: skip


def train(found: Outcomes) -> Network:
    """Fit a network to the differences between the moves of each turn."""
    torch.manual_seed(0)
    network = Network()
    inputs, kinds, scores = (torch.from_numpy(array) for array in found[:3])
    n_turns = int(found.turns[-1]) + 1
    starts = torch.from_numpy(np.searchsorted(found.turns, np.arange(n_turns + 1)))
    weights = [network.inner, network.out, network.direct]
    optimizer = torch.optim.AdamW([{"params": weights, "weight_decay": DECAY},
                                   {"params": [network.bias], "weight_decay": 0.0}])  # fmt: skip
    n_steps, step = EPOCHS * -(-n_turns // BATCH), 0
    for _ in range(EPOCHS):
        for turns in torch.randperm(n_turns).split(BATCH):
            for group in optimizer.param_groups:
                group["lr"] = RATE * 0.5 * (1 + np.cos(np.pi * step / n_steps))
            step += 1
            sizes = starts[turns + 1] - starts[turns]
            place = torch.repeat_interleave(torch.arange(len(turns)), sizes)
            before = torch.cumsum(sizes, 0) - sizes
            rows = starts[turns][place] + torch.arange(len(place)) - before[place]
            values = network(inputs[rows], kinds[rows])
            means = torch.zeros(len(turns)).index_add(0, place, values) / sizes
            loss = ((values - means[place] - scores[rows]) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return network


def main() -> None:
    """Train in rounds, on the outcomes of the last two."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=40_000, help="in a round; 1/4 in the first")
    parser.add_argument("--threads", type=int, default=2, help="they change the games")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    weights: Path | None = None
    recent: list[Outcomes] = []
    for number in range(options.rounds):
        path = options.folder / f"round-{number}.npz"
        began, n_games = time.monotonic(), options.games if number else options.games // 4
        if not path.exists():
            seed = SEED + 1000 * number
            recent.append(gather_on_threads(weights, seed, n_games, options.threads))
            recent = recent[-2:] if number > 1 else recent[-1:]  # the first knew no network
            train(joined(recent)).save(path)
        weights, scores = path, np.zeros(TEST_GAMES)
        play_games(new_table(weights), np.uint64(TEST_SEED), scores)
        mean, error = scores.mean(), scores.std() / TEST_GAMES**0.5
        print(f"round {number}: {mean:.4f} ± {error:.4f}, {100 * np.mean(scores == 25):.1f} % "
              f"perfect, {time.monotonic() - began:.0f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
