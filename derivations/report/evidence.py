"""How an entry was decided: the statement, what it rests on, the steps of its certificate, and what relies on it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from html import escape
from typing import Any

from derivations.audit.ledger import hypotheses, not_needed
from derivations.audit.verify import Outcome
from derivations.language import show
from derivations.language.show import tubes
from derivations.latex.mathml import formula, symbol
from derivations.paper.entries import Entry
from derivations.prove.certificate import Certificate
from derivations.recheck.core.theorems import theorems
from derivations.report.pictures import drawing
from derivations.report.prose import typeset
from derivations.report.site import SIGNS, Site, premises, sign

MOST_LINES, MOST_CHARACTERS = 6, 420  # of a statement on a page; `verify --json` has it whole
SIMPLE = re.compile(r"(\w+) is ((?:positive|negative|nonnegative|nonpositive|nonzero)(?: and \w+)*)")
SHAPE = re.compile(r"(?<=\bis )(\w+) x (\w+)")
MOST_CONDITIONS = 8  # that are not folded
DEEPEST, MOST_STEPS = 2, 14  # of a certificate's trace
MOST_TUBES = 6  # that are drawn


def statement(judged: Any) -> str:
    """Return what was judged, as formulas where there are some; long lines are text that is cut, and says so.

    Lines whose two sides have one normal form say nothing beyond the sentence, and are left out.
    """
    shown = []
    readings = [(text, latex) for text, latex in show.readings(judged) if not _is_empty(text)]
    for text, latex in readings[:MOST_LINES]:
        if latex and len(text) <= MOST_CHARACTERS:
            shown.append(formula(latex))
        else:
            short = textwrap.shorten(text, MOST_CHARACTERS, placeholder=" …")
            shown.append(f'<p class="judged"><code>{escape(short)}</code></p>')
    if len(readings) > MOST_LINES:
        shown.append(f'<p class="note">and {len(readings) - MOST_LINES} more</p>')
    return "".join(shown)


def short_statement(judged: Any, longest: int) -> str:
    """A statement that is a single formula of at most so many characters; nothing for any other one."""
    lines = [line for line in show.readings(judged) if not _is_empty(line[0])]
    text, latex = lines[0] if len(lines) == 1 else ("", "")
    return formula(latex) if latex and len(text) <= longest else ""


def _is_empty(text: str) -> bool:
    """Check whether a line only says that something equals itself; such parts follow from the notation alone."""
    left, _, right = text.partition(" = ")
    return left == right


def conditions(certificate: Certificate) -> str:
    """The hypotheses as a list, in which symbols with the same assumption share a line."""
    assumed = hypotheses(certificate)
    if not assumed:
        return ""
    alike: dict[str, list[str]] = {}
    for condition in assumed:
        simple = SIMPLE.fullmatch(condition)
        alike.setdefault(simple[2] if simple else condition, []).extend([symbol(simple[1])] if simple else [])
    listed = "; ".join(
        f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} {'is' if len(names) == 1 else 'are'} {what}"
        if names
        else typeset(SHAPE.sub(r"\1 × \2", textwrap.shorten(what, MOST_CHARACTERS, placeholder=" …")))
        for what, names in alike.items()
    )
    spare = "; ".join(map(typeset, not_needed(certificate)))
    unused = f'<p class="note">The proof does not need: {spare}.</p>' if spare else ""
    if len(assumed) > MOST_CONDITIONS:
        folded = f"<summary>Where: {len(assumed)} hypotheses</summary>"
        return f'<details class="hypotheses">{folded}<p>{listed}.</p>{unused}</details>'
    return f'<p class="hypotheses"><b>Where</b> {listed}.</p>{unused}'


def derivation(outcome: Outcome, site: Site, level: int) -> str:
    """The evidence under headings of the given level; nothing for an entry that has none."""
    entry, certificate = outcome.entry, outcome.certificate
    blocks = []
    if certificate:
        judged = statement(certificate.statement)
        blocks += [
            f"<h{level}>Judged</h{level}>{judged}" if judged else "",
            _tube(certificate),
            _trace(certificate, level),
            _theorems(certificate),
        ]
    blocks.append(_foundations(entry, site, level))
    shown = "".join([*blocks, _impact(outcome, site)])
    return shown or (f"<p>Decided at once: {escape(certificate.method)}.</p>" if certificate else "")


def _tube(certificate: Certificate) -> str:
    """The boxes of a trajectory along the time, or of the trajectories among its parts."""
    found = [(tubes.bands(*tube), tube[0]["time"]) for tube in tubes.inside(certificate.statement, certificate.payload)]
    return "".join([drawing.tubes(bands, time) for bands, time in found if bands][:MOST_TUBES])


def _foundations(entry: Entry, site: Site, level: int) -> str:
    """All entries that this one rests on, as numbered steps, each of which names the steps that it uses."""
    steps = premises(entry, site)
    if not steps:
        return ""
    numbers = {premise.id: n for n, premise in enumerate(steps, 1)}
    items = []
    for premise in steps:
        used = _used(premise, numbers)
        items.append(f"<li>{site.link(premise.id, entry.paper)}{used}: {typeset(premise.says)}</li>")
    whole = _used(entry, numbers).replace("from", "This entry follows from", 1).strip()
    return f"<h{level}>Rests on</h{level}><ol>{''.join(items)}</ol><p>{whole.strip('()')}.</p>"


def _used(entry: Entry, numbers: dict[str, int]) -> str:
    used = [str(numbers[name]) for name in entry.rests_on if name in numbers]
    return f" (from {', '.join(used)})" if used else ""


def _trace(certificate: Certificate, level: int) -> str:
    steps = list(_steps(certificate.as_json(), 0))
    if not steps:
        return ""
    items = "".join(_step(*step) for step in steps[:MOST_STEPS])
    more = f'<p class="note">and {len(steps) - MOST_STEPS} more steps</p>' if len(steps) > MOST_STEPS else ""
    return f'<h{level}>Steps of the certificate</h{level}><ul class="trace">{items}</ul>{more}'


def _steps(certificate: Any, depth: int) -> Iterator[tuple[str, Any, int]]:
    """The certificates inside a certificate, outer ones first, each with its role and its depth."""
    if depth == DEEPEST:
        return
    for role, inner in _inside(certificate["payload"]):
        yield role, inner, depth
        yield from _steps(inner, depth + 1)


def _step(role: str, inner: Any, depth: int) -> str:
    sentence = textwrap.shorten("; ".join(show.sentences(inner["statement"])), 160, placeholder=" …")
    return (
        f'<li class="depth{depth}">{sign(inner["verdict"], short=True)} {escape(role)}, '
        f"by {escape(inner['method'])}: <code>{escape(sentence)}</code></li>"
    )


def _inside(payload: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The certificates that a payload holds, each with its role there."""
    for key in sorted(payload):
        value = payload[key]
        if _is_certificate(value):
            yield key, value
        elif isinstance(value, list):
            yield from ((f"part {n}", part) for n, part in enumerate(value, 1) if _is_certificate(part))
        elif isinstance(value, dict):
            yield from ((name, value[name]) for name in sorted(value) if _is_certificate(value[name]))


def _is_certificate(data: Any) -> bool:
    return (
        isinstance(data, dict)
        and {"statement", "verdict", "method", "payload"} <= set(data)
        and data["verdict"] in SIGNS
    )


def _theorems(certificate: Certificate) -> str:
    """The standard theorems that the method names, with where they are found."""
    named = [part.removeprefix("by ") for part in certificate.method.split(", ") if part.startswith("by ")]
    table = theorems()
    return "".join(
        f'<p class="theorem"><b>Theorem ({escape(name)}).</b> {typeset(table[name].text("says"))}'
        f" {typeset(table[name].text('conditions'))} <cite>{escape(table[name].text('citation'))}</cite>.</p>"
        for name in dict.fromkeys(named)
        if name in table
    )


def _impact(outcome: Outcome, site: Site) -> str:
    """All entries and kernels that use an entry, folded away."""
    users = site.impacts[outcome.entry.id]
    if not users:
        return ""
    items = "".join(f"<li>{site.link(user, outcome.entry.paper)}</li>" for user in users)
    many = "1 later result or kernel uses" if len(users) == 1 else f"{len(users)} later results and kernels use"
    return f'<details class="impact"><summary>{many} it</summary><ul class="users">{items}</ul></details>'
