"""What follows from a position, once more in the most naive Python: lists of cards and loops.

Cards are the ids of ``tamaya.cards``; nothing else of the package is used but the game itself.
"""

from collections import Counter
from random import Random

from support import pick_rules
from tamaya.game import Game


def positions(seed: int, n: int) -> list[Game]:
    """Positions of random games under any rules, lives enough for long ones."""
    rng = Random(seed)
    found = []
    while len(found) < n:
        game = Game(pick_rules(lambda options: rng.choice(list(options))), rng.randrange(2**63))
        for _ in range(rng.randrange(40)):
            if not game.is_over:
                game.apply(rng.choice(game.legal_moves))
        found.append(game)
    return found


def all_cards(game: Game) -> list[int]:
    """Cards that are in the game at all."""
    return sorted(set(game.deck))


def discards(game: Game) -> Counter[int]:
    """Cards in the discard pile."""
    used = Counter(int(event.card) for event in game.events if event.card >= 0)
    return used - Counter(played(game))


def left(game: Game) -> Counter[int]:
    """Copies outside the discard pile."""
    return Counter(game.deck) - discards(game)


def public(game: Game) -> Counter[int]:
    """Copies neither played nor discarded."""
    return left(game) - Counter(played(game))


def hand(game: Game, seat: int) -> list[int]:
    """Cards of a seat, -1 for empty slots."""
    return [int(card) for card in game.record.card[seat, : game.rules.hand_size]]


def unseen(game: Game, seat: int) -> Counter[int]:
    """Copies in the deck or in its own hand of a seat."""
    counts = public(game)
    for other in range(game.rules.players):
        if other != seat:
            counts -= Counter(card for card in hand(game, other) if card >= 0)
    return counts


def heights(game: Game) -> list[int]:
    """Height of each firework."""
    return [int(game.record.firework[colour]) for colour in range(game.rules.colours)]


def played(game: Game) -> list[int]:
    """Cards on the fireworks."""
    return [card for card in all_cards(game) if card % 5 < heights(game)[card // 5]]


def playable(game: Game) -> list[int]:
    """Cards that come next."""
    return [card for card in all_cards(game) if card % 5 == heights(game)[card // 5]]


def is_dead(game: Game, card: int) -> bool:
    """Whether a card is played, or some card on the way to it has gone."""
    height = heights(game)[card // 5]
    way = [5 * (card // 5) + rank for rank in range(height, card % 5 + 1)]
    return card % 5 < height or any(left(game)[step] == 0 for step in way)


def dead(game: Game) -> list[int]:
    """Cards that can never score again."""
    return [card for card in all_cards(game) if is_dead(game, card)]


def critical(game: Game) -> list[int]:
    """Last copies of cards that are not dead."""
    return [card for card in all_cards(game) if left(game)[card] == 1 and not is_dead(game, card)]


def mask_of(cards) -> int:
    """The mask of some cards."""
    return sum(1 << card for card in set(cards))


def hints(game: Game) -> list[tuple[str, int]]:
    """All hints that a seat can be given: ranks first."""
    ranks = [("rank", value) for value in range(game.rules.ranks)]
    return ranks + [("colour", value) for value in range(game.rules.colours)]


def names(hint: tuple[str, int], card: int) -> bool:
    """Whether a hint names a card."""
    kind, value = hint
    return (card % 5 if kind == "rank" else card // 5) == value
