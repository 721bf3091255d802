"""Judges many random statements in several processes and writes what came of them.

PYTHONPATH=tests:. python -m fuzz.run --count 50000 --jobs 2 --seed 1 --out tests/fuzz/outcome.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from fuzz.judge import Outcome, judge
from fuzz.statements import MAKERS

BATCH = 100


def batch(seed: int, only: tuple[str, ...]) -> Outcome:
    return judge(seed, BATCH, only)


def written(outcomes: list[Outcome], first: int, seconds: float) -> dict[str, Any]:
    """The counts by kind and verdict, in the form that the page of what is trusted reads."""
    verdicts: Counter[tuple[str, str]] = sum((o.verdicts for o in outcomes), Counter())
    by_kind: dict[str, dict[str, int]] = {}
    for (kind, verdict), number in sorted(verdicts.items()):
        by_kind.setdefault(kind, {})[verdict] = number
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "seeds": [[first, first + len(outcomes) - 1]],
        "statements": sum(verdicts.values()),
        "per_second": round(sum(verdicts.values()) / seconds, 1),
        "unsound": [line for o in outcomes for line in o.unsound],
        "rejected": [line for o in outcomes for line in o.rejected],
        "by_kind": by_kind,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", choices=list(MAKERS), default=(), help="all kinds if none is named")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    seeds = range(chosen.seed, chosen.seed + -(-chosen.count // BATCH))
    began, outcomes = time.monotonic(), []
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for outcome in pool.map(partial(batch, only=tuple(chosen.kinds)), seeds):
            outcomes.append(outcome)
            data = written(outcomes, chosen.seed, time.monotonic() - began)
            chosen.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
