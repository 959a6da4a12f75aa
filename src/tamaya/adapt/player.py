"""``adaptive``: an agent that learns its partner, from games it has seen or during the game.

With samples it recognises who played them and plays as the known agent that goes best with that
partner. If no known agent explains them, it fits a model of the team and responds to that; if the
team speaks a code, it deciphers the code and is careful with its own messages. Without samples
every known agent may be its partner, or people, or somebody unknown: it begins as the agent that
goes best with all known ones, and changes as the partner's moves show who it is.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tamaya.adapt.codes import speaks_code
from tamaya.adapt.crosstable import crosstable
from tamaya.adapt.deciphering import deciphered, is_plain
from tamaya.adapt.discreet import own_chances, respond_to_code
from tamaya.adapt.families import library
from tamaya.adapt.model import fitted, weights_text
from tamaya.adapt.playing import (
    MAX_LIBRARY,
    MEMORY,
    best_answer,
    expected_moves,
    hear,
    move_as,
    shares_of,
)
from tamaya.adapt.prior import among_people, prior
from tamaya.adapt.recognise import evidence, is_explained
from tamaya.adapt.respond import expected_replies, respond
from tamaya.adapt.settings import (
    LEAST,
    MOST,
    NAME,
    NAMES,
    THINKING,
    UNKNOWN,
    AdaptiveParams,
    params_without,
)
from tamaya.adapt.strangers import KNOWN, NAMES_OF_MODELS, hear_models, share_of, stranger
from tamaya.adapt.strangers import MEMORY as MEMORY_OF_STRANGERS
from tamaya.agent import Agent, AgentError, Value
from tamaya.game import Game
from tamaya.moves import move_phrase
from tamaya.player import sizes_text
from tamaya.registry import find_agent, register
from tamaya.rules import MAX_HAND, MAX_PLAYERS, Rules
from tamaya.search.workspace import N_IDS, random_seed
from tamaya.seat import ask

N_SHOWN = 3  # partners and moves that an explanation lists
LEAST_SHOWN = 0.05  # probability of a partner that is worth a word
SHOWN_DEALS = 20  # imagined for an explanation
LIKELY = 0.5  # chance to be playable, for an own card that it mentions


class AdaptiveAgent(Agent):
    """The agent that learns from samples; what it makes of them depends on its parameters."""

    params: AdaptiveParams

    @property
    def learns_from_samples(self) -> bool:
        """It does."""
        return True

    def prepared(
        self, samples: Sequence[Game], partners: Sequence[Collection[int]] = ()
    ) -> "AdaptiveAgent":
        """The agent that knows who played some games; the same without any.

        ``partners`` are the seats of each game whose moves count, by default all of them. What the
        agent knew of others before is forgotten.
        """
        check_samples(samples, partners)
        told = [k for k, game in enumerate(samples) if game.turn > 0]
        if not told:
            return self
        seats = [bits_of(partners[k]) for k in told] if partners else []
        found = study(self.params, [samples[k] for k in told], seats)
        known = self.with_params({**UNKNOWN, **found})
        assert isinstance(known, AdaptiveAgent)
        return known

    def with_params(self, values: Mapping[str, Value | str]) -> "AdaptiveAgent":
        """The same agent with other parameters, for the table sizes that its ally supports."""
        other = super().with_params(values)
        assert isinstance(other, AdaptiveAgent)
        other.players, other.narrowed_by = (2, MAX_PLAYERS), ""
        if ally := other.params.texts["ally"]:
            sizes = find_agent(ally).players
            other.narrow(sizes, f"parameter 'ally' is {ally!r}, which plays with "
                                f"{sizes_text(sizes)}")  # fmt: skip
        return other


def act(view, memory, params):
    """Plays as the known agent that goes best with its partner, or responds to what it learned."""
    seed = random_seed(memory)
    if params.has_code:
        return respond_to_code(view, params.code, seed)
    if params.has_model:
        return respond(view, params.weights, params, seed)
    if params.ally.act != 0:
        return move_as(view, params.ally, seed)
    library = params.library[view.players]
    models = params.models[view.players]
    hear_models(view, models, memory, seed)
    hear(view, library, memory, seed)
    kind = stranger(memory, library.n)
    if kind != KNOWN:
        return respond(view, models.weights[kind], params, seed)
    shares = np.zeros(MAX_LIBRARY)
    shares_of(library, memory.logs, shares)
    return move_as(view, library.member[best_answer(library, shares)], seed)


def check_samples(samples: Sequence[Game], partners: Sequence[Collection[int]]) -> None:
    """Refuse games of different rules, and seats that do not belong to them."""
    for number, game in enumerate(samples, 1):
        if game.rules != samples[0].rules:
            raise AgentError(f"sample {number} is a game by other rules than the first: "
                             f"{game.rules.to_text()}, not "
                             f"{samples[0].rules.to_text()}")  # fmt: skip
    if partners and len(partners) != len(samples):
        raise AgentError(f"there are {len(samples)} samples, but seats of {len(partners)}")
    for number, seats in enumerate(partners, 1):
        if not seats or not all(0 <= seat < samples[0].rules.players for seat in seats):
            raise AgentError(f"sample {number}: the partners have some of the seats 0 to "
                             f"{samples[0].rules.players - 1}, not {sorted(seats)}")  # fmt: skip


def bits_of(seats: Collection[int]) -> int:
    """Seats as bits."""
    return sum(1 << seat for seat in set(seats))


def study(
    params: AdaptiveParams, samples: Sequence[Game], seats: Sequence[int] = ()
) -> dict[str, Value | str]:
    """What some games of future team-mates say: whom it takes them for, and whom to play as.

    The moves of some seats of each game count, given as bits, or all.
    """
    rules = samples[0].rules
    names = library(rules.players, params.without)
    if names:
        said = evidence(samples, names, seats)
        shares, best = said.posterior(), said.best()
        if is_explained(said, best, rules):
            ally, _ = crosstable(rules.players).answer(names, shares)
            return {"ally": ally, "partner": best, "chance": round(shares[best], 4)}
    if speaks_code(samples, seats):
        code = deciphered(samples, seats)
        if not is_plain(code):
            return {"code": code}
    expected = prior(rules.players, params.without)
    person = among_people(rules.players, params.without)
    others = [] if person is None else [person]
    return {"model": weights_text(fitted(samples, expected, seats, others))}


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """Whom it takes its partner for, as whom it plays, and what it expects it to do next."""
    is_mine = view.mover == view.seat
    move = int(ask(act_address(), view, memory.copy(), params)) if is_mine else -1
    counts, seed = np.zeros(N_IDS, np.int64), np.uint64(1)
    if params["has_code"]:
        return [("takes its partner for", "a stranger who speaks a code"),
                *code_rows(view, params["code"])]  # fmt: skip
    if params["has_model"]:
        rows: list[tuple[str, Any]] = [("takes its partner for", "a stranger, and has a model")]
        expected_replies(view, params["weights"], move, SHOWN_DEALS, seed, counts)
    else:
        thought = opinion(view, memory, params)
        rows = [("takes its partner for", f"{name}, {100 * chance:.0f} %")
                for name, chance in thought.chances]  # fmt: skip
        if not rows:
            rows = [("takes its partner for", "nobody in particular")]
        if thought.ally:
            rows.append(("plays as", thought.ally))
        if thought.partner is not None:
            expected_moves(view, thought.partner, move, SHOWN_DEALS, seed, counts)
        elif thought.kind != KNOWN:
            weights = params["models"][int(view.players)]["weights"][thought.kind]
            expected_replies(view, weights, move, SHOWN_DEALS, seed, counts)
    rules = Rules(players=int(view.players), colours=int(view.colours), ranks=int(view.ranks),
                  hand_size=int(view.hand_size))  # fmt: skip
    when = "then expects" if move >= 0 else "expects"
    for reply in np.argsort(-counts, kind="stable")[:N_SHOWN]:
        if counts[reply] > 0:
            share = counts[reply] / counts.sum()
            rows.append((f"{when} {move_phrase(rules, int(reply))}", f"{100 * share:.0f} %"))
    return rows


def code_rows(view: np.record, code: np.record) -> list[tuple[str, Any]]:
    """The own cards that messages and cards in sight make likely to be playable."""
    chances = np.zeros(MAX_HAND)
    own_chances(view, code, np.uint64(1), chances)
    return [(f"takes slot {slot} to be playable", f"{100 * chances[slot]:.0f} %")
            for slot in range(MAX_HAND) if chances[slot] >= LIKELY]  # fmt: skip


@cache
def act_address() -> int:
    """Where the compiled ``act`` is, the same for all variants of the agent."""
    return adaptive.with_params({"ally": "first-legal"}).compile().act


class Opinion(NamedTuple):
    """Whom it takes its partner for: names with probabilities, and the likeliest of all if clear.

    That is a known agent as a candidate, or the model of a kind of stranger, or neither. ``ally``
    is empty if it responds to a model.
    """

    chances: list[tuple[str, float]]
    partner: np.record | None
    kind: int
    ally: str


def opinion(view: np.record, memory: np.record, params: np.record) -> Opinion:
    """Whom it takes its partner for, and as whom it plays."""
    if params["ally"]["act"]:
        name, ally = NAMES[int(params["partner_place"])], NAMES[int(params["ally_place"])]
        return Opinion([(name, float(params["chance"]))], params["partner"], KNOWN, ally)
    book, models = params["library"][int(view.players)], params["models"][int(view.players)]
    names = library(int(view.players), params_without(params))
    hear_models(view, models, memory, np.uint64(1))
    hear(view, book, memory, np.uint64(1))
    shares = np.zeros(MAX_LIBRARY)
    shares_of(book, memory["logs"], shares)
    strange = [share_of(memory, kind, len(names)) for kind in range(len(NAMES_OF_MODELS))]
    known = (1 - sum(strange)) * shares[: len(names)]
    chances = [*zip(NAMES_OF_MODELS, strange, strict=True), *zip(names, known, strict=True)]
    shown = [(name, float(chance)) for name, chance in sorted(chances, key=lambda one: -one[1])
             if chance >= LEAST_SHOWN][:N_SHOWN]  # fmt: skip
    kind = int(stranger(memory, len(names)))
    ally = names[int(best_answer(book, shares))] if names and kind == KNOWN else ""
    if not names or max(strange) >= known.max():
        likeliest = int(np.argmax(strange)) if max(strange) >= LEAST_SHOWN else KNOWN
        return Opinion(shown, None, likeliest, ally)
    partner = book["member"][int(np.argmax(known))] if known.max() >= LEAST_SHOWN else None
    return Opinion(shown, partner, KNOWN, ally)


adaptive = AdaptiveAgent(
    NAME,
    act,
    memory=[*MEMORY, *MEMORY_OF_STRANGERS],
    params=AdaptiveParams({"chance": 0.0, **THINKING}, least={"chance": 0.0, **LEAST},
                          most={"chance": 1.0, **MOST}),
    slow=True,
    source="Tamaya",
)  # fmt: skip
adaptive.explain(explain)
register(adaptive)
