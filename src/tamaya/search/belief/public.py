"""Common knowledge where both seats of a two-player game search (Lerer et al. 2020).

Both seats know, at every turn, which hands each of them may hold by common knowledge: the
*public support*. The mover's choice depends on its public support and on the hand that it sees,
never on its own cards. So the other seat can repeat the mover's search, by a common seed, for each
hand that it may hold itself, and drop those that lead to another move.

That costs a search per hand. A searched move is therefore stored as a *frame* until at most
``range`` hands remain to be tested: later hints, plays and revealed cards reduce their number. A
seat with unexplained frames is *behind*. It does not know its belief, so it follows the blueprint,
and because both know that it is behind, both know that it did not search.

Frames need no map of slots: cards are identified by their order, and those that have left the hand
have been revealed.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import apply_move, legal_mask
from tamaya.records import EVENT, GAME, VIEW
from tamaya.rules import MAX_MOVES
from tamaya.search.belief.blueprints import Blueprint
from tamaya.search.belief.contest import Contest, Outcome, Terms
from tamaya.search.belief.filtering import show_cards
from tamaya.search.belief.hands import Sight, sight_of, unpack, weights_of
from tamaya.search.belief.past import SEED
from tamaya.search.belief.support import Believing, Support, support_of
from tamaya.search.team import deal_again
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.view import fill_view

KEPT = 256  # public positions in the cache


class Searching(NamedTuple):
    """What both seats have agreed on."""

    how: Believing
    terms: Terms
    range: int = 100  # hands, at most, for which a search is repeated
    blueprint: bytes = b""  # distinguishes positions of different agreements


@dataclass(frozen=True)
class Frame:
    """A searched move that the other seat has to explain."""

    turn: int
    before: "Position"  # when it was made
    orders: tuple[int, ...] = ()  # of the tested cards, once it is explained
    rejected: np.ndarray | None = None  # hands of these cards that lead to another move

    @property
    def is_explained(self) -> bool:
        """Whether the other seat knows what the move meant."""
        return self.rejected is not None


@dataclass(frozen=True)
class Position:
    """The public part of a position, with the frames that each seat has to explain."""

    turn: int
    mover: int
    games: np.ndarray  # GAME: any deal that agrees with the events
    searched: np.ndarray  # [turn] -> whether the mover searched
    frames: tuple[tuple[Frame, ...], tuple[Frame, ...]]
    support: Support  # public support of the mover

    @property
    def is_behind(self) -> bool:
        """Whether the mover does not know its belief."""
        return any(not frame.is_explained for frame in self.frames[self.mover])


@hot
def rewind(view, turn, games):
    """Write the game of a view as it was at a turn, with any hidden cards that agree with it."""
    rewind_in(new_workspace(view, 0, 0.0), turn, games)


@hot
def rewind_in(workspace, turn, games):
    """``rewind`` in a given workspace."""
    game = draw_deal(workspace, SEED)
    games[0] = game
    deal_again(game, games[0])
    for k in range(turn):
        apply_move(games[0], game.history[k].move)


@hot
def show_to(game, seat, holder, hand, n, slots, view):
    """Write what a seat sees if the other holds a given hand."""
    fill_view(game, seat, view)
    show_cards(view, holder, hand, n, slots, n)


def view_with(position: Position, seat: int, hand: int | None = None) -> np.ndarray:
    """What a seat sees of a position if the other holds any hand or a given one."""
    views, game = np.zeros(1, VIEW), position.games[0]
    fill_view(game, seat, views[0])
    if hand is not None:
        other = sight_at(game, 1 - seat)
        show_to(game, seat, 1 - seat, np.uint64(hand), len(other.orders), other.slots, views[0])
    return views


def sight_at(game: np.record, seat: int) -> Sight:
    """What everybody knows about the hand of a seat."""
    views = np.zeros(1, VIEW)
    fill_view(game, seat, views[0])
    views["card"] = -1  # no cards are visible
    views["is_counted"] = 0
    return sight_of(views[0])


def fits(masks: list[int], unseen: list[int]) -> bool:
    """Whether the unseen copies can be dealt so that each slot gets a card of its mask."""
    if not masks:
        return True
    for card, n in enumerate(unseen):
        if n > 0 and masks[0] & int(BIT[card]):
            left = [*unseen[:card], n - 1, *unseen[card + 1 :]]
            if fits(masks[1:], left):
                return True
    return False


def verdict_of(frame: Frame, game: np.record, orders: np.ndarray) -> Callable[..., np.ndarray]:
    """Which hands of the oldest cards an explained frame leaves."""
    rejected = np.zeros(0, np.uint64) if frame.rejected is None else frame.rejected
    places = {int(order): place for place, order in enumerate(orders)}
    present = [places[order] for order in frame.orders if order in places]

    def is_left(hands: np.ndarray, n: int) -> np.ndarray:
        if not present or max(present) != n - 1:
            return np.ones(len(hands), np.bool_)
        then = np.zeros(len(hands), np.uint64)
        for order in frame.orders:
            if order in places:
                card = hands >> np.uint64(5 * (n - 1 - places[order])) & np.uint64(31)
            else:  # it has been revealed since
                card = np.full(len(hands), int(game.deck[order]), np.uint64)
            then = then << np.uint64(5) | card
        return ~np.isin(then, rejected)

    return is_left


class PublicGame:
    """A cache of public positions and their analysis, for any number of agreements.

    Everything follows from the events, so it does not matter who computes a position, or when.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[bytes, ...], Position] = OrderedDict()

    def forget(self) -> None:
        """Clear the cache; positions are computed again when needed."""
        self._known.clear()

    def position(self, view: np.record, blueprint: Blueprint, searching: Searching) -> Position:
        """The public position of a view."""
        turn = int(view.n_moves)
        start, found = turn, None
        while start >= 0:  # in one step: another thread may drop what was just there
            found = self._known.get(self._key(view, start, searching))
            if found is not None:
                break
            start -= 1
        for k in range(start + 1, turn + 1):
            found = self._next(view, k, found, blueprint, searching)
            self._known[self._key(view, k, searching)] = found
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        assert found is not None
        return found

    def _key(self, view: np.record, turn: int, searching: Searching) -> tuple[bytes, ...]:
        """What distinguishes a public position: rules, agreement and events."""
        history = np.ascontiguousarray(view.history[:turn], EVENT)
        rules = (view.players, view.colours, view.ranks, view.hand_size, view.max_tokens,
                 view.max_lives, view.keeps_points, view.empty_hints, view.discard_at_full,
                 view.refills_in_place, view.no_completion_token, view.observation,
                 view.start)  # fmt: skip
        agreement = repr((searching.how, searching.terms, searching.range)).encode()
        return (bytes(map(int, rules)), searching.blueprint, agreement, history.tobytes())

    def _next(
        self, view: np.record, turn: int, before: Position | None, blueprint: Blueprint,
        searching: Searching,
    ) -> Position:  # fmt: skip
        """The position after one more event."""
        games = np.zeros(1, GAME)
        rewind(view, turn, games)
        mover = int(games[0].mover)
        searched = np.zeros(MAX_MOVES, np.bool_)
        frames: list[tuple[Frame, ...]] = [(), ()]
        if before is not None:
            searched[:] = before.searched
            frames = list(before.frames)
            if not before.is_behind:
                searched[turn - 1] = True
                frames[1 - before.mover] += (Frame(turn - 1, before),)
        support, explained = self._explain(
            games, mover, searched, frames[mover], blueprint, searching
        )
        frames[mover] = explained
        return Position(turn, mover, games, searched, (frames[0], frames[1]), support)

    def _explain(
        self, games: np.ndarray, seat: int, searched: np.ndarray, frames: tuple[Frame, ...],
        blueprint: Blueprint, searching: Searching,
    ) -> tuple[Support, tuple[Frame, ...]]:  # fmt: skip
        """The public support of a seat, and its frames, explained where the range allows."""
        game, sight = games[0], sight_at(games[0], seat)
        held = set(sight.orders.tolist())
        done = list(frames)
        while True:
            verdicts = [verdict_of(frame, game, sight.orders) for frame in done
                        if frame.is_explained]  # fmt: skip
            views = np.zeros(1, VIEW)
            fill_view(game, seat, views[0])
            support = support_of(views[0], blueprint, searching.how, sight, searched, verdicts)
            waiting = [k for k, frame in enumerate(done) if not frame.is_explained]
            if not waiting:
                return support, tuple(done)
            frame = done[waiting[0]]
            then = sight_at(frame.before.games[0], seat)
            asked = tuple(order for order in then.orders.tolist() if order in held)
            if not asked:  # all its cards have been revealed
                done[waiting[0]] = replace(frame, rejected=np.zeros(0, np.uint64))
                continue
            if not support.is_exact:
                return support, tuple(done)
            shift = np.uint64(5 * (len(sight.orders) - len(asked)))
            parts = np.unique(support.hands >> shift)
            if len(parts) > searching.range:
                return support, tuple(done)
            move = int(game.history[frame.turn].move)
            ask = partial(self._repeated, frame, game, then, asked, move, blueprint, searching)
            rejected = [part for part in parts.tolist() if ask(part) != move]
            if len(rejected) == len(parts):
                rejected = []  # somebody breaks the agreement
            done[waiting[0]] = replace(frame, orders=asked, rejected=np.array(rejected, np.uint64))

    def _repeated(
        self, frame: Frame, game: np.record, then: Sight, asked: tuple[int, ...], move: int,
        blueprint: Blueprint, searching: Searching, part: int,
    ) -> int:  # fmt: skip
        """What the mover of a frame would have done on seeing a given hand."""
        cards = dict(zip(asked, unpack(part, len(asked)), strict=True))
        hand = 0
        for order in then.orders.tolist():
            hand = hand << 5 | cards.get(order, int(game.deck[order]))
        views = view_with(frame.before, frame.before.mover, hand)
        sight = sight_of(views[0])
        if not fits(sight.masks.tolist(), sight.unseen.tolist()):
            return -1  # the mover's own hints contradict it
        terms = searching.terms._replace(watch=move)
        return self.decide(views[0], frame.before, blueprint, searching, terms)[1].move

    def decide(
        self, view: np.record, position: Position, blueprint: Blueprint, searching: Searching,
        terms: Terms,
    ) -> tuple[Support, Outcome]:  # fmt: skip
        """The mover's belief in a position, given the other's hand, and its move."""
        support = private_support(view, position, blueprint, searching)
        terms = terms._replace(seed=searching.terms.seed + position.turn)
        contest = Contest(view, blueprint, support, terms)
        if position.is_behind and support.past.default >= 0:
            default = support.past.default
            return support, Outcome(default, default, contest.arms, 0, False, (0.0, 0.0))
        return support, contest.run(int(legal_mask(view)))


def private_support(
    view: np.record, position: Position, blueprint: Blueprint, searching: Searching
) -> Support:
    """What a seat may hold, given the other's hand and the public position.

    What the other's moves say about a hand does not depend on the hand that made them, so the
    mover's public support is only weighted anew by the copies that are left.
    """
    public, sight, searched = position.support, sight_of(view), position.searched
    if view.seat != position.mover:
        verdicts = [verdict_of(frame, position.games[0], sight.orders)
                    for frame in position.frames[int(view.seat)]
                    if frame.is_explained]  # fmt: skip
        return support_of(view, blueprint, searching.how, sight, searched, verdicts)
    n = len(sight.orders)
    copies = weights_of(public.hands, n, sight.unseen)
    is_left = copies > 0
    if not is_left.any():  # of those that were drawn
        return support_of(view, blueprint, searching.how, sight, searched)
    hands, strikes = public.hands[is_left], public.strikes[is_left]
    weights = public.weights[is_left] * copies[is_left]
    weights /= weights_of(hands, n, public.sight.unseen)
    past = blueprint.past(view, sight.orders, searched)
    return Support(sight, past, hands, strikes, weights, public.is_exact)
