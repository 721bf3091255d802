"""Sentences with mathematics as HTML: letters in italics with their indices below, powers above, Greek as Greek.

A formula between dollar signs is LaTeX. Else a sentence of a claim is plain text, such as "the loss falls at the rate
tau_h |d D_h/dt|^2". What is a letter there, and what a word, is decided by its spelling alone; whatever is not
recognised stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape

from derivations.language.names import CAPITALS, GREEK, split
from derivations.latex.mathml import inline, symbol

GREEK_WORDS = "|".join(sorted(GREEK | CAPITALS, key=len, reverse=True))
INNER = r"(?:[^(){}]|\([^(){}]*\))*"  # what may stand in brackets: brackets of one more depth
START = r"(?<![\w.])(?<![\w]-)(?<![A-Za-z][a-z]['’])"  # where a single letter may begin: not in "the task's", "x-ray"
LONGEST_WORD = 5  # letters of a name with indices; a longer one is the name of a claim or a kernel
RAISED = rf"(?:\((?P<in_round>{INNER})\)|\{{(?P<in_curly>{INNER})\}}|(?P<bare>-?\d+|-?[A-Za-z]\w*|\+|\*))"
PIECES = re.compile(
    rf"""
    (?P<address>(?:arXiv|https?)\S+|\b[A-Z]\.\d[\w.]*|\b(?:e\.g|i\.e|cf|et\sal)\.)   # no mathematics
    | \^{RAISED}
    | _(?:\((?P<below_round>{INNER})\)|\{{(?P<below_curly>{INNER})\}})
    | (?P<marked>(?<![A-Za-z])(?P<base>[A-Za-z]\d*)(?P<mark>\*'?|'+)_(?P<index>\w+))   # W*_n of a teacher, g'_i
    | (?P<name>(?<![A-Za-z_])(?:[A-Za-z]+\d*(?:_\w+)+|(?<!\d)(?<!\.)[A-Za-z]\d+)(?!\w))
    | (?P<greek>(?<![A-Za-z_])(?:{GREEK_WORDS})\d*(?![A-Za-z_]))
    | (?P<letter>{START}(?:d[A-Za-np-z]|[B-HJ-Zb-z]|a(?=\s*[=<>+^*/|(]|\s[bcd]\b|[,)]))
        (?!\w|\.\w|-[a-z]{{2}}|['’][a-z]\b))
    | (?P<prime>(?:(?<=\))|(?<=\d)|(?<=\b[A-Za-z])|(?<=\b[A-Z][A-Za-z])|(?<=_\w)|(?<=_\w\w))'(?!s\b))
    | (?P<root>\bsqrt(?:\(|\s(?=\d)))
    | (?P<sign><=|>=|!=|<<|>>|->|\+-|\|\||\*\*|(?<=[\w)])(?:\s\*\s|\*)(?=[\w(])|(?<=[\s(^|=])-(?=[\w(|])|(?<=\s)-(?=\s))
    """,
    re.VERBOSE,
)
SIGNS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "<<": "≪", ">>": "≫", "->": "→", "+-": "±", "||": "‖", "**": "^", "-": "−",
}  # fmt: skip


@cache  # the same sentence stands under many entries that rest on it
def typeset(sentence: str) -> str:
    """A sentence as HTML; nothing in it is read as markup.

    >>> typeset("the rate is tau_h |D_h|^2 <= 1")
    'the rate is <var>τ<sub>h</sub></var> |<var>D<sub>h</sub></var>|<sup>2</sup> ≤ 1'
    >>> typeset("no <tag> is markup")
    'no &lt;tag&gt; is markup'
    """
    text, *rest = sentence.split("$")
    if rest and len(rest) % 2 == 0:
        return "".join(inline(part) if n % 2 else typeset(part) for n, part in enumerate([text, *rest]))
    shown, at = [], 0
    for piece in PIECES.finditer(sentence):
        shown += [escape(sentence[at : piece.start()]), _shown(piece)]
        at = piece.end()
    return "".join(shown) + escape(sentence[at:])


def _shown(piece: re.Match[str]) -> str:
    """One piece of mathematics as HTML."""
    found = {kind: text for kind, text in piece.groupdict().items() if text is not None}
    for kind, tag in (("in_round", "sup"), ("in_curly", "sup"), ("bare", "sup"), ("below_round", "sub"),
                      ("below_curly", "sub")):  # fmt: skip
        if kind in found:
            return f"<{tag}>{_raised(found[kind])}</{tag}>"
    if "sign" in found:
        return SIGNS.get(found["sign"], " · " if " " in found["sign"] else "·")
    if "marked" in found:
        mark = found["mark"].replace("'", "′")
        return f"<var>{found['base']}<sup>{mark}</sup><sub>{escape(found['index'])}</sub></var>"
    if "name" in found or "greek" in found:
        return _named(piece[0])
    if "letter" in found:
        return f"<var>{escape(piece[0])}</var>"
    return {"prime": "′", "root": "√(" if piece[0].endswith("(") else "√"}.get(piece.lastgroup or "", escape(piece[0]))


def _named(name: str) -> str:
    """A symbol with its indices, or the name of a claim or a kernel as code."""
    letter, indices = split(name)
    is_symbol = len(letter) <= LONGEST_WORD or letter in GREEK or letter in CAPITALS or not indices
    return symbol(name) if is_symbol else f"<code>{escape(name)}</code>"


def _raised(text: str) -> str:
    """A power or an index: a transpose stays upright, and a minus sign is one."""
    if text in ("T", "-T", "+", "*"):
        return text.replace("T", "⊤").replace("-", "−")
    return typeset(text).replace("-", "−")
