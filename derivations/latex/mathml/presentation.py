"""How printed LaTeX looks, as parts of MathML: letters, scripts, fractions, roots, accents, brackets, matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape

from derivations.language.names import CAPITALS, GREEK
from derivations.latex.mathml.layout import Part, bracketed, mo, row
from derivations.latex.mathml.letters import (
    ACCENTS,
    BARS,
    BINARY,
    CLOSING,
    FUNCTIONS,
    LARGE,
    MATRICES,
    OPENING,
    RELATIONS,
    SIGNS,
    SPACES,
    STYLES,
    TIMES,
    WIDE_ACCENTS,
    styled,
)
from derivations.latex.tokens import DEEPEST, PAIRS, ROWS, CannotRead, Token, complain, visible_tokens

FIXED_SIZE = {"stretchy": "true", "minsize": "1.8em", "maxsize": "1.8em", "symmetric": "true"}


class Presentation:
    """The parts of one formula, or of a letter group in a style of its own; `CannotRead` where no picture is known."""

    def __init__(self, latex: str, style: str = "", depth: int = 0) -> None:
        self.source = latex
        self.tokens = visible_tokens(latex)
        self.i = 0
        self.depth = depth
        self.style = style

    # --- moving along -------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.i]

    def wrong(self, what: str) -> CannotRead:
        return complain(self.source, self.token.at, what)

    def take(self) -> Token:
        token = self.token
        if token.kind == "stop":
            raise self.wrong("the formula ends where something was expected")
        self.i += 1
        return token

    def everything(self) -> list[Part]:
        parts = self.sequence(lambda: self.token.kind == "stop")
        if not parts:
            raise self.wrong("there is nothing to show")
        return parts

    def sequence(self, ends: Callable[[], bool]) -> list[Part]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong(f"the formula is nested more than {DEEPEST} deep")
        parts: list[Part] = []
        while not ends():
            if self.token.kind == "stop" or self.token.text == "}":
                raise self.wrong("a group is closed that was not opened, or never closed")
            parts += self.scripted(self.atom(parts[-1] if parts else None))
        self.depth -= 1
        return parts

    def argument(self) -> Part:
        """Return what stands in the braces at this place, which the tokens have around every argument."""
        self.i += 1
        parts = self.sequence(lambda: self.token.text == "}")
        self.i += 1
        return row(parts)

    # --- scripts ------------------------------------------------------------------------------------------------------

    def scripted(self, parts: list[Part]) -> list[Part]:
        """The last of the parts with the subscripts and superscripts that follow it."""
        scripts: dict[str, list[Part]] = {"_": [], "^": []}
        while self.token.text in scripts:
            scripts[self.take().text].append(self.argument())
        if not any(scripts.values()):
            return parts
        base = parts[-1] if parts else Part("<mrow></mrow>", 0)
        return [*parts[:-1], _with_scripts(base, scripts["_"], scripts["^"])]

    # --- one thing ----------------------------------------------------------------------------------------------------

    def atom(self, before: Part | None) -> list[Part]:
        token = self.take()
        text = token.text
        if text == "{":
            self.i -= 1
            return [self.argument()]
        if text == "&":
            return []
        if text == r"\\":
            return [Part("", 0, kind="newline")]
        if token.kind == "space":
            width = SPACES[text]
            return [Part(f'<mspace width="{width}em"></mspace>', width)]
        if sign := _sign(token, RELATIONS):
            return [Part(mo(sign, form="infix"), 1.3, "relation")]
        if text in BINARY:
            return [self.binary(BINARY[text], before)]
        if text in TIMES:
            return [Part(mo(TIMES[text], form="infix"), 0.7)]
        if text in LARGE:
            return [Part(mo(LARGE[text], largeop="true", movablelimits="false"), 1.2, f"large {text}", 1.6)]
        if token.kind == "size" or text in OPENING or text in CLOSING or text in BARS:
            return [self.bracket(token)]
        return self.symbol(token)

    def binary(self, sign: str, before: Part | None) -> Part:
        """A sign between two terms, or one in front of a term."""
        if before is None or before.kind in ("relation", "binary", "opening"):
            return Part(mo(sign, form="prefix"), 0.7)
        return Part(mo(sign, form="infix"), 1.2, "binary")

    def symbol(self, token: Token) -> list[Part]:
        text, name = token.text, (token.spelled or token.text).removeprefix("\\")
        if sign := _sign(token, SIGNS):
            return [Part(mo(sign, separator="true") if text in ",;" else mo(sign), 0.5)]
        if token.kind == "number":
            return [Part(f"<mn>{''.join(styled(c, self.style) for c in text)}</mn>", 0.5 * len(text))]
        if token.kind == "letter":
            if len(text) == 1:
                return [self.letter(text)]
            return [self.in_style(text[: text.index("{")], token.spelled)]
        if token.kind == "text" and not {"{", "}"} & set(token.spelled):
            words = token.spelled.replace(" ", "\u00a0")
            return [Part(f"<mtext>{escape(words)}</mtext>", 0.5 * len(words))]
        if name in GREEK:
            return [self.letter(GREEK[name])]
        if name in CAPITALS:
            return [self.letter(CAPITALS[name], upright=True)]
        if name in FUNCTIONS:
            return self.function(name)
        return [self.construction(token)]

    def letter(self, letter: str, upright: bool = False) -> Part:
        shown = styled(letter, self.style)
        plain = shown == letter and (upright or self.style == "upright")
        return Part(f'<mi mathvariant="normal">{shown}</mi>' if plain else f"<mi>{shown}</mi>", 0.6)

    def function(self, name: str) -> list[Part]:
        named = replace(_named(name), kind="large lim" if name in ("lim", "min", "max") else "ordinary")
        apart = self.token.kind != "stop" and self.token.text not in ("(", r"\left", "_", "^")
        return [named, Part('<mspace width="0.17em"></mspace>', 0.17)] if apart else [named]

    def construction(self, token: Token) -> Part:
        if token.text == r"\frac":
            above, below = self.argument(), self.argument()
            height = 0.4 + above.height + below.height
            return Part(f"<mfrac>{above.xml}{below.xml}</mfrac>", max(above.width, below.width) + 0.2, height=height)
        if token.text == r"\sqrt":
            return self.root()
        if token.text in ACCENTS:
            body = self.argument()
            over = mo(ACCENTS[token.text], stretchy="true" if token.text in WIDE_ACCENTS else "false")
            return Part(f'<mover accent="true">{body.xml}{over}</mover>', body.width, height=body.height + 0.1)
        if token.kind == "begin":
            return self.environment(token)
        raise self.wrong(f"no picture is known for {token.text}")

    def root(self) -> Part:
        if self.token.text != "[":
            body = self.argument()
            return Part(f"<msqrt>{body.xml}</msqrt>", body.width + 0.8, height=body.height + 0.2)
        self.i += 1
        order = row(self.sequence(lambda: self.token.text == "]"))
        self.i += 1
        body = self.argument()
        return Part(f"<mroot>{body.xml}{order.xml}</mroot>", body.width + 1, height=body.height + 0.2)

    def in_style(self, command: str, inside: str) -> Part:
        """An argument in another style; several upright letters are one name."""
        if command not in STYLES:
            raise self.wrong(f"no picture is known for {command}")
        group = Presentation(inside, STYLES[command], self.depth)
        letters = [token.text for token in group.tokens[:-1]]
        if STYLES[command] == "upright" and len(letters) > 1 and all(len(x) == 1 and x.isalpha() for x in letters):
            return _named("".join(letters))
        return row(group.sequence(lambda: group.token.kind == "stop"))

    # --- brackets and tables ------------------------------------------------------------------------------------------

    def bracket(self, token: Token) -> Part:
        if token.text == r"\left":
            opening = self.take()
            inside = self.sequence(lambda: self.token.text == r"\right")
            self.i += 1
            return bracketed(self.drawn(opening), inside, self.drawn(self.take()))
        if token.kind == "size" and token.text not in (r"\right", r"\middle"):
            return self.fixed_bracket(self.take())
        closing = self.partner(token.text)
        if closing is None:
            return Part(mo(self.drawn(token), stretchy="false", form="postfix"), 0.4, "closing")
        inside = self.sequence(lambda: self.i == closing)
        self.i += 1
        return bracketed(self.drawn(token), inside, self.drawn(self.tokens[closing]))

    def fixed_bracket(self, bracket: Token) -> Part:
        opens = bracket.text in OPENING
        drawn = mo(self.drawn(bracket), form="prefix" if opens else "postfix", **FIXED_SIZE)
        return Part(f"<mrow>{drawn}</mrow>", 0.5, "opening" if opens else "closing", 1.8)

    def drawn(self, bracket: Token) -> str:
        if bracket.text == ".":
            return ""
        for table in (OPENING, CLOSING, BARS):
            if bracket.text in table:
                return table[bracket.text]
        raise self.wrong(f"no bracket is drawn as {bracket.text}")

    def partner(self, opening: str) -> int | None:
        """Where the bracket that was just taken is closed, within the group it stands in."""
        if opening not in OPENING and opening not in BARS:
            return None
        closing = PAIRS.get(opening, opening)
        nested = depth = 0
        for at in range(self.i, len(self.tokens)):
            text = self.tokens[at].text
            nested += {"{": 1, "}": -1, r"\left": 1, r"\right": -1}.get(text, 0)
            if nested < 0:
                return None
            if nested or self.tokens[at - 1].text in (r"\left", r"\right"):
                continue
            if text == closing:
                if depth == 0:
                    return at
                depth -= 1
            elif text == opening:
                depth += 1
        return None

    def environment(self, begin: Token) -> Part:
        name = begin.text
        if name not in MATRICES and name not in ROWS:
            raise self.wrong(f"the environment {name} is not known")
        rows: list[list[Part]] = [[]]
        while True:
            parts = self.sequence(lambda: self.token.kind in ("end", "stop") or self.token.text in ("&", r"\\"))
            rows[-1].append(row(parts))
            mark = self.take()
            if mark.text != "&":
                if len(rows[-1]) == 1 and not parts:
                    rows.pop()  # a line break at the end of a table begins no row
                rows.append([])
            if mark.kind == "end":
                return _table(rows[:-1], *MATRICES.get(name, ("", "")), aligned=name in ROWS)


def _sign(token: Token, table: dict[str, str]) -> str:
    """The sign as the source spells it: equivalent spellings may look different."""
    return table.get(token.spelled) or table.get(token.text, "")


def _named(name: str) -> Part:
    """A name of several letters, a little apart from the factor before it."""
    return Part(f'<mrow><mspace width="0.12em"></mspace><mi>{name}</mi></mrow>', 0.5 * len(name) + 0.12)


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
