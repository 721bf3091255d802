"""`python -m benchmarks.flows`: how far, how narrowly and how fast well-known flows are enclosed."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from benchmarks._command import status_of, with_file
from benchmarks.flows.euler import STEP
from benchmarks.flows.measured import Measured, measured
from benchmarks.flows.systems import systems
from derivations.commands import terminal
from derivations.commands.arguments import positive
from derivations.text import write_together

LEGEND = (
    "The width is that of the widest side of the box at the end. Seconds are those that the processor worked: of the\n"
    "prover, of the checker, and of both for one unit of time. The last column says when Euler's method in balls,\n"
    f"with steps of {STEP}, has a box wider than 1."
)
HEAD = ["flow", "variables", "until", "verdict", "steps", "width", "prover", "checker", "for one", "Euler until"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = with_file("flows", "how narrowly, how far and how fast well-known flows are enclosed")
    parser.add_argument("--flow", action="append", metavar="NAME", help="only this flow (may be repeated)")
    parser.add_argument("--digits", type=positive, default=12, metavar="N", help="of the boxes (default: 12)")
    return status_of(parser, bench, arguments)


def bench(options: Namespace) -> int:
    """Enclose the flows that were asked for, and print the table; the exit status is 1 where the checker refuses."""
    chosen = systems(options.flow)
    found = []
    with terminal.progress([("enclosing", len(chosen))]) as step:
        for system in chosen:
            found.append(measured(system, options.digits))
            step("enclosing", system.name)
    print(LEGEND)
    terminal.rows([HEAD, *map(_cells, found)])
    for each in found:
        if each.reason:
            print(f"{each.name}: {each.reason}")
    if options.json:
        runs = [vars(each) | {"seconds_for_one": round(each.seconds_for_one, 4)} for each in found]
        text = json.dumps({"digits": options.digits, "euler_step": str(STEP), "runs": runs}, indent=1) + "\n"
        write_together({options.json.name: text}, Path(options.json.parent))
    return 1 if any(each.verdict == "certified" and not each.checked for each in found) else 0


def _cells(run: Measured) -> list[str]:
    verdict = run.verdict if run.checked or run.verdict != "certified" else "refused"
    width = "-" if run.width is None else f"{run.width:.1e}"
    left = "the end" if run.euler_until is None else f"{run.euler_until:.2f}"
    seconds = [f"{s:.2f}" for s in (run.prover_seconds, run.checker_seconds)] + [f"{run.seconds_for_one:.3f}"]
    return [run.name, str(run.variables), f"{run.until:.4g}", verdict, str(run.steps), width, *seconds, left]
