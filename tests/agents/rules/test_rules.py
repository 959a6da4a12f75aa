"""Every rule but our own against the naive oracle, on thousands of positions."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest

from agents.rules import naive_rules
from agents.rules.asking import (
    BROKE_DOWN,
    BY_CHANCE,
    PASSED,
    ask,
    bits_text,
    careful_game,
    compiled_answers,
    n_games,
    wanted_turns,
    watch,
)
from agents.rules.naive_position import Move, Position
from agents.rules.naive_rules import CRASH, NOTHING, Answer
from reference import ReferenceRules, move_table
from support import pick_rules, play_randomly, reference_of, replay, scaled
from tamaya.agents.rules import library
from tamaya.agents.rules.facts import note_facts
from tamaya.agents.rules.language import Step, parse_step
from tamaya.agents.rules.rule import MEMORY, RULES
from tamaya.agents.rules.tamaya_rules import OURS
from tamaya.compiled import BOUNDS_CHECKED, JIT, hot
from tamaya.game import Game
from tamaya.moves import GIVE_UP, NO_MOVE
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.table import play

assert library.MODULES

TEXTS = """
    PlayIfCertain PlaySafeCard PlayProbablySafe(0) PlayProbablySafe(0.25) PlayProbablySafe(0.6)
    PlayProbablySafe(1) IfLives>1:PlayProbablySafe(0.4) IfLives<=1:PlaySafeCard
    IfHailMary:PlayProbablySafe(0) PlayFinesse PlayFinesseTold PlayUniquePossibleCard
    PlayJustHinted(no,no,0,0) PlayJustHinted(yes,yes,2,0) PlayJustHinted(yes,no,2,0.6)
    PlayJustHinted(no,yes,1,0.4) PlayJustHinted(no,no,2,0.8) PlayJustHinted(yes,no,2,1)
    TellAnyoneAboutUsefulCard TellAnyoneAboutOldestUsefulCard CompleteTellUsefulCard
    TellPlayableCard TellPlayableCardOuter TellAboutOnes TellUnknown TellRandomly TellFives
    TellAnyoneAboutUselessCard TellDispensable IfTokens<4:TellDispensable TellMostInformation
    TellMostInformation(new) TellIllInformed TellFinesse TellToSave TellToSavePartialOnly
    DiscardIfCertain DiscardSafeCard DiscardUselessCard OsawaDiscard DiscardHighest
    DiscardOldestFirst DiscardOldestNoInfoFirst DiscardUnidentifiedCard
    DiscardLeastLikelyToBeNecessary DiscardProbablyUseless(0) DiscardProbablyUseless(0.4)
    DiscardProbablyUseless(1) DiscardRandomly TryToUnBlock LegalRandom OsawaRandom
    TellUnambiguous(yes) TellUnambiguous(no) TellUnambiguous2(1,0) TellUnambiguous2(2,-1)
    TellUnambiguous3(1,0) TellUnambiguous3(1,-2) TellAtLeastNUseless(1) TellAtLeastNUseless(2)
    TellHighProbabilityMistake(yes,0.1) TellHighProbabilityMistake(yes,0.5)
    TellHighProbabilityMistake(no,0.1) TellHighProbabilityMistake(no,0.5)
