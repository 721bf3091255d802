"""Relations of a printed formula as trees, by binding powers of signs.

A tree is a tuple of its head and its parts: ("number", text), ("letter", spelling), ("call", spelling, arguments),
("function", name, a), ("+" | "-" | "*" | "/" | "^" | "pm" | "mp" | "kron", a, b), ("minus", a), ("pi",), ("exp", a),
("root", a), ("abs", a), ("norm", a), ("T", a), ("pinv", a), ("mean", a), ("dt" | "partial", a, spelling),
("normal", a, b), ("P", relation, ...), ("sum", a, indices, lower, upper), ("matrix", rows).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.reader.tokens import MATRICES, tokens

Tree = tuple[Any, ...]
RELATIONS = {
    "=": "=", r"\ne": "!=", ">": ">", r"\ge": ">=", "<": "<", r"\le": "<=", r"\gg": ">>", r"\ll": "<<",
    r"\sim": "~", r"\propto": "propto", r"\to": "to", r"\approx": "approx",
}  # fmt: skip
TURNED = {"<": ">", "<=": ">=", "<<": ">>"}
SEPARATORS = frozenset((",", ";", ".", r"\\", r"\quad", r"\qquad", r"\text{and}", r"\wedge"))
SUM, KRONECKER, PRODUCT, POWER = 10, 20, 30, 50
HEADS = {r"\pm": "pm", r"\mp": "mp", r"\cdot": "*", r"\times": "*", r"\otimes": "kron"}
TIMES = ("/", r"\cdot", r"\times", "*")
INFIX = {**dict.fromkeys(("+", "-", r"\pm", r"\mp"), SUM), r"\otimes": KRONECKER, **dict.fromkeys(TIMES, PRODUCT)}
NAMES = {"arcsin": "asin", "ln": "log", "Tr": "tr"}
FUNCTIONS = ("exp", "log", "ln", "sinh", "cosh", "tanh", "sin", "cos", "erf", "arcsin", "asin", "tr", "Tr")
NAMED = {
    f"{before}{name}{after}": NAMES.get(name, name)
    for name in FUNCTIONS
    for before, after in (("\\", ""), (r"\text{", "}"), (r"\mathrm{", "}"), (r"\operatorname{", "}"))
}
CLOSING = {"(": ")", "[": "]", "{": "}", "|": "|", "||": "||", r"\langle": r"\rangle"}
BEGIN_MATRIX = {f"\\begin{{{kind}}}": f"\\end{{{kind}}}" for kind in MATRICES}
BEGIN = frozenset((*CLOSING, r"\frac", r"\sqrt", r"\mathcal{N}", r"\pi", "e", r"\sum", r"\dot", *BEGIN_MATRIX))
CHANCES = ("P", r"\mathbb{P}", r"\Pr")
DIFFERENTIALS = {"d": "dt", r"\mathrm{d}": "dt", r"\partial": "partial"}


class Relation(NamedTuple):
    """One printed relation, a condition of what follows or not; a lone expression has no sign, and one side twice."""

    supposed: bool
    sign: str
    left: Tree
    right: Tree


def relations(record: Mapping[str, Any]) -> list[Relation]:
    """All relations of a formula, in which the letters, functions and averages of its record stand."""
    parser = _Parser(record)
    stated = parser.statements()
    parser.take("")
    return [_turned(part) for part in stated]


class _Parser:
    def __init__(self, record: Mapping[str, Any]) -> None:
        self.signs, self.k = [*tokens(record["reads"]), ""], 0
        self.spelled: dict[tuple[str, ...], str] = {
            tuple(tokens(s)): s for kind in ("letters", "functions") for s in record[kind]
        }
        self.letters, self.functions = (
            sorted(map(tokens, record[kind]), key=len, reverse=True) for kind in ("letters", "functions")
        )
        self.averages = [tokens(subscript) for subscript in record["averages"]]
        self.of_matrices = record["kind"] != "scalars"
        self.opened: list[str] = []

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
        if self.sign != sign:
            raise Rejected(f"{sign or 'the end'} was expected before {self.coming()}")
        self.k += bool(sign)

    def coming(self) -> str:
        return " ".join(self.signs[self.k : self.k + 6]) or "the end"

    def matched(self, known: list[list[str]]) -> str:
        """The longest of some spellings that stands at this place, and moves behind it."""
        for spelling in known:
            if self.signs[self.k : self.k + len(spelling)] == spelling:
                self.k += len(spelling)
                return self.spelled[tuple(spelling)]
        return ""

    def begins(self) -> bool:
        place = self.k
        spelled = self.matched(self.letters) or self.matched(self.functions)
        self.k = place
        if self.sign in ("|", "||") and self.opened[-1:] == [self.sign]:
            return False
        return bool(spelled) or self.sign in BEGIN or self.sign in NAMED or self.sign[:1].isdigit()

    def closed(self, k: int) -> int:
        """The place after the brace that closes the one at a place."""
        depth = 0
        while True:
            depth += {"{": 1, "}": -1}.get(self.signs[k], 0)
            k += 1
            if not depth:
                return k

    def inside(self) -> Tree:
        """What stands between the bracket at this place and the one that closes it."""
        opening = self.sign
        if opening not in CLOSING:
            raise Rejected(f"a bracket was expected at {self.coming()}")
        self.k += 1
        self.opened.append(opening)
        inside = self.expression(0)
        self.opened.pop()
        self.take(CLOSING[opening])
        return inside

    # --- statements ---------------------------------------------------------------------------------------------------

    def statements(self, end: str = "") -> list[Relation]:
        stated: list[Relation] = []
        waiting: list[Tree] = []
        while self.sign and self.sign != end:
            parts = self.chain()
            if not parts[0].sign:
                waiting.append(parts[0].left)
            else:
                stated += [parts[0]._replace(left=other) for other in waiting] + parts  # in "a, b > c", a > c too
                waiting = []
            if self.skip(r"\implies"):
                stated = [part._replace(supposed=True) for part in stated]
                continue
            if self.sign != end and not self.skip(*SEPARATORS):
                raise Rejected(f"nothing is expected at {self.coming()}")
            while self.skip(*SEPARATORS):
                pass
        if (waiting and (stated or len(waiting) > 1)) or not (stated or waiting):
            raise Rejected("a relation was expected, and a part of the formula states nothing")
        return stated or [Relation(False, "", waiting[0], waiting[0])]

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
                if sign == "/" and (self.begins() or self.sign in TIMES):
                    raise Rejected("what a slash divides by may end in two places: write a fraction")
                left = (HEADS.get(sign, sign), left, right)
            elif power < PRODUCT and self.begins():
                if sign[:1].isdigit():
                    raise Rejected("a number behind a symbol may be a factor or an index")
                left = ("*", left, self.expression(PRODUCT))
            else:
                return left

    def script(self, base: Tree) -> Tree:
        if self.of_matrices and self.signs[self.k + 3] == "}" and self.signs[self.k + 2] in (r"\top", "T", "+"):
            self.k += 4
            return ("pinv" if self.signs[self.k - 2] == "+" else "T", base)
        self.take("^")
        return ("^", base, self.inside())

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
        if sign in BEGIN_MATRIX:
            return self.matrix(BEGIN_MATRIX[sign])
        if sign in CHANCES and self.skip("("):
            event = self.statements(")")
            self.take(")")
            return ("P", *map(_turned, event))
        match sign:
            case r"\frac":
                return self.fraction()
            case r"\sqrt":
                return ("root", self.inside())
            case r"\dot":
                return ("dt", self.inside(), "t")
            case r"\sum":
                return self.sum()
            case "e":
                return ("exp", self.inside() if self.skip("^") else ("number", "1"))
            case r"\pi":
                return ("pi",)
            case r"\mathcal{N}":
                return ("normal", *self.arguments())
        self.k -= 1
        if sign not in CLOSING:
            raise Rejected(f"{sign or 'the end'} is no letter of the vocabulary, and begins nothing that is known")
        inside = self.inside()
        if sign == "||" and self.sign == "_":
            self.subscript([["F"]])
        elif sign == r"\langle":
            self.subscript(self.averages)
        return ({"|": "abs", "||": "norm", r"\langle": "mean"}[sign], inside) if sign in "||\\langle" else inside

    def subscript(self, known: list[list[str]]) -> None:
        end = self.closed(self.k + 1) if self.sign == "_" else self.k
        if self.signs[self.k + 2 : end - 1] not in known:
            raise Rejected(f"no such subscript is known: {self.coming()}")
        self.k = end

    def arguments(self) -> list[Tree]:
        self.take("(")
        listed = [self.expression(0)]
        while self.skip(",", ";"):
            listed.append(self.expression(0))
        self.take(")")
        return listed

    def function(self, name: str) -> Tree:
        power = self.inside() if self.skip("^") else None
        if self.sign in ("(", "["):
            argument = self.inside()
            if self.sign == "^":
                raise Rejected("a superscript behind an argument may belong to it or to the value")
        else:
            argument = self.expression(PRODUCT)
            if self.sign not in NAMED and (self.begins() or INFIX.get(self.sign) == PRODUCT):
                raise Rejected(f"{name} may act on one factor or on a product: write parentheses")
        value: Tree = ("function", name, argument)
        return value if power is None else ("^", value, power)

    def sum(self) -> Tree:
        """A sum of all factors that follow, over indices with the end and the beginning that are printed."""
        self.take("_")
        end = self.closed(self.k)
        indices, self.k = [""], self.k + 1
        while self.k < end - 1 and self.sign != "=":
            indices = [*indices, ""] if self.sign == "," else [*indices[:-1], indices[-1] + self.sign]
            self.k += 1
        lower = self.expression(0) if self.skip("=") else None
        self.take("}")
        upper = self.inside() if self.skip("^") else None
        return ("sum", self.expression(SUM), tuple(indices), lower, upper)

    def matrix(self, end: str) -> Tree:
        rows: list[list[Tree]] = [[self.expression(0)]]
        while not self.skip(end):
            if self.skip("&"):
                rows[-1].append(self.expression(0))
            else:
                self.take(r"\\")
                rows.append([self.expression(0)])
        return ("matrix", tuple(map(tuple, rows)))

    def fraction(self) -> Tree:
        """A fraction, or a derivative by one letter, of its numerator or of the one factor after it."""
        d, place, below = self.signs[self.k + 1], self.k, self.closed(self.k)
        if d in DIFFERENTIALS and self.signs[below : below + 2] == ["{", d]:
            self.k = below + 2
            by = self.matched(self.letters)
            if by and self.sign == "}":
                return self.derivative(DIFFERENTIALS[d], by, place + 2, below - 1)
            self.k = place
        top = self.inside()
        return ("/", top, self.inside())

    def derivative(self, head: str, by: str, start: int, end: int) -> Tree:
        after = self.k + 1
        self.k = after if start == end else start
        of = self.expression(PRODUCT if start == end else 0)
        if start == end:
            return (head, of, by)
        if self.k != end:
            raise Rejected("the numerator of a derivative ends too early")
        self.k = after
        return (head, of, by)


def _turned(relation: Relation) -> Relation:
    """With the larger side first."""
    supposed, sign, left, right = relation
    return Relation(supposed, TURNED[sign], right, left) if sign in TURNED else relation
