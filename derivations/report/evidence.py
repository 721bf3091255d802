"""How an entry was decided: the statement, what it rests on, the steps of its certificate, and what relies on it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape
from typing import Any

from derivations.audit.ledger import not_needed
from derivations.audit.verify import Outcome
from derivations.language import show
from derivations.language.show import tubes
from derivations.latex.mathml import formula
from derivations.paper.entries import Entry
from derivations.prove.certificate import Certificate
from derivations.recheck.core.theorems import theorems
from derivations.recheck.ledgers.reading import formula as asserts
from derivations.recheck.ledgers.reading import sentence
from derivations.report.pictures import drawing
from derivations.report.prose import typeset
from derivations.report.site import SIGNS, Site, premises, sign

MOST_LINES = 4  # parts of a statement that are not folded
DEEPEST, MOST_STEPS = 2, 14  # of a certificate's trace
MOST_TUBES = 6  # that are drawn


def statement(judged: Any) -> str:
    """Return the sentence that was judged, as the checker says it; all parts but the first few are folded."""
    supposed, lines = sentence(judged)
    before = f"{supposed}:" if supposed else "Judged:"
    parts = [f"<code>{escape(line)}</code>" for line in lines]
    if len(parts) == 1:
        return f'<p class="judged">{escape(before)} {parts[0]}.</p>'
    shown = "".join(f"<li>{part}</li>" for part in parts[:MOST_LINES])
    others = "".join(f"<li>{part}</li>" for part in parts[MOST_LINES:])
    folded = f"<summary>and {len(parts) - MOST_LINES} more</summary><ol start={MOST_LINES + 1}>{others}</ol>"
    more = f"<details>{folded}</details>" if others else ""
    return f'<p class="judged">{escape(before)}</p><ol class="judged">{shown}</ol>{more}'


def short_formula(judged: Any, longest: int) -> str:
    """The formula of a statement that is a single one, of at most so many characters; nothing for any other one."""
    formulas = show.formulas(judged)
    return formula(formulas[0]) if len(formulas) == 1 and len(formulas[0]) <= longest else ""


def unused(certificate: Certificate) -> str:
    """The hypotheses that the proof does not need."""
    spare = "; ".join(map(typeset, not_needed(certificate)))
    return f'<p class="note">The proof does not need: {spare}.</p>' if spare else ""


def derivation(outcome: Outcome, site: Site, level: int) -> str:
    """The evidence under headings of the given level; nothing for an entry that has none."""
    entry, certificate = outcome.entry, outcome.certificate
    blocks = []
    if certificate:
        blocks += [
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
    asserted = textwrap.shorten("; ".join(asserts(inner["statement"])), 160, placeholder=" …")
    return (
        f'<li class="depth{depth}">{sign(inner["verdict"], short=True)} {escape(role)}, '
        f"by {escape(inner['method'])}: <code>{escape(asserted)}</code></li>"
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
