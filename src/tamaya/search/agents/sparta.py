"""SPARTA: exact beliefs and one step of search over a blueprint (Lerer et al. 2020).

    sparta:blueprint=smartbot
    sparta:blueprint=smartbot,seats=all,samples=1000,range=100
    sparta:blueprint=information,seats=code,tolerance=0.1
    sparta:blueprint=smartbot,seats=each,tolerance=0.1

``seats=one``: one seat searches (``seat``, counted from the last if negative), all others follow
the blueprint. So its beliefs are exact, and with enough samples it is never worse than the
blueprint. ``seats=all``: both seats of a table of two search, and each repeats the other's searches
to know what its moves meant (``tamaya.search.belief.public``); that is sound as well.

``seats=code``: every seat searches, with any number of players, over a blueprint that uses a code.
None of them makes a move from which the others would conclude something false, so all of them may
rely on the code, though not on each other's reasons (``tamaya.search.belief.code``). ``tolerance``
is the probability of a move that the blueprint would not have made.

``seats=each``: every seat with this agent searches and assumes that the others follow the
blueprint. That is correct for one seat among blueprints, and wrong if they search too: then
``tolerance`` limits what it infers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tamaya.agent import Agent, AgentError, BatchAgent, Player, Value
from tamaya.cards import DECK_SIZE, N_CARDS, card_name
from tamaya.game import Game
from tamaya.game_kernels import legal_mask
from tamaya.moves import move_phrase
from tamaya.registry import register
from tamaya.rules import MAX_MOVES, MAX_PLAYERS, Rules
from tamaya.search.agents.depth_one import rows_of_arms, sizes
from tamaya.search.belief.blueprints import Blueprint, blueprint_of, record_of
from tamaya.search.belief.code import known_sight
from tamaya.search.belief.contest import Contest, Outcome, Terms, deadline_after
from tamaya.search.belief.public import PublicGame, Searching, private_support
from tamaya.search.belief.support import Believing, Support, support_of
from tamaya.search.blueprint import Nested, any_blueprint_named, place_of_excluded
from tamaya.search.bridge import PythonAgent
from tamaya.search.parameters import ALIASES, LEAST, MOST
from tamaya.search.workspace import GENERATOR, random_seed

SEATS = {"one": 0, "each": 1, "all": 2, "code": 3}
TOP_HANDS = 3  # listed in an explanation
NOTHING_HELD = np.zeros(0, np.int64)
COMMON_SEED = 12345
ALL_HANDS = N_CARDS**5  # more than there are
CHECKED = 200  # deals of the second batch of an explanation

public_game = PublicGame()  # a cache: everything in it follows from the events


def _seats_named(text: str) -> None:
    if text not in SEATS:
        raise AgentError(f"{text!r} is none of {', '.join(SEATS)}")


def _seats_fields(text: str, found: Player | None) -> dict[str, int]:
    return {"seats": SEATS[text]}


def searches(view: np.record, params: np.record) -> bool:
    """Whether the seat of a view is one that searches."""
    if params.seats == SEATS["code"] and view.deck_size <= params.late:
        return True
    is_one = params.seats in (SEATS["one"], SEATS["code"])
    return not is_one or view.seat == params.seat % view.players


def believing(params: np.record, players: int) -> Believing:
    """The settings for supports, from the parameters."""
    how = Believing(float(params.tolerance), int(params.support), int(params.draws),
                    int(params.threads))  # fmt: skip
    if params.seats == SEATS["code"]:
        return how._replace(searcher=int(params.seat) % players, late=int(params.late))
    return how


def terms_of(params: np.record, seed: int, **changes: Any) -> Terms:
    """The budget of a decision, from the parameters."""
    margin = float(params.margin)
    terms = Terms(
        samples=int(params.samples), deadline=deadline_after(float(params.ms)), margin=margin,
        exact_margin=margin if params.seats in (SEATS["each"], SEATS["code"]) else 0.0,
        errors=float(params.errors), rollout=int(params.rollout), keep=bool(params.keep),
        threads=int(params.threads), seed=seed,
    )  # fmt: skip
    return terms._replace(**changes)


def searching(params: np.record) -> Searching:
    """What both seats agree on through their parameters: samples, not time, and a common seed."""
    terms = terms_of(params, COMMON_SEED)._replace(deadline=0)
    return Searching(believing(params, 2), terms, int(params.range), blueprint_of(params).identity)


def decide(view: np.record, params: np.record, terms: Terms) -> tuple[Support, Outcome]:
    """What a seat believes, and the outcome of its contest of moves."""
    blueprint = blueprint_of(params)
    if params.seats == SEATS["all"]:
        agreed = searching(params)
        position = public_game.position(view, blueprint, agreed)
        terms = agreed.terms._replace(check=terms.check)
        return public_game.decide(view, position, blueprint, agreed, terms)
    sight, moves = None, int(legal_mask(view))
    if params.seats == SEATS["code"]:
        sight, moves = known_sight(view, record_of(params))
    support = support_of(view, blueprint, believing(params, int(view.players)), sight)
    if support.past.default >= 0:
        moves |= 1 << support.past.default
    return support, Contest(view, blueprint, support, terms).run(moves or int(legal_mask(view)))


def move_unsearched(view: np.record, params: np.record) -> int:
    """The blueprint's move if the mover follows it without a search, otherwise -1."""
    return -1 if searches(view, params) else blueprint_of(params).past(view, NOTHING_HELD).default


