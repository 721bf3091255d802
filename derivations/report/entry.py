"""One entry of a paper on its page: the printed formula, the verdict, the corrected formula, the witness, what changes.

The evidence stands in a file beside the page, which is loaded when its fold is opened.
"""

from __future__ import annotations

import textwrap
from html import escape

from derivations.audit.verify import Outcome
from derivations.audit.witness_text import names_of_sides, reason
from derivations.language.show import cut
from derivations.latex.formula import Formula
from derivations.latex.mathml import formula, symbol
from derivations.paper.entries import Claim, Entry
from derivations.prove.certificate import Json, Verdict
from derivations.prove.rules.remedies import what_to_try
from derivations.report import evidence
from derivations.report.pictures.plot import drawn
from derivations.report.prose import typeset
from derivations.report.results import Panel
from derivations.report.site import Site, mark, premises, standing

WORDS = "<b>In words (a person's):</b> "
WIDE = 170  # characters of LaTeX; a longer formula takes the whole width
LONGEST_WITNESS = 900  # characters
MOST_HEIRS = 8  # places that inherit a mistake and are named
SHORT_STATEMENT = 160  # characters of a statement that is shown where a source has only words


def article(outcome: Outcome, site: Site, level: int, section: str) -> str:
    """An entry under a heading of the given level, with an anchor to link to; its evidence is that of a section."""
    entry = outcome.entry
    blocks = [
        _header(outcome, level, f'<a class="anchor" href="#{escape(entry.name)}">{_place(entry)}</a>'),
        _answer(outcome, site),
        evidence.statement(outcome.certificate.statement) if outcome.certificate else "",
        f'<p class="says">{WORDS if outcome.certificate else ""}{typeset(entry.says)}</p>',
        _argued(entry, site) if outcome.certificate else "",
        _notes(outcome),
        *(panel(p) for p in site.panels_of.get(entry.id, ())),
        evidence.unused(outcome.certificate) if outcome.certificate else "",
        _open(outcome, site),
        _fold(outcome, site, section),
    ]
    return f'<article id="{escape(entry.name)}" class="entry {standing(outcome)}">{"".join(blocks)}</article>'


def excerpt(outcome: Outcome, site: Site, level: int) -> str:
    """Return what became of a formula that stands under another equation, where the source prints it once more."""
    entry = outcome.entry
    where = f'<a class="anchor" href="#{escape(entry.name)}">{_place(entry)}</a>'
    answer = _answer(outcome, site, pictures=False)
    more = f'<p class="note">Its hypotheses and its evidence: {site.link(entry.id, entry.paper)}.</p>'
    return f'<div class="entry {standing(outcome)}">{_header(outcome, level, where)}{answer}{more}</div>'


def _argued(entry: Entry, site: Site) -> str:
    """Return what a person argues, and an entry rests on."""
    argued = [p for p in premises(entry, site) if site.outcomes[p.id].verdict is Verdict.ARGUED]
    links = ", ".join(site.link(premise.id, entry.paper) for premise in argued)
    return f'<p class="note">It rests on what a person argues: {links}.</p>' if argued else ""


def _place(entry: Entry) -> str:
    return typeset("; ".join(entry.where))


def _header(outcome: Outcome, level: int, where: str) -> str:
    name = f'<code class="name">{escape(outcome.entry.name)}</code>'
    return f"<header><h{level}>{where}</h{level}>{mark(outcome)}{name}</header>"


def _answer(outcome: Outcome, site: Site, *, pictures: bool = True) -> str:
    """The printed formula; for what is refuted, the corrected one beside it, the witness, and what changes."""
    if outcome.verdict is not Verdict.REFUTED:
        return _printed(outcome.entry) or _judged(outcome)
    name = outcome.entry.corrected_by if isinstance(outcome.entry, Claim) else None
    correction = site.outcomes.get(name or "")
    left = _claimed(outcome, site)
    right = _instead(outcome.entry, correction, site) if correction else ""
    corrected = site.corrections.get(outcome.entry.id)
    written = [f.latex for f in (outcome.entry.printed, corrected.formula if corrected else None) if f]
    wide = max(map(len, written), default=0) > WIDE
    sides = f"{_side('As printed', left)}{_side('Instead', right)}"
    shown = drawn(outcome, correction, site.pictures_of(outcome)) if pictures else ""
    told = f"{_witness(outcome)}{_changes(outcome, site)}{shown}"
    return f'<div class="pair{" stacked" if wide else ""}">{sides}</div>{told}'


def _side(title: str, content: str) -> str:
    return f'<div class="side"><p class="label">{title}</p>{content}</div>' if content else ""


def _claimed(outcome: Outcome, site: Site) -> str:
    """Return what the source prints: a formula, its own words, or the formula that a claim without one speaks of."""
    if outcome.entry.quote:
        return f"<blockquote>{typeset(outcome.entry.quote)}</blockquote>"
    spoken_of = None
    if outcome.entry.printed is None and outcome.entry.id in site.corrections:
        spoken_of = site.spoken_of(outcome)
    return _printed((spoken_of or outcome).entry)


