"""One entry of a paper on its page: the sentence, the formula, the verdict, and why."""

from __future__ import annotations

import textwrap
from html import escape

from derivations.audit.verify import Outcome
from derivations.audit.witness_text import names_of_sides, reason
from derivations.language.show import cut
from derivations.latex.formula import Formula
from derivations.latex.mathml import formula, symbol
from derivations.paper.model import Claim, Entry
from derivations.prove.certificate import Json, Verdict
from derivations.report import evidence
from derivations.report.plot import drawn
from derivations.report.results import Panel
from derivations.report.site import Site, mark, standing

WIDE = 170  # characters of LaTeX; a longer formula takes the whole width
LONGEST_WITNESS = 900  # characters


def article(outcome: Outcome, site: Site, level: int) -> str:
    """An entry under a heading of the given level, with an anchor to link to."""
    entry = outcome.entry
    where = escape("; ".join(entry.where))
    heading = f'<h{level}><a class="anchor" href="#{escape(entry.name)}">{where}</a></h{level}>'
    blocks = [
        f'<header>{heading}{mark(outcome)}<code class="name">{escape(entry.name)}</code></header>',
        f'<p class="says">{escape(entry.says)}</p>',
        _body(outcome, site),
        _notes(outcome),
        *(panel(p) for p in site.panels_of.get(entry.id, ())),
        evidence.conditions(outcome.certificate) if outcome.certificate else "",
        _reason(outcome),
        evidence.derivation(outcome, site, level + 1),
        evidence.impact(outcome, site),
    ]
    return f'<article id="{escape(entry.name)}" class="entry {standing(outcome)}">{"".join(blocks)}</article>'


def _body(outcome: Outcome, site: Site) -> str:
    """The printed formula; for what is refuted, the correction beside it and the witness below."""
    if outcome.verdict is not Verdict.REFUTED:
        return _printed(outcome.entry)
    name = outcome.entry.corrected_by if isinstance(outcome.entry, Claim) else None
    correction = site.outcomes.get(name or "")
    left = _claimed(outcome, site)
    right = _instead(outcome.entry, correction, site) if correction else ""
    corrected = site.corrections.get(outcome.entry.id)
    written = [f.latex for f in (outcome.entry.printed, corrected.formula if corrected else None) if f]
    wide = max(map(len, written), default=0) > WIDE
    sides = f"{_side('As printed', left)}{_side('Instead', right)}"
    pictures = drawn(outcome, correction, site.pictures_of(outcome))
    return f'<div class="pair{" stacked" if wide else ""}">{sides}</div>{_witness(outcome)}{pictures}'


def _side(title: str, content: str) -> str:
    return f'<div class="side"><p class="label">{title}</p>{content}</div>' if content else ""


def _claimed(outcome: Outcome, site: Site) -> str:
    """The printed formula of a refuted claim. A claim that prints none shows the one that it speaks of."""
    spoken_of = None
    if outcome.entry.printed is None and outcome.entry.id in site.corrections:
        spoken_of = site.relations[outcome.entry.paper].spoken_of(outcome)
    return _printed((spoken_of or outcome).entry)


def _printed(entry: Entry) -> str:
    return _formula(entry.printed) if entry.printed else ""


def _formula(transcribed: Formula) -> str:
    source = f"<summary>LaTeX</summary><pre><code>{escape(transcribed.latex)}</code></pre>"
    return f'{formula(transcribed.latex)}<details class="source">{source}</details>'


def _instead(refuted: Entry, correction: Outcome, site: Site) -> str:
    """The formula that holds: as the source would write it, or as it is printed elsewhere, or as it was judged."""
    corrected = site.corrections.get(refuted.id)
    shown = _formula(corrected.formula) if corrected else _printed(correction.entry)
    if not shown and correction.certificate:
        shown = evidence.statement(correction.certificate.statement)
    by = dict.fromkeys([correction.entry.id, *([corrected.by] if corrected else [])])
    links = ", ".join(site.link(name, refuted.paper) for name in by)
    return f"<p>{escape(correction.entry.says)}</p>{shown}<p>{links}</p>"


def _notes(outcome: Outcome) -> str:
    return "".join(f'<p class="note">Reading the source: {escape(note)}.</p>' for note in outcome.notes)


def _reason(outcome: Outcome) -> str:
    faults = "".join(f'<p class="fault"><b>Fault</b> {escape(fault)}</p>' for fault in outcome.faults)
    reason = outcome.certificate.reason if outcome.certificate else ""
    return (f'<p class="note">Open, because {escape(reason)}.</p>' if reason else "") + faults


def panel(shown: Panel) -> str:
    """A figure that was repeated: its picture, its outcome, and the sentence that says what was found."""
    name = escape(shown.id.partition(":")[2])
    picture = f'<img src="{shown.picture}" alt="{name}: {escape(shown.sentence)}">' if shown.picture else ""
    caption = f"<figcaption><b>{name}: {escape(shown.outcome)}.</b> {escape(shown.sentence)}</figcaption>"
    return f'<figure class="panel">{picture}{caption}</figure>'


# --- witnesses --------------------------------------------------------------------------------------------------------


def _witness(outcome: Outcome) -> str:
    """The numbers at which the statement fails: a table for points, a sentence for matrices and arrays."""
    certificate = outcome.certificate
    if certificate is None:
        return ""
    if certificate.witness and certificate.witness.get("point"):
        return _table(certificate.witness, names_of_sides(outcome))
    title = "Witness" if certificate.witness else "Why not"
    text = textwrap.shorten(reason(outcome), LONGEST_WITNESS, placeholder=" …")
    return f'<p class="witness"><b>{title}.</b> {escape(text)}</p>'


def _table(witness: Json, names: tuple[str, str]) -> str:
    point = [(symbol(name), value) for name, value in witness["point"].items()]
    cells = [*point, (names[0], witness["left"]), (names[1], witness["right"])]
    kinds = ["symbol"] * len(point) + ["told"] * 2
    heads = "".join(f'<th scope="col" class="{k}">{name}</th>' for (name, _), k in zip(cells, kinds, strict=True))
    values = "".join(f'<td class="{k}">{escape(cut(v))}</td>' for (_, v), k in zip(cells, kinds, strict=True))
    return (
        '<div class="scroll" role="group" aria-label="witness" tabindex="0"><table class="witness"><caption>Witness'
        f"</caption><thead><tr>{heads}</tr></thead><tbody><tr>{values}</tr></tbody></table></div>"
    )
