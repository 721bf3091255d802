"""The command line: what each command does, and its exit status."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from derivations.commands.arguments import UserError, check_folder, parser
from derivations.text import DerivationError
from derivations.text.processes import cores

if TYPE_CHECKING:
    from derivations.audit.verify import Report
    from derivations.commands.selection import Work
    from derivations.prove.certificate import Json


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 when something does not hold, 2 for a user's mistake."""
    gc.set_threshold(1_000_000, 20, 20)  # almost all is kept, and to look for garbage takes long; forks inherit it
    _ready_to_tell()
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


def _ready_to_tell() -> None:
    """Streams that were closed swallow what is told, and signs that a terminal cannot show are spelt out."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def refused(mistake: Exception) -> int:
    print(f"derivations: {mistake}", file=sys.stderr)
    return 2


def _verify(options: argparse.Namespace) -> int:
    from derivations.commands import listing, selection

    if options.watch:
        from derivations.commands.own.watch import watch

        return watch(options.targets)
    _refuse_no_file(options.json)
    work = listing.about(selection.chosen(options.targets), options.eq)
    return _verify_work(work, options)


def _verify_work(work: Work, options: argparse.Namespace) -> int:
    import time

    from derivations.commands import listing, summary
    from derivations.prove.rules import effort

    started, jobs = time.perf_counter(), options.jobs or cores()
    with effort.allowing(options.effort):
        reports = _judged(work, jobs)
    asked = listing.verdicts_asked(refuted=options.refuted, unsettled=options.open)
    summary.summary(reports, every_row=options.all, only=asked)
    if options.json:
        if broken := [o.entry.id for report in reports for o in report.outcomes if o.is_broken]:
            raise UserError(f"no ledger was written, as {', '.join(broken)} cannot be judged: mend it first")
        from derivations.audit import ledger
        from derivations.text import write_together

        write_together({options.json.name: ledger.dumps(ledger.as_json(reports))}, options.json.parent)
    summary.next_steps(reports, time.perf_counter() - started, jobs)
    return 1 if any(report.faults for report in reports) else 0


def _judged(work: Work, jobs: int) -> list[Report]:
    """The work with a verdict for every claim, or with the reason why it has none, and a bar meanwhile."""
    from derivations.audit.verify import judge_or_tell, verify_together
    from derivations.commands import terminal

    counts = [(paper.key, len(paper.entries if entries is None else entries)) for paper, entries in work]
    with terminal.progress(counts) as step:
        return verify_together(work, jobs, lambda entry: step(entry.paper, entry.name), judge_or_tell)


def _unjudged(reports: list[Report]) -> list[str]:
    return [fault for report in reports for o in report.outcomes if o.is_broken for fault in o.told]


def _refuse_no_file(path: Path | None) -> None:
    if path and path.is_dir():
        raise UserError(f"{path} is a folder: name a file in it, e.g. --json {path / 'ledger.json'}")
    if path and not path.parent.is_dir():
        raise UserError(f"there is no folder {path.parent} to write {path.name} into: create it first")


def _list(options: argparse.Namespace) -> int:
    from derivations.commands import listing
    from derivations.commands.selection import chosen

    asked = listing.verdicts_asked(refuted=options.refuted, unsettled=options.open)
    work = listing.with_verdict(listing.about(chosen(options.targets), options.eq), asked)
    listing.write(work, papers_alone=not (options.targets or options.eq or asked))
    return 0


def _find(options: argparse.Namespace) -> int:
    from derivations.commands import listing
    from derivations.commands.selection import chosen

    words = listing.joined(options.words)
    files = [word for word in words if word.endswith(".py")]
    wanted = [word for word in words if word not in files]
    work = chosen([*(options.targets or []), *files])
    if not listing.write(listing.with_words(work, wanted), papers_alone=False):
        raise UserError(f"no entry has {' and '.join(wanted)} in its name, place, sentence or LaTeX")
    return 0


def _show(options: argparse.Namespace) -> int:
    from derivations.commands import asked

    return asked.show(options.id, with_impact=options.impact, whole=options.all, in_latex=options.latex)


def _new(options: argparse.Namespace) -> int:
    from derivations.commands.own import new

    print(new.write(options.name))
    return 0


def _draft(options: argparse.Namespace) -> int:
    from derivations.commands.own import draft

    print(draft.write(options.source, options.output))
    return 0


def _judge(options: argparse.Namespace) -> int:
    from derivations.commands import terminal
    from derivations.questions import ask
    from derivations.text import write_together

    _refuse_no_file(options.json)
    answer = ask(options.statement, options.given, latex=options.latex, seconds=options.effort)
    if answer.verdict == "refused":
        raise UserError(answer.reason)
    terminal.answer(answer)
    if options.json:
        text = json.dumps({"certificate": answer.certificate}, indent=1) + "\n"
        write_together({options.json.name: text}, options.json.parent)
    return 0 if answer.holds else 1


def _serve(options: argparse.Namespace) -> int:
    try:
        from derivations.commands.serving.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in ("mcp", "anyio"):
            raise
        raise UserError("serve needs the protocol: pip install 'learning-dynamics-derivations[agents]'") from None
    serve(options.jobs or cores())
    return 0


def _recheck(options: argparse.Namespace) -> int:
    from derivations import recheck
    from derivations.commands import terminal
    from derivations.recheck.core.errors import Rejected

    if not options.targets and not options.pages:
        raise UserError("recheck needs a LEDGER.json that `derivations verify --json` wrote, a paper, or --pages")
    jobs = options.jobs or cores()
    with TemporaryDirectory() as folder:
        path, broken = _ledger_among(options.targets), []
        if path is None:
            path = Path(folder) / "ledger.json"
            broken = _fresh_ledger(options.targets, path, jobs)
        try:
            with terminal.progress([("rechecking", None)]) as step:
                summary = recheck.recheck_ledger(path, lambda name: step("rechecking", name), jobs)
            if options.pages and summary.clean:
                from derivations.commands.update import root
                from derivations.report.written import page_faults

                summary.rejected += page_faults(root(), summary.papers)
        except Rejected as refusal:
            raise UserError(str(refusal)) from None
    terminal.faults(broken)
    return terminal.rechecked(summary, every_statement=options.verbose, core=options.core) or int(bool(broken))


def _ledger_among(targets: list[str]) -> Path | None:
    """The ledger that is named, if it is none of the words that name papers."""

    def names_papers(target: str) -> bool:
        from derivations.commands.selection import is_path, paper_meant

        return ":" in target or is_path(target) or paper_meant(target) is not None

    ledgers = [t for t in targets if t.endswith(".json") or not names_papers(t)]
    if ledgers and len(targets) > 1:
        raise UserError(f"recheck takes one ledger, or papers: give {ledgers[0]} alone")
    return Path(ledgers[0]) if ledgers else None


def _fresh_ledger(targets: list[str], path: Path, jobs: int) -> list[str]:
    """Write a ledger of what is named, or of every paper of this package; the claims that cannot be judged, and why."""
    from derivations.audit import ledger
    from derivations.commands.selection import chosen
    from derivations.paper.library import home

    reports = _judged(chosen(targets or home()), jobs)
    path.write_text(ledger.dumps(ledger.as_json([report.judged for report in reports])), encoding="utf-8")
    return _unjudged(reports)


def _rocq(options: argparse.Namespace) -> int:
    from derivations.commands import terminal
    from derivations.rocq import certificates, confirm
    from derivations.text import write_together

    _refuse_no_file(options.json)
    jobs = options.jobs or cores()
    with TemporaryDirectory() as folder:
        path, broken = options.source or _ledger_among(options.targets), []
        if path is None:
            path = Path(folder) / "ledger.json"
            broken = _fresh_ledger(options.targets, path, jobs)
        collection = certificates.collected(path, options.targets if options.source else [], options.tenth)
    with terminal.progress([("Rocq", None)]) as step:
        table = confirm.confirmed(collection, confirm.home(), jobs, options.output, lambda done: step("Rocq", done))
    print("\n".join(table.lines()))
    if options.json:
        write_together({options.json.name: json.dumps(table.as_json(), indent=1)}, options.json.parent)
    terminal.faults(broken)
    return 1 if broken or table.failed() else 0


def _theorems(options: argparse.Namespace) -> int:
    from derivations.audit import table

    print(table.text(options.ledger), end="")
    return 0


def _lies(options: argparse.Namespace) -> int:
    if options.words:
        return _lies_about_words(options)
    from derivations.audit.lies import statements as mutants
    from derivations.commands import screen, terminal
    from derivations.commands.selection import chosen
    from derivations.paper.entries import Claim
    from derivations.paper.naming import PaperError

    claims = [
        e
        for paper, entries in chosen(options.targets)
        for e in (entries or paper.entries.values())
        if isinstance(e, Claim)
    ]
    tallies, faults = [], []
    with terminal.progress([("lying", len(claims))]) as step:
        for claim in claims:
            try:
                tallies.append(mutants.tell(claim, options.per_claim))
            except PaperError as trouble:
                faults.append(str(trouble))
            step("lying", claim.id)
    lines = mutants.summary(tallies)
    screen.lies(tallies, lines["counts"])
    terminal.faults([*faults, *lines["faults"]])
    return 1 if faults or lines["faults"] else 0


def _lies_about_words(options: argparse.Namespace) -> int:
    from derivations.audit import ledger
    from derivations.audit.lies.sentences import about
    from derivations.commands import screen
    from derivations.commands.selection import chosen

    reports = _judged(chosen(options.targets), options.jobs or cores())
    papers = ledger.as_json(report.judged for report in reports)["papers"]
    fates = about(entry for paper in papers for entry in paper["entries"])
    screen.lies_about_words(fates)
    return 1 if fates.survived else 0


def _probe(options: argparse.Namespace) -> int:
    from derivations.audit.probe import probe_together
    from derivations.commands import screen, terminal
    from derivations.commands.selection import chosen
    from derivations.paper.entries import Claim

    jobs = options.jobs or cores()
    named = [(paper, entries or paper.entries.values()) for paper, entries in chosen(options.targets)]
    found = _judged([(paper, [e for e in entries if isinstance(e, Claim)]) for paper, entries in named], jobs)
    broken, reports = _unjudged(found), [report.judged for report in found]
    with terminal.progress([("probing", sum(len(report.outcomes) for report in reports))]) as step:
        confrontations = probe_together(
            reports, options.instances, options.seed, jobs, lambda name: step("probing", name)
        )
    terminal.faults(broken)
    return screen.probed(confrontations) or int(bool(broken))


def _emit(options: argparse.Namespace) -> int:
    if not options.ids and not options.all:
        raise UserError("name the kernels to emit, or give --all for every kernel of every paper")
    if options.ids and options.all:
        raise UserError(f"--all emits every kernel: leave it out to emit {' '.join(options.ids)} alone")
    for option, value, example in (("--target", options.target, "c"), ("-o", options.output, "kernels")):
        if value is None:
            raise UserError(f"emit needs {option}, e.g. {option} {example}")
    from derivations.commands import emit, terminal

    remarks: list[str] = []
    with terminal.progress([("kernels", None)]) as step:
        steps = lambda name: step("kernels", name)  # noqa: E731
        done = emit.emit(options.ids, options.target, options.output, steps, remarks.append, ways=options.ways)
    print(*remarks, sep="\n", end="\n" if remarks else "")
    print("\n".join(f"wrote {options.output / name}" for name in done) or "nothing to write")
    return 0


def _audit_code(options: argparse.Namespace) -> int:
    from derivations.commands import terminal
    from derivations.commands.own.code.audit import audit

    with terminal.progress([("points", options.points)]) as step:
        report, departs = audit(
            options.function,
            options.against,
            tolerance=options.tolerance,
            count=options.points,
            seed=options.seed,
            seconds=options.seconds,
            step=lambda done: step("points", str(done)),
        )
    print(report)
    return 1 if departs else 0


def _report(options: argparse.Namespace) -> int:
    from derivations import report
    from derivations.commands import terminal
    from derivations.commands.selection import chosen
    from derivations.report import which_ledger

    if options.html is None:
        raise UserError("report needs --html, e.g. --html site")
    check_folder(options.html, "--html")
    kept = which_ledger.at(options.source) if options.source else None
    panels = report.read(options.results) if options.results else []
    work = chosen(options.targets)
    if any(entries is not None for _, entries in work):
        raise UserError("a page shows a whole paper: give the paper's key, without the name of an entry")
    reports, faults = _reports_for_pages(work, options, kept)
    written = report.write(reports, options.html, panels, options.jobs or cores())
    deeper = [name for name in written if name.startswith("evidence/")]
    lines = [f"wrote {options.html / name}" for name in written if name not in deeper]
    lines += [f"wrote {len(deeper)} files of evidence below {options.html / 'evidence'}"] if deeper else []
    print("\n".join(lines) or "everything is up to date")
    terminal.faults(faults)
    return 1 if faults else 0


def _reports_for_pages(work: Work, options: argparse.Namespace, kept: Json | None) -> tuple[list[Report], list[str]]:
    """The reports of the ledger that is named or lies fresh beside the pages; else all is judged, and a ledger kept.

    With them come their faults, which of a ledger are those of its entries.
    """
    from derivations.report import which_ledger

    papers = [paper for paper, _ in work]
    known: list[Report] | None
    if kept is not None:
        known = which_ledger.named(kept, papers, every=not options.targets)
    elif (known := which_ledger.fresh(options.html, papers)) is not None:
        print(f"verdicts are those of {options.html / which_ledger.FILE}, which is fresh", file=sys.stderr)
    if known is not None:
        return known, [fault for report in known for o in report.outcomes for fault in o.told]
    reports = _judged(work, options.jobs or cores())
    faults = [fault for report in reports for fault in report.faults]
    return which_ledger.keep(options.html, [report.judged for report in reports]), faults


def _update(_: argparse.Namespace) -> int:
    from derivations.commands import terminal, update

    with terminal.progress([("updating", None)]) as step:
        written = update.update(lambda entry: step("updating", entry.id))
    print("\n".join(f"wrote {name}" for name in written) or "everything is up to date")
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "verify": _verify,
    "list": _list,
    "find": _find,
    "show": _show,
    "new": _new,
    "draft": _draft,
    "judge": _judge,
    "serve": _serve,
    "recheck": _recheck,
    "rocq": _rocq,
    "theorems": _theorems,
    "lies": _lies,
    "probe": _probe,
    "emit": _emit,
    "audit-code": _audit_code,
    "report": _report,
    "update": _update,
}

if __name__ == "__main__":
    sys.exit(main())
