"""Summaries of the logs of runs: curves with errors, and when the leading rules changed."""

from math import isfinite, sqrt
from typing import Any

from tamaya.agents.rules.language import SIZES
from tamaya.checked_files import entry

MOST_POINTS = 240  # of a curve; a screen has no more
MOST_CHANGES = 40  # of the leading rules
FRONT = 5  # rules that lead
MOST_GENES, LONGEST_GENE = 1000, 100
Document = dict[str, Any]
Points = list[list[float | None]]  # x, y, standard error


def list_plan(plan: Document) -> tuple[list[str], tuple[int, ...]]:
    """The rules that lists of a run are made of, and the sizes of tables that they are for."""
    genes: list[str] = plan["genes"]
    if len(genes) > MOST_GENES or max(map(len, genes), default=0) > LONGEST_GENE:
        raise ValueError(f"'genes' should be at most {MOST_GENES} rules of {LONGEST_GENE} letters")
    return genes, tuple(size for size in SIZES if size in plan["protocol"]["players"])


def genes_of(row: Document, genes: list[str]) -> list[str]:
    """The rules of the best list of a generation."""
    chromosome = entry(row, "chromosome", list)
    if not all(isinstance(gene, int) and 0 <= gene < len(genes) for gene in chromosome):
        raise ValueError(f"generation {row['generation']} has other genes than {len(genes)}")
    return [genes[gene] for gene in chromosome]


def evolution_chart(title: str, rows: list[Document], population: int, final: Points) -> Document:
    """Best and mean by generation, and the winner on games that evolution has not seen."""
    means: Points = [[row["generation"], row["mean"], row["sd"] / sqrt(population)] for row in rows]
    best: Points = [[row["generation"], row["best"], None] for row in rows]
    series = [
        {"name": "best of the generation", "style": "line", "points": thinned(best)},
        {"name": "mean of the population", "style": "line", "points": thinned(means)},
    ]
    if final:
        series.append({"name": "winner, on unseen games", "style": "dot", "points": final})
    return {"title": title, "x": "generation", "series": series}


def front_changes(title: str, rows: list[Document], lists: list[list[str]]) -> list[Document]:
    """When the leading rules of the best list changed, the last times."""
    found: list[Document] = []
    front: list[str] = []
    for row, rules in zip(rows, lists, strict=True):
        now = rules[:FRONT]
        if now != front:
            found.append({"title": title, "at": row["generation"], "best": row["best"],
                          "entered": [rule for rule in now if rule not in front],
                          "left": [rule for rule in front if rule not in now]})  # fmt: skip
        front = now
    return found[-MOST_CHANGES:]


def validations(rows: list[Document]) -> Points:
    """Validation means by million turns."""
    return [[row["turns"] / 1e6, row["validation"]["mean"], finite(row["validation"].get("se"))]
            for row in rows if "validation" in row]  # fmt: skip


def training_scores(rows: list[Document]) -> list[Document]:
    """Scores of training games, which explore, if the algorithm writes them down."""
    points: Points = [[row["turns"] / 1e6, score, None] for row in rows
                      if (score := finite(row.get("training_score"))) is not None]  # fmt: skip
    return [{"name": "training games", "style": "faint", "points": thinned(points)}] * bool(points)


def finite(value: Any) -> float | None:
    """A number, None if it is none; what a run does not compute it leaves out."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and isfinite(value) else None


def thinned(points: Points) -> Points:
    """As many points as a screen can show, the last one among them."""
    step = -(-len(points) // MOST_POINTS) or 1
    return points[::-step][::-1]