def _printed(entry: Entry) -> str:
    return _formula(entry.printed) if entry.printed else ""


def _judged(outcome: Outcome) -> str:
    """The statement of an entry that prints no formula, where it is one short formula."""
    if outcome.certificate is None or outcome.entry.kind != "claim":
        return ""
    return evidence.short_formula(outcome.certificate.statement, SHORT_STATEMENT)


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
    return f"{shown}<p>{typeset(correction.entry.says)}</p><p>{links}</p>"


def _changes(outcome: Outcome, site: Site) -> str:
    """Where a mistake comes from, what it changes, and what inherits it."""
    entry, origins = outcome.entry, site.origins(outcome)
    told = site.changed_by(outcome) or next(filter(None, map(site.changed_by, origins)), "")
    because = entry.because if isinstance(entry, Claim) else ""
    lines = [
        ("Why", typeset(because)),
        ("Inherits", ", ".join(_linked(o) for o in origins)),
        ("Changes", typeset(told)),
    ]
    heirs = site.heirs(outcome) if not origins else []
    if heirs:
        names = ", ".join(map(_linked, heirs[:MOST_HEIRS]))
        more = f" and {len(heirs) - MOST_HEIRS} more" if len(heirs) > MOST_HEIRS else ""
        lines.append(("Inherited by", f"{names}{more}"))
    return "".join(f'<p class="changes"><b>{title}</b> {text}</p>' for title, text in lines if text)


def _linked(outcome: Outcome) -> str:
    """The first place of an entry, as a link to it."""
    return f'<a href="#{escape(outcome.entry.name)}">{typeset(outcome.entry.where[0])}</a>'


def _notes(outcome: Outcome) -> str:
    of_each = [("source", outcome.notes), ("corrected formula", outcome.of_corrected or ())]
    return "".join(f'<p class="note">Reading the {of}: {typeset(each)}.</p>' for of, notes in of_each for each in notes)


def _open(outcome: Outcome, site: Site) -> str:
    """Why a claim is open, what to try, and every fault."""
    certificate = outcome.certificate
    faults = "".join(f'<p class="fault"><b>Fault</b> {typeset(fault)}</p>' for fault in outcome.faults)
    if certificate is None or not certificate.reason:
        return faults
    file = site.papers[outcome.entry.paper].file
    hint = what_to_try(certificate, f"{file}:{outcome.entry.name}" if file else outcome.entry.id)
    tried = f'<p class="changes"><b>Try</b> <code>{escape(hint)}</code></p>' if hint else ""
    return f'<p class="note">Open, because {typeset(certificate.reason)}.</p>{tried}{faults}'


def _fold(outcome: Outcome, site: Site, section: str) -> str:
    """The fold into which the evidence of a section's file is loaded."""
    certificate = outcome.certificate
    if certificate is None and not outcome.entry.rests_on and not site.impacts[outcome.entry.id]:
        return ""
    by = f"Derivation: {escape(certificate.method)}" if certificate else "Rests on, and used by"
    return f'<details class="evidence" data-in="{escape(section)}"><summary>{by}</summary></details>'


def panel(shown: Panel) -> str:
    """A figure that was repeated: its picture, its outcome, and the sentence that says what was found."""
    name = escape(shown.id.partition(":")[2])
    picture = f'<img src="{shown.picture}" alt="{name}: {escape(shown.sentence)}">' if shown.picture else ""
    caption = f"<figcaption><b>{name}: {escape(shown.outcome)}.</b> {escape(shown.sentence)}</figcaption>"
    return f'<figure class="panel">{picture}{caption}</figure>'


# --- witnesses --------------------------------------------------------------------------------------------------------


def _witness(outcome: Outcome) -> str:
    """The numbers at which the statement fails: cells for points, a sentence for matrices and arrays."""
    certificate = outcome.certificate
    if certificate is None:
        return ""
    if certificate.witness and certificate.witness.get("point"):
        return _cells(certificate.witness, names_of_sides(outcome))
    title = "Witness" if certificate.witness else "Why not"
    text = textwrap.shorten(reason(outcome), LONGEST_WITNESS, placeholder=" …")
    return f'<p class="witness"><b>{title}.</b> {typeset(text)}</p>'


def _cells(witness: Json, names: tuple[str, str]) -> str:
    """Names and numbers that wrap where the window is narrow; the two sides come last, and stand out."""
    point = [("symbol", symbol(name), value) for name, value in witness["point"].items()]
    told = [("told", escape(names[0]), witness["left"]), ("told", escape(names[1]), witness["right"])]
    cells = "".join(
        f'<div class="{kind}"><dt>{name}</dt><dd>{escape(cut(value)).replace("-", "−")}</dd></div>'
        for kind, name, value in [*point, *told]
    )
    return f'<div class="witness"><b>Witness</b><dl>{cells}</dl></div>'
