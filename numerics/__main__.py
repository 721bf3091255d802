"""The command line: kernels, accuracy, bench."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from numerics.bench import names, tables
from numerics.kernels import Entry, UnknownKernel, entries, index


class UserError(Exception):
    """A mistake of the user's, told in one sentence; exit status 2."""


class Parser(argparse.ArgumentParser):
    """A parser that answers mistakes in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; `{self.prog} --help` shows what is understood")


def parser() -> Parser:
    top = Parser(prog="numerics", description="Emitted kernels, and what is computed with them at full speed.")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)

    kernels = commands.add_parser("kernels", help="list the emitted kernels")
    kernels.add_argument("kernels", nargs="*", metavar="KERNEL", help="a kernel's name, paper:name, or a paper's key")

    accuracy = commands.add_parser("accuracy", help="measure fast kernels against their ball twins")
    accuracy.add_argument("kernels", nargs="*", metavar="KERNEL", help="a kernel's name, paper:name, or a paper's key")
    accuracy.add_argument(
        "--evaluations", type=whole(1), default=1000, metavar="N", help="points per kernel (default: %(default)s)"
    )
    accuracy.add_argument("--seed", type=whole(0), default=0, metavar="S", help="of the points (default: %(default)s)")

    bench = commands.add_parser("bench", help="time what is computed here beside what others offer")
    bench.add_argument("benchmark", nargs="?", metavar="BENCHMARK", help=f"one of: {', '.join(names())}")
    return top


def whole(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, got {text!r}")
        return int(text)

    return number


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 when a kernel misses the criterion, 2 for a user's mistake."""
    try:
        options = parser().parse_args(arguments)
        status = COMMANDS[options.command](options)
        sys.stdout.flush()
        return status
    except (UserError, UnknownKernel) as mistake:
        print(f"numerics: {mistake}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("numerics: interrupted", file=sys.stderr)
        return 130


def chosen(words: Sequence[str]) -> list[Entry]:
    """The kernels that a user's words name, each once and in the order of the index; all without a word."""
    wanted = {entry.id for word in words for entry in entries(word)}
    return [entry for entry in index().values() if not words or entry.id in wanted]


def _kernels(options: argparse.Namespace) -> int:
    from rich.markup import escape
    from rich.table import Table

    from numerics.screen import Screen

    console = Screen(highlight=False)
    shown = chosen(options.kernels)
    for paper in dict.fromkeys(entry.paper for entry in shown):
        table = Table(title=escape(paper), title_justify="left", show_lines=True)
        table.add_column("kernel", style="bold", overflow="fold")
        for column in ("arguments", "returns", "domain", "claims"):
            table.add_column(column, overflow="fold")
        for entry in (entry for entry in shown if entry.paper == paper):
            domain = ", ".join(condition.replace(" ", "\N{NO-BREAK SPACE}") for condition in entry.domain)
            claims = "\n".join(claim.removeprefix(f"{paper}:") for claim in entry.rests_on)
            cells = (entry.name, ", ".join(entry.arguments), ", ".join(entry.returns), domain, claims)
            table.add_row(*map(escape, cells))
        console.print(table)
    return 0


def _accuracy(options: argparse.Namespace) -> int:
    from rich.markup import escape
    from rich.table import Table

    from numerics.accuracy import measure
    from numerics.domains import sampler
    from numerics.kernels import ball, kernel
    from numerics.screen import Screen

    table = Table(title="accuracy: the largest ratio found, at most 1 within the criterion", title_justify="left")
    table.add_column("kernel", overflow="fold")
    table.add_column("returns", overflow="fold")
    for column in ("ratio", "evaluations", "left out"):
        table.add_column(column, justify="right")
    places, passed = [], True
    work = chosen(options.kernels)
    with _progress(len(work) * options.evaluations) as (step, name):
        for entry in work:
            name(entry.name)
            draw = sampler(entry.arguments, entry.domain)
            report = measure(kernel(entry.id), ball(entry.id), draw, options.evaluations, options.seed, step=step)
            for k, (output, worst) in enumerate(zip(entry.returns, report.worst, strict=True)):
                colour = "green" if worst.ratio <= 1 else "bold red"
                left_out = str(report.undefined + report.extreme) if k == 0 else ""
                evaluations = str(report.evaluations) if k == 0 else ""
                table.add_row(
                    escape(entry.id) if k == 0 else "", output, f"[{colour}]{worst.ratio:.3g}[/]", evaluations, left_out
                )
            table.add_section()
            if report.point:
                where = ", ".join(f"{name}={x}" for name, x in zip(entry.arguments, report.point, strict=True))
                places.append(f"{entry.name}: {report.largest:.3g} for {entry.returns[report.output]} at {where}")
            passed &= report.passed
    console = Screen(highlight=False)
    console.print(table)
    for place in places:
        console.print(escape(place), soft_wrap=True)
    return 0 if passed else 1


def _bench(options: argparse.Namespace) -> int:
    if options.benchmark not in names():
        called = "bench needs a name" if options.benchmark is None else f"no benchmark is called {options.benchmark}"
        raise UserError(f"{called}; there is {', '.join(names())}")

    from numerics.screen import Screen

    console = Screen(highlight=False)
    for table in tables(options.benchmark, lambda text: console.print(text, markup=False)):
        console.print(table)
    return 0


@contextmanager
def _progress(total: int) -> Iterator[tuple[Callable[[], None], Callable[[str], None]]]:
    """A bar on standard error that disappears when the work is done: what advances it, and what names the work."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.update(task, advance=1), lambda name: bar.update(task, description=name)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "kernels": _kernels,
    "accuracy": _accuracy,
    "bench": _bench,
}

if __name__ == "__main__":
    sys.exit(main())
