"""Nobody peeks: every agent moves the same when everything hidden from it is exchanged.

A game is stopped at a turn; the mover's own cards and the deck change places in any way that
agrees with the hints so far; the agent sees the whole game once more from the deal, and must
choose the same moves at all its turns.
"""

from random import Random

import numpy as np
import pytest

from search.batches import AT_ONCE, BY_STATE
from support import affordable, beliefs, decide, decisions, permuted, play_randomly, replay, scaled
from tamaya.adapt.features import N_WEIGHTS
from tamaya.adapt.model import weights_text
from tamaya.agent import Agent
from tamaya.agents.rules.family import RuleAgent
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.knowledge.hand_beliefs import beliefs_by_sets
from tamaya.moves import GIVE_UP
from tamaya.registry import all_agents, find_agent
from tamaya.rules import OBSERVATIONS, Rules
from tamaya.search.bridge import PythonAgent
from tamaya.table import play
from tamaya.view import fill_view, is_playable

OURS = [player for player in all_agents() if player.act_function.__module__.startswith("tamaya.")]
# Those that think for a time are the same as others with a fixed number of iterations.
AGENTS = [affordable(player) for player in OURS if not player.settings.get("ms")]
AGENTS += [affordable(find_agent(f"sparta:blueprint=smartbot,seats={seats}"))
           for seats in ("each", "all,range=20")]  # fmt: skip
AGENTS += [affordable(find_agent(f"sparta:blueprint={network},seats=each"))
           for network in ("ppo", AT_ONCE.name, BY_STATE.name)]  # fmt: skip
MODEL = weights_text(np.random.default_rng(1).normal(0, 1, N_WEIGHTS))
CODE = "2210" + "2566400" + "0000000" + "2567400" + "0000000"  # close to that of wtfwthat
AGENTS += [find_agent(f"adaptive:{known}") for known in
           ("ally=smartbot", f"model={MODEL},draws=4,samples=2,rollout=4", f"code={CODE}",
            "code=silent")]  # fmt: skip
VARIATIONS = ["", "observation=minimal", "observation=seer", "refill=in_place empty_hints=true"]


def moves_differ(player, game: Game, rng: Random, fill=fill_view) -> bool:
    """Whether the mover chooses otherwise when what it cannot see is exchanged."""
    other = permuted(game, game.mover, rng)
    before = decisions(player, game, game.mover, fill)
    return decisions(player, other, game.mover, fill) != before


def stopped_games(player, rules: Rules, n: int, rng: Random):
    """Games of an agent with itself, stopped at random turns."""
    played = play(player, rules, n, record=True)
    for k in range(n):
        game = played.game(k)
        yield replay(game, turns=rng.randrange(max(1, game.turn)))


@pytest.mark.parametrize("variation", VARIATIONS)
@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_no_agent_peeks(player, variation):
    rng = Random(1)
    for players in range(player.players[0], player.players[1] + 1):
        rules = Rules.parse(f"players={players} {variation}")
        # Rule agents differ in their lists only, and there are many of them; some agents are slow.
        n_games = 2 if isinstance(player, RuleAgent | PythonAgent) else 5
        for game in stopped_games(player, rules, n_games, rng):
            assert not moves_differ(player, game, rng), game.to_text()


BELIEVERS = [player for player in AGENTS if player.has_beliefs]


def beliefs_differ(player, game: Game, rng: Random, fill=fill_view) -> bool:
    """Whether the mover believes otherwise when what it cannot see is exchanged."""
    other = permuted(game, game.mover, rng)
    before = beliefs(player, game, game.mover, fill)
    return not np.array_equal(beliefs(player, other, game.mover, fill), before)


@pytest.mark.parametrize("variation", VARIATIONS)
@pytest.mark.parametrize("player", [*BELIEVERS, find_agent("certainty")], ids=lambda p: p.name)
def test_no_belief_peeks(player, variation):
    rng = Random(6)
    sizes = range(player.players[0], player.players[1] + 1)
    for players in {sizes[0], sizes[-1]} if player.is_slow else sizes:
        rules = Rules.parse(f"players={players} {variation}")
        for game in stopped_games(player, rules, 1 if player.is_slow else 2, rng):
            assert not beliefs_differ(player, game, rng), game.to_text()


def test_a_belief_that_peeks_is_caught():
    def peek(view, memory, params):
        masks = [1 << int(card) if card >= 0 else int(view.all_cards)
                 for card in view.card[view.seat, : int(view.hand_size)]]  # fmt: skip
        return beliefs_by_sets(forget_own_hand(view), np.array(masks))

    cheat = Agent("clairvoyant", play_what_fits)
    cheat.believe(peek)
    rng = Random(7)
    games = [play_randomly(Game(Rules(players=3), seed), rng) for seed in range(20)]
    stopped = [replay(game, turns=rng.randrange(game.turn)) for game in games]
    assert not any(beliefs_differ(cheat, game, rng) for game in stopped)
    assert sum(beliefs_differ(cheat, game, rng, leak_own_hand) for game in stopped) > 15


