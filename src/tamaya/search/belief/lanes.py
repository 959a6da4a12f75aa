"""Batch agents as blueprints: many imagined games in lock step, one call of a network for them all.

A *lane* is an imagined game. To test hands, the earlier position gets a hand per row; to try moves,
every deal gets a lane per move, and all lanes play on together. Deals, seeds and outcomes are those
of compiled blueprints.

An agent without a state sees no history, so earlier positions are all it takes to know what it
would have done. For one with a state the history is replayed in lanes with each hand: every seat is
asked at each of its turns, as at a table, whatever it then did.

Rows are put together the same way on any number of threads, because a network's rounding may depend
on how many rows it gets.
"""

from time import monotonic_ns

import numpy as np

from tamaya.agent import BatchAgent
from tamaya.batch_dispatch import call_batch, call_batch_on_views
from tamaya.cards import N_CARDS
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game, give_up, is_legal
from tamaya.records import GAME, RUNNING, VIEW, read_rules
from tamaya.rules import Rules
from tamaya.search.belief.filtering import MOST, on_threads, show_cards
from tamaya.search.belief.hands import BITS, CARD_BITS
from tamaya.search.belief.past import BLUEPRINT, NOWHERE, SEED, Past, past_of
from tamaya.search.belief.rollouts import Deals, deal_hand, deal_number
from tamaya.search.endgame.orders import n_orders, next_order
from tamaya.search.rollout import outcome_value
from tamaya.search.team import deal_again
from tamaya.search.workspace import N_IDS, draw_deal, new_workspace

ROWS = 1024  # of a call, at most
REPLAYED = 256  # hands for which the history is replayed together
NO_CODE = np.zeros(1, BLUEPRINT)
NO_CODE["blueprint_words"] = 1


# Imagined games.


@hot
def show_hands(view, seat, hands, n, slots, length, views):
    """Write copies of a view with the oldest cards of each hand of n cards in some slots."""
    for h in range(len(hands)):
        views[h] = view
        show_cards(views[h], seat, hands[h], n, slots, length)


@hot
def deal_hands(view, hands, n, orders, games):
    """Write games that agree with a view in which its seat holds each hand of n cards."""
    # Records do not keep their arrays alive; the arguments of a call do.
    deal_hands_in(new_workspace(view, 0, 0.0), hands, n, orders, games)


@hot
def deal_hands_in(workspace, hands, n, orders, games):
    """``deal_hands`` in a given workspace."""
    game = draw_deal(workspace, SEED)
    for h in range(len(hands)):
        copy_game(games[h], game)
        hand = hands[h]
        for place in range(n - 1, -1, -1):
            games[h].deck[orders[place]] = np.int64(hand & CARD_BITS)
            hand >>= BITS


@hot
def number_deals(view, how, deals, first, games):
    """Write the deals from number ``first`` on."""
    number_deals_in(new_workspace(view, 0, 0.0), how, deals, first, games)


@hot
def number_deals_in(workspace, how, deals, first, games):
    """``number_deals`` in a given workspace."""
    left, dice = np.zeros(N_CARDS, np.int64), workspace.dice[0]
    for k in range(len(games)):
        deal_number(games[k], workspace.now[0], how, deals, first + k, left, dice)


@hot
def order_deals(view, how, deals, games, owners):
    """Write every order of the deck with each hand, and the index of that hand."""
    order_deals_in(new_workspace(view, 0, 0.0), how, deals, games, owners)


@hot
def order_deals_in(workspace, how, deals, games, owners):
    """``order_deals`` in a given workspace."""
    game, left, n = workspace.game[0], np.zeros(N_CARDS, np.int64), 0
    copy_game(game, workspace.now[0])
    first, end = np.int64(game.n_all) - game.deck_size, np.int64(game.n_all)
    for h in range(len(deals.hands)):
        deal_hand(game, how.seat, deals.hands[h], deals, left, workspace.dice[0])
        game.deck[first:end].sort()
        place = first
        while place >= 0:
            copy_game(games[n], game)
            owners[n] = h
            n += 1
            place = next_order(game.deck, first, end)


@hot
def deal_all_again(games, again):
    """Deal records as some games were dealt."""
    for k in range(len(games)):
        copy_game(again[k], games[k])
        deal_again(games[k], again[k])


@hot
def make_event(games, event):
    """Repeat a move of the history in all lanes."""
    for k in range(len(games)):
        apply_move(games[k], event.move)


