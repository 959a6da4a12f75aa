"""Our own rules and their convention: against the naive oracle, by hand, and in mirror play."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
import pytest

from agents.rules import naive_tamaya_rules
from agents.rules.asking import (
    PASSED,
    bits_text,
    careful_game,
    compiled_answers,
    n_games,
    wanted_turns,
    watch,
)
from agents.rules.naive_tamaya_rules import Answer, Convention, Look
from reference import Card, ReferenceGame
from support import pick_rules, play_randomly, reference_of, scaled
from tamaya.agents.rules import library
from tamaya.agents.rules.language import Step, parse_step
from tamaya.agents.rules.promises import chop_of, read_promises
from tamaya.agents.rules.rule import MEMORY, RULES
from tamaya.agents.rules.tamaya_rules import OURS
from tamaya.cards import CardSet, card_name, parse_card
from tamaya.compiled import BOUNDS_CHECKED, JIT, hot
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.records import VIEW
from tamaya.rules import REFILLS, Rules
from tamaya.table import play

assert library.MODULES

TEXTS = """
    PlayPromised PlayPromised(2) PlayPromised(1,0.6) PlayPromised(3,1)
    TellPromise TellPromise(busy) TellSave TellSave(2) TellSave(4,busy) TellHarmless
    DiscardChop DiscardSurelyUseless DiscardDuplicate
    TellSteer TellSteer(0.3,4) TellSteer(0.4,2,mend) TellSteer(0.8,1,no)
    PlayFirstHinted PlayFirstHinted(0,0) PlayFirstHinted(2,0.5)
    DiscardOldestUnlikelyNecessary DiscardOldestUnlikelyNecessary(0.05)
    DiscardOldestUnlikelyNecessary(0.5)
