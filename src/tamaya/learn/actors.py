"""Actors: many games in lock step from which each seat's own turns are taken in unrolls.

A seat learns as if it were alone with its environment: from its own turns, with what the team
scored between its move and its next one as reward, and with a recurrent state over what it saw. It
cannot influence what is scored before its first turn of a game; that belongs to no turn. An
*unroll* is a number of own turns in a row and the one after, whose value stands for the rest;
that one begins the next unroll. Games may end within it.
"""

from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from tamaya.learn.networks import RecurrentPolicyValue, State, masked
from tamaya.learn.rollouts import Rollouts, draw
from tamaya.rules import Rules


@dataclass
class Unrolls:
    """Own turns in a row, ``[unroll, turn]``, and the states from which they begin."""

    inputs: Tensor  # uint8: bits of the vector, then one for each seat
    legal: Tensor  # bool
    moves: Tensor
    log_probs: Tensor  # of the moves, when they were chosen
    rewards: Tensor  # of the team until the seat's next turn
    ends: Tensor  # bool: the game ended before the seat's next turn
    outputs: Tensor  # [unroll, layer, unit], of the LSTM before the first turn
    cells: Tensor

    def of(self, rows: Tensor | slice) -> "Unrolls":
        """A copy of some of them."""
        return Unrolls(*(getattr(self, part.name)[rows].clone() for part in fields(self)))

    def __add__(self, other: "Unrolls") -> "Unrolls":
        pairs = ((getattr(self, part.name), getattr(other, part.name)) for part in fields(self))
        return Unrolls(*map(torch.cat, pairs))

    def __len__(self) -> int:
        return len(self.moves)


TURNS = ("inputs", "legal", "moves", "log_probs", "rewards", "ends")  # fields by turn


def blank_unrolls(n: int, n_turns: int, n_inputs: int, n_moves: int, width: int) -> Unrolls:
    """Unrolls with room for a number of turns, from blank states."""
    layers = torch.zeros(n, 2, width)
    return Unrolls(
        inputs=torch.zeros((n, n_turns, n_inputs), dtype=torch.uint8),
        legal=torch.zeros((n, n_turns, n_moves), dtype=torch.bool),
        moves=torch.zeros((n, n_turns), dtype=torch.int64),
        log_probs=torch.zeros((n, n_turns)),
        rewards=torch.zeros((n, n_turns)),
        ends=torch.zeros((n, n_turns), dtype=torch.bool),
        outputs=layers,
        cells=layers.clone(),
    )


class Actors:
    """Games in progress, one actor for each seat of each, and the unrolls not yet learned from.

    The actor of a seat of a game has the number game * players + seat.
    """

    def __init__(
        self, rules: Rules, encoder: str, n_games: int, n_turns: int, width: int, seed: int
    ) -> None:
        self.players, self.n_turns = rules.players, n_turns
        self.rollouts = Rollouts(rules, encoder, n_games, seed)
        self.n_inputs = self.rollouts.length + rules.players
        n_actors = n_games * rules.players
        shape = n_turns + 1, self.n_inputs, rules.n_moves, width
        self.current = blank_unrolls(n_actors, *shape)
        self.waiting = blank_unrolls(0, *shape)
        self.state: State = torch.zeros(2, n_actors, width), torch.zeros(2, n_actors, width)
        self.n_seen = torch.zeros(n_actors, dtype=torch.int64)  # turns of the current unroll
        self.is_open = torch.zeros(n_actors, dtype=torch.bool)  # has moved in the current game
        self.games = torch.arange(n_games) * rules.players
        self.badges = torch.eye(rules.players, dtype=torch.uint8)

    @torch.no_grad()
    def play(self, network: RecurrentPolicyValue) -> np.ndarray:
        """A move in every game, drawn from the network's policy; returns scores of ended games."""
        seats = torch.from_numpy(self.rollouts.env.games["mover"].astype(np.int64))
        movers = self.games + seats
        inputs = torch.cat([self.rollouts.vectors, self.badges[seats]], 1)
        before = self.state[0][:, movers], self.state[1][:, movers]
        logits, _, after = network(inputs.float(), before)
        for part, moved in zip(self.state, after, strict=True):
            part[:, movers] = moved
        legal = self.rollouts.legal.bool()
        log_probs = masked(logits, legal).log_softmax(-1)
        moves = draw(log_probs, self.rollouts.generator)

        at = self.n_seen[movers]
        current = self.current
        current.inputs[movers, at] = inputs
        current.legal[movers, at] = legal
        current.moves[movers, at] = moves
        current.log_probs[movers, at] = log_probs.gather(1, moves[:, None]).squeeze(1)
        current.rewards[movers, at] = 0
        current.ends[movers, at] = False
        self.n_seen[movers] += 1
        self._hand_over(movers, at, before)
        self.is_open[movers] = True

        rewards, ends, scores = self.rollouts.step(moves)
        self._score(torch.from_numpy(rewards), torch.from_numpy(ends))
        return scores[ends].copy()

    def _hand_over(self, movers: Tensor, at: Tensor, before: State) -> None:
        """Queue complete unrolls for learning; their last turns begin new ones."""
        is_full = at == self.n_turns
        if not is_full.any():
            return
        full, current = movers[is_full], self.current
        self.waiting = self.waiting + current.of(full)
        for name in TURNS:
            part = getattr(current, name)
            part[full, 0] = part[full, -1]
        current.outputs[full] = before[0][:, is_full].transpose(0, 1)
        current.cells[full] = before[1][:, is_full].transpose(0, 1)
        self.n_seen[full] = 1

    def _score(self, rewards: Tensor, ends: Tensor) -> None:
        """Credit what was scored to the last turn of every seat of the game."""
        owners = self.is_open.nonzero().squeeze(1)
        last, games = self.n_seen[owners] - 1, owners // self.players
        self.current.rewards[owners, last] += rewards[games]
        self.current.ends[owners, last] = ends[games]
        over = ends.repeat_interleave(self.players)
        self.is_open &= ~over
        for part in self.state:
            part[:, over] = 0

    def take(self, n: int) -> Unrolls:
        """The oldest unrolls in the queue."""
        taken = self.waiting.of(slice(n))
        self.waiting = self.waiting.of(slice(n, None))
        return taken

    def snapshot(self) -> dict[str, dict[str, Tensor]]:
        """Everything that determines how play continues."""
        everything = slice(None)
        return {
            "rollouts": self.rollouts.state(), "current": vars(self.current.of(everything)),
            "waiting": vars(self.waiting.of(everything)),
            "actors": {"outputs": self.state[0].clone(), "cells": self.state[1].clone(),
                       "n_seen": self.n_seen.clone(), "is_open": self.is_open.clone()},
        }  # fmt: skip

    def restore(self, state: dict[str, dict[str, Tensor]]) -> None:
        """Continue from a state."""
        self.rollouts.restore(state["rollouts"])
        self.current = _unrolls(state["current"])
        self.waiting = _unrolls(state["waiting"])
        actors = state["actors"]
        self.state = actors["outputs"], actors["cells"]
        self.n_seen, self.is_open = actors["n_seen"], actors["is_open"]


def _unrolls(state: dict[str, Tensor]) -> Unrolls:
    """The unrolls of a state; checkpoints of version 0.1 have ``log_chances`` for ``log_probs``."""
    names = {"log_chances": "log_probs"}
    return Unrolls(**{names.get(name, name): part for name, part in state.items()})
