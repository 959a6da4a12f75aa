"""All agents on a deal, for the analysis engine: the results of `tamaya deal`, stored."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from tamaya.arena.executor import Threads
from tamaya.arena.match import code_of
from tamaya.arena.pools import pool_of
from tamaya.arena.protocols.deal import Config, stages
from tamaya.arena.runner import Runner
from tamaya.lookup import find_agent
from tamaya.player import Player
from tamaya.store import schema
from tamaya.store.database import Store

Document = dict[str, Any]


def played_deal(
    store: Store, fields: Document, tell: Callable[[Document], None]
) -> Iterator[Player | Document]:
    """Who plays next, again and again, and at last the result; from the store if it is there."""
    deck = tuple(fields.pop("deck"))
    config = Config((), deck=deck, **fields)
    config = replace(config, agents=pool_of("all", [config.table()]))
    key = _key(config)
    found = store.read(
        select(schema.web_deal_results.c.document).where(schema.web_deal_results.c.key == key)
    )
    if found:
        yield dict(found[0].document)
        return
    total, done = config.n_games(), 0

    def advance(n_games: int) -> None:
        nonlocal done
        done += n_games
        tell({"done": done, "of": total})

    tell({"done": 0, "of": total})
    steps = stages(config, Runner(Threads(1), store, on_progress=advance))
    while True:
        try:
            name = next(steps)
        except StopIteration as end:
            document: Document = end.value.to_document()
            _write(store, key, document)
            yield document
            return
        yield find_agent(name.partition(" ")[0])


def _key(config: Config) -> str:
    """What a result depends on: the deal, who plays it, and the code of all of them."""
    names = (*config.agents, *config.panel(), *config.team.split())
    said = [config.to_document(), sorted((name, code_of((name,))) for name in set(names))]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _write(store: Store, key: str, document: Document) -> None:
    results = schema.web_deal_results

    def enter(connection: Connection) -> None:
        connection.execute(delete(results).where(results.c.key == key))  # by another server
        row = {"key": key, "document": document, "created": datetime.now(UTC)}
        connection.execute(insert(results), [row])

    store.write(enter)
