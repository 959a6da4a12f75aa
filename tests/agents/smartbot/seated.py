"""A table of SmartBots with a stacked deck, to look into their seats after some moves."""

from agents.stacking import stacked
from tamaya.agents.smartbot.deciding import decide, private_set, survey
from tamaya.agents.smartbot.public import chop
from tamaya.cards import BIT, parse_card
from tamaya.game import Game
from tamaya.knowledge.tables import public_set
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat


class Table:
    """A stacked deal with a SmartBot in each seat that sees every move."""

    def __init__(self, hands: str, *moves: str, rules: str = "players=3") -> None:
        self.game: Game = stacked(hands, Rules.parse(rules))
        n = self.game.rules.players
        self.seats = [Seat(find_agent("smartbot"), self.game, seat) for seat in range(n)]
        for move in moves:
            self.apply(move)

    def apply(self, move: str) -> None:
        self.game.apply(move)
        for me in self.seats:
            me.observe()

    def believe(self, order: int, text: str) -> None:
        """Make everybody believe that a card is one of some."""
        for me in self.seats:
            me.memory["excluded"][0, order] = ~cards(text)

    def put(self, *, fireworks: str = "", discards: str = "", **fields: int) -> None:
        """Change the board: top cards of fireworks, discards, and numbers such as tokens."""
        for name, value in fields.items():
            self.game.record[name] = value
        for card in map(parse_card, fireworks.split()):
            self.game.record.firework[card // 5] = card % 5 + 1
        for card in map(parse_card, discards.split()):
            self.game.record.discarded[card] += 1

    def public(self, seat: int, slot: int, by: int = 0) -> int:
        """What everybody knows of a card, as a seat remembers it."""
        me = self.seats[by]
        return int(public_set(me.view(), me.memory[0], seat, slot))

    def private(self, seat: int, slot: int) -> int:
        """What a seat knows of an own card."""
        me = self.seats[seat]
        view, memory = me.view(), me.memory[0]
        return int(private_set(view, memory, slot, survey(view, memory)[1]))

    def chop(self, seat: int) -> int:
        """The slot that a seat is expected to discard."""
        me = self.seats[seat]
        view, memory = me.view(), me.memory[0]
        return int(chop(view, memory, seat, survey(view, memory)[0]))

    def choice(self, agent: str = "smartbot") -> tuple[int, str]:
        """Step and move of the seat to move."""
        me = self.seats[self.game.mover]
        params = find_agent(agent).compile().params
        step, move = decide(me.view(), me.memory[0], params[0])
        return int(step), move_text(self.game.rules, int(move))

    def meaning(self) -> int:
        """What the last move meant, to everybody."""
        (meaning,) = {int(me.memory["meaning"][0]) for me in self.seats}
        return meaning


def cards(text: str) -> int:
    """The set of some cards."""
    return int(BIT[[parse_card(name) for name in text.split()]].sum())
