"""Weighing at a table of two: the network's values, the moves it may choose, what it gains."""

import numpy as np
import pytest

from agents.stacking import table_seats
from support import scaled
from tamaya.agents.wtfwthat.hats import hat_sum
from tamaya.agents.wtfwthat.hints import n_messages, number_of
from tamaya.agents.wtfwthat.network import digest, network
from tamaya.agents.wtfwthat.prospects import (
    DANGER,
    KNOWN,
    PARTNER_UNAWARE,
    USELESS,
    fill_partner,
    fill_situation,
)
from tamaya.agents.wtfwthat.public_state import PUBLIC_STATE, fill_now, fill_own
from tamaya.agents.wtfwthat.settings import params_of
from tamaya.agents.wtfwthat.slots import playable_slots, useless_slots
from tamaya.agents.wtfwthat.weighing import DISCARDS, HINTS, PLAYS, weigh
from tamaya.cards import BIT
from tamaya.moves import DISCARD, PLAY, kind_of, slot_of
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

TWO = Rules(players=2)
OPTIONS = params_of(find_agent("information").values)["options"][0, 2]


def weighed_positions(n_games):
    """Positions before the last round, the view of the mover, and its filled state."""
    states = np.zeros(1, PUBLIC_STATE)
    for position, seats in table_seats("information", TWO, n_games):
        me = seats[position.mover]
        view, state = me.view(), states[0]
        if view.deck_size == 0:
            continue
        fill_now(view, me.memory[0], state, OPTIONS.deduce)
        fill_own(view, state, OPTIONS.deduce)
        state.n_weighed = 0
        yield position, view, state


def kind_in_network(view, move):
    kind = kind_of(view, move)
    return PLAYS if kind == PLAY else DISCARDS if kind == DISCARD else HINTS


def value_by_hand(state, features, kind):
    """The network once more, as matrices in double precision."""
    net = {name: network()[name][0, kind].astype(float) for name in network().dtype.names}
    situation, features = state.situation.astype(float), features.astype(float)
    hidden = net["bias"] + situation @ net["by_situation"] + features @ net["by_move"]
    direct = situation @ net["direct_situation"] + features @ net["direct_move"]
    return direct + np.maximum(hidden, 0) @ net["out"]


@pytest.mark.checked
def test_values_are_those_of_the_network():
    n_seen = 0
    for _, view, state in weighed_positions(scaled(5)):
        best = weigh(view, state, network()[0], OPTIONS)
        n = int(state.n_weighed)
        moves, values = state.weighed[:n].tolist(), state["values"][:n]
        expected = [value_by_hand(state, state.features[k], kind_in_network(view, moves[k]))
                    for k in range(n)]  # fmt: skip
        assert np.allclose(values, expected, atol=1e-3)
        assert best == (moves[int(values.argmax())] if n else -1)
        n_seen += n
    assert n_seen > 100


def test_moves_that_are_weighed_say_what_is_true():
    """Whoever decodes them learns the sum, and nothing false."""
    kinds = set()
    for position, view, state in weighed_positions(scaled(20)):
        sets = state.sets.copy()
        weigh(view, state, network()[0], OPTIONS)
        moves = state.weighed[: int(state.n_weighed)].tolist()
        is_unaware = state.situation[PARTNER_UNAWARE] > 0
        me = int(view.seat)
        state.sets[:] = sets
        public = int(playable_slots(view, state.sets[me], state.playable))
        useless = int(useless_slots(view, state.sets[me], state.dead))
        plays, discards = (
            [slot_of(view, move) for move in moves if kind_of(view, move) == kind]
            for kind in (PLAY, DISCARD)
        )
        known = [slot for slot in plays if public >> slot & 1]
        if public.bit_count() >= 2:
            rank = bin(public & ((1 << known[0]) - 1)).count("1")
            assert len(known) == 1
            assert rank == hat_sum(view, state, public.bit_count(), OPTIONS)
            kinds.add("play")
        assert not (discards and view.tokens > 0 and is_unaware)
        if discards and useless.bit_count() >= 2:
            assert len(discards) == 1
            assert useless >> discards[0] & 1
            kinds.add("discard")
        hints = [move for move in moves if kind_of(view, move) not in (PLAY, DISCARD)]
        assert len(hints) <= 1
        for move in hints:
            after = position.copy()
            after.apply(move)
            n = n_messages(view, state, view.seat, OPTIONS)
            number = number_of(view, state, after.events[-1], OPTIONS)
            assert number == hat_sum(view, state, n, OPTIONS)
            kinds.add("hint")
    assert kinds == {"play", "discard", "hint"}


def test_danger_is_what_the_partner_would_really_lose():
    n_dangers = 0
    for position, view, state in weighed_positions(scaled(10)):
        fill_situation(view, state, OPTIONS)
        fill_partner(view, state, state.before, state.playable, state.dead, True)
        partner = 1 - position.mover
        sets = [int(mask) for mask in state.sets[partner, : view.hand_size]]
        cards = [int(card) for card in position.record.card[partner, : view.hand_size]]
        known = sum(mask & ~int(state.playable) == 0 for mask in sets)
        useless = sum(mask & ~int(state.dead) == 0 for mask in sets)
        assert state.partner[KNOWN] == known
        assert state.partner[USELESS] == useless
        if known or useless:
            assert state.partner[DANGER] == 0
        else:
            worths = {min(4.0, float(state.worth[card])) for card in cards}
            assert float(state.partner[DANGER]) in worths
            n_dangers += state.partner[DANGER] > 0
        for card in cards:  # a last copy is worth at least its own point, a dead card nothing
            if BIT[card] & int(state.critical):
                assert state.worth[card] >= 1
            if BIT[card] & int(state.dead):
                assert state.worth[card] == 0
    assert n_dangers > 0


def test_weighing_gains_on_the_same_deals():
    plain, weighing = (play(agent, TWO, 3000, seed=310).results["score"].astype(float)
                       for agent in ("information:weigh=0", "information"))  # fmt: skip
    gain = weighing - plain
    assert gain.mean() > 0.4
    assert gain.mean() > 4 * gain.std() / 3000**0.5


def test_larger_tables_do_not_weigh():
    for players in (3, 4, 5):
        results = [play(agent, Rules(players=players), 50, seed=3, record=True, threads=1)
                   for agent in ("information", "information:weigh=1")]  # fmt: skip
        assert all(results[0].game(k).moves == results[1].game(k).moves for k in range(50))


def test_results_belong_to_the_network():
    assert digest() in find_agent("information").identity
    assert digest() not in find_agent("information:weigh=0").identity
    assert digest() not in find_agent("wtfwthat").identity


def test_an_explanation_lists_the_moves_and_the_best_first():
    position, seats = next(iter(table_seats("information", TWO, 1)))
    rows = seats[position.mover].explain()
    values = [value for reason, value in rows if reason.startswith("weighed: ")]
    assert len(values) >= 1
    assert values[0] == "+0.00 points"
    assert values == sorted(values, key=lambda text: -float(text.split()[0]))


@pytest.mark.interpreted
def test_games_with_the_compiler_off():
    play("information", TWO, 1)
