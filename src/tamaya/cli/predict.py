"""`tamaya predict`: how well agents predict the moves of people they have not seen."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.imitate import read_person_games
from tamaya.cli.options import Json, counted, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamaya.learn.imitation.games import PersonGame
    from tamaya.learn.imitation.scores import Score

USUAL = ("human", "tamaya-mixed", "piers", "ppo")
SPLIT = 1

Files = Annotated[
    list[str], typer.Argument(help="Files or folders of games of people.", metavar="GAMES")
]


def predict(
    sources: Files,
    players: Annotated[
        int | None, typer.Option("--players", "-p", min=2, max=5, help="Only games of so many.")
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="An agent or a network's file; may be repeated.",
            metavar="AGENT",
            show_default=", ".join(USUAL),
        ),
    ] = None,
    everybody: Annotated[
        bool, typer.Option("--everybody", help="Also the people that were learned from.")
    ] = False,
    split: Annotated[
        int | None,
        typer.Option(
            help="Seed that determines who is held out; that of the first network.",
            show_default="1",
        ),
    ] = None,
    seen: Annotated[
        str,
        typer.Option(
            help="Instead of agents: a model of people that has seen so many games of the person, "
            "such as 0,1,3,10."
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Predict the moves of held-out people: share of likeliest moves made, nats per move.

    Agents that name one move are given the rate of random moves that suits other held-out people.
    """
    from tamaya.lookup import find_agent

    games = read_person_games(tuple(sources), players)
    n = games[0].game.rules.players
    if seen:
        if agent or everybody:
            raise typer.BadParameter("--seen goes without --agent and --everybody")
        _predict_persons(sources, games, _numbers(seen), SPLIT if split is None else split, json)
        return
    names = list(agent or (name for name in USUAL if find_agent(name).plays_with(n)))
    if split is None:
        split = _split_of(names, n)
    scores = list(_scores(names, games, split, everybody))
    document = {"games": sources, "players": n, "split": split, "everybody": everybody,
                "scores": [each.as_dict() for each in scores]}  # fmt: skip
    print_json(document) if json else _print(document, scores)


def _numbers(text: str) -> list[int]:
    """The numbers of games of a text such as ``0,1,10``."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() for part in parts) or len(set(parts)) < len(parts):
        raise ValueError(f"--seen takes different numbers of games such as 0,1,3,10, not {text!r}")
    return [int(part) for part in parts]


def _predict_persons(
    sources: list[str], games: "Sequence[PersonGame]", numbers: list[int], split: int, json: bool
) -> None:
    """How much better people are predicted by who has seen some of their games."""
    from tamaya.learn.imitation.persons import by_games_seen

    found = by_games_seen(games, numbers, split)
    if json:
        print_json({"games": sources, "split": split, "seen": [one.as_dict() for one in found]})
        return
    title = f"{counted(found[0].moves, 'move')} of {found[0].people} held-out people"
    rows = [[str(one.seen), f"{one.nats:.3f} ± {one.nats_se:.3f}",
             f"{one.gain:.3f} ± {one.gain_se:.3f}"] for one in found]  # fmt: skip
    print_table(title, ["games seen", "nats", "better than what is common"], rows, left=0)


def _split_of(names: "Sequence[str]", players: int) -> int:
    """The split by which the first network among some agents was trained."""
    from tamaya.agents.learned.people.agent import PeopleAgent
    from tamaya.lookup import find_agent

    for name in names:
        found = find_agent(name)
        if isinstance(found, PeopleAgent) and found.plays_with(players):
            return int(found.networks[players].metadata.get("split", SPLIT))
    return SPLIT


def _scores(
    names: "Sequence[str]", games: "Sequence[PersonGame]", split: int, everybody: bool
) -> "Any":
    """The scores of uniform play and of every agent."""
    from tamaya.agents.learned.people.agent import PeopleAgent
    from tamaya.learn.imitation import scores
    from tamaya.learn.imitation.games import TEST, TRAIN, VALIDATION, games_in
    from tamaya.lookup import find_agent

    parts = (TRAIN, VALIDATION, TEST) if everybody else (TEST,)
    asked = games_in(games, parts, split)
    if not asked:
        raise ValueError(f"nobody of {len({each.person for each in games})} people is held out by "
                         f"split {split}: use --everybody or another split")  # fmt: skip
    turns = scores.turns_of(asked)
    yield scores.score_uniform(turns)
    others = games_in(games, (VALIDATION,), split) or asked
    for name in names:
        found = find_agent(name)
        if isinstance(found, PeopleAgent):
            yield scores.score_people(name, turns, scores.probabilities(found, asked))
        else:
            noise = scores.best_noise(scores.turns_of(others), _named(name, others))
            yield scores.score_named(name, turns, _named(name, asked), noise)


def _named(name: str, games: "Sequence[PersonGame]") -> Any:
    """The move of an agent at every turn of people, -1 where it has none."""
    import numpy as np

    from tamaya.lookup import find_agent
    from tamaya.replays.agreement import moves_of

    player, named = find_agent(name), []
    for each in games:
        again = each.game.at(0)
        for move, made in zip(moves_of(player, each.game), each.game.moves, strict=True):
            if again.mover in each.seats:
                named.append(-1 if move is None else move)
            again.apply(made)
    return np.array(named)


def _print(document: dict[str, Any], scores: "Sequence[Score]") -> None:
    first = scores[0]
    whom = "people" if document["everybody"] else "held-out people"
    title = (f"{counted(first.moves, 'move')} of {first.people} {whom}, {document['players']} "
             "players; everybody counts the same, except by move")  # fmt: skip
    rows = [
        [each.name, f"{100 * each.accuracy:.1f} ± {100 * each.accuracy_se:.1f} %",
         f"{each.nats:.3f} ± {each.nats_se:.3f}", f"{100 * each.accuracy_by_move:.1f} %",
         f"{each.nats_by_move:.3f}", "" if each.noise is None else f"{100 * each.noise:.0f} %"]
        for each in scores
    ]  # fmt: skip
    columns = ["predictor", "likeliest made", "nats", "by move", "nats by move", "random moves"]
    print_table(title, columns, rows)
