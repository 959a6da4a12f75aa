"""Results as files for other programs: one flat row per figure in CSV and Parquet, or JSON."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COLUMNS = ("id", "protocol", "name", "version", "created", "seed", "rules", "row", "partner",
           "players", "hand_size", "games", "mean", "se", "mean_points_kept", "perfect", "bombed",
           "published", "z", "status")  # fmt: skip


def export_results(results: list[dict[str, Any]], path: Path) -> None:
    """Write results to a file whose ending says how."""
    writers = {".csv": _write_csv, ".parquet": _write_parquet, ".json": _write_json}
    if path.suffix not in writers:
        raise ValueError(f"cannot export to {path}: expected a name in {', '.join(writers)}")
    writers[path.suffix](results, path)


def flat_rows(results: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One row per figure of each result, with the columns of ``COLUMNS``."""
    for result in results:
        head = {key: result[key] for key in ("id", "protocol", "name", "version", "created")}
        head["seed"] = result["config"].get("seed")
        head["rules"] = result["config"].get("rules")
        for figure in _figures(result["protocol"], result["document"]):
            yield {column: {**head, **figure}.get(column) for column in COLUMNS}


def write_games(games: list[tuple[str, int, str]], folder: Path) -> None:
    """Write recorded games, as ``Store.recorded_games`` gives them, into a folder per match."""
    for match, number, text in games:
        place = folder / "".join(c if c.isalnum() or c in "-+." else "-" for c in match)[-80:]
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:06}.txt").write_text(text, encoding="utf-8")


def _figures(protocol: str, document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The figures of one document."""
    if protocol == "selfplay":
        for row in document["results"]:
            yield {"row": document["agent"], **row}
    elif protocol == "crossplay":
        names = document["agents"]
        for i, row in enumerate(names):
            for j, partner in enumerate(names):
                yield {"row": row, "partner": partner, "players": document["players"],
                       "games": document["games"], "mean": document["means"][i][j],
                       "se": document["errors"][i][j],
                       "mean_points_kept": document["points"][i][j]}  # fmt: skip
    elif protocol == "mixed":
        for part in ("mirror", "mixed"):
            for cell in document[part]["cells"]:
                yield {"row": document["agent"], "games": document[part]["games_per_cell"], **cell}
    elif protocol == "adhoc":
        for team in document["teams"]:
            yield {"row": document["agent"], "games": team["trials"], **team}
    elif protocol == "reproduce":
        for row in document["rows"]:
            yield {**row, "mean": row["measured"]}
    else:
        yield {"row": document.get("agent"), "players": document.get("players")}


def _write_csv(results: list[dict[str, Any]], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(flat_rows(results))


def _write_parquet(results: list[dict[str, Any]], path: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError("Parquet needs pyarrow: pip install 'tamaya[parquet]'") from None
    table = pyarrow.Table.from_pylist(list(flat_rows(results)))
    pyarrow.parquet.write_table(table, path)


def _write_json(results: list[dict[str, Any]], path: Path) -> None:
    path.write_text(json.dumps(results, indent=1), encoding="utf-8")
