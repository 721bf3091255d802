"""Shared by the commands of `benchmarks.provers` and `benchmarks.flows`: an option for a file, and how they refuse."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from derivations.text import DerivationError


def with_file(name: str, says: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=says)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table and every answer as JSON")
    return parser


def status_of(
    parser: argparse.ArgumentParser, bench: Callable[[argparse.Namespace], int], arguments: Sequence[str] | None
) -> int:
    """The exit status of a bench; a mistake of whoever asked is told in one sentence."""
    options = parser.parse_args(arguments)
    file: Path | None = options.json
    try:
        if file and (file.is_dir() or not file.parent.is_dir()):
            raise DerivationError(f"--json needs a file in a folder that exists, got {file}")
        return bench(options)
    except DerivationError as mistake:
        print(f"benchmarks: {mistake}", file=sys.stderr)
        return 2
