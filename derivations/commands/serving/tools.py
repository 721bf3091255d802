"""Everything that an agent may ask for, as functions of plain data that return plain data.

No text that arrives is run: files of Python are refused, and what is judged is read by the readers of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from derivations.audit import ledger
from derivations.audit.verify import judge_or_tell, verify_together
from derivations.commands import listing, selection
from derivations.paper.entries import Entry
from derivations.paper.model import Paper
from derivations.prove.certificate import Certificate
from derivations.questions import ask, lines
from derivations.questions.answers import answered
from derivations.questions.certified import certified
from derivations.recheck import Rejected, recheck_ledger
from derivations.recheck.ledgers.reading import sentence
from derivations.text import DerivationError
from derivations.text.plain import relations

Json = dict[str, Any]
Table = Mapping[str, str]
MOST = 20  # entries in one answer
LARGEST = 64_000_000  # bytes of a ledger


def judge(statement: str, given: Sequence[str] = (), latex: bool = False, seconds: float = 3.0) -> Json:
    """Decide a statement: the verdict, the sentence that was judged, a witness where it fails, and what was trusted.

    statement: one line of text, such as "exp(x) >= 1 + x", "as x -> 0: sin(x)/x -> 1", or "flow t: x' = -r*x; x = x0;
        x = x0*exp(-r*t)" (rates, start, solution); every name is a real number. With latex, the LaTeX of a formula.
    given: hypotheses in the same form, such as "x > 0".
    """
    return ask(statement, given, latex=latex, seconds=seconds).as_json()


def certificate(statement: str, given: Sequence[str] = (), latex: bool = False, seconds: float = 3.0) -> Json:
    """Return the same as judge, with the certificate, which `recheck` accepts as a file."""
    return ask(statement, given, latex=latex, seconds=seconds).as_json(with_certificate=True)


def counterexample(statement: str, given: Sequence[str] = (), latex: bool = False, seconds: float = 3.0) -> Json:
    """Look for an exact point at which a statement fails; `found` is false where it is proved, or none was found."""
    answer = ask(statement, given, latex=latex, seconds=seconds)
    told = answer.as_json()
    return {"found": answer.witness is not None, **{key: told[key] for key in told if key != "trusts"}}


def solves(rates: Table, start: Table, solution: Table, time: str = "t", given: Sequence[str] = ()) -> Json:
    """Decide whether functions of time solve a flow, begin where they should, and exist at all times from then on.

    rates, start, solution: formulas by the letter that moves. given: hypotheses about constants, or "t < T".
    """
    question = f"does this solve the flow: {dict(solution)}?"

    def asked() -> Certificate:
        hypotheses = tuple(part for one in given for part in relations(one))
        return certified(lines.Statement(lines.flow(time, rates, start, solution), hypotheses, question))

    return answered(question, asked).as_json()


def find(words: Sequence[str]) -> Json:
    """List entries of the library in which all words occur; an equation is one word, such as "Eq. 7"."""
    work = listing.with_words(selection.chosen([]), listing.joined(words))
    return _listed([(paper, entry) for paper, entries in work for entry in entries or ()], _briefly)


def show(name: str) -> Json:
    """Tell everything known of an entry of the library, by its id or name, or of an equation, such as "Eq. 7"."""
    if selection.is_path(name) or selection.is_path(name.partition(":")[0]):
        raise DerivationError(f"{name} is a file, which would be run: show takes the name of an entry of the library")
    work = selection.chosen([name])
    return _listed([(p, e) for p, entries in work for e in entries or p.entries.values()], _whole)


def recheck(file: str) -> Json:
    """Check the certificates in a file again with separate code: a ledger, or {"certificate": ...} alone."""
    path = Path(file)
    if not path.is_file():
        raise DerivationError(f"there is no file {file}: give the path of a ledger or of a certificate")
    if path.stat().st_size > LARGEST:
        raise DerivationError(f"{file} has more than {LARGEST} bytes: check it with `derivations recheck {file}`")
    try:
        summary = recheck_ledger(path)
    except Rejected as refusal:
        return {"accepted": False, "reason": str(refusal)}
    told = [f"{where}: {why}" for where, why in summary.rejected]
    return {"accepted": summary.clean, "checked": len(summary.entries), "rejected": told[:MOST]}


TOOLS: dict[str, Callable[..., Json]] = {
    tool.__name__: tool for tool in (judge, certificate, counterexample, solves, find, show, recheck)
}


def answer(request: Json) -> Json:
    """Answer one request; a mistake in it is told in one sentence.

    >>> answer({"tool": "judge", "arguments": {"statement": "x^2 >= 0"}})["verdict"]
    'proved'
    >>> answer({"tool": "show", "arguments": {"name": "no_such_entry_at_all"}})["error"].partition(",")[0]
    'no paper is called no_such_entry_at_all'
    """
    try:
        return TOOLS[request["tool"]](**request["arguments"])
    except DerivationError as refusal:
        return {"error": str(refusal)}


def _listed(found: list[tuple[Paper, Entry]], tell: Callable[[Paper, Entry], Json]) -> Json:
    shown = [tell(paper, entry) for paper, entry in found[:MOST]]
    more = {"more": len(found) - MOST} if len(found) > MOST else {}
    return {"entries": shown, **more}


def _briefly(_: Paper, entry: Entry) -> Json:
    return {"id": entry.id, "kind": entry.kind, "where": [*entry.where], "says": entry.says}


def _whole(paper: Paper, entry: Entry) -> Json:
    """Return the entry as a ledger has it, without its certificate, and with the sentence that was judged."""
    (report,) = verify_together([(paper, [entry])], 1, lambda _: None, judge_or_tell)
    (record,) = ledger.as_json([report])["papers"][0]["entries"]
    judged = record["certificate"] and sentence(record["certificate"]["statement"])
    left = {"certificate", "statement", "reading", "reading_of_corrected", "formula"}
    return {**{key: told for key, told in record.items() if told and key not in left}, "judged": judged}
