"""Move for move as David Wu's program: whole games, and the values of moves."""

import pytest

from agents.fireflower.games import GAMES, ReferenceGame
from tamaya.agents.fireflower.evaluation import raw_of
from tamaya.game import Game
from tamaya.moves import move_text, parse_move
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat

COLOURS = "RYGBW"  # in the order of the original


def game_of(reference: ReferenceGame) -> Game:
    """The deal of a game, colours by their place in the original's order."""
    deck = [5 * COLOURS.index(name[0]) + int(name[1]) - 1 for name in reference.deck.split()]
    return Game(Rules(players=reference.players), deck=deck)


def move_of(game: Game, text: str) -> int:
    """Move id of a move as the original writes it."""
    rules, mover = game.rules, game.mover
    if text[0] in "pd":
        slot = int(game.record.n_cards[mover]) - 1 - int(text[1])
        return parse_move(rules, f"{text[0]}{slot}")
    offset = (int(text[0]) - mover) % rules.players
    value = text[1] if text[1].isdigit() else "RYGWB"[COLOURS.index(text[1])]
    return parse_move(rules, f"h{offset}{value}")


@pytest.mark.parametrize("reference", GAMES, ids=lambda game: f"{game.players} players")
def test_games_are_matched_move_for_move(reference):
    game = game_of(reference)
    player = find_agent("fireflower")
    states = [Seat(player, game, seat) for seat in range(reference.players)]
    for turn, text in enumerate(reference.moves.split()):
        chosen = states[game.mover].act()
        words = reference.values.get(turn, "").split()
        memory = states[game.mover].memory[0]
        values = {int(one.move): one.value for one in memory.tries[: memory.n_tries]}
        for move, raw in zip(words[::2], words[1::2], strict=True):
            found = raw_of(values[move_of(game, move)])
            assert found == pytest.approx(float(raw), abs=0.0006), (turn, move)
        expected = move_of(game, text)
        assert move_text(game.rules, chosen) == move_text(game.rules, expected), turn
        game.apply(chosen)
        for state in states:
            state.observe()
    assert game.is_over
    assert game.record.points == reference.points
    assert game.record.lives == 3 - reference.misplays
