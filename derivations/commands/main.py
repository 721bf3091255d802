"""The command line: verify, list, show, recheck, lies, probe, emit, report, bench, update."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from derivations.recheck.errors import Rejected
from derivations.text import DerivationError

TARGETS = "a paper's key, an entry's id, or a Python file with a Paper (default: every paper)"


class UserError(DerivationError):
    """A mistake of the user's, told in one sentence; exit status 2."""


class Parser(argparse.ArgumentParser):
    """A parser that answers mistakes in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; `{self.prog} --help` shows what is understood")


def parser() -> Parser:
    top = Parser(prog="derivations", description="Verify what papers on learning dynamics claim, equation by equation.")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)

    verify = commands.add_parser("verify", help="compute every verdict, and print counts and mistakes")
    verify.add_argument(
        "targets",
        nargs="*",
        metavar="PAPER|ID|FILE",
        help=TARGETS,
    )
    verify.add_argument("--all", action="store_true", help="print a row for every entry")
    verify.add_argument("--json", type=Path, metavar="FILE", help="write everything found as JSON")
    verify.add_argument("--jobs", type=positive, metavar="N", help="decide claims in N processes (default: all cores)")
    verify.add_argument(
        "--effort", type=positive, default=3, metavar="N", help="seconds for what is not decided at once (default: 3)"
    )

    listing = commands.add_parser("list", help="list entries")
    listing.add_argument("targets", nargs="*", metavar="PAPER|ID|FILE", help=TARGETS)

    show = commands.add_parser("show", help="one entry: sentence, formula, verdict, witness, correction")
    show.add_argument("id", metavar="ID", help="paper:name, a name that no other paper has, or file.py:name")
    show.add_argument("--impact", action="store_true", help="list everything that uses this entry")

    recheck = commands.add_parser("recheck", help="check the certificates of a ledger again, with separate code")
    recheck.add_argument(
        "ledger",
        type=Path,
        nargs="?",
        metavar="LEDGER.json",
        help="what `derivations verify --json` wrote (with --pages default: every paper is verified first)",
    )
    recheck.add_argument(
        "--pages", action="store_true", help="compare docs/papers and the emitted kernels with the checked ledger"
    )
    recheck.add_argument("-v", "--verbose", action="store_true", help="print every statement that is accepted")
    recheck.add_argument("--jobs", type=positive, metavar="N", help="check in N processes (default: all cores)")

    lies = commands.add_parser("lies", help="feed every claim false variants of itself")
    lies.add_argument("targets", nargs="*", metavar="PAPER|ID|FILE", help=TARGETS)
    lies.add_argument(
        "--per-claim",
        type=positive,
        default=12,
        metavar="N",
        help="false variants of each claim (default: %(default)s)",
    )

    lies.add_argument(
        "--library",
        action="store_true",
        help="tell lies about the library's own code instead: name modules of it, or none for all that papers rest on",
    )
    lies.add_argument("--share", type=share, default=1.0, metavar="S", help="with --library, a share drawn by --seed")
    lies.add_argument("--seed", default="0", metavar="TEXT", help="which share is drawn (default: %(default)s)")
    lies.add_argument("--jobs", type=positive, metavar="N", help="with --library, work in N processes")
    lies.add_argument("--json", type=Path, metavar="FILE", help="with --library, write what was noticed by what")

    probe = commands.add_parser("probe", help="confront what was decided with random instances, by code without proofs")
    probe.add_argument("targets", nargs="*", metavar="PAPER|CLAIM|FILE", help="what to confront (default: everything)")
    probe.add_argument(
        "--instances", type=positive, default=5, metavar="N", help="instances of each statement (default: %(default)s)"
    )
    probe.add_argument("--seed", type=int, default=0, metavar="N", help="another seed draws other instances")
    probe.add_argument("--jobs", type=positive, metavar="N", help="work in N processes (default: all cores)")

    emit = commands.add_parser("emit", help="write kernels as files that stand alone and test themselves")
    emit.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help="paper:name, a kernel's name, a paper's key, or a Python file with a Paper",
    )
    emit.add_argument("--all", action="store_true", help="every kernel of every paper")
    emit.add_argument("--target", metavar="T", help="numba, c, cuda, jax, numpy, mpmath or latex")
    emit.add_argument("-o", "--output", type=Path, metavar="DIR", help="the folder to write into")

    report = commands.add_parser("report", help="write the audited papers as pages for a browser")
    report.add_argument("targets", nargs="*", metavar="PAPER|FILE", help="a paper's key, or a Python file with a Paper")
    report.add_argument("--html", type=Path, metavar="DIR", help="the folder to write into")
    report.add_argument("--results", type=Path, metavar="DIR", help="a folder that `numerics reproduce` wrote")
    report.add_argument("--jobs", type=positive, metavar="N", help="decide claims in N processes (default: all cores)")

    _bench_options(commands)
    commands.add_parser("update", help="regenerate docs/papers and the emitted kernels of a source checkout")
    return top


def _bench_options(commands: Any) -> None:
    bench = commands.add_parser(
        "bench", help="this engine and other provers on lists of statements that are known to hold"
    )
    bench.add_argument("what", choices=["provers"], help="what is compared")
    bench.add_argument("--list", action="append", metavar="NAME", help="only this list (may be repeated)")
    bench.add_argument("--only", default="", metavar="TEXT", help="only statements with this text in name or formula")
    bench.add_argument("--prover", action="append", choices=["engine", "sympy", "z3", "eye"], help="only this prover")
    bench.add_argument("--seconds", type=positive, default=10, metavar="N", help="time for a statement (default: 10)")
    bench.add_argument("--open", action="store_true", help="print what this engine leaves open, and why")
    bench.add_argument("--json", type=Path, metavar="FILE", help="write the table and every answer as JSON")
    bench.add_argument("--jobs", type=positive, metavar="N", help="work in N processes (default: all cores)")


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return int(text)


def share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0 and up to 1, got {text!r}")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 when something does not hold, 2 for a user's mistake."""
    try:
        options = parser().parse_args(arguments)
        status = COMMANDS[options.command](options)
        sys.stdout.flush()
        return status
    except DerivationError as mistake:
        return refused(mistake)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("derivations: interrupted; nothing was written half", file=sys.stderr)
        return 130
    except OSError as trouble:
        return refused(UserError(f"{trouble.filename or 'a file'}: {trouble.strerror or trouble}"))


