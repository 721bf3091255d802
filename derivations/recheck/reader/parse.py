"""Relations of a printed formula as trees, by binding powers of signs.

A tree is a tuple: ("number", text), ("letter", spelling), ("call", spelling, arguments), ("function", name, a),
("+", a, b), ("-", a, b), ("*", a, b), ("/", a, b), ("^", a, b), ("minus", a), ("pm" | "mp", a, b),
("abs", a), ("d", a, spelling), ("normal", a, b), ("pi",), ("exp", a), ("root", a).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.reader.tokens import tokens

Tree = tuple[Any, ...]
RELATIONS = {
    "=": "=", r"\ne": "!=", ">": ">", r"\ge": ">=", "<": "<", r"\le": "<=", r"\gg": ">>", r"\ll": "<<",
    r"\sim": "~", r"\propto": "propto", r"\to": "to", r"\approx": "approx",
}  # fmt: skip
TURNED = {"<": ">", "<=": ">=", "<<": ">>"}
SEPARATORS = frozenset((",", ";", ".", r"\\", r"\quad", r"\qquad", r"\text{and}", r"\wedge"))
SUM, PRODUCT, POWER = 10, 30, 50
TIMES = ("/", r"\cdot", r"\times", "*")
INFIX = {**dict.fromkeys(("+", "-", r"\pm", r"\mp"), SUM), **dict.fromkeys(TIMES, PRODUCT)}
NAMES = {"arcsin": "asin", "ln": "log"}
FUNCTIONS = ("exp", "log", "ln", "sinh", "cosh", "tanh", "sin", "cos", "erf", "arcsin", "asin")
NAMED = {
    f"{before}{name}{after}": NAMES.get(name, name)
    for name in FUNCTIONS
    for before, after in (("\\", ""), (r"\text{", "}"), (r"\mathrm{", "}"), (r"\operatorname{", "}"))
}
CLOSING = {"(": ")", "[": "]", "{": "}", "|": "|"}
BEGIN = frozenset(("(", "[", "{", r"\frac", r"\sqrt", r"\mathcal{N}", r"\pi", "e", "|"))


class Relation(NamedTuple):
    """One printed relation, a condition of what follows or not; a lone expression has no sign, and one side twice."""

    supposed: bool
    sign: str
    left: Tree
    right: Tree


def relations(latex: str, letters: Collection[str], functions: Collection[str]) -> list[Relation]:
    """All relations of a formula in which these spellings are letters, and these functions."""
    parser = _Parser(tokens(latex), letters, functions)
    found = parser.statements()
    if not found:
        raise Rejected("the formula is empty")
    return found


class _Parser:
    def __init__(self, signs: list[str], letters: Collection[str], functions: Collection[str]) -> None:
        self.signs, self.k = [*signs, ""], 0
        self.letters = sorted((tokens(s) for s in letters), key=len, reverse=True)
        self.functions = sorted((tokens(s) for s in functions), key=len, reverse=True)
        self.spelled = {tuple(tokens(s)): s for s in (*letters, *functions)}
        self.bars: list[str] = []

    # --- places -------------------------------------------------------------------------------------------------------

    @property
    def sign(self) -> str:
        return self.signs[self.k]

    def skip(self, *signs: str) -> bool:
        if self.sign and self.sign in signs:
            self.k += 1
            return True
        return False

    def take(self, sign: str) -> None:
        if not self.skip(sign):
            raise Rejected(f"{sign} was expected before {' '.join(self.signs[self.k : self.k + 6]) or 'the end'}")

    def matched(self, known: list[list[str]]) -> str:
        """The longest of some spellings that stands at this place, and moves behind it."""
        for spelling in known:
            if self.signs[self.k : self.k + len(spelling)] == spelling:
                self.k += len(spelling)
                return self.spelled[tuple(spelling)]
        return ""

    def begins(self) -> bool:
        place = self.k
        found = self.matched(self.letters) or self.matched(self.functions)
        self.k = place
        if self.sign == "|" and self.bars[-1:] == ["|"]:
            return bool(found)
        return bool(found) or self.sign in BEGIN or self.sign in NAMED or self.sign[:1].isdigit()

    # --- statements ---------------------------------------------------------------------------------------------------

    def statements(self) -> list[Relation]:
        found: list[Relation] = []
        waiting: list[Tree] = []
        while self.sign:
            parts = self.chain()
            if not parts[0].sign:
                waiting.append(parts[0].left)
            else:
                found += [parts[0]._replace(left=other) for other in waiting] + parts  # in "a, b > c", a > c too
                waiting = []
            if self.skip(r"\implies"):
                found = [part._replace(supposed=True) for part in found]
                continue
            if self.sign and not self.skip(*SEPARATORS):
                raise Rejected(f"nothing is expected at {' '.join(self.signs[self.k : self.k + 6])}")
            while self.skip(*SEPARATORS):
                pass
        if waiting and (found or len(waiting) > 1):
            raise Rejected("a part of the formula states nothing")
        return [_turned(part) for part in found] or [Relation(False, "", side, side) for side in waiting]

    def chain(self) -> list[Relation]:
        members, signs = [self.expression(0)], []
        while self.sign in RELATIONS:
            signs.append(RELATIONS[self.sign])
            self.k += 1
            members.append(self.expression(0))
        if not signs:
            return [Relation(False, "", members[0], members[0])]
        return [Relation(False, s, a, b) for s, a, b in zip(signs, members, members[1:], strict=False)]

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, power: int) -> Tree:
        if self.skip("-"):
            left: Tree = ("minus", self.expression(SUM + 1))
        elif self.sign in (r"\pm", r"\mp"):
            left = ("number", "0")
        else:
            self.skip("+")
            left = self.operand()
        while True:
            sign = self.sign
            if sign == "^" and power < POWER:
                left = self.script(left)
            elif sign in INFIX and INFIX[sign] > power:
                self.k += 1
                right = self.expression(INFIX[sign])
                head = {r"\pm": "pm", r"\mp": "mp", r"\cdot": "*", r"\times": "*"}.get(sign, sign)
                if head == "/" and (self.begins() or self.sign in TIMES):
                    raise Rejected("what a slash divides by may end in two places: write a fraction")
                left = (head, left, right)
            elif power < PRODUCT and self.begins():
                if sign[:1].isdigit():
                    raise Rejected("a number behind a symbol may be a factor or an index")
                left = ("*", left, self.expression(PRODUCT))
            else:
                return left

    def script(self, base: Tree) -> Tree:
        self.take("^")
        self.take("{")
        exponent = self.expression(0)
        self.take("}")
        return ("^", base, exponent)

    def operand(self) -> Tree:
        place = self.k
        if spelled := self.matched(self.functions):
            if self.sign == "(":
                return ("call", spelled, self.arguments())
            self.k = place
        if spelled := self.matched(self.letters):
            return ("letter", spelled)
        sign = self.sign
        self.k += 1
        if sign[:1].isdigit():
            return ("number", sign)
        if sign in NAMED:
            return self.function(NAMED[sign])
        if sign == r"\frac":
            return self.fraction()
        if sign == r"\sqrt":
            self.k -= 0 if self.sign == "{" else 1
            return ("root", self.group())
        if sign == "e":
            exponent: Tree = ("number", "1")
            if self.skip("^"):
                exponent = self.group()
            return ("exp", exponent)
        if sign == r"\pi":
            return ("pi",)
        if sign == r"\mathcal{N}":
            return ("normal", *self.arguments())
        self.k -= 1
        if sign in CLOSING:
            inside = self.group()
            return ("abs", inside) if sign == "|" else inside
        raise Rejected(f"{sign or 'the end'} is no letter of the vocabulary, and begins nothing that is known")

    def group(self) -> Tree:
        opening = self.sign
        if opening not in CLOSING:
            raise Rejected(f"a bracket was expected at {opening or 'the end'}")
        self.k += 1
        self.bars.append(opening)
        inside = self.expression(0)
        self.bars.pop()
        self.take(CLOSING[opening])
        return inside

    def arguments(self) -> list[Tree]:
        self.take("(")
        found = [self.expression(0)]
        while self.skip(",", ";"):
            found.append(self.expression(0))
        self.take(")")
        return found

    def function(self, name: str) -> Tree:
        power = self.group() if self.skip("^") else None
        if self.sign in ("(", "["):
            argument = self.group()
            if self.sign == "^":
                raise Rejected("a superscript behind an argument may belong to it or to the value")
        else:
            argument = self.expression(PRODUCT)
            if self.sign not in NAMED and (self.begins() or INFIX.get(self.sign) == PRODUCT):
                raise Rejected(f"{name} may act on one factor or on a product: write parentheses")
        value: Tree = ("function", name, argument)
        return value if power is None else ("^", value, power)

    def fraction(self) -> Tree:
        """A fraction, or a derivative by one letter, of its numerator or of the one factor after it."""
        for d in (["d"], [r"\mathrm{d}"]):
            above, below = ["{", *d], ["}", "{", *d]
            if self.signs[self.k : self.k + 2] == above:
                place = self.k
                depth = 0
                while depth or self.k == place:
                    depth += {"{": 1, "}": -1}.get(self.sign, 0)
                    self.k += 1
                if self.signs[self.k - 1 : self.k + 2] == below:
                    return self.derivative(place + 2, d)
                self.k = place
        top = self.group()
        return ("/", top, self.group())

    def derivative(self, start: int, d: list[str]) -> Tree:
        end = self.k - 1
        self.k += 2
        by = self.matched(self.letters)
        self.take("}")
        if not by:
            raise Rejected("a derivative is taken by a letter")
        if start == end:
            return ("d", self.expression(PRODUCT), by)
        after, self.k = self.k, start
        inside = self.expression(0)
        if self.k != end:
            raise Rejected("the numerator of a derivative ends too early")
        self.k = after
        return ("d", inside, by)


def _turned(relation: Relation) -> Relation:
    """With the larger side first."""
    supposed, sign, left, right = relation
    return Relation(supposed, TURNED[sign], right, left) if sign in TURNED else relation
