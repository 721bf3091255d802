"""Formulas as MathML, written from LaTeX as it is printed.

Unlike `derivations.latex`, which asks what a formula means, this keeps how it looks: letters, the order of
factors, fractions and brackets stay as the source has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from derivations.language.names import spelled
from derivations.latex.mathml.layout import Part, in_lines, row
from derivations.latex.mathml.presentation import Presentation
from derivations.latex.tokens import CannotRead


def formula(latex: str) -> str:
    """HTML for a displayed formula, a box for every line of the source; without a picture, the bare source."""
    try:
        lines = list(_lines(Presentation(latex).everything()))
    except CannotRead:
        return f'<code class="formula">{escape(latex)}</code>'
    shown = "".join(f'<span class="line">{"<wbr>".join(map(_math, in_lines(line)))}</span>' for line in lines)
    return f'<div class="formula" role="group" aria-label="formula" tabindex="0">{shown}</div>'


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
    """A symbol's name as HTML: tau_h is a Greek letter with an index, and so is h0."""
    letter, below = spelled(name)
    return f"<var>{escape(letter)}{f'<sub>{escape(below)}</sub>' if below else ''}</var>"