"""
STEPS = [parse_step(text) for text in TEXTS.split()]

MIRROR = (
    "rules:PlaySafeCard,PlayPromised,TellSave(2),TellPromise,DiscardSurelyUseless,DiscardChop,"
    "TellHarmless,DiscardOldestFirst,faithful=false"
)
NOISY = (
    "rules:IfChance<0.15:LegalRandom,IfChance<0.3:TellUnknown,PlaySafeCard,PlayPromised(1,0.3),"
    "DiscardDuplicate,TellSave(4,busy),TellPromise(busy),DiscardChop,TellRandomly,faithful=false"
)
STEERING = (
    "rules:PlaySafeCard,PlayFirstHinted,TellSteer(0.4,4),DiscardDuplicate,TellMostInformation(new),"
    "DiscardOldestUnlikelyNecessary(0.5),DiscardOldestFirst,faithful=false"
)
TEAMS = [(MIRROR,), (NOISY,), ("legal-random",), (STEERING, "piers", "piers", NOISY)]
SMALL = [
    Rules.preset("small", 2, lives=3),
    Rules(players=3, colours=3, ranks=4, hand_size=3, refill="in_place"),
    Rules(players=2, colours=3, ranks=3, hand_size=7, tokens=5),
    Rules(players=5, colours=4, ranks=3, hand_size=2, refill="in_place", discard_at_full=True),
]


# What the oracle says of a position.


@dataclass
class Naive:
    """All that the oracle says of a position, in the numbers of the kernels."""

    game: Game
    turn: int
    hands: list[list[int]]  # [seat][slot] -> order
    chops: list[int]  # slot of each seat
    told: list[int]  # by order
    promises: list[int]  # masks by order
    legal: int
    answers: list[int]  # move of each step

    def __str__(self) -> str:
        return f"turn {self.turn} of\n{self.game.to_text()}"


def mask_of(cards: set[Card]) -> int:
    """A set of cards as a mask."""
    return sum(1 << 5 * colour + rank for colour, rank in cards)


def ask_oracle(game: Game, turn: int, slow: ReferenceGame, convention: Convention) -> Naive:
    """What the oracle says of the position that its game is in."""
    look = Look(slow, convention)
    chops = [look.chop(hand) for hand in look.hands]
    answers = [
        naive_tamaya_rules.answer(look, step.rule.name, arguments_of(step)) for step in STEPS
    ]
    return Naive(
        game,
        turn,
        hands=[[held.order if held else -1 for held in hand] for hand in slow.hands],
        chops=[chop.slot if chop else -1 for chop in chops],
        told=[int(order in convention.told) for order in range(50)],
        promises=[mask_of(convention.promises.get(order, set())) for order in range(50)],
        legal=sum(1 << move for move in slow.legal_moves()),
        answers=[answer_bit(slow, answer) for answer in answers],
    )


def arguments_of(step: Step) -> tuple[float | int | bool, ...]:
    """The arguments of a step, of the types of its parameters."""
    kinds = map(type, step.rule.parameters.values())
    return tuple(kind(value) for kind, value in zip(kinds, step.arguments, strict=True))


def answer_bit(game: ReferenceGame, answer: Answer) -> int:
    """The id of a move of the oracle."""
    return PASSED if answer is naive_tamaya_rules.NOTHING else game.meanings.index(answer)


def stop(game: Game, is_wanted: np.ndarray) -> tuple[np.ndarray, list[Naive]]:
    """What the mover sees at some turns of a game, and what the oracle says of them."""
    views = np.zeros(int(is_wanted.sum()), VIEW)
    watch(game.copy().record, np.array(game.moves, np.int64), is_wanted, views)
    slow, convention = reference_of(game.rules, game.deck, int(game.record.start)), Convention()
    found = []
    for turn in range(game.turn + 1):
        if is_wanted[turn]:
            found.append(ask_oracle(game, turn, slow, convention))
        if turn < game.turn:
            convention.hear(slow, game.moves[turn])
            slow.apply(game.moves[turn])
    return views, found


def played_games(n: int) -> Iterator[Game]:
    """Games of several teams at tables of all sizes, n each; random ones with the compiler off."""
    for number, names in enumerate(TEAMS if JIT else [()]):
        usual = [Rules(players=players, bomb="keep", refill=REFILLS[(players + number) % 2])
                 for players in range(2, 6)]  # fmt: skip
        for rules in [*usual, *SMALL]:
            if not JIT:
                yield from (careful_game(rules, seed) for seed in range(n))
                continue
            team = [names[seat % len(names)] for seat in range(rules.players)]
            played = play(team, rules, n, seed=number, threads=1, record=True)
            yield from (played.game(k) for k in range(n))


def odd_games(n: int) -> Iterator[Game]:
    """Random games under any rules."""
    rng = Random(5)
    for seed in range(n):
        rules = pick_rules(rng.choice)
        yield careful_game(rules, seed) if seed % 2 else play_randomly(Game(rules, seed), rng)


@cache
def sample(kind: str, n: int) -> tuple[np.ndarray, list[Naive]]:
    """Positions of played or odd games."""
    rng = Random(0)
    views, found = [], []
    for game in played_games(n) if kind == "played" else odd_games(n):
        seen, naive = stop(game, wanted_turns(game, rng))
        views.append(seen)
        found += naive
    return np.concatenate(views), found


def all_positions() -> tuple[np.ndarray, list[Naive]]:
    """The positions that most tests ask in."""
    return sample("played", n_games(16) if JIT else 2)


# The convention.


@hot
def read_all(views, memories, chops):
    """Read the promises of all views, each into its own memory, and find all chops."""
    for k in range(len(views)):
        view, memory = views[k], memories[k]
        memory.is_read = 0
        read_promises(view, memory)
        for seat in range(view.players):
            chops[k, seat] = chop_of(view, memory, seat)


def readings(views: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What was read from each view into a memory full of rubbish, and the chops of all seats."""
    rubbish = np.full(len(views) * MEMORY.itemsize, 0x55, np.uint8)
    memories, chops = rubbish.view(MEMORY), np.zeros((len(views), 5), np.int64)
    read_all(views, memories, chops)
    return memories, chops


def compare_readings(views: np.ndarray, found: list[Naive]) -> None:
    """Promises, cards told of, hands and chops as the oracle has them."""
    memories, chops = readings(views)
    read = zip(*(memories[name].tolist() for name in ("promise", "was_told", "hand")), strict=True)
    for naive, (promises, told, hands), chop in zip(found, read, chops.tolist(), strict=True):
        players, hand_size = naive.game.rules.players, naive.game.rules.hand_size
        assert promises == naive.promises, naive
        assert told == naive.told, naive
        assert [hand[:hand_size] for hand in hands[:players]] == naive.hands, naive
        assert chop[:players] == naive.chops, naive


@pytest.mark.interpreted
def test_promises_are_read_as_by_the_oracle():
    views, found = all_positions()
    compare_readings(views, found)
    if not JIT or BOUNDS_CHECKED:
        return
    assert len(found) > 3000
    assert sum(any(naive.promises) for naive in found) > 2000
    for name, wanted in [
        ("gaps", lambda naive: any(-1 in hand for hand in naive.hands)),
        ("no chop", lambda naive: -1 in naive.chops),
        ("saved", lambda naive: sum(naive.told) > sum(map(bool, naive.promises)) + 5),
    ]:
        assert sum(map(wanted, found)) > 100, name


