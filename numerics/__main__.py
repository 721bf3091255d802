"""The command line: kernels, accuracy, validate, sweep, reproduce, publish."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, NoReturn

from numerics import NumericsError
from numerics.kernels import Entry, entries, index
from numerics.validate import LAWS

WITHIN = "\N{NO-BREAK SPACE}"  # within a condition
WIDE = 100  # characters of the longest line on a terminal: longer ones are hard to read
FAILED = 3  # the exit status of a sweep that is done, but for single tasks that failed
NARROW = 4  # what lines are indented by where a name would not fit otherwise


class UserError(NumericsError):
    """A mistake in the words of a command; the message is one sentence, and the exit status 2."""


class Stopped(KeyboardInterrupt):
    """This process was asked to end (SIGTERM), as schedulers of clusters do: states are written first."""


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
    accuracy.add_argument(
        "--kernel",
        action="append",
        default=[],
        dest="kernels",
        metavar="NAME",
        help="a kernel's name, paper:name, or a paper's key; may be given again (default: all, written to ACCURACY.md)",
    )
    accuracy.add_argument(
        "--budget", type=whole(1), default=8_000, metavar="N", help="evaluations per kernel (default: %(default)s)"
    )
    accuracy.add_argument("--seed", type=whole(0), default=0, metavar="S", help="of the search (default: %(default)s)")
    accuracy.add_argument(
        "--workers", type=whole(1), default=os.cpu_count() or 1, metavar="N", help="processes (default: one per core)"
    )
    accuracy.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the sheet there")
    accuracy.add_argument(
        "--page", action="store_true", help="search nothing: write ACCURACY.md again from the points found before"
    )

    validate = commands.add_parser("validate", help="confront theory with simulation")
    validate.add_argument("laws", nargs="*", metavar="LAW", help=f"any of: {', '.join(LAWS)} (default: all)")

    _add_sweep(commands.add_parser("sweep", help="do many runs with many settings and seeds, here or on many machines"))

    reproduce = commands.add_parser("reproduce", help="repeat the figures of the papers")
    reproduce.add_argument(
        "panels", nargs="*", metavar="PAPER[:FIGURE]", help="a paper's key, with a figure or panel (default: all)"
    )
    reproduce.add_argument(
        "--out",
        type=Path,
        default=Path("results"),
        metavar="DIR",
        help="for figures and results (default: %(default)s)",
    )
    reproduce.add_argument("--quick", action="store_true", help="smaller sizes, for a first look")
    _add_workers(reproduce)

    publish = commands.add_parser("publish", help="write RESULTS.md and docs/figures of this checkout from results")
    publish.add_argument("folder", type=Path, metavar="DIR", help="that numerics reproduce --out has filled")
    return top


def _add_sweep(sweep: argparse.ArgumentParser) -> None:
    """Return what can be done with the folder of a sweep."""
    actions = sweep.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    run = actions.add_parser("run", help="do what is not done")
    tell = actions.add_parser("status", help="say how far it is")
    collect = actions.add_parser("collect", help="write all results into one NetCDF file")
    slurm = actions.add_parser("slurm", help="write a file for sbatch, a job array with a shard in each job")
    for action in (run, tell, collect, slurm):
        action.add_argument("folder", type=Path, metavar="DIR", help="the folder of the sweep")
    for action in (run, slurm):
        action.add_argument(
            "target", nargs="?", metavar="TARGET", help="what is run, where the folder has no sweep yet"
        )
        add = action.add_argument
        add("--grid", action="append", default=[], metavar="NAME=VALUES", help="values, such as scale=log:1e-3:1:20")
        add("--set", action="append", default=[], metavar="NAME=VALUE", help="one value of a setting")
        add("--seeds", type=whole(1), metavar="N", help="how many seeds each point has (default: 1)")
        add("--seed", type=whole(0), metavar="S", help="whose children they are (default: 0)")
        add("--plan", type=Path, metavar="FILE", help="a TOML file that has all of this")
    run.add_argument("--shard", metavar="K/N", help="do this part of the tasks only, such as 17/200")
    _add_workers(run)
    slurm.add_argument("--shards", type=whole(1), required=True, metavar="N", help="how many jobs the array has")
    slurm.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file to write (default: DIR/sweep.sbatch)"
    )
    collect.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the file to write")


def _add_workers(command: argparse.ArgumentParser) -> None:
    """Who does the tasks of a command."""
    add = command.add_argument
    add("--workers", type=whole(1), metavar="N", help="processes (default: one per core)")
    add("--dask", metavar="WHERE", help="workers of Dask: local, tcp://ADDRESS:PORT, slurm, pbs, lsf or sge")


def whole(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, got {text!r}")
        return int(text)

    return number


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 when something fails its criterion, 2 for a user's mistake.

    It is 3 after `sweep run` if single tasks failed, 130 after Ctrl-C, and 143 after SIGTERM.
    """
    _ready_to_tell()
    try:
        with _stopped_calmly():
            options = parser().parse_args(arguments)
            status = COMMANDS[options.command](options)
            sys.stdout.flush()
            return status
    except NumericsError as mistake:
        print(f"numerics: {mistake}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as trouble:
        print(f"numerics: {trouble.filename or 'a file'}: {trouble.strerror or trouble}", file=sys.stderr)
        return 2
    except Stopped:
        print("numerics: stopped; what is kept in folders goes on from here", file=sys.stderr)
        return 143
    except KeyboardInterrupt:
        print("numerics: interrupted", file=sys.stderr)
        return 130


def _ready_to_tell() -> None:
    """Streams that were closed swallow what is told, and signs that a terminal cannot show are spelt out."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def _stopped_calmly() -> Iterator[None]:
    """Return what SIGTERM interrupts ends as what Ctrl-C interrupts does."""

    def stop(_number: int, _frame: object) -> NoReturn:
        raise Stopped

    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def selection(words: Sequence[str]) -> list[Entry]:
    """The kernels that a user's words name, each once and in the order of the index; all without a word."""
    wanted = {entry.id for word in words for entry in entries(word)}
    return [entry for entry in index().values() if not words or entry.id in wanted]


def _kernels(options: argparse.Namespace) -> int:
    """A block for each kernel on a terminal; in a pipe a line for each, with tabs between its fields."""
    from numerics.machine.progress import Screen

    console = Screen(highlight=False)
    for entry in selection(options.kernels):
        call = f"{entry.id}({', '.join(entry.arguments)}) -> {', '.join(entry.returns)}"
        if not console.is_terminal:
            print(call, ", ".join(entry.domain), " ".join(entry.rests_on), sep="\t")
            continue
        console.print(_filled(call, console.width, 4), style="bold", markup=False, soft_wrap=True)
        for label, parts in (("domain", entry.domain), ("claims", entry.rests_on)):
            if parts:
                whole = (part.removeprefix(f"{entry.paper}:").replace(" ", WITHIN) for part in parts)
                text = f"  {label}  {', '.join(whole)}"
                console.print(_filled(text, console.width, 10), markup=False, soft_wrap=True)
    return 0


def _filled(text: str, width: int, indent: int) -> str:
    """The text on lines that fit, all but the first one indented, no name broken, and no condition that fits a line."""
    room = min(width, WIDE)
    indent = indent if max(map(len, text.split(" "))) <= room - indent else min(indent, NARROW)
    kept = (part if len(part) <= room - indent else part.replace(WITHIN, " ") for part in text.split(" "))
    beside = {"subsequent_indent": " " * indent, "break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(" ".join(kept), room, **beside).replace(WITHIN, " ")  # type: ignore[arg-type]


def _accuracy(options: argparse.Namespace) -> int:
    from numerics.accuracy.page import as_data, default_page, found_before, points_of, write
    from numerics.accuracy.sheet import called, gap_of, searched, table
    from numerics.machine.progress import Screen

    work = called(options.kernels)
    target = options.output or (None if options.kernels else default_page())
    if target is None and not options.kernels:
        raise UserError("there is no source checkout to write ACCURACY.md into: name a file with -o FILE")
    if target is not None:
        _writable(target, points_of)
    if options.page and target is not None:
        return _told(write(target, found_before(target)))
    with _progress(sum(subject.evaluations(options.budget) for subject in work)) as (step, name):

        def done(subject: str, evaluations: int) -> None:
            name(subject)
            step(evaluations)

        sheet_data = searched(work, options.seed, options.budget, options.workers, done=done)
    console = Screen(highlight=False)
    console.show(table(sheet_data))
    if target is not None:
        _told(write(target, as_data(sheet_data, options.seed, options.budget)))
    return 0 if all(report.passed or gap_of(name) for name, report in sheet_data.items()) else 1


def _told(written: Sequence[Path]) -> int:
    """Name the files that were written."""
    for path in written:
        print(f"wrote {path}")
    return 0


def _writable(target: Path, *beside: Callable[[Path], Path]) -> None:
    """Refuse a file that cannot be written, or one beside it, before anything is computed for them."""
    from numerics.files import could_put

    try:
        could_put(target)
        for other in beside:
            could_put(other(target))
    except (OSError, ValueError) as trouble:  # ValueError: no name of a file
        reason = trouble.strerror if isinstance(trouble, OSError) else str(trouble)
        raise UserError(
            f"{target} cannot be written: name a file in a folder of yours with -o FILE ({reason})"
        ) from None


def _validate(options: argparse.Namespace) -> int:
    from rich.markup import escape

    from numerics.machine.progress import Screen, table
    from numerics.validate import known, run, says

    result = table("theory against simulation", ["case"], ["measured", "expected", "verdict"])
    passed = True
    laws = known(options.laws or LAWS)
    with _progress(len(laws)) as (step, name):
        for law in laws:
            name(law)
            for k, outcome in enumerate(run([law])):
                step(0)
                if k == 0:
                    result.add_section()
                    result.add_row(f"[bold]{law}[/]: {escape(says(law))}")
                verdict = "[green]holds[/]" if outcome.holds else "[bold red]fails[/]"
                result.add_row(f"  {escape(outcome.case)}", outcome.measured, outcome.expected, verdict)
                passed &= outcome.holds
            step(1)
    Screen(highlight=False).show(result)
    return 0 if passed else 1


def _sweep(options: argparse.Namespace) -> int:
    from numerics import sweep

    if options.action == "collect":
        return _collect(options)
    if options.action == "slurm":
        return _slurm(options)
    if options.action == "run":
        how = {name: getattr(options, name) for name in ("shard", "workers", "dask")}
        print(sweep.sweep(options.folder, **_asked(options), **how, show=True))
        return _failed(sweep.failed(options.folder, options.shard), FAILED)
    print(sweep.status(options.folder))
    return 0


def _failed(failures: Mapping[int, str], status: int) -> int:
    """Say on standard error which tasks of a sweep failed, and return this exit status if any did."""
    if not failures:
        return 0
    number, sentence = min(failures.items())
    print(f"numerics: {len(failures)} tasks failed; the first is {number}: {sentence}", file=sys.stderr)
    return status


def _slurm(options: argparse.Namespace) -> int:
    from numerics import sweep
    from numerics.files import put
    from numerics.sweep.slurm import script

    file = options.output or options.folder / "sweep.sbatch"
    _writable(file)
    text = script(options.folder, sweep.prepare(options.folder, **_asked(options)), options.shards, file)
    put(file, lambda stream: stream.write(text.encode()))
    return _told([file])


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    """The sweep that the words of a command describe, or the TOML file that they name."""
    from numerics.sweep import grid

    words = {name: getattr(options, name) for name in ("target", "seeds", "seed") if getattr(options, name) is not None}
    words |= {"grid": grid.swept(options.grid)} if options.grid else {}
    words |= {"settings": grid.single(options.set)} if options.set else {}
    if options.plan is None:
        return words
    if words:
        raise UserError(f"{options.plan} describes a whole sweep, {min(words)} included: change it there")
    return grid.from_toml(options.plan)


def _collect(options: argparse.Namespace) -> int:
    """The exit status is 1 where tasks are missing or failed, and standard error says so."""
    from numerics import sweep

    _writable(options.output)
    if options.output.suffix != ".nc":
        raise UserError(f"all results are one NetCDF file: name one that ends in .nc, not {options.output.name!r}")
    gathered = sweep.gather(options.folder)
    _told([gathered.save(options.output)])
    if gathered.missing:
        print(f"numerics: {gathered.missing} tasks are not done yet, and are nan in the file", file=sys.stderr)
    return max(_failed(gathered.failures, 1), 1 if gathered.missing else 0)


def _reproduce(options: argparse.Namespace) -> int:
    from numerics.machine.progress import Screen
    from numerics.reproduce import reproduce, shown, table
    from numerics.reproduce.experiments import experiments

    named = [experiment for words in options.panels or [""] for experiment in experiments(words)]
    selected = list({experiment.id: experiment for experiment in named}.values())
    missing: dict[str, str] = {}
    with shown(len(selected)) as tell:
        how = {name: getattr(options, name) for name in ("quick", "workers", "dask")}
        done = reproduce(selected, options.out, **how, tell=tell, left_out=missing.__setitem__)
    console = Screen(highlight=False)
    console.show(table(done, missing))
    for name, why in missing.items():
        print(f"numerics: {name} is left out: {why}", file=sys.stderr)
    console.print(f"wrote {options.out}", markup=False, soft_wrap=True)
    return 1 if any(outcome.unexpected for outcome in done) else 0


def _publish(options: argparse.Namespace) -> int:
    from numerics.reproduce.publish import PAGE, PICTURES, checkout, publish

    done = publish(options.folder, checkout())
    print(f"wrote {PAGE} and {PICTURES} with {len(done)} panels")
    return 0


@contextmanager
def _progress(total: int) -> Iterator[tuple[Callable[[int], None], Callable[[str], None]]]:
    """A bar on standard error that disappears when the work is done: what advances it, and what names the work."""
    from rich.progress import MofNCompleteColumn, TimeElapsedColumn

    from numerics.machine.progress import progress

    with progress(total, MofNCompleteColumn(), TimeElapsedColumn()) as (bar, task):
        yield lambda steps: bar.update(task, advance=steps), lambda name: bar.update(task, description=name)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "kernels": _kernels,
    "accuracy": _accuracy,
    "validate": _validate,
    "sweep": _sweep,
    "reproduce": _reproduce,
    "publish": _publish,
}

if __name__ == "__main__":
    sys.exit(main())
