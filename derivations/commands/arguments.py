"""The language of the command line: its commands and their options."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from derivations.text import DerivationError

TARGETS = (
    "a paper's key, an entry's id or name, an equation such as KEY:Eq.7, or a Python file or folder of your own, "
    "as in my_paper.py or my_paper.py:name (default: every paper)"
)


class UserError(DerivationError):
    """A mistake of the user's, told in one sentence; exit status 2."""


def check_folder(folder: Path, option: str) -> None:
    """Refuse, before any work is done, a folder that cannot be written to or made, or of which nothing is there."""
    above = folder.absolute().parents
    there = next(path for path in (folder, *above) if path.exists())
    if not there.is_dir():
        raise UserError(f"{there} is a file: give {option} a folder")
    if there == above[-1] not in (folder, above[0]):
        raise UserError(f"there is no folder {above[0]} to write {folder.name} into: create it first")
    try:
        TemporaryDirectory(dir=there).cleanup()
    except OSError:
        raise UserError(f"{there} cannot be written to: give {option} a folder that can") from None


class Parser(argparse.ArgumentParser):
    """A parser that answers mistakes in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; `{self.prog} --help` shows what is understood")


def parser() -> Parser:
    top = Parser(prog="derivations", description="Verify what papers on learning dynamics claim, equation by equation.")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)

    verify = commands.add_parser("verify", help="compute every verdict, and print counts and mistakes")
    _targets(verify)
    verify.add_argument("--all", action="store_true", help="print a row for every entry")
    _filters(verify)
    verify.add_argument("--watch", action="store_true", help="judge what changes in a file of your own, until Ctrl-C")
    verify.add_argument("--json", type=Path, metavar="FILE", help="write everything found as JSON")
    _jobs(verify, "decide claims")
    verify.add_argument(
        "--effort",
        type=positive,
        default=3,
        metavar="N",
        help="work for what is not decided at once, in seconds of a usual machine (default: 3)",
    )

    listing = commands.add_parser("list", help="list entries, one line each")
    _targets(listing)
    _filters(listing)

    search = commands.add_parser("find", help="list the entries in which all words occur")
    search.add_argument("words", nargs="+", metavar="WORD", help="in a name, a place, a sentence or the LaTeX")
    search.add_argument("--in", dest="targets", action="append", metavar="PAPER|FILE", help="look only there")

    show = commands.add_parser("show", help="entries or an equation: formula, verdict, witness, correction")
    show.add_argument("id", metavar="ID", help=TARGETS.partition(" (")[0])
    show.add_argument("--all", action="store_true", help="every part of a long statement, in full")
    show.add_argument("--latex", action="store_true", help="formulas as LaTeX")
    show.add_argument("--impact", action="store_true", help="also list everything that uses the entry")

    new = commands.add_parser("new", help="write a paper file of your own to begin with, which runs")
    new.add_argument("name", metavar="NAME", help="the paper's key: my_paper writes my_paper.py")

    draft = commands.add_parser("draft", help="write a paper file from LaTeX or Markdown: its equations, its letters")
    draft.add_argument("source", type=Path, metavar="FILE|FOLDER", help="paper.tex, paper.md, or a folder of them")
    draft.add_argument("-o", "--output", type=Path, metavar="FILE.py", help="the file to write (default: by the name)")

    recheck = commands.add_parser("recheck", help="check the certificates of a ledger again, with separate code")
    _targets(
        recheck,
        "LEDGER.json|PAPER|ID|FILE",
        "what `derivations verify --json` wrote, a saved certificate, or what is verified first"
        " (with --pages default: every paper)",
    )
    recheck.add_argument(
        "--pages", action="store_true", help="compare docs/papers and the emitted kernels with the checked ledger"
    )
    recheck.add_argument("-v", "--verbose", action="store_true", help="print every statement that is accepted")
    recheck.add_argument(
        "--core", action="store_true", help="count what rests on the core of the checker alone, and what else is needed"
    )
    _jobs(recheck, "check")

    table = commands.add_parser("theorems", help="print the table of theorems and rules that verdicts rest on")
    table.add_argument("ledger", nargs="?", type=Path, metavar="LEDGER.json", help="count there how often each is used")

    rocq = commands.add_parser("rocq", help="have Rocq confirm certificates: theorems and proofs in its language")
    _targets(rocq, "LEDGER.json|PAPER|ID|FILE")
    rocq.add_argument(
        "--from", dest="source", type=Path, metavar="LEDGER.json", help="take what is named from this ledger"
    )
    rocq.add_argument("-o", "--output", type=Path, metavar="DIR", help="write statement files and proof files there")
    rocq.add_argument(
        "--tenth", default="", metavar="WORD", help="take a tenth of the entries, which this word chooses"
    )
    rocq.add_argument("--json", type=Path, metavar="FILE", help="write the outcome of every certificate as JSON")
    _jobs(rocq)

    _question_options(commands)
    _doubt_options(commands)
    _code_options(commands)
    _written_options(commands)
    commands.add_parser("update", help="regenerate docs/papers and the emitted kernels of a source checkout")
    return top


def _question_options(commands: Any) -> None:
    """Add the commands that answer questions about no paper."""
    judge = commands.add_parser("judge", help="decide a statement that is typed as one line of text, or as LaTeX")
    judge.add_argument("statement", metavar="STATEMENT", help='such as "exp(x) >= 1 + x" or "as x -> 0: sin(x)/x -> 1"')
    judge.add_argument("--given", action="append", default=[], metavar="RELATION", help='a hypothesis, such as "x > 0"')
    judge.add_argument("--latex", action="store_true", help="the statement and what is given are LaTeX")
    judge.add_argument("--effort", type=positive, default=3, metavar="N", help="seconds, as for verify (default: 3)")
    judge.add_argument("--json", type=Path, metavar="FILE", help="write the certificate; recheck FILE checks it again")

    serve = commands.add_parser(
        "serve", help="answer questions of agents by the Model Context Protocol, until they end"
    )
    _jobs(serve, "answer")


def _doubt_options(commands: Any) -> None:
    """Add the options of commands that try to contradict verdicts."""
    lies = commands.add_parser("lies", help="feed every claim false variants of itself")
    _targets(lies)
    lies.add_argument(
        "--per-claim",
        type=positive,
        default=12,
        metavar="N",
        help="false variants of each claim (default: %(default)s)",
    )

    lies.add_argument(
        "--words",
        action="store_true",
        help="change words of sentences instead: no page may pass with one that was judged",
    )
    _jobs(lies)

    probe = commands.add_parser("probe", help="confront what was decided with random instances, by code without proofs")
    _targets(probe, "PAPER|CLAIM|FILE", "what to confront (default: everything)")
    probe.add_argument(
        "--instances", type=positive, default=5, metavar="N", help="instances of each statement (default: %(default)s)"
    )
    probe.add_argument("--seed", type=int, default=0, metavar="N", help="another seed draws other instances")
    _jobs(probe)


def _code_options(commands: Any) -> None:
    """Add the options of comparing a user's function with what is proved."""
    code = commands.add_parser(
        "audit-code", help="run a Python function of your own beside a claim's kernel, and say where it departs"
    )
    code.add_argument("function", metavar="MODULE:FUNCTION", help="or path.py:function; it is run, in its own process")
    code.add_argument(
        "--against", required=True, metavar="PAPER:CLAIM", help="a claim with a kernel, or a kernel, also file.py:claim"
    )
    code.add_argument("--tolerance", type=share, metavar="R", help="relative error allowed (default: only rounding)")
    code.add_argument(
        "--points", type=positive, default=200, metavar="N", help="arguments in the domain (default: %(default)s)"
    )
    code.add_argument("--seed", type=int, default=0, metavar="N", help="another seed draws other arguments")
    code.add_argument(
        "--seconds", type=positive, default=20, metavar="N", help="for an answer, the import too (default: %(default)s)"
    )