def act(view: np.record, memory: np.record, params: np.record) -> int:
    """Tries every move on the hands with which the others would have moved as they did."""
    terms = terms_of(params, int(random_seed(memory)))
    move = move_unsearched(view, params)
    return move if move >= 0 else decide(view, params, terms)[1].move


def believed(view: np.record, params: np.record) -> Support:
    """The belief of the seat of a view, even if another seat is to move."""
    blueprint = blueprint_of(params)
    if params.seats == SEATS["all"]:
        agreed = searching(params)
        position = public_game.position(view, blueprint, agreed)
        return private_support(view, position, blueprint, agreed)
    sight = known_sight(view, record_of(params))[0] if params.seats == SEATS["code"] else None
    return support_of(view, blueprint, believing(params, int(view.players)), sight)


def believe(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
    """Probabilities according to the support."""
    return believed(view, params).marginals(int(view.hand_size))


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, str]]:
    """The support, its likeliest hands, and every move that was tried, the best first.

    A seat that follows the blueprint shows no race: what search would say does not matter to it.
    """
    if view.mover != view.seat:
        return support_rows(believed(view, params))
    if (move := move_unsearched(view, params)) >= 0:
        rows = support_rows(believed(view, params))
        rows.append(("the blueprint's move", move_phrase(sizes(view), move)))
        rows.append(("no search", f"this seat follows the blueprint, {who_searches(params)}"))
        return rows
    seed = int(random_seed(memory.copy()))
    support, outcome = decide(view, params, terms_of(params, seed, check=CHECKED))
    rows, rules = support_rows(support), sizes(view)
    if outcome.default >= 0:
        rows.append(("the blueprint's move", move_phrase(rules, outcome.default)))
    if outcome.is_exact:
        rows.append(("the rest of the game", f"all {outcome.n_deals:,} deals were played"))
    rows += rows_of_arms(outcome.arms, rules)
    if outcome.move != outcome.default and not outcome.is_exact:
        mean, error = outcome.check
        rows.append(("gain on fresh deals", f"{mean:+.3f} ± {error:.3f}, {CHECKED} deals"))
    return rows


def who_searches(params: np.record) -> str:
    """Words on the seat that searches, and on when the others begin to."""
    who = "the last seat searches" if params.seat == -1 else f"seat {params.seat} searches"
    if params.seats == SEATS["code"] and params.late >= 0:
        return f"{who}, and the others once {params.late} cards are left in the deck"
    return who


def support_rows(support: Support) -> list[tuple[str, str]]:
    """Rows on how many hands there are, and on the likeliest."""
    size = len(support.hands)
    hands = f"{size:,} hand{'s' if size != 1 else ''}"
    rows = [("support", hands if support.is_exact else f"{hands} drawn")]
    for cards, share in support.top(TOP_HANDS):
        names = " ".join(card_name(card) for card in cards)
        rows.append((names, f"{100 * share:.1f} %"))
    return rows


def rehearse(params: np.record) -> None:
    """Compile all kernels of a decision over the blueprint among the parameters."""
    rehearse_with(blueprint_of(params).for_any_rules())