def refused(mistake: Exception) -> int:
    print(f"derivations: {mistake}", file=sys.stderr)
    return 2


def _verify(options: argparse.Namespace) -> int:
    import time

    from derivations.audit import ledger
    from derivations.audit.verify import cores, verify_together
    from derivations.commands import screen, summary
    from derivations.commands.selection import chosen
    from derivations.prove.rules import effort
    from derivations.text import write_together

    if options.json and options.json.is_dir():
        raise UserError(f"{options.json} is a folder: name a file in it, e.g. --json {options.json / 'ledger.json'}")
    if options.json and not options.json.parent.is_dir():
        raise UserError(f"there is no folder {options.json.parent} to write {options.json.name} into: create it first")
    started, jobs = time.perf_counter(), options.jobs or cores()
    work = chosen(options.targets)
    steps = screen.progress([(paper.key, len(entries or paper.entries)) for paper, entries in work])
    with effort.allowing(options.effort), steps as step:
        reports = verify_together(work, jobs, lambda entry: step(entry.paper, entry.name))
    summary.summary(reports, every_row=options.all)
    if options.json:
        write_together({options.json.name: ledger.dumps(ledger.as_json(reports))}, options.json.parent)
    summary.next_steps(reports, time.perf_counter() - started, jobs)
    return 1 if any(report.faults for report in reports) else 0


def _list(options: argparse.Namespace) -> int:
    from derivations.commands import screen
    from derivations.commands.selection import chosen

    for paper, entries in chosen(options.targets):
        screen.entries(paper, entries)
    return 0


def _show(options: argparse.Namespace) -> int:
    from derivations.audit.inheritance import heirs
    from derivations.commands import screen
    from derivations.commands.selection import entry_called
    from derivations.paper.library import impact, library

    paper, entry = entry_called(options.id)
    papers = list({id(each): each for each in (paper, *library().values())}.values())
    if options.impact:
        screen.impact(entry, impact(entry.id, papers), heirs(paper, entry.id))
    else:
        screen.entry(entry, papers)
    return 0


def _recheck(options: argparse.Namespace) -> int:
    from derivations import recheck
    from derivations.audit.verify import cores
    from derivations.commands import screen

    if options.ledger is None and not options.pages:
        raise UserError("recheck needs a LEDGER.json that `derivations verify --json` wrote, or --pages")
    with TemporaryDirectory() as folder:
        path = options.ledger or _fresh_ledger(Path(folder) / "ledger.json", options.jobs or cores())
        try:
            with screen.progress([("rechecking", None)]) as step:
                summary = recheck.recheck_ledger(path, lambda name: step("rechecking", name), options.jobs or cores())
            if options.pages:
                from derivations.commands.update import root

                summary.rejected += recheck.page_faults(root(), summary.entries)
        except Rejected as refusal:
            raise UserError(str(refusal)) from None
    return screen.rechecked(summary, every_statement=options.verbose)


def _fresh_ledger(path: Path, jobs: int) -> Path:
    """A ledger of every paper, for pages to be compared with."""
    from derivations.audit import ledger
    from derivations.audit.verify import verify_together
    from derivations.commands import screen
    from derivations.commands.selection import chosen

    work = chosen([])
    with screen.progress([(paper.key, len(paper.entries)) for paper, _ in work]) as step:
        reports = verify_together(work, jobs, lambda entry: step(entry.paper, entry.name))
    path.write_text(ledger.dumps(ledger.as_json(reports)), encoding="utf-8")
    return path


