"""`tamaya matrix-game`: the two-step game of the BAD paper, with and without the public belief."""

from typing import Annotated, Any

import typer

from tamaya.cli.options import Json, Seed, print_json, print_table


def matrix_game(
    seeds: Annotated[int, typer.Option(min=2, help="Teams trained of each kind.")] = 32,
    batches: Annotated[int, typer.Option(min=1, help="Training batches per team.")] = 2000,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Learn the matrix game of the BAD paper with and without the public belief."""
    from tamaya.cli.train import check_torch

    check_torch()
    import torch

    from tamaya.learn.matrix_game import AGENTS, Settings, optimum, train

    torch.set_num_threads(1)
    best = optimum()
    settings = Settings(batches=batches)
    found = {agent: train(is_public, seeds, settings, seed) for agent, is_public in AGENTS.items()}
    rows: list[dict[str, Any]] = [
        {"agent": agent, "mean": float(values.mean()), "lowest": float(values.min()),
         "se": float(values.std(ddof=1) / seeds**0.5), "optimal": float((values == best).mean())}
        for agent, values in found.items()
    ]  # fmt: skip
    if json:
        print_json({"optimum": best, "seeds": seeds, "batches": batches, "agents": rows})
        return
    cells = [[row["agent"], f"{row['mean']:.3f} ± {row['se']:.3f}", f"{row['lowest']:g}",
              f"{row['optimal']:.0%}"] for row in rows]  # fmt: skip
    title = f"Two-step matrix game: optimum {best:g}; {seeds} seeds, {batches:,} batches"
    print_table(title, ["agent", "greedy play", "lowest", "optimal"], cells)
