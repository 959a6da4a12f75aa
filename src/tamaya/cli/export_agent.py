"""`tamaya export-agent`: the network of a training run as an agent, with metadata."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli.options import Json, print_json, print_table


def export_agent(
    folder: Annotated[
        Path, typer.Argument(help="Folder of a run of `tamaya train`.", metavar="FOLDER")
    ],
    out: Annotated[
        Path,
        typer.Argument(help="The agent's file, name.npz; replaced if it exists.", metavar="FILE"),
    ],
    which: Annotated[
        str, typer.Option(help="Network to export: the best in validation, or the latest.")
    ] = "best",
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Test games.")] = 10_000,
    description: Annotated[str, typer.Option(help="One sentence about the agent.")] = "",
    json: Json = False,
) -> None:
    """Turn a training run into an agent, scored on deals used neither to train nor to select."""
    from tamaya.learn import exporting

    if which not in ("best", "latest"):
        raise ValueError(f"--which must be best or latest, not {which!r}")
    metadata = exporting.export_agent(folder, out, which, games, description)
    if json:
        print_json(metadata)
        return
    _print(metadata, out)


def _print(metadata: dict[str, Any], out: Path) -> None:
    score = metadata["score"]
    mean = f"{score['mean']:.3f} ± {score['se']:.3f}"
    cells = [f"{metadata['turns']:,}", f"{score['games']:,}", mean, f"{score['perfect']:.1%}",
             f"{score['zero']:.1%}"]  # fmt: skip
    columns = ["turns", "games", "mean", "perfect", "zero"]
    title = f"{out}: {metadata['algorithm']}, {metadata['rules']}"
    print_table(title, columns, [cells], left=0)