def forget_own_hand(view):
    """The view that it should have been."""
    view.card[view.seat] = -1
    view.is_counted = 0
    return view


@pytest.mark.parametrize("player", AGENTS, ids=lambda player: player.name)
def test_a_replayed_agent_makes_the_moves_it_made(player):
    players = player.players[0]
    played = play(player, Rules(players=players), scaled(5), record=True)
    for k in range(len(played.results)):
        game = played.game(k)
        for seat in range(players):
            own = [int(event.move) for event in game.events if event.seat == seat]
            if game.status == "gave up" and game.mover == seat:
                own.append(GIVE_UP)
            assert decisions(player, game, seat) == own


# The checker itself: agents that peek are caught.


def play_what_fits(view, memory, params):
    """Plays an own card that it sees to be playable, otherwise makes the first legal move."""
    for slot in range(view.hand_size):
        card = view.card[view.seat, slot]
        if card >= 0 and is_playable(view, card):
            return view.hand_size + slot
    return nth_move(legal_mask(view), 0)


CHEAT = Agent("cheat", play_what_fits)


@hot
def leak_own_hand(game, seat, view):
    """A view with the seat's own cards in it."""
    fill_view(game, seat, view)
    for slot in range(game.hand_size):
        view.card[seat, slot] = game.card[seat, slot]


@hot
def leak_deck(game, seat, view):
    """A view with the next card of the deck in place of the seat's first."""
    fill_view(game, seat, view)
    if game.deck_size > 0:
        view.card[seat, 0] = game.deck[game.n_all - game.deck_size]


def times_caught(fill, n: int) -> int:
    """In how many of some random games the checker catches the cheat at a random turn."""
    rng = Random(2)
    games = (play_randomly(Game(Rules(players=3), seed), rng) for seed in range(n))
    stopped = (replay(game, turns=rng.randrange(game.turn)) for game in games)
    return sum(moves_differ(CHEAT, game, rng, fill) for game in stopped)


@pytest.mark.parametrize("leak", [leak_own_hand, leak_deck])
def test_an_agent_that_sees_too_much_is_caught(leak):
    assert times_caught(leak, 60) > 15


def test_the_same_agent_is_innocent_with_honest_views():
    assert times_caught(fill_view, 60) == 0


def remember_own_cards(view, event, memory, params):
    """Keeps a note of its own cards, which only a leaking view shows."""
    for slot in range(view.hand_size):
        memory.note += (slot + 1) * (view.card[view.seat, slot] + 1)


def move_by_note(view, memory, params):
    """Plays a card by the note."""
    return view.hand_size + memory.note % 5


def test_a_leak_into_memory_is_caught_turns_later():
    agent = Agent("notebook", move_by_note, memory=[("note", int)])
    agent.observe(remember_own_cards)
    rng, caught = Random(3), 0
    for seed in range(20):
        game = play_randomly(Game(Rules(lives=20), seed), rng)
        stopped = replay(game, turns=8)
        assert not moves_differ(agent, stopped, rng)
        caught += moves_differ(agent, stopped, rng, leak_own_hand)
    assert caught > 10


# The permutation itself.


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_a_permutation_keeps_what_the_seat_saw_and_changes_the_rest(observation):
    rng, n_changed = Random(4), 0
    for seed in range(10):
        game = play_randomly(Game(Rules(players=4, observation=observation), seed), rng)
        game = replay(game, turns=game.turn // 2)
        seat = game.mover
        other = permuted(game, seat, rng)
        assert other.events.tobytes() == game.events.tobytes()
        for turn in range(game.turn + 1):
            seen, again = replay(game, turns=turn), replay(other, turns=turn)
            assert seen.view(seat).tobytes() == again.view(seat).tobytes()
        assert sorted(other.deck) == sorted(game.deck)
        n_changed += other.hands[seat] != game.hands[seat]
        assert other.deck != game.deck
    assert n_changed == (0 if observation == "seer" else 10)


def test_a_card_that_was_told_everything_stays():
    rules = Rules(colours=2, hand_size=2)
    rest = [0, 0, 1, 2, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8, 8, 9]
    game = Game(rules, deck=[0, 1, 5, 6, *rest])
    for move in ("h1Y", "p1", "h11"):
        game.apply(move)
    assert game.hands[1] == [5, 0]
    rng = Random(5)
    hands = {tuple(permuted(game, 1, rng).hands[1]) for _ in range(50)}
    assert {hand[0] for hand in hands} == {5}  # told yellow and 1
    assert {hand[1] for hand in hands} == {0, 5}  # told 1


def test_decide_gives_the_move_of_the_seat_to_move():
    agent = find_agent("certainty")
    game = play(agent, Rules(players=3), 1, record=True).game(0)
    for turn in range(0, game.turn, 5):
        stopped = replay(game, turns=turn)
        assert decide(agent, stopped, stopped.mover) == game.moves[turn]