@hot
def spread(roots, moves, games):
    """Write a game for each deal and each move of a mask, with that move made."""
    n = 0
    for k in range(len(roots)):
        for move in range(N_IDS):
            if moves & MOVE_BIT[move]:
                copy_game(games[n], roots[k])
                apply_move(games[n], move)
                n += 1


@hot
def follow_all(games, lanes, moves):
    """Make the blueprint's move in some lanes; one that gives up or is illegal ends the game."""
    for k in range(len(lanes)):
        game = games[lanes[k]]
        if is_legal(game, moves[k]):
            apply_move(game, moves[k])
        else:
            give_up(game)


@hot
def write_outcomes(games, moves, keeps_points, values):
    """Write the values of finished games by deal and move, in the order of ``spread``."""
    n = 0
    for k in range(len(values)):
        for move in range(N_IDS):
            if moves & MOVE_BIT[move]:
                values[k, move] = outcome_value(games[n], keeps_points)
                n += 1


class BatchBlueprint:
    """A batch agent, asked for whole batches of imagined positions."""

    pace = 1.0

    def __init__(self, player: BatchAgent) -> None:
        self.player = player

    @property
    def identity(self) -> bytes:
        """Which agent it is."""
        return str(id(self.player)).encode()

    @property
    def has_state(self) -> bool:
        """Whether what it does depends on what it saw before."""
        return self.player.state_size > 0

    def for_any_rules(self) -> "BatchBlueprint":
        """A stand-in with vectors of the same kind: a network takes those of its own rules only."""
        player = self.player
        return BatchBlueprint(
            BatchAgent("rehearsal", lambda seen, legal, state: legal.argmax(axis=1),
                       encoder=player.encoder, dtype=player.dtype, state_size=player.state_size)
        )  # fmt: skip

    # What it would have done.

    def past(self, view: np.record, orders: np.ndarray, searched: np.ndarray = NOWHERE) -> Past:
        """Positions of earlier moves; with a state the whole history must be replayed."""
        past = past_of(view, NO_CODE, orders, searched)
        default = self._default(view) if view.mover == view.seat else -1
        return past._replace(default=default, parted=0 if self.has_state else past.parted)

    def _default(self, view: np.record) -> int:
        """Its move now, -1 if that is not legal; hidden cards do not matter."""
        games = np.zeros(1, GAME)
        deal_hands(view, np.zeros(1, np.uint64), 0, np.zeros(0, np.int64), games)
        rules = read_rules(view)
        moves = self._ask(rules, games, np.zeros(1, np.int64), self._replayed(rules, games))
        return int(moves[0]) if is_legal(games[0], moves[0]) else -1

    def strike(self, hands: np.ndarray, n: int, strikes: np.ndarray, seat: int, past: Past,
               slack: int, threads: int) -> None:  # fmt: skip
        """Strikes, move by move; hands with the same cards at the time share a row."""
        for k, move in enumerate(past.moves.tolist()):
            length = int(past.lengths[k])
            tested = np.flatnonzero(strikes <= slack)
            if not len(tested):
                return
            shown, row = np.unique(hands[tested] >> BITS * np.uint64(n - length),
                                   return_inverse=True)  # fmt: skip
            answers = self._answers(past.views[k], seat, shown, length, past.slots[k], threads)
            struck = tested[(answers != move)[row]]
            strikes[struck] = np.minimum(MOST, strikes[struck].astype(np.int64) + past.costs[k])

    def _answers(self, view: np.record, seat: int, hands: np.ndarray, n: int, slots: np.ndarray,
                 threads: int) -> np.ndarray:  # fmt: skip
        """Its moves on a view with each of some hands in a seat."""
        moves, rules = np.empty(len(hands), np.int64), read_rules(view)

        def call(part: slice) -> None:
            views = np.zeros(part.stop - part.start, VIEW)
            show_hands(view, seat, hands[part], n, slots, n, views)
            moves[part] = call_batch_on_views(self.player, rules, views)

        on_threads(call, len(hands), threads, ROWS)
        return moves

    def strike_by_replay(self, hands: np.ndarray, n: int, strikes: np.ndarray, view: np.record,
                         orders: np.ndarray, costs: np.ndarray, threads: int) -> None:  # fmt: skip
        """Strikes, replaying the history with many hands together."""
        rules = read_rules(view)

        def call(part: slice) -> None:
            games = np.zeros(part.stop - part.start, GAME)
            deal_hands(view, hands[part], n, orders, games)
            found = strikes[part].astype(np.int64)
            self._replayed(rules, games, costs, found)
            strikes[part] = np.minimum(found, MOST)

        on_threads(call, len(hands), threads, REPLAYED)

    def _replayed(
        self, rules: Rules, games: np.ndarray, costs: np.ndarray | None = None,
        strikes: np.ndarray | None = None,
    ) -> np.ndarray:  # fmt: skip
        """Its states in games with the same events: [lane, seat, number].

        With ``costs`` by turn, lanes in which it would have moved otherwise get strikes, and turns
        after those with costs are not replayed.
        """
        states = np.zeros((len(games), rules.players, self.player.state_size), np.float32)
        if not self.has_state:
            return states
        again, lanes = games.copy(), np.arange(len(games))
        deal_all_again(games, again)
        n_turns = int(games[0].n_moves) if costs is None else len(costs)
        for k in range(n_turns):
            event = games[0].history[k]
            moves = self._ask(rules, again, lanes, states)
            if costs is not None and strikes is not None and costs[k] > 0:
                strikes += np.where(moves != event.move, np.int64(costs[k]), 0)
            make_event(again, event)
        return states

    def _ask(
        self, rules: Rules, games: np.ndarray, lanes: np.ndarray, states: np.ndarray
    ) -> np.ndarray:
        """Its moves in some lanes; the states of the movers are changed."""
        moves = np.empty(len(lanes), np.int64)
        for start in range(0, len(lanes), ROWS):
            some = lanes[start : start + ROWS]
            seats = games["mover"][some].astype(np.int64)
            state = states[some, seats]
            moves[start : start + ROWS] = call_batch(self.player, rules, games, some, state)
            states[some, seats] = state
        return moves

    # How it plays on.

    def play(self, view: np.record, how: np.ndarray, deals: Deals, moves: int, first: int,
             values: np.ndarray, threads: int) -> np.ndarray:  # fmt: skip
        """Outcomes; all lanes of some deals are played together, and late ones given up."""
        is_done = np.zeros(len(values), np.uint8)

        def call(part: slice) -> None:
            roots = np.zeros(part.stop - part.start, GAME)
            number_deals(view, how[0], deals, first + part.start, roots)
            is_done[part] = self._play_out(roots, how, moves, values[part])

        on_threads(call, len(values), threads, max(1, ROWS // moves.bit_count()))
        return is_done

    def exact_means(self, view: np.record, how: np.ndarray, deals: Deals, moves: int,
                    threads: int) -> np.ndarray:  # fmt: skip
        """Means over all orders of the deck, a lane for each."""
        means = np.zeros((len(deals.hands), N_IDS))
        how = how.copy()
        how["deadline"] = 0

        def call(part: slice) -> None:
            some = deals._replace(hands=deals.hands[part])
            n = n_orders(some, int(view.deck_size))
            roots, owners = np.zeros(n, GAME), np.zeros(n, np.int64)
            order_deals(view, how[0], some, roots, owners)
            values = np.zeros((n, N_IDS), np.float32)
            self._play_out(roots, how, moves, values)
            totals = np.zeros((len(some.hands), N_IDS))
            np.add.at(totals, owners, values)
            means[part] = totals / np.bincount(owners)[:, np.newaxis]

        on_threads(call, len(means), threads, 4)
        return means

    def _play_out(self, roots: np.ndarray, how: np.ndarray, moves: int, values: np.ndarray) -> bool:
        """Write the outcomes of the moves of a mask in some positions; False if time is up."""
        rules, n_moves, deadline = read_rules(roots[0]), moves.bit_count(), int(how["deadline"][0])
        states = self._replayed(rules, roots)
        if self.has_state:  # the seat to move takes in what it sees, too
            self._ask(rules, roots, np.arange(len(roots)), states)
        states = np.repeat(states, n_moves, axis=0)
        games = np.zeros(len(states), GAME)
        spread(roots, np.uint64(moves), games)
        for _ in range(int(how["rollout"][0])):
            lanes = np.flatnonzero(games["status"] == RUNNING)
            if not len(lanes):
                break
            if deadline and monotonic_ns() >= deadline:
                return False
            follow_all(games, lanes, self._ask(rules, games, lanes, states))
        write_outcomes(games, np.uint64(moves), how["keep"][0], values)
        return True
