"""Positions and checks that tests of several players share."""

from collections.abc import Iterator

import numpy as np

from support import replay
from tamaya.agent import Agent
from tamaya.arena.published import load_table
from tamaya.cards import parse_card
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

BOUZY = "bomb=keep empty_hints=true"


def cards(text: str) -> list[int]:
    """Cards of names such as ``R1 Y2``."""
    return [parse_card(name) for name in text.split()]


def stacked(text: str, rules: Rules) -> Game:
    """A game whose deck begins with some cards."""
    deck = Game(rules).deck
    for place, card in enumerate(cards(text)):
        other = deck.index(card, place)
        deck[place], deck[other] = deck[other], deck[place]
    return Game(rules, deck=deck)


def facing(hand: str, fireworks: str = "", discards: str = "") -> np.record:
    """What seat 0 of two sees when seat 1 holds a hand; ``fireworks`` names their top cards."""
    names = hand.split()
    rules = Rules(players=2, hand_size=len(names))
    view = stacked(hand, rules).view(1).copy()
    view.seat = 0
    view.card[0, :] = -1
    view.card[1, : len(names)] = cards(hand)
    for card in cards(fireworks):
        view.firework[card // 5] = card % 5 + 1
    for card in cards(discards):
        view.discarded[card] += 1
    return view


def table_seats(agent: str, rules: Rules, n: int) -> Iterator[tuple[Game, list[Seat]]]:
    """Every position of some games of an agent with itself, with the players of all seats."""
    player = find_agent(agent)
    played = play(player, rules, n, record=True, threads=1)
    for k in range(n):
        game = played.game(k)
        position = replay(game, turns=0)
        seats = [Seat(player, position, seat) for seat in range(rules.players)]
        yield position, seats
        for move in game.moves:
            position.apply(move)
            for one in seats:
                one.observe()
            yield position, seats


def assert_memory_is_common(agent: str, rules: Rules, n: int) -> None:
    """All seats remember the same at all times, and deciding changes nothing."""
    player = find_agent(agent)
    assert isinstance(player, Agent)
    assert player.shared
    for position, seats in table_seats(agent, rules, n):
        if not position.is_over:
            seats[position.mover].act()
        assert len({one.memory.tobytes() for one in seats}) == 1, position.to_text()


def assert_as_strong(agent: str, table: str, row: str, size: tuple[int, int], games: int) -> None:
    """A player is within four combined standard errors of a published mean, or above it."""
    published = load_table(table)
    players, hand_size = size
    (cell,) = [entry for entry in published.rows
               if (entry.row, entry.players, entry.hand_size) == (row, *size)]  # fmt: skip
    rules = Rules.parse(f"players={players} hand_size={hand_size} {published.rules}")
    scores = play(agent, rules, games, seed=1, threads=1).results["score"]
    error = scores.std() * (1 / games + 1 / cell.games) ** 0.5
    assert scores.mean() > cell.published - 4 * error
