"""Checkouts whose `tamaya bench` prints what a test wants and notes how it was called."""

import json
from pathlib import Path

from tamaya.bench.against import Checkout

PROGRAM = """
import sys
from pathlib import Path

here = Path(__file__).parent
with (here.parents[2] / "calls").open("a") as calls:
    print(here.parents[1].name, *sys.argv[1:], file=calls)
texts = sorted(here.glob("*.txt"))
print(texts[0].read_text())
if len(texts) > 1:
    texts[0].unlink()
"""


def checkout(folder: Path, *documents: dict, program: str = PROGRAM) -> Checkout:
    """A checkout that prints a document at each call, the last one from then on."""
    package = folder / "src" / "tamaya"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(program)
    for k, document in enumerate(documents):
        (package / f"{k}.txt").write_text(json.dumps(document))
    return Checkout(folder.name, folder / "src")


def printed(*rows: dict, **skipped: str) -> dict:
    """A document of `tamaya bench`."""
    return {"cases": list(rows), "skipped": skipped, "machine": {}}


def rate(per_second: float, **about: object) -> dict:
    """A row with a rate."""
    return {"case": "rules", "system": "tamaya", "players": 2, "unit": "moves",
            "per_second": per_second, **about}  # fmt: skip


def calls(folder: Path) -> list[str]:
    """How the checkouts in a folder were called, in order."""
    return (folder / "calls").read_text().splitlines()
