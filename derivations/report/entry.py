"""One entry of a paper on its page: the sentence, the formula, the verdict, and why."""

from __future__ import annotations

import re
import textwrap
from html import escape

from derivations.claims import Claim, Entry
from derivations.ledger import witness_text
from derivations.prove.certificate import Json, Verdict
from derivations.report import evidence
from derivations.report.mathml import formula, symbol
from derivations.report.plot import drawn, names_of_sides
from derivations.report.results import Panel
from derivations.report.shelf import Shelf, mark, standing
from derivations.verify import Outcome

WIDE = 170  # characters of LaTeX; a longer formula takes the whole width
LONG_NUMBER = 24  # characters; a longer number is cut after so many


def article(outcome: Outcome, shelf: Shelf, level: int) -> str:
    """An entry under a heading of the given level, with an anchor to link to."""
    entry = outcome.entry
    where = escape("; ".join(entry.where))
    heading = f'<h{level}><a class="anchor" href="#{escape(entry.name)}">{where}</a></h{level}>'
    blocks = [
        f'<header>{heading}{mark(outcome)}<code class="name">{escape(entry.name)}</code></header>',
        f'<p class="says">{escape(entry.says)}</p>',
        _body(outcome, shelf),
        _notes(outcome),
        *(panel(p) for p in shelf.panels_of.get(entry.id, ())),
        evidence.conditions(outcome.certificate) if outcome.certificate else "",
        _reason(outcome),
        evidence.derivation(outcome, shelf, level + 1),
        evidence.impact(outcome, shelf),
    ]
    return f'<article id="{escape(entry.name)}" class="entry {standing(outcome)}">{"".join(blocks)}</article>'


def _body(outcome: Outcome, shelf: Shelf) -> str:
    """The printed formula; for what is refuted, the correction beside it and the witness below."""
    if outcome.verdict is not Verdict.REFUTED:
        return _printed(outcome.entry)
    corrected = outcome.entry.corrected_by if isinstance(outcome.entry, Claim) else None
    correction = shelf.outcomes.get(corrected or "")
    left = _printed(outcome.entry)
    right = _instead(correction, shelf, outcome.entry.paper) if correction else ""
    wide = outcome.entry.printed is not None and len(outcome.entry.printed.latex) > WIDE
    sides = f"{_side('As printed', left)}{_side('Instead', right)}"
    return f'<div class="pair{" stacked" if wide else ""}">{sides}</div>{_witness(outcome)}{drawn(outcome, correction)}'


def _side(title: str, content: str) -> str:
    return f'<div class="side"><p class="label">{title}</p>{content}</div>' if content else ""


def _printed(entry: Entry) -> str:
    if entry.printed is None:
        return ""
    source = f"<summary>LaTeX</summary><pre><code>{escape(entry.printed.latex)}</code></pre>"
    return f'{formula(entry.printed.latex)}<details class="source">{source}</details>'


def _instead(correction: Outcome, shelf: Shelf, page: str) -> str:
    shown = _printed(correction.entry)
    if not shown and correction.certificate:
        shown = evidence.statement(correction.certificate.statement)
    return f"<p>{escape(correction.entry.says)}</p>{shown}<p>{shelf.link(correction.entry.id, page)}</p>"


def _notes(outcome: Outcome) -> str:
    return "".join(f'<p class="note">Reading the source: {escape(note)}.</p>' for note in outcome.notes)


def _reason(outcome: Outcome) -> str:
    faults = "".join(f'<p class="fault"><b>Fault</b> {escape(fault)}</p>' for fault in outcome.faults)
    reason = outcome.certificate.reason if outcome.certificate else ""
    return (f'<p class="note">Open, because {escape(reason)}.</p>' if reason else "") + faults


def panel(found: Panel) -> str:
    """What came out when a figure was repeated."""
    name = escape(found.id.partition(":")[2])
    picture = f'<img src="{found.picture}" alt="{name}: {escape(found.sentence)}">' if found.picture else ""
    told = f"<figcaption><b>{name}: {escape(found.outcome)}.</b> {escape(found.sentence)}</figcaption>"
    return f'<figure class="panel">{picture}{told}</figure>'


# --- witnesses --------------------------------------------------------------------------------------------------------


def _witness(outcome: Outcome) -> str:
    """The numbers at which the statement fails: a table for points, a sentence for matrices and arrays."""
    certificate = outcome.certificate
    if certificate is None:
        return ""
    if not certificate.witness:
        return f'<p class="witness"><b>Why not.</b> Decided by {escape(certificate.method)}.</p>'
    if "point" in certificate.witness:
        return _table(certificate.witness, names_of_sides(outcome))
    text = " ".join(map(_cut, witness_text(certificate.witness).split(" ")))
    return f'<p class="witness"><b>Witness.</b> {escape(text)}</p>'


def _table(witness: Json, names: tuple[str, str]) -> str:
    point = [(symbol(name), value) for name, value in witness["point"].items()]
    cells = [*point, (names[0], witness["left"]), (names[1], witness["right"])]
    kinds = ["symbol"] * len(point) + ["told"] * 2
    heads = "".join(f'<th scope="col" class="{k}">{name}</th>' for (name, _), k in zip(cells, kinds, strict=True))
    values = "".join(f'<td class="{k}">{escape(_cut(v))}</td>' for (_, v), k in zip(cells, kinds, strict=True))
    return (
        '<div class="scroll" role="group" aria-label="witness" tabindex="0"><table class="witness"><caption>Witness'
        f"</caption><thead><tr>{heads}</tr></thead><tbody><tr>{values}</tr></tbody></table></div>"
    )


def _cut(number: str) -> str:
    if re.fullmatch(r"-?\d+\.0+", number):
        return number.partition(".")[0]
    if len(number) > LONG_NUMBER and re.fullmatch(r"-?\d+\.\d+", number):
        return f"{number[:12]}…"
    return textwrap.shorten(number, 400, placeholder=" …") if " " in number else number