# The rules.


def compare_answers(views: np.ndarray, found: list[Naive]) -> dict[str, Counter[str]]:
    """Every step as the oracle has it, and legal; returns how often each acted and passed."""
    answers = compiled_answers(views, STEPS, True).tolist()
    seen: dict[str, Counter[str]] = {str(step): Counter() for step in STEPS}
    for naive, masks in zip(found, answers, strict=True):
        for step, mask, expected in zip(STEPS, masks, naive.answers, strict=True):
            assert mask == 1 << expected, f"{step}: {bits_text(mask)} not {expected}, {naive}"
            assert mask & (naive.legal | 1 << PASSED), f"{step}: {bits_text(mask)}, {naive}"
            seen[str(step)]["passed" if expected == PASSED else "acted"] += 1
    return seen


def test_the_oracle_knows_every_rule_of_ours():
    ours = {name for name, known in RULES.items() if known.source == OURS}
    assert set(naive_tamaya_rules.ORACLES) == {name.lower() for name in ours}
    assert {step.rule.name for step in STEPS} == ours


@pytest.mark.interpreted
def test_rules_answer_as_the_oracle():
    seen = compare_answers(*all_positions())
    if JIT and not BOUNDS_CHECKED:
        too_rare = {text: kinds for text, kinds in seen.items()
                    if min(kinds["acted"], kinds["passed"]) < 20}  # fmt: skip
        assert too_rare == {}


def test_any_rules_are_followed():
    """Also where nobody remembers hints, where cards are seen, and with hints of no card."""
    views, found = sample("odd", max(scaled(300), 30))
    compare_readings(views, found)
    compare_answers(views, found)


# Positions by hand: the hands of all seats, then the cards drawn next; moves follow.


class Table:
    """A game by hand, and what is read from its hints."""

    def __init__(self, cards: str, *moves: str, refill: str = "in_place", tokens: int = 8) -> None:
        top = [parse_card(name) for name in cards.split()]
        rules = Rules(players=2, refill=refill, tokens=tokens)
        rest = Game(rules).deck
        for card in top:
            rest.remove(card)
        self.game = Game(rules, deck=[*top, *rest])
        for move in moves:
            self.game.apply(move)
        self.views = np.array([self.game.view()], VIEW)
        memories, chops = readings(self.views)
        self.memory, self.chops = memories[0], chops[0, :2].tolist()

    def promised(self, seat: int) -> dict[int, str]:
        """What the cards of a seat are promised to be, by slot."""
        orders = self.game.record.order[seat, :5].tolist()
        masks = {slot: int(self.memory.promise[order]) for slot, order in enumerate(orders)}
        return {
            slot: " ".join(map(card_name, CardSet(mask))) for slot, mask in masks.items() if mask
        }

    def answer(self, rule: str) -> str:
        """The move of a rule, ``-`` if it does not apply."""
        mask = int(compiled_answers(self.views, [parse_step(rule)], True)[0, 0])
        (bit,) = bits_text(mask)
        return "-" if bit == PASSED else move_text(self.game.rules, bit)


HANDS = "R1 Y2 R4 R5 Y3  R3 Y1 G3 W4 B1"
FIVES = "R1 Y2 R4 W5 Y3  R5 Y1 G3 W4 B1"


def test_the_chop_is_the_oldest_card_that_no_hint_touched():
    assert Table(HANDS).chops == [0, 0]
    assert Table(HANDS, "h13").chops == [0, 1]
    assert Table(HANDS, "h13", "h1R").chops == [1, 1]
    assert Table(HANDS, "h1Y").chops == [0, 0]
    assert Table(HANDS, "h13", "d1").chops == [0, 3]  # the card drawn into slot 1 is the newest
    assert Table(HANDS, "h13", "d1", refill="shift").chops == [0, 2]
    named = ("h13", "h1R", "h11", "h1Y", "h14", "h1R")
    assert Table(HANDS, *named).chops == [-1, -1]
    assert Table(HANDS, *named, "d2").chops == [2, -1]
    assert Table(HANDS, *named, "d2", refill="shift").chops == [4, -1]


def test_the_chop_is_discarded():
    assert Table(HANDS).answer("DiscardChop") == "-"  # nothing may be discarded
    assert Table(HANDS, "h13").answer("DiscardChop") == "d1"
    assert Table(HANDS, "h13", "h1R", "h11", "h1Y", "h14").answer("DiscardChop") == "-"


