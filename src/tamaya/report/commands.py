"""How the figures of a section were made: versions, seeds, and the commands that repeat them."""

from collections.abc import Sequence

from tamaya.report.markup import Html, element, fold, number, table
from tamaya.report.selection import Figure


def made_block(figures: Sequence[Figure]) -> Html:
    """The fold under a section that lists how each of its figures was made."""
    results = {figure.stored.id: figure.stored for figure in figures}
    rows = [
        [
            stored.id,
            element("code", stored.result.command()),
            stored.version,
            getattr(stored.result.config, "seed", None),
            stored.result.config.rules_text or "standard",
            stored.result.config.games_text,
            stored.created[:16].replace("T", " "),
            f"{number(stored.seconds, 1)} s" if stored.seconds else "not kept",
        ]
        for stored in (results[key] for key in sorted(results))
    ]
    columns = ["result", "command that prints it again", "version", "seed", "rules", "games",
               "made", "computing"]  # fmt: skip
    content = table("The results in the store behind this section", columns, rows, left=3, head=-1)
    return fold("How these figures were made", content, class_="made")