"""
STEPS = [parse_step(text) for text in TEXTS.split()]
CONDITIONS = {
    "Lives>1": lambda position, faithful: position.lives > 1,
    "Lives<=1": lambda position, faithful: position.lives <= 1,
    "Tokens<4": lambda position, faithful: position.tokens < 4,
    "HailMary": lambda position, faithful: (
        not faithful and position.lives > 1 and len(position.unseen) == position.k
    ),
}
# Rules of which the originals end the game at times; OsawaRandom does so by an illegal move.
BREAK_DOWN = {
    "PlayFinesse", "TellFinesse", "TellUnambiguous", "TellUnambiguous2", "TellUnambiguous3",
    "TellAtLeastNUseless", "TellHighProbabilityMistake",
}  # fmt: skip
# Rules that count the cards in sight.
COUNTING = {
    "PlaySafeCard", "PlayProbablySafe", "DiscardProbablyUseless", "DiscardUselessCard",
    "DiscardLeastLikelyToBeNecessary", "TellUnambiguous2", "TellAtLeastNUseless",
}  # fmt: skip
# Rules whose answer depends on what was in a slot earlier, or when it was drawn.
HISTORIC = {
    "PlayFinesse", "PlayFinesseTold", "PlayUniquePossibleCard", "PlayJustHinted", "TellFinesse",
    "TellAnyoneAboutOldestUsefulCard", "DiscardOldestFirst", "DiscardOldestNoInfoFirst",
}  # fmt: skip
TEAMS = [
    ("legal-random",),
    ("iggi", "sample", "piers", "outer", "van-den-bergh"),
    ("rules:PlaySafeCard,IfChance<0.3:TellUnknown,IfChance<0.4:TellMostInformation(new),"
     "IfChance<0.3:LegalRandom,TellRandomly,DiscardRandomly",),
    ("mirror-situational", "clivej", "mixed-old", "mirror-situational", "cautious"),
]  # fmt: skip


def framework_rules(players: int, refill: str = "in_place") -> Rules:
    """The rules of the competition framework."""
    return Rules(players=players, bomb="keep", refill=refill)


# Positions: the view of the mover for the compiled rules, and what the oracle sees.


def stop(
    game: Game, is_wanted: np.ndarray, ghosts: bool = False
) -> tuple[np.ndarray, list[Position]]:
    """What the mover sees at some turns of a game, compiled and naive."""
    views = np.zeros(int(is_wanted.sum()), VIEW)
    watch(game.copy().record, np.array(game.moves, np.int64), is_wanted, views)
    slow = reference_of(game.rules, game.deck, int(game.record.start))
    positions = []
    for turn in range(game.turn + 1):
        if is_wanted[turn]:
            positions.append(Position(slow, slow.mover, ghosts))
        if turn < game.turn:
            slow.apply(game.moves[turn])
    return views, positions


def played_games(refill: str, n: int) -> Iterator[Game]:
    """Games of all sizes of several teams, n each; with the compiler off of a team of chance."""
    for players in range(2, 6):
        rules = framework_rules(players, refill)
        if not JIT:
            yield from (careful_game(rules, seed) for seed in range(n))
            continue
        for number, names in enumerate(TEAMS):
            team = [names[(players + seat) % len(names)] for seat in range(players)]
            played = play(team, rules, n, seed=number, threads=1, record=True)
            yield from (played.game(k) for k in range(n))


@cache
def sample(refill: str, n: int, ghosts: bool) -> tuple[np.ndarray, list[Position]]:
    """Positions of games of all sizes."""
    rng = Random(0)
    views, positions = [], []
    for game in played_games(refill, n):
        seen, naive = stop(game, wanted_turns(game, rng), ghosts)
        views.append(seen)
        positions += naive
    return np.concatenate(views), positions


# Both answers, as masks.


def naive_answer(position: Position, step: Step, faithful: bool) -> Answer:
    """What the oracle answers to a step."""
    if not all(CONDITIONS[str(when)](position, faithful) for when in step.conditions):
        return NOTHING
    kinds = map(type, step.rule.parameters.values())
    arguments = tuple(kind(value) for kind, value in zip(kinds, step.arguments, strict=True))
    return naive_rules.answer(position, step.rule.name, faithful, arguments)


@cache
def meanings(players: int) -> dict[tuple, int]:
    """The id of each move of the oracle of the game."""
    rules = ReferenceRules(players=players, hand_size=5 if players < 4 else 4)
    return {meaning: move for move, meaning in enumerate(move_table(rules))}


def answer_bit(position: Position, move: Move | None) -> int:
    """The bit of a move of the oracle."""
    if move is NOTHING:
        return PASSED
    if move == CRASH:
        return BROKE_DOWN
    kind, place, *told = move
    if not told:
        return meanings(position.n)[kind, place]
    offset = (place - position.me) % position.n
    if kind == "value":
        return meanings(position.n)["rank", offset, told[0] - 1]
    return meanings(position.n)["colour", offset, told[0]]


def answer_mask(position: Position, answer: Answer) -> int:
    """All moves that the oracle allows, as a mask."""
    moves = answer if isinstance(answer, dict) else [answer]
    return sum(1 << answer_bit(position, move) for move in moves)


def compare(
    steps: list[Step], faithful: bool, n: int, refill: str = "in_place", ghosts: bool = False
) -> dict[str, Counter[str]]:
    """Ask rules in sampled positions; returns how often each acted, passed and broke down."""
    views, positions = sample(refill, n, ghosts)
    answers = compiled_answers(views, steps, faithful, ghosts=int(ghosts)).tolist()
    seen: dict[str, Counter[str]] = {step.rule.name: Counter() for step in steps}
    for position, found in zip(positions, answers, strict=True):
        for step, mask in zip(steps, found, strict=True):
            expected = answer_mask(position, naive_answer(position, step, faithful))
            kind = {1 << PASSED: "passed", 1 << BROKE_DOWN: "broke down"}.get(expected, "acted")
            seen[step.rule.name][kind] += 1
            if not JIT and step.rule.name in BY_CHANCE:
                expected &= mask  # too few draws to see all
            assert mask == expected, (
                f"{step}, faithful={faithful}, {refill}: {bits_text(mask)} instead of "
                f"{bits_text(expected)} for seat {position.me} after {position.actions}"
            )
    return seen


def test_the_oracle_knows_every_rule():
    # Rules of examples in the documentation may be there too.
    package = {name: known for name, known in RULES.items()
               if known.function.__module__.startswith("tamaya.")}  # fmt: skip
    theirs = {name for name, known in package.items() if known.source != OURS}
    assert set(naive_rules.ORACLES) == {name.lower() for name in theirs}
    assert {step.rule.name for step in STEPS} == theirs


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("faithful", [True, False], ids=["faithful", "repaired"])
def test_rules_answer_as_the_oracle(faithful):
    seen = compare(STEPS, faithful, n_games(24))
    if not JIT or BOUNDS_CHECKED:
        return
    assert sum(seen["LegalRandom"].values()) > 2000
    assert {name for name, kinds in seen.items() if not kinds["acted"]} == set()
    never_passed = {name for name, kinds in seen.items() if not kinds["passed"]}
    assert never_passed == {"LegalRandom", "OsawaRandom"}
    broke_down = {name for name, kinds in seen.items() if kinds["broke down"]}
    assert broke_down == (BREAK_DOWN if faithful else set())


def test_repaired_rules_follow_cards_that_shift():
    historic = [step for step in STEPS if step.rule.name in HISTORIC]
    seen = compare(historic, False, 10, refill="shift")
    assert all(kinds["acted"] and kinds["passed"] for kinds in seen.values())


def test_ghosts_are_counted_as_unseen():
    counting = [step for step in STEPS if step.rule.name in COUNTING and not step.conditions]
    seen = compare(counting, True, 8, ghosts=True)
    assert all(kinds["acted"] and kinds["passed"] for kinds in seen.values())
    haunted = sample("in_place", 8, True)[0]
    plain, ghostly = (compiled_answers(haunted, counting, True, 1, ghosts) for ghosts in (0, 1))
    assert (plain != ghostly).any(axis=0).all()


@hot
def tally(view, memory, line, counts):
    """Ask a rule again and again and count its answers."""
    note_facts(view, memory, 0)
    for _ in range(20_000):
        move = ask(view, memory, line)
        counts[PASSED if move == NO_MOVE else BROKE_DOWN if move == GIVE_UP else move] += 1


@pytest.mark.parametrize("faithful", [True, False], ids=["faithful", "repaired"])
@pytest.mark.parametrize("name", sorted(BY_CHANCE))
def test_chance_is_fair(name, faithful):
    views, positions = sample("in_place", 24, False)
    step, memory = parse_step(name), np.zeros(1, MEMORY)
    for k in range(50, len(views), len(views) // 12):
        answer = naive_answer(positions[k], step, faithful)
        if not isinstance(answer, dict):
            continue
        counts = np.zeros(64, np.int64)
        tally(views[k], memory[0], step.line(faithful)[0], counts)
        for move, p in answer.items():
            found = counts[answer_bit(positions[k], move)]
            assert abs(found - 20_000 * p) < 5 * (20_000 * p * (1 - p)) ** 0.5 + 1, move


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("faithful", [True, False], ids=["faithful", "repaired"])
def test_answers_are_legal_under_any_rules(faithful):
    rng = Random(1)
    for seed in range(max(scaled(400), 40)):
        game = play_randomly(Game(pick_rules(rng.choice), seed), rng)
        game = replay(game, turns=rng.randrange(game.turn))
        views = np.array([game.view()], VIEW)
        allowed = sum(1 << move for move in game.legal_moves) | 1 << PASSED
        answers = compiled_answers(views, STEPS, faithful, 5)[0].tolist()
        for step, mask in zip(STEPS, answers, strict=True):
            may_crash = faithful and step.rule.name in {*BREAK_DOWN, "OsawaRandom"}
            wrong = mask & ~(allowed | may_crash << BROKE_DOWN)
            assert not wrong, f"{step}: {bits_text(wrong)} in {game.to_text()}"