def rehearse_with(blueprint: Blueprint) -> None:
    """Compile all kernels of a decision, by deciding in a game of a few cards."""
    game = Game(Rules(players=2, colours=1, ranks=3, hand_size=1))
    game.apply(game.legal_moves[0])
    view, terms = game.view(), Terms(samples=2)
    support = support_of(view, blueprint, Believing())
    support_of(view, blueprint, Believing(most=0, draws=1))
    for samples in (2, 10_000):
        Contest(view, blueprint, support, terms._replace(samples=samples)).run(
            int(legal_mask(view))
        )
    strikes = support.strikes.copy()
    costs = np.zeros(1, np.uint8)
    blueprint.strike_by_replay(support.hands, 1, strikes, view, support.sight.orders, costs, 1)
    random_seed(np.zeros(1, GENERATOR)[0])


class SpartaAgent(PythonAgent):
    """The agent for a choice of ``seats``: ``all`` is for two players, ``code`` needs a code.

    Neither is for batch agents, whose answers may depend on what else they are asked.
    """

    def with_params(self, values: Mapping[str, Value | str]) -> Agent:
        """The same agent with other parameters."""
        other = super().with_params(values)
        assert isinstance(other, SpartaAgent)
        blueprint, seats = other.agent_of("blueprint"), other.texts["seats"]
        if seats == "all":
            other.narrow((2, 2), "parameter 'seats' is 'all', which is for 2 players")
        elif seats != "each" and (seat := int(other.values["seat"])) > 1:
            other.narrow((seat + 1, MAX_PLAYERS), f"parameter 'seat' is {seat}, the seat of "
                                                  f"player {seat + 1}")  # fmt: skip
        if seats in ("all", "code") and isinstance(blueprint, BatchAgent):
            raise AgentError(f"agent {self.name!r}: seats={seats} needs a compiled "
                             f"blueprint, which always answers alike: {blueprint.spec} decides "
                             f"for many games at once, so use seats=one or seats=each")  # fmt: skip
        if seats == "code" and isinstance(blueprint, Agent) and place_of_excluded(blueprint) < 0:
            raise AgentError(f"agent {self.name!r}: seats=code needs a blueprint that "
                             f"talks in a code, such as information: {blueprint.spec} has no "
                             f"common memory of what each card cannot be")  # fmt: skip
        return other


PARAMS: Mapping[str, Any] = {
    "seat": -1, "samples": 10_000, "ms": 0.0, "margin": 0.05, "errors": 2.5, "tolerance": 0.0,
    "range": 100, "support": 100_000, "draws": 2000, "threads": 1, "rollout": MAX_MOVES,
    "keep": False, "late": DECK_SIZE,
}  # fmt: skip
sparta = register(
    SpartaAgent(
        "sparta",
        act,
        nested={
            "blueprint": any_blueprint_named("information"),
            "seats": Nested("one", _seats_named, _seats_fields),
        },
        params=PARAMS,
        source="Lerer et al. 2020",
        rehearse=rehearse,
        slow=True,
        least={**{key: value for key, value in LEAST.items() if key in PARAMS},
               "seat": -1, "tolerance": 0.0, "range": 1, "support": 1, "draws": 1, "threads": 0,
               "late": -1},
        most={**{key: value for key, value in MOST.items() if key in PARAMS},
              "samples": 10**7, "seat": MAX_PLAYERS - 1, "tolerance": 1.0, "range": ALL_HANDS,
              "support": ALL_HANDS, "draws": ALL_HANDS, "threads": 1024, "late": DECK_SIZE},
        aliases={old: new for old, new in ALIASES.items() if new in PARAMS or new == "blueprint"},
    )
)  # fmt: skip
sparta.believe(believe)
sparta.explain(explain)
# With little time fewer hands are listed or sampled.
register(sparta.preset("sparta-40ms", ms=40.0, margin=0.2, support=10_000, draws=200))
register(sparta.preset("sparta-200ms", ms=200.0, support=50_000, draws=1000))
register(sparta.preset("sparta-1s", ms=1000.0))
# The strongest with two players: where only one seat searches, nobody misreads a small deviation.
register(sparta.preset("sparta-lead", samples=3000, margin=0.01, errors=2.0))
# The strongest with more: every seat searches and follows the code.
register(sparta.preset("sparta-code", seats="code", samples=1000, tolerance=0.1))
