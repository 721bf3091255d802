"""How printed LaTeX looks, as parts of MathML: letters, scripts, fractions, roots, accents, brackets, matrices."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape

from derivations.latex.mathml.layout import Part, bracketed, mo, row
from derivations.latex.mathml.letters import (
    ACCENTS,
    BARS,
    BINARY,
    CAPITALS,
    CLOSING,
    FUNCTIONS,
    GREEK,
    LARGE,
    OPENING,
    RELATIONS,
    SIGNS,
    SILENT,
    SPACES,
    STYLES,
    TIMES,
    styled,
)

DEEPEST = 60
TEXT = re.compile(r"\\(?:text|textrm|mbox)\s*\{([^{}]*)\}")
TOKEN = re.compile(r"\\(?:text|textrm|mbox)\s*\{[^{}]*\}|%[^\n]*|\\[A-Za-z]+|\\.|:=|\|\||\d+(?:\.\d+)?|\s+|.", re.S)
FIXED = re.compile(r"\\[Bb]igg?[lrm]?")
MATRICES = {
    "matrix": ("", ""),
    "bmatrix": ("[", "]"),
    "pmatrix": ("(", ")"),
    "smallmatrix": ("", ""),
    "array": ("", ""),
}
ROWS = ("split", "align", "aligned", "alignat", "equation", "gather", "gathered", "eqnarray", "multline")
END = ""


class CannotShow(ValueError):
    """LaTeX of which no picture is known."""


class Look:
    """Reads LaTeX from left to right."""

    def __init__(self, latex: str) -> None:
        self.tokens = [t for t in TOKEN.findall(latex) if not t.isspace() and not t.startswith("%")]
        self.i = 0
        self.depth = 0
        self.style = ""

    # --- moving along -------------------------------------------------------------------------------------------------

    @property
    def token(self) -> str:
        return self.tokens[self.i] if self.i < len(self.tokens) else END

    def take(self) -> str:
        token = self.token
        if token == END:
            raise CannotShow("the formula ends where something was expected")
        self.i += 1
        return token

    def everything(self) -> list[Part]:
        parts = self.sequence(lambda: self.token == END)
        if not parts:
            raise CannotShow("there is nothing to show")
        return parts

    def sequence(self, ends: Callable[[], bool]) -> list[Part]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise CannotShow(f"the formula is nested more than {DEEPEST} deep")
        parts: list[Part] = []
        while not ends():
            if self.token in (END, "}"):
                raise CannotShow("a group is closed that was not opened, or never closed")
            parts += self.scripted(self.atom(parts[-1] if parts else None))
        self.depth -= 1
        return parts

    def argument(self) -> Part:
        """What stands in braces, or the one thing that follows."""
        if self.token == "{":
            self.i += 1
            parts = self.sequence(lambda: self.token == "}")
            self.i += 1
            return row(parts)
        if len(self.token) > 1 and self.token.isdigit():  # TeX takes one digit: \frac12 is a half
            self.tokens[self.i : self.i + 1] = [self.token[0], self.token[1:]]
        return row(self.atom(None))

    # --- scripts ------------------------------------------------------------------------------------------------------

    def scripted(self, parts: list[Part]) -> list[Part]:
        """The last of the parts with the subscripts and superscripts that follow it."""
        below: list[Part] = []
        above: list[Part] = []
        while self.token in ("_", "^", "'"):
            mark = self.take()
            if mark == "'":
                above.append(Part("<mo>′</mo>", 0.3))
            else:
                (below if mark == "_" else above).append(self.argument())
        if not below and not above:
            return parts
        base = parts[-1] if parts else Part("<mrow></mrow>", 0)
        return [*parts[:-1], _with_scripts(base, below, above)]

    # --- one thing ----------------------------------------------------------------------------------------------------

    def atom(self, before: Part | None) -> list[Part]:
        token = self.take()
        if token == "{":
            self.i -= 1
            return [self.argument()]
        if token in SILENT:
            return []
        if token in (r"\\", "\\\n"):
            return [Part("", 0, kind="newline")]
        if token in SPACES:
            return [Part(f'<mspace width="{SPACES[token]}em"></mspace>', SPACES[token])]
        if token in RELATIONS:
            return [Part(mo(RELATIONS[token], form="infix"), 1.3, "relation")]
        if token in BINARY:
            return [self.sign(BINARY[token], before)]
        if token in TIMES:
            return [Part(mo(TIMES[token], form="infix"), 0.7)]
        if token in LARGE:
            return [Part(mo(LARGE[token], largeop="true", movablelimits="false"), 1.2, f"large {token}", 1.6)]
        return self.bracket(token) if self.is_bracket(token) else self.symbol(token)

    def sign(self, sign: str, before: Part | None) -> Part:
        """A sign between two terms, or one in front of a term."""
        if before is None or before.kind in ("relation", "binary", "opening"):
            return Part(mo(sign, form="prefix"), 0.7)
        return Part(mo(sign, form="infix"), 1.2, "binary")

    def symbol(self, token: str) -> list[Part]:
        name = token.removeprefix("\\")
        if token in SIGNS:
            return [Part(mo(SIGNS[token], separator="true") if token in ",;" else mo(SIGNS[token]), 0.5)]
        if token[0].isdigit():
            return [Part(f"<mn>{''.join(styled(c, self.style) for c in token)}</mn>", 0.5 * len(token))]
        if len(token) == 1 and token.isalpha():
            return [self.letter(token)]
        if name in GREEK:
            return [self.letter(GREEK[name])]
        if name in CAPITALS:
            return [self.letter(CAPITALS[name], upright=True)]
        if token.startswith("\\") and name in FUNCTIONS:
            return self.function(name)
        return self.construction(token)

    def letter(self, letter: str, upright: bool = False) -> Part:
        shown = styled(letter, self.style)
        plain = shown == letter and (upright or self.style == "upright")
        return Part(f'<mi mathvariant="normal">{shown}</mi>' if plain else f"<mi>{shown}</mi>", 0.6)

    def function(self, name: str) -> list[Part]:
        named = replace(_named(name), kind="large lim" if name in ("lim", "min", "max") else "ordinary")
        apart = self.token not in ("(", r"\left", "_", "^", END)
        return [named, Part('<mspace width="0.17em"></mspace>', 0.17)] if apart else [named]

    def construction(self, token: str) -> list[Part]:
        if token in (r"\frac", r"\dfrac", r"\tfrac"):
            above, below = self.argument(), self.argument()
            height = 0.4 + above.height + below.height
            return [Part(f"<mfrac>{above.xml}{below.xml}</mfrac>", max(above.width, below.width) + 0.2, height=height)]
        if token == r"\sqrt":
            return [self.root()]
        if token in ACCENTS:
            body = self.argument()
            over = mo(
                ACCENTS[token], stretchy="true" if token in (r"\overline", r"\widehat", r"\widetilde") else "false"
            )
            return [Part(f'<mover accent="true">{body.xml}{over}</mover>', body.width, height=body.height + 0.1)]
        if token in STYLES:
            return [self.in_style(STYLES[token])]
        if words := TEXT.fullmatch(token):
            text = words.group(1).replace(" ", "\u00a0")
            return [Part(f"<mtext>{escape(text)}</mtext>", 0.5 * len(text))]
        if token == r"\begin":
            return [self.environment()]
        raise CannotShow(f"no picture is known for {token}")

    def root(self) -> Part:
        if self.token != "[":
            body = self.argument()
            return Part(f"<msqrt>{body.xml}</msqrt>", body.width + 0.8, height=body.height + 0.2)
        self.i += 1
        order = row(self.sequence(lambda: self.token == "]"))
        self.i += 1
        body = self.argument()
        return Part(f"<mroot>{body.xml}{order.xml}</mroot>", body.width + 1, height=body.height + 0.2)

    def in_style(self, style: str) -> Part:
        """An argument in another style; several upright letters are one name."""
        start = self.i
        group = self.tokens[start + 1 : start + _length_of_group(self.tokens, start) - 1] if self.token == "{" else []
        if style == "upright" and len(group) > 1 and all(len(t) == 1 and t.isalpha() for t in group):
            self.i += len(group) + 2
            return _named("".join(group))
        outer, self.style = self.style, style
        part = self.argument()
        self.style = outer
        return part

    # --- brackets and tables ------------------------------------------------------------------------------------------

    def is_bracket(self, token: str) -> bool:
        known = token in OPENING or token in CLOSING or token in BARS
        return known or token in (r"\left", r"\right", r"\middle") or FIXED.fullmatch(token) is not None

    def bracket(self, token: str) -> list[Part]:
        if FIXED.fullmatch(token):
            return [self.fixed_bracket(self.take())]
        if token == r"\left":
            opening = self.take()
            inside = self.sequence(lambda: self.token == r"\right")
            self.i += 1
            return [bracketed(_drawn(opening), inside, _drawn(self.take()))]
        closing = self.partner(token)
        if closing is None:
            return [Part(mo(_drawn(token), stretchy="false", form="postfix"), 0.4, "closing")]
        inside = self.sequence(lambda: self.i == closing)
        self.i += 1
        return [bracketed(_drawn(token), inside, _drawn(self.tokens[closing]))]

    def fixed_bracket(self, bracket: str) -> Part:
        opens = bracket in OPENING
        sizes = {"stretchy": "true", "minsize": "1.8em", "maxsize": "1.8em", "symmetric": "true"}
        drawn = mo(_drawn(bracket), form="prefix" if opens else "postfix", **sizes)
        return Part(f"<mrow>{drawn}</mrow>", 0.5, "opening" if opens else "closing", 1.8)

    def partner(self, token: str) -> int | None:
        """Where the bracket that was just taken is closed, within the group it stands in."""
        if token in CLOSING:
            return None
        depth = 0
        nested = 0
        for at in range(self.i, len(self.tokens)):
            t = self.tokens[at]
            nested += {"{": 1, "}": -1, r"\left": 1, r"\right": -1}.get(t, 0)
            if nested < 0:
                return None
            if nested or self.tokens[at - 1] in (r"\left", r"\right"):
                continue
            if token in BARS and t in BARS and BARS[t] == BARS[token]:
                return at
            if token in OPENING and t == token:
                depth += 1
            elif token in OPENING and CLOSING.get(t) == _PAIRS[OPENING[token]]:
                if depth == 0:
                    return at
                depth -= 1
        return None

    def environment(self) -> Part:
        name = self.name_of_environment()
        if name == "array":
            if self.token == "[":
                while self.take() != "]":
                    pass
            self.i += _length_of_group(self.tokens, self.i)
        if name not in MATRICES and name not in ROWS:
            raise CannotShow(f"the environment {name} is not known")
        rows: list[list[Part]] = []
        cells: list[Part] = []
        while True:
            parts = self.sequence(lambda: self.token in ("&", r"\\", r"\end", END))
            cells.append(row(parts))
            mark = self.take()
            if mark in (r"\\", r"\end"):
                if len(cells) > 1 or parts:
                    rows.append(cells)
                cells = []
            if mark == r"\end":
                break
        self.name_of_environment()
        return _table(rows, *MATRICES.get(name, ("", "")), aligned=name in ROWS)

    def name_of_environment(self) -> str:
        length = _length_of_group(self.tokens, self.i)
        name = "".join(self.tokens[self.i + 1 : self.i + length - 1])
        self.i += length
        return name.rstrip("*")


_PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩"}


def _named(name: str) -> Part:
    """A name of several letters, a little apart from the factor before it."""
    return Part(f'<mrow><mspace width="0.12em"></mspace><mi>{name}</mi></mrow>', 0.5 * len(name) + 0.12)


def _drawn(bracket: str) -> str:
    if bracket == ".":
        return ""
    for table in (OPENING, CLOSING, BARS):
        if bracket in table:
            return table[bracket]
    raise CannotShow(f"no bracket is drawn as {bracket}")


def _with_scripts(base: Part, below: list[Part], above: list[Part]) -> Part:
    limits = base.kind.startswith("large") and base.kind != r"large \int"
    names = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
    name = names[2] if below and above else names[0] if below else names[1]
    scripts = [row(below)] * bool(below) + [row(above)] * bool(above)
    around = f"<{name}>{{}}{''.join(s.xml for s in scripts)}</{name}>"
    widths = [0.7 * s.width for s in scripts]
    width = max([base.width, *widths]) if limits else base.width + max(widths)
    height = base.height + 0.15 + 0.3 * (max(s.height for s in scripts) - 1)
    xml = around.replace("{}", base.xml, 1)
    if base.inside:
        return replace(base, xml=xml, width=width, height=height, scripts=around)
    return Part(xml, width, height=height)


def _table(rows: list[list[Part]], opening: str, closing: str, aligned: bool) -> Part:
    lines = ["<mtr>" + "".join(f"<mtd>{cell.xml}</mtd>" for cell in cells) + "</mtr>" for cells in rows]
    kind = ' class="aligned"' if aligned else ""
    columns = max(map(len, rows), default=0)
    width = sum(max((r[c].width for r in rows if c < len(r)), default=0.0) + 0.8 for c in range(columns))
    height = sum(max(c.height for c in cells) + 0.4 for cells in rows)
    table = Part(f"<mtable{kind}>{''.join(lines)}</mtable>", width, height=height)
    return replace(bracketed(opening, [table], closing), inside=()) if opening else table


def _length_of_group(tokens: list[str], start: int) -> int:
    """How many tokens stand from an opening brace to the one that closes it."""
    depth = 0
    for at in range(start, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[at], 0)
        if depth == 0:
            return at - start + 1
    raise CannotShow("a brace is never closed")
