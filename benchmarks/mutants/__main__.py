"""Tell lies about the code that papers rest on: `python -m benchmarks.mutants`, in a checkout of this project.

usage: python -m benchmarks.mutants [MODULE ...] [--share S] [--seed TEXT] [--jobs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks.mutants import chosen, fates, summary
from derivations.text.processes import cores


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    options.add_argument("modules", nargs="*", metavar="MODULE", help="of the library (default: all)")
    options.add_argument("--share", type=float, default=1.0, help="a share of the mutants, drawn by --seed")
    options.add_argument("--seed", default="0", help="which share is drawn")
    options.add_argument("--jobs", type=int, default=cores(), help="work in so many processes (default: all cores)")
    options.add_argument("--json", type=Path, help="a file for what was noticed by what")
    asked = options.parse_args()
    met = chosen(asked.modules, asked.share, asked.seed)
    found = summary(fates(met, asked.jobs, lambda fate: print(fate.mutant.name, file=sys.stderr)))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
    return 1 if found["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
