"""Results as files for other programs: one flat row per figure in CSV and Parquet, or JSON."""

import csv
import json
from collections.abc import Callable, Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from tamaya.arena.protocols import UnreadableResult, read_result
from tamaya.arena.tally import without_nan
from tamaya.atomic import write_atomically

StoredRow = dict[str, Any]  # a result as ``Store.results`` returns it

# The first columns of every export; protocols add their own.
COLUMNS = ("id", "protocol", "name", "version", "created", "seed", "rules", "row", "partner",
           "players", "hand_size", "games", "mean", "se", "mean_points_kept", "perfect", "bombed",
           "published", "z", "status")  # fmt: skip
_HEAD = ("id", "protocol", "name", "version", "created")


def export_results(results: Sequence[StoredRow], path: Path) -> list[tuple[StoredRow, str]]:
    """Write results in the format of the file's suffix; returns those omitted, with the reason.

    Only flat files omit what cannot be read; JSON has the documents unchanged.
    """
    if path.suffix == ".json":
        write_atomically(path, json.dumps(list(results), indent=1))
        return []
    writers: dict[str, Callable[[Sequence[dict[str, Any]]], str | bytes]]
    writers = {".csv": _csv, ".parquet": _parquet}
    if path.suffix not in writers:
        endings = ", ".join((*writers, ".json"))
        raise ValueError(f"cannot export to {path}: expected a name that ends in {endings}")
    rows, unread = flat_rows(results)
    write_atomically(path, writers[path.suffix](rows))
    return unread


def flat_rows(
    results: Sequence[StoredRow],
) -> tuple[list[dict[str, Any]], list[tuple[StoredRow, str]]]:
    """One row per figure of each result, with the same columns; and the unreadable results."""
    found, unread = [], []
    for stored in results:
        try:
            result = read_result(stored)
        except UnreadableResult as error:
            unread.append((stored, str(error)))
            continue
        head = {name: stored[name] for name in _HEAD}
        head["seed"] = getattr(result.config, "seed", None)
        head["rules"] = result.config.rules_text
        found += [{**head, **without_nan(row)} for row in result.rows()]
    columns = dict.fromkeys(COLUMNS)
    for row in found:
        columns |= dict.fromkeys(row)
    return [{**columns, **row} for row in found], unread


def write_games(games: Sequence[tuple[str, int, str]], folder: Path) -> list[Path]:
    """Write recorded games, as ``Store.recorded_games`` returns them; returns a folder per match.

    Games of the same name in a folder are overwritten.
    """
    places = {}
    for match, number, text in games:
        name = "".join(c if c.isalnum() or c in "-+." else "-" for c in match)[-80:]
        places[match] = folder / name
        places[match].mkdir(parents=True, exist_ok=True)
        (places[match] / f"{number:06}.txt").write_text(text, encoding="utf-8")
    return list(dict.fromkeys(places.values()))


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    file = StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]) if rows else COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def _parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError("Parquet needs pyarrow: pip install 'tamaya[parquet]'") from None
    file = BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), file)
    return file.getvalue()