def _written_options(commands: Any) -> None:
    """Add the options of commands that write kernels and pages."""
    emit = commands.add_parser("emit", help="write kernels as files that stand alone and test themselves")
    emit.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help="paper:name, a kernel's name, a paper's key, or a Python file or folder of your own, also as file.py:name",
    )
    emit.add_argument("--all", action="store_true", help="every kernel of every paper")
    emit.add_argument("--target", metavar="T", help="numba, c, jax, numpy or js")
    emit.add_argument(
        "--with",
        dest="ways",
        type=ways,
        default=[],
        metavar="W",
        help="derivatives along a direction (jvp), against weights of the results (vjp), or both: jvp,vjp",
    )
    emit.add_argument("-o", "--output", type=Path, metavar="DIR", help="the folder to write into")

    report = commands.add_parser("report", help="write the audited papers as pages for a browser")
    _targets(report, "PAPER|FILE", "a paper's key, or a Python file or folder of your own")
    report.add_argument("--html", type=Path, metavar="DIR", help="the folder to write into")
    report.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="LEDGER.json",
        help="write what `derivations verify --json` found, and judge nothing again (default: the ledger that the last"
        " report left in DIR, if it is fresh)",
    )
    report.add_argument("--results", type=Path, metavar="DIR", help="a folder that `numerics reproduce` wrote")
    _jobs(report, "decide claims")


def _targets(command: Parser, names: str = "PAPER|ID|FILE", says: str = TARGETS) -> None:
    command.add_argument("targets", nargs="*", metavar=names, help=says)


def _jobs(command: Parser, does: str = "work") -> None:
    command.add_argument("--jobs", type=positive, metavar="N", help=f"{does} in N processes (default: all cores)")


def _filters(command: Parser) -> None:
    """Which entries are listed, among those that are named."""
    command.add_argument("--eq", type=positive, metavar="N", help="only entries about the equation of this number")
    command.add_argument("--refuted", action="store_true", help="only refuted claims")
    command.add_argument("--open", action="store_true", help="only claims that are left open")


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return int(text)


def ways(text: str) -> list[str]:
    chosen_ways = [part.strip() for part in text.split(",")]
    if not set(chosen_ways) <= {"jvp", "vjp"}:
        raise argparse.ArgumentTypeError(f"expected jvp, vjp or jvp,vjp, got {text!r}")
    return sorted(set(chosen_ways))


def share(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0 and up to 1, got {text!r}")
    return number
