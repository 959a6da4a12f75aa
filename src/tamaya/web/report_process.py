"""The report of a store as a server shows it, made in a process of its own.

    TAMAYA_STORE=URL python -m tamaya.web.report_process

Drawing a hundred charts takes seconds of a core and two hundred megabytes, so a separate process
does it and ends when it has written one JSON document, with the report as HTML and the games behind
its figures.
"""

import json
import os
from dataclasses import asdict
from typing import Any

from tamaya.report.games import ReportGames
from tamaya.report.page import build_report
from tamaya.store.database import Store

NICENESS = 10  # tables go before


def report_of(store: Store) -> dict[str, Any]:
    """The report, and the games behind its figures by id."""
    games = ReportGames(store, is_served=True)
    made = build_report(store.results(), "the store of this server", games)
    page = f'<!doctype html><html lang="en"><title>Report</title><body>{made.content}</body></html>'
    return {"html": page, "games": {name: asdict(game) for name, game in games.served.items()}}


def main() -> None:
    """Write the report of the store that the environment names."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever an agent prints does not get into the answer
    store = Store(None, must_exist=True)
    try:
        json.dump(report_of(store), answer)
    finally:
        store.close()
    answer.close()


if __name__ == "__main__":
    main()
