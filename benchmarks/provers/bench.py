"""`python -m benchmarks.provers`: this engine and others on lists of statements whose truth is known."""

from __future__ import annotations

import importlib.util
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from benchmarks._command import status_of, with_file
from benchmarks.provers.lists import Entry, entries
from benchmarks.provers.peers.by_z3 import NotInstalled, solver
from benchmarks.provers.race import PROVERS, Run, race
from benchmarks.provers.table import Row, as_json, rows
from derivations.commands import terminal
from derivations.commands.arguments import positive
from derivations.text import DerivationError, did_you_mean, write_together
from derivations.text.processes import cores

LEGEND = "Below each prover: how many it decided, how many wrongly, and the median and the longest time in seconds."
WIDTH = 23  # of what stands below one prover


class NothingChosen(DerivationError):
    """No statement or prover has what was asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = with_file("provers", "this engine and other provers on known statements")
    parser.add_argument("--list", action="append", metavar="NAME", help="only this list (may be repeated)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only statements with this text in name or formula")
    parser.add_argument(
        "--prover", action="append", choices=["engine", "sympy", "z3", "numeric_guess"], help="only this prover"
    )
    parser.add_argument("--seconds", type=positive, default=10, metavar="N", help="time for a statement (default: 10)")
    parser.add_argument("--open", action="store_true", help="print what this engine leaves open, and why")
    parser.add_argument("--jobs", type=positive, metavar="N", help="work in N processes (default: all cores)")
    return status_of(parser, bench, arguments)


def bench(options: Namespace) -> int:
    """Run what was asked for, and print the table; the exit status is 1 where this engine was wrong."""
    chosen, provers = _entries(options.list, options.only), _provers(options.prover)
    tasks = [(entry, prover) for prover in provers for entry in chosen]
    runs = []
    with terminal.progress([("deciding", len(tasks))]) as step:
        for done in race(tasks, options.seconds, options.jobs or cores()):
            runs.append(done)
            step("deciding", f"{done.prover} {done.entry.id}")
    _print_table(rows(runs), provers)
    _print_wrong(runs)
    if options.open:
        _print_open(runs)
    if options.json:
        text = json.dumps(as_json(runs, options.seconds), indent=1, ensure_ascii=False) + "\n"
        write_together({options.json.name: text}, Path(options.json.parent))
    return 1 if any(each.is_wrong and each.prover == "engine" for each in runs) else 0


def _entries(lists: list[str] | None, text: str) -> list[Entry]:
    known = entries()
    for name in lists or []:
        if name not in {entry.list for entry in known}:
            raise NothingChosen(f"there is no list {name!r}{did_you_mean(name, {e.list for e in known})}")
    chosen = [e for e in known if (not lists or e.list in lists) and text in f"{e.id} {e.statement.text}"]
    if not chosen:
        raise NothingChosen(f"no statement has {text!r} in its name or its text")
    return chosen


def _provers(names: list[str] | None) -> list[str]:
    """The provers that were named, or all that are installed."""
    if names:
        if "z3" in names:
            solver()
        return names
    if importlib.util.find_spec("z3") is None:
        try:
            solver()
        except NotInstalled as missing:
            print(f"derivations: {missing}", file=sys.stderr)
        return [name for name in PROVERS if name != "z3"]
    return [*PROVERS]


def _print_table(found: list[Row], provers: list[str]) -> None:
    """The provers side by side, and a line for each half of a list."""
    print(LEGEND)
    lines = [["list", "half", "of", "".join(f"{prover:<{WIDTH}}" for prover in provers).rstrip()]]
    for key in dict.fromkeys((row.list, row.half) for row in found):
        beside = {row.prover: row for row in found if (row.list, row.half) == key}
        cells = "".join(f"{_cell(beside[prover]):<{WIDTH}}" for prover in provers)
        lines.append([*key, str(beside[provers[0]].statements), cells.rstrip()])
    terminal.rows(lines)


def _cell(row: Row) -> str:
    return f"{row.decided:>3} {row.wrong:>2} {row.median_seconds:>6.3f} {row.most_seconds:>5.2f}"


def _print_wrong(runs: list[Run]) -> None:
    for run in runs:
        if run.is_wrong:
            print(f"WRONG {run.prover} {run.entry.id}: {run.entry.statement.text} [{run.answer.how}]")


def _print_open(runs: list[Run]) -> None:
    """Tell which entries this engine leaves undecided and why; of what is held out only the count is told."""
    left = [run for run in runs if run.prover == "engine" and not run.is_decided and not run.is_wrong]
    for run in sorted(left, key=lambda run: run.entry.id):
        if run.entry.half == "open":
            print(f"OPEN {run.entry.id}: {run.entry.statement.text} [{run.answer.how}]")
    print(f"OPEN {sum(run.entry.half != 'open' for run in left)} more that are held out")
