"""Relations of a printed formula as trees, by binding powers of signs; `signs.toml` has the signs.

A tree is a tuple of its head and its parts: ("number", text), ("letter", spelling), ("call", spelling, arguments),
("+" | "*" | "^" | "kron", a, b), ("inverse", a), ("pm",) and ("mp",) for a sign, ("pi",), ("exp", a) and other
functions, ("abs" | "norm" | "T" | "pinv" | "mean", a), ("dt" | "partial", a, spelling), ("normal", a, b),
("P", relation, ...), ("sum", a, indices, lower, upper), ("matrix", rows).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.reader.tokens import RELATIONS, SIGNS, closed, tokens

Tree = tuple[Any, ...]
INFIX, PREFIX, CLOSING = (SIGNS[key] for key in ("infix", "prefix", "closing"))
SUM, PRODUCT, POWER = 10, 30, 50  # how tightly signs bind
SIGNED = ("+", "-", r"\pm", r"\mp")
ROWS = "rows"  # in the place of an opening bracket, inside of a matrix
TURNED = {"<": ">", "<=": ">=", "<<": ">>"}
NAMES = {name: name for name in SIGNS["functions"]} | SIGNS["function_names"]
NAMED = {style % spelling: name for spelling, name in NAMES.items() for style in SIGNS["function_styles"]}
BEGINS = dict.fromkeys(NAMED, "function") | PREFIX


class Relation(NamedTuple):
    """One printed relation, a condition of what follows or not; a lone expression has no sign, and one side twice.

    That one side is far larger than another one says that the smaller over the larger goes to 0, and is written so.
    """

    supposed: bool
    sign: str
    left: Tree
    right: Tree


def relations(record: Mapping[str, Any]) -> list[Relation]:
    """All relations of a formula, in which the letters, functions and averages of its record stand."""
    parser = _Parser(record)
    stated = parser.statements()
    parser.take("")
    return stated


def number(text: str) -> Tree:
    return ("number", text)


def product(one: Tree, other: Tree) -> Tree:
    return ("*", one, other)


def joined(head: str, one: Tree, other: Tree) -> Tree:
    """Two operands under the sign between them: differences are sums, and quotients products."""
    if head == "/":
        return product(one, ("inverse", other))
    signs = {"-": number("-1"), "pm": ("pm",), "mp": ("mp",)}
    return ("+", one, product(signs[head], other)) if head in signs else (head, one, other)


def turned(relation: Relation) -> Relation:
    """With the larger side first."""
    supposed, sign, left, right = relation
    if sign in TURNED:
        sign, left, right = TURNED[sign], right, left
    if sign == ">>":
        sign, left, right = "->", joined("/", right, left), number("0")
    return Relation(supposed, sign, left, right)


class _Parser:
    def __init__(self, record: Mapping[str, Any]) -> None:
        self.signs, self.k = [*tokens(record["reads"]), ""], 0
        self.letters, self.functions = (
            sorted(((tokens(s), s) for s in record[kind]), key=lambda pair: len(pair[0]), reverse=True)
            for kind in ("letters", "functions")
        )
        self.subscripts = {"||": [["F"], []], r"\langle": [tokens(subscript) for subscript in record["averages"]]}
        self.of_matrices = record["kind"] != "scalars"
        self.transposes = {*SIGNS["transposes"], *record["transposes"]}
        self.opened: list[str] = []

    # --- places -------------------------------------------------------------------------------------------------------

    @property
    def sign(self) -> str:
        return self.signs[self.k]

    def skip(self, *signs: str) -> bool:
        is_there = bool(self.sign) and self.sign in signs
        self.k += is_there
        return is_there

    def take(self, sign: str) -> None:
        if self.sign != sign:
            raise Rejected(f"{sign or 'the end'} was expected before {self.coming()}")
        self.k += bool(sign)

    def coming(self) -> str:
        return " ".join(self.signs[self.k : self.k + 6]) or "the end"

    def matched(self, known: list[tuple[list[str], str]]) -> str:
        """The longest of some spellings that stands at this place, and moves behind it."""
        for signs, spelling in known:
            if self.signs[self.k : self.k + len(signs)] == signs:
                self.k += len(signs)
                return spelling
        return ""

    def begins(self) -> bool:
        """Check whether a factor begins at this place."""
        if self.sign in ("|", "||") and self.opened[-1:] == [self.sign]:
            return False
        place = self.k
        spelled = self.matched(self.letters) or self.matched(self.functions)
        self.k = place
        return bool(spelled) or self.sign in BEGINS or self.sign[:1].isdigit()

    def goes_on(self) -> bool:
        """Check whether a product goes on at this place."""
        return self.begins() or INFIX.get(self.sign, ("", 0))[1] == PRODUCT

    def inside(self) -> Tree:
        """Return what stands between the bracket at this place and the one that closes it."""
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
            if stated and stated[0].supposed and not stated[-1].supposed:
                raise Rejected("an implication stands alone in its formula")
            chain = self.chain()
            if chain[0].sign:  # in "a, b > c", a > c too
                stated += map(turned, [chain[0]._replace(left=other) for other in waiting] + chain)
            waiting = [] if chain[0].sign else [*waiting, chain[0].left]
            if self.skip(r"\implies"):
                if not stated or stated[0].supposed:
                    raise Rejected("an implication has one condition, and one conclusion")
                stated = [part._replace(supposed=True) for part in stated]
            elif self.sign != end and self.sign not in SIGNS["separators"]:
                raise Rejected(f"nothing is expected at {self.coming()}")
            while self.skip(*SIGNS["separators"]):
                pass
        if (waiting and (stated or len(waiting) > 1)) or not (stated or waiting):
            raise Rejected("a relation was expected, and a part of the formula states nothing")
        return stated or [Relation(False, "", waiting[0], waiting[0])]

    def chain(self) -> list[Relation]:
        sides, signs = [self.expression(0)], []
        while self.sign in RELATIONS or (self.sign == r"\\" and self.signs[self.k + 1] in RELATIONS):
            self.skip(r"\\")  # a line that goes on
            signs.append(RELATIONS[self.sign])
            self.k += 1
            sides.append(self.expression(0))
        both = zip(signs or [""], sides, sides[1:] or sides, strict=False)
        return [Relation(False, sign, left, right) for sign, left, right in both]

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, power: int) -> Tree:
        if power and self.sign in SIGNED:
            raise Rejected(f"two signs stand side by side: {self.coming()}")
        if self.skip("-"):
            left = product(number("-1"), self.expression(SUM))
        elif self.sign in SIGNED[2:]:
            left = number("0")
        else:
            self.skip("+")
            left = self.operand()
        while True:
            self.go_on()
            head, binding = INFIX.get(self.sign, ("", 0))
            if self.sign == "^" and power < POWER:
                left = self.script(left)
            elif binding > power:
                self.k += 1
                right = self.expression(binding)
                if head == "/" and self.goes_on():
                    raise Rejected("what a slash divides by may end in two places: write a fraction")
                left = joined(head, left, right)
            elif power < PRODUCT and self.begins():
                if self.sign[:1].isdigit():
                    raise Rejected("a number behind a symbol may be a factor or an index")
                left = product(left, self.expression(PRODUCT))
            else:
                return left

    def go_on(self) -> None:
        """A line that goes on in brackets, or with a sign between operands; rows of a matrix do not."""
        is_inside = self.opened and self.opened[-1] != ROWS
        if self.sign == r"\\" and (is_inside or (not self.opened and self.signs[self.k + 1] in INFIX)):
            self.k += 1

    def script(self, base: Tree) -> Tree:
        _, mark, end = self.signs[self.k + 1 : self.k + 4]
        if self.of_matrices and end == "}" and mark in self.transposes:
            self.k += 4
            return ("pinv" if mark == "+" else "T", base)
        self.take("^")
        return ("^", base, self.inside())

    def operand(self) -> Tree:
        while self.sign == r"\\":  # a line that ended with a sign before an operand
            self.k += 1
        place = self.k
        if (spelling := self.matched(self.functions)) and self.sign == "(":
            return ("call", spelling, self.arguments())
        self.k = place
        if spelling := self.matched(self.letters):
            return ("letter", spelling)
        sign = self.sign
        self.k += 1
        if sign[:1].isdigit():
            return number(sign)
        if sign not in BEGINS:
            raise Rejected(f"{sign or 'the end'} is no letter of the vocabulary, and begins nothing that is known")
        form = BEGINS[sign]
        made: Tree = self.filled(form) if isinstance(form, list) else getattr(self, form)(sign)
        return made

    def filled(self, form: Any) -> Any:
        """A tree by its form, in which {} stands for what is in the braces that follow."""
        if isinstance(form, list):
            return tuple(self.filled(part) for part in form)
        return self.inside() if form == "{}" else form

    def arguments(self) -> list[Tree]:
        self.take("(")
        listed = [self.expression(0)]
        while self.skip(",", ";"):
            listed.append(self.expression(0))
        self.take(")")
        return listed

    def function(self, sign: str) -> Tree:
        name = NAMED[sign]
        power = self.inside() if self.skip("^") else None
        if self.sign in ("(", "["):
            argument = self.inside()
            if self.sign == "^":
                raise Rejected("a superscript behind an argument may belong to it or to the value")
        else:
            argument = self.expression(PRODUCT)
            if self.sign not in NAMED and self.goes_on():
                raise Rejected(f"{name} may act on one factor or on a product: write parentheses")
        return (name, argument) if power is None else ("^", (name, argument), power)

    # --- what begins an operand ---------------------------------------------------------------------------------------

    def bracket(self, sign: str) -> Tree:
        self.k -= 1
        inside = self.inside()
        if known := self.subscripts.get(sign):
            end = closed(self.signs, self.k + 1) if self.sign == "_" else self.k
            if self.signs[self.k + 2 : end - 1] not in known or end == self.k + 3:
                raise Rejected(f"no such subscript is known: {self.coming()}")
            self.k = end
        return (SIGNS["wrapped"][sign], inside) if sign in SIGNS["wrapped"] else inside

    def braced(self, sign: str) -> Tree:
        """Return what stands at a brace, whose label says nothing of it."""
        inside = self.inside()
        if self.sign == ("_" if sign == r"\underbrace" else "^"):
            self.k = closed(self.signs, self.k + 1)
        return inside

    def exponential(self, _: str) -> Tree:
        return ("exp", self.inside() if self.skip("^") else number("1"))

    def normal(self, _: str) -> Tree:
        return ("normal", *self.arguments())

    def chance(self, _: str) -> Tree:
        self.take("(")
        events = self.statements(")")
        self.take(")")
        return ("P", *events)

    def sum(self, _: str) -> Tree:
        """A sum of all factors that follow, over indices with the end and the beginning that are printed."""
        self.take("_")
        inside = self.signs[self.k + 1 : closed(self.signs, self.k) - 1]
        named = inside.index("=") if "=" in inside else len(inside)
        self.k += 1 + named
        lower = self.expression(0) if self.skip("=") else None
        self.take("}")
        upper = self.inside() if self.skip("^") else None
        if lower is not None and upper is None:
            raise Rejected("a sum that begins somewhere has to end somewhere")
        return ("sum", self.expression(SUM), tuple("".join(inside[:named]).split(",")), lower, upper)

    def matrix(self, sign: str) -> Tree:
        rows: list[list[Tree]] = [[]]
        self.opened.append(ROWS)
        while True:
            rows[-1].append(self.expression(0))
            if self.skip(sign.replace(r"\begin", r"\end")):
                self.opened.pop()
                return ("matrix", tuple(map(tuple, rows)))
            if not self.skip("&"):
                self.take(r"\\")
                rows.append([])

    def fraction(self, _: str) -> Tree:
        """A fraction, or a derivative by one letter, of its numerator or of the one factor after it."""
        start, d, below = self.k, self.signs[self.k + 1], closed(self.signs, self.k)
        if d in SIGNS["differentials"] and self.signs[below + 1] == d:
            self.k = below + 2
            if (by := self.matched(self.letters)) and self.skip("}"):
                after, is_whole = self.k, start + 2 < below - 1
                self.k = start + 2 if is_whole else after
                of = self.expression(0 if is_whole else PRODUCT)
                if is_whole:
                    self.take("}")
                    self.k = after
                return (SIGNS["differentials"][d], of, by)
            self.k = start
        return joined("/", self.inside(), self.inside())
