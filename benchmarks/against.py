"""Speed of this checkout compared with another: the cases of `tamaya bench`, alternately.

Run `python benchmarks/against.py CHECKOUT [--case NAME ...] [--rounds N]`. Each case runs in both
checkouts alternately for a number of rounds, and the best figure of each counts; the exit
status says whether any of ours is below 0.95 of theirs.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
CASES = ("rules", "mover", "all", "long", "rl_env", "pettingzoo", "vector", "vector-all", "table",
         "strong", "training")  # fmt: skip
PEERS = ("hle", "openspiel", "pettingzoo", "jaxmarl")
LEAST = 0.95


def figures(checkout: Path, case: str, seconds: float) -> dict[str, float]:
    """Best rate of each row of a case, by what the row is about."""
    path = os.pathsep.join((str(checkout / "src"), os.environ.get("PYTHONPATH", "")))
    skipped = [word for peer in PEERS for word in ("--skip", peer)]
    done = subprocess.run(
        [sys.executable, "-m", "tamaya", "bench", "--case", case, "--seconds", str(seconds),
         "--repeat", "3", "--json", *skipped],
        env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    rows = json.loads(done.stdout)["cases"]
    return {_label(row): row["per_second"] for row in rows if row["system"].startswith("tamaya")}


def _label(row: dict) -> str:
    keys = ("case", "system", "players", "agent", "threads", "what", "observation")
    return " ".join(str(row[key]) for key in keys if row.get(key) is not None)


def main() -> int:
    """Compare, print the rows, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    slower = 0
    for case in options.case or CASES:
        best: dict[str, dict[str, float]] = {"theirs": {}, "ours": {}}
        for _ in range(options.rounds):
            for who, checkout in (("theirs", options.checkout.resolve()), ("ours", HERE)):
                for label, rate in figures(checkout, case, options.seconds).items():
                    best[who][label] = max(rate, best[who].get(label, 0.0))
        for label, theirs in best["theirs"].items():
            ratio = best["ours"][label] / theirs
            slower += ratio < LEAST
            print(
                f"{ratio:6.2f}  {theirs:14,.0f} {best['ours'][label]:14,.0f}  {label}", flush=True
            )
    print(f"{slower} rows below {LEAST}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