def _lies(options: argparse.Namespace) -> int:
    if options.library:
        return _lies_about_the_library(options)
    from derivations.audit.lies import statements as mutants
    from derivations.commands import screen
    from derivations.commands.selection import chosen
    from derivations.paper.model import Claim

    claims = [
        e
        for paper, entries in chosen(options.targets)
        for e in (entries or paper.entries.values())
        if isinstance(e, Claim)
    ]
    with screen.progress([("lying", len(claims))]) as step:
        tallies = mutants.tell_all(claims, options.per_claim, lambda tally: step("lying", tally.claim))
    found = mutants.summary(tallies)
    screen.lies(tallies, found["counts"])
    screen.faults(found["faults"])
    return 1 if found["faults"] else 0


def _lies_about_the_library(options: argparse.Namespace) -> int:
    import json

    from derivations.audit.lies import library
    from derivations.audit.verify import cores
    from derivations.commands import screen

    _refuse_no_file(options.json)
    asked = library.chosen(options.targets, options.share, options.seed)
    with screen.progress([("lying", len(asked))]) as step:
        found = library.fates(asked, options.jobs or cores(), lambda fate: step("lying", fate.mutant.name))
    told = library.summary(found)
    if options.json:
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    screen.fates(told)
    return 1 if told["survived"] else 0


def _probe(options: argparse.Namespace) -> int:
    from derivations.audit.probe import probe_together
    from derivations.audit.verify import cores, verify_together
    from derivations.commands import screen
    from derivations.commands.selection import chosen
    from derivations.paper.model import Claim, Entry, Paper

    work, jobs = chosen(options.targets), options.jobs or cores()
    asked: list[tuple[Paper, list[Entry] | None]] = [
        (paper, [e for e in entries or paper.entries.values() if isinstance(e, Claim)]) for paper, entries in work
    ]
    reports = verify_together(asked, jobs)
    with screen.progress([("probing", sum(len(report.outcomes) for report in reports))]) as step:
        found = probe_together(reports, options.instances, options.seed, jobs, lambda name: step("probing", name))
    return screen.probed(found)


def _emit(options: argparse.Namespace) -> int:
    if not options.ids and not options.all:
        raise UserError("name the kernels to emit, or give --all for every kernel of every paper")
    if options.ids and options.all:
        raise UserError(f"--all emits every kernel: leave it out to emit {' '.join(options.ids)} alone")
    for option, value, example in (("--target", options.target, "c"), ("-o", options.output, "kernels")):
        if value is None:
            raise UserError(f"emit needs {option}, e.g. {option} {example}")
    from derivations.commands import emit

    done = emit.emit(options.ids, options.target, options.output)
    print("\n".join(f"wrote {options.output / name}" for name in done) or "nothing to write")
    return 0


def _report(options: argparse.Namespace) -> int:
    from derivations import report
    from derivations.audit.verify import cores, verify_together
    from derivations.commands import screen
    from derivations.commands.selection import chosen

    if options.html is None:
        raise UserError("report needs --html, e.g. --html site")
    if options.html.exists() and not options.html.is_dir():
        raise UserError(f"{options.html} is no folder: give one to write pages into, e.g. --html site")
    panels = report.read(options.results) if options.results else []
    work = chosen(options.targets)
    if any(entries is not None for _, entries in work):
        raise UserError("a page shows a whole paper: give the paper's key, without the name of an entry")
    with screen.progress([(paper.key, len(paper.entries)) for paper, _ in work]) as step:
        found = verify_together(work, options.jobs or cores(), lambda entry: step(entry.paper, entry.name))
    written = report.write(found, options.html, panels)
    print("\n".join(f"wrote {options.html / name}" for name in written) or "everything is up to date")
    faults = [fault for verified in found for fault in verified.faults]
    screen.faults(faults)
    return 1 if faults else 0


def _bench(options: argparse.Namespace) -> int:
    from derivations.audit.verify import cores
    from derivations.commands import provers

    _refuse_no_file(options.json)
    return provers.bench(options, options.jobs or cores())


def _refuse_no_file(path: Path | None) -> None:
    if path and (path.is_dir() or not path.parent.is_dir()):
        raise UserError(f"--json needs a file in a folder that exists, got {path}")


def _update(_: argparse.Namespace) -> int:
    from derivations.commands import update

    print("\n".join(f"wrote {name}" for name in update.update()) or "everything is up to date")
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "verify": _verify,
    "list": _list,
    "show": _show,
    "recheck": _recheck,
    "lies": _lies,
    "probe": _probe,
    "emit": _emit,
    "report": _report,
    "bench": _bench,
    "update": _update,
}

if __name__ == "__main__":
    sys.exit(main())
