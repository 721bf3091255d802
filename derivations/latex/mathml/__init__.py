"""Formulas as MathML, written from LaTeX as it is printed.

It starts from the tokens that `derivations.latex` reads. The reader asks what a formula means; here the letters, the
order of factors, the fractions and the brackets stay as the source has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from derivations.language.names import spelled
from derivations.latex.mathml.layout import Part, in_lines, row
from derivations.latex.mathml.presentation import Presentation
from derivations.latex.tokens import CannotRead


def formula(latex: str) -> str:
    r"""HTML for a displayed formula, one line for every line of the source; without a picture, the bare source.

    >>> formula(r"\tau_{h}").partition("<math")[2]
    ' displaystyle="true"><msub><mi>τ</mi><mi>h</mi></msub></math></span></div>'
    >>> formula("{")
    '<code class="formula">{</code>'
    """
    try:
        lines = list(_lines(Presentation(latex).everything()))
    except CannotRead:
        return f'<code class="formula">{escape(latex)}</code>'
    shown = "".join(f'<span class="line">{"<wbr>".join(map(_math, in_lines(line)))}</span>' for line in lines)
    return f'<div class="formula" role="group" aria-label="formula" tabindex="0">{shown}</div>'


def inline(latex: str) -> str:
    """A formula inside a sentence as HTML; without a picture, the bare source.

    >>> inline("x^2")
    '<math><msup><mi>x</mi><mn>2</mn></msup></math>'
    """
    try:
        parts = [part for line in _lines(Presentation(latex).everything()) for part in line]
    except CannotRead:
        return f"<code>{escape(latex)}</code>"
    return f"<math>{row(parts).xml}</math>"


def _lines(parts: list[Part]) -> Iterator[list[Part]]:
    """The parts between line breaks."""
    line: list[Part] = []
    for part in [*parts, Part("", 0, kind="newline")]:
        if part.kind != "newline":
            line.append(part)
        elif line:
            yield line
            line = []


def _math(parts: list[Part]) -> str:
    return f'<math displaystyle="true">{row(parts).xml}</math>'


def symbol(name: str) -> str:
    """A symbol's name as HTML: a Greek letter, and an index below.

    >>> symbol("tau_h")
    '<var>τ<sub>h</sub></var>'
    """
    letter, below = spelled(name)
    return f"<var>{escape(letter)}{f'<sub>{escape(below)}</sub>' if below else ''}</var>"