def test_the_focus_is_the_chop_then_the_newest_first_touched_then_the_newest_with_news():
    ones = "R1 Y1 G1 W1 B1"
    assert Table(HANDS, "h1R", "h1R").promised(0) == {0: "R1"}  # slots 0, 2 and 3
    assert Table(HANDS, "h11").promised(1) == {4: ones}  # slots 1 and 4, not the chop
    assert Table(HANDS, "h13", "h1R", "h11").promised(1) == {1: ones}  # slot 1 is the chop now
    told = ("h11", "h1R")  # slots 1 and 4 of seat 1
    assert Table(HANDS, *told, "h1Y").promised(1) == {1: "Y1", 4: ones}
    assert Table(HANDS, *told, "h1Y", "h1R", "h11").promised(1) == {1: "Y1", 4: ones}  # no news
    again = "R1 Y2 R4 R5 Y3  R3 Y1 G3 W4 Y1"
    assert Table(again, *told, "h1Y").promised(1) == {4: "Y1"}


def test_promises_are_of_what_could_be_played_then():
    drawn = HANDS + "  G4"
    assert Table(drawn, "p0", "h1R").promised(0) == {3: "R2"}  # slot 1 is the chop
    assert Table(drawn, "p0", "h1R", "h1R").promised(1) == {0: "R2"}
    assert Table(HANDS, "h1R", "h1R").answer("PlayPromised") == "p0"
    assert Table(HANDS, "h1R", "h1R", "p0").promised(1) == {0: "R1"}
    assert Table(HANDS, "h1R", "h1R", "p0").answer("PlayPromised") == "-"  # R1 is there by now


def test_a_rank_with_a_last_card_that_must_wait_saves_the_chop():
    assert Table(FIVES, "h15").promised(1) == {}
    assert Table(FIVES, "h1R").promised(1) == {0: "R1"}  # colours never save
    twos = "R1 R2 R4 W5 Y3  Y2 Y1 G3 W4 B2  G2 G4 B3"
    assert Table(twos, "p0", "h15", "h12").promised(1) == {0: "R2"}  # slots 0 and 4
    assert Table(twos, "h14", "h15", "d1", "h15", "h12").promised(1) == {}  # one R2 is left
    told_lost = ("p0", "h15", "d1", "h15")  # but now it can be played
    assert Table(twos, *told_lost, "h12").promised(1) == {0: "R2"}
    assert Table(twos, *told_lost, "d0", "h15", "h12").promised(1) == {}  # one G2 is left, too


def test_saves_are_told_to_seats_that_would_discard():
    assert Table(FIVES).answer("TellSave") == "h15"
    assert Table(HANDS).answer("TellSave") == "-"
    assert Table(FIVES, "h1B", "h1Y").answer("TellSave") == "-"  # B1 was promised
    assert Table(FIVES, "h1B", "h1Y").answer("TellSave(1,busy)") == "h15"
    assert Table(FIVES, "h1R", "h1Y").answer("TellSave(1,busy)") == "-"  # it is told of


def test_promises_are_kept():
    assert Table(HANDS).answer("TellPromise") == "h11"  # it touches Y1 as well
    assert Table(HANDS, "h1B", "h1R").answer("TellPromise") == "-"
    assert Table(HANDS, "h1B", "h1R").answer("TellPromise(busy)") == "h11"
    assert Table(HANDS, "h1B", "h1Y").answer("TellPromise(busy)") == "-"  # I was promised Y1
    hidden = "R1 Y2 R4 W5 Y3  R3 Y1 G3 Y4 R1"  # hints that touch Y1 are about Y4 or R1
    assert Table(hidden, "p0", "h15").answer("TellPromise") == "-"


def test_harmless_hints_promise_nothing_wrong():
    later = "R1 Y2 R4 R5 Y3  R3 Y3 G3 W4 B4"
    assert Table(later).answer("TellHarmless") == "h13"  # no three can be played
    assert Table(later, "h13", "h15").answer("TellHarmless") == "h14"
    assert Table(HANDS).answer("TellHarmless") == "h11"


# The convention in mirror play.


@pytest.mark.parametrize("players", range(2, 6))
def test_those_who_keep_promises_rarely_misplay(players):
    """About 0.08 lives a game are lost, most to promises of a card that another seat played."""
    rules = Rules(players=players, bomb="keep")

    def lives_lost(rules_text: str) -> float:
        return (3 - play(rules_text, rules, 500, seed=2, threads=1).results["lives"]).mean()

    assert lives_lost(MIRROR) < 0.12
    assert lives_lost(MIRROR.replace("TellPromise", "TellAnyoneAboutUsefulCard")) > 1
