"""Strange inputs of every kind, counted: python -m reliability.fuzz 20000 (in tests, with the project on the path).

Every input is refused by an error of the project, in one sentence, or answered; nothing else is raised, nothing takes
long, no argument is changed, and no damaged file is read as another one.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from reliability.commands import leave_nothing, strange_command
from reliability.formats import damaged
from reliability.functions import calls, strange_call

from derivations.text import DerivationError
from numerics import NumericsError

LONG = 20.0  # seconds
SHARES = {"functions": 0.8, "files": 0.15, "commands": 0.05}


@dataclass
class Found:
    """The outcomes of all inputs, counted."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")


def one(kind: str, seed: str) -> str:
    """Return what became of the input that this seed draws; a foreign error is raised."""
    rng = random.Random(seed)
    ways: dict[str, Callable[[], str]] = {
        "functions": lambda: strange_call(rng.choice(calls()), rng),
        "files": lambda: damaged(rng),
        "commands": lambda: strange_command(rng),
    }
    try:
        return ways[kind]()
    except (NumericsError, DerivationError) as mistake:
        told = str(mistake).strip()
    assert told, "an error that says nothing"
    assert "\n" not in told, f"more than a sentence: {told}"
    return "refused"


def run(count: int, seed: int) -> Found:
    """So many inputs, in a folder that is empty at first."""
    found, before = Found(), os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for k in range(count):
            kind = random.Random(f"{seed} {k}").choices(list(SHARES), list(SHARES.values()))[0]
            begin, words = perf_counter(), f"{seed} {k} {kind}"
            try:
                outcome = one(kind, words)
            except Exception as mistake:
                outcome = "foreign"
                found.wrong.append(f"{words}: {type(mistake).__name__}: {mistake!s:.200} {_place(mistake)}")
            taken = perf_counter() - begin
            if taken > LONG:  # unless that was the time of a compiler
                begin = perf_counter()
                with contextlib.suppress(Exception):
                    one(kind, words)
                if (taken := perf_counter() - begin) > LONG:
                    found.wrong.append(f"{words}: took {taken:.0f} s")
            found.slowest = max(found.slowest, (taken, words))
            found.counts[kind, outcome] += 1
            if kind == "commands":
                leave_nothing()
    assert os.getcwd() == before
    return found


def _place(mistake: Exception) -> str:
    frames = traceback.extract_tb(mistake.__traceback__)
    return " < ".join(f"{'/'.join(frame.filename.split('/')[-3:])}:{frame.lineno}" for frame in reversed(frames[-4:]))


if __name__ == "__main__":
    begun = perf_counter()
    result = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    for line in result.wrong:
        print(line)
    for (kind, outcome), number in sorted(result.counts.items()):
        print(f"{kind:10} {outcome:10} {number}")
    print(f"{perf_counter() - begun:.0f} s; the slowest took {result.slowest[0]:.1f} s: {result.slowest[1]}")
    sys.exit(bool(result.wrong))
