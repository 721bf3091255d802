"""Relations of a printed formula as trees, by binding powers of signs; `signs.toml` has the signs.

A tree is a tuple of its head and its parts: ("number", text), ("letter", spelling), ("call", spelling, arguments),
("+" | "*" | "^" | "kron", a, b), ("pm",) and ("mp",) for a sign, ("pi",), ("exp", a) and other functions,
("abs" | "norm" | "T" | "pinv" | "mean", a), ("dt" | "partial", a, letter), ("normal", a, b), ("P", relation, ...),
("sum", a, indices, lower, upper), ("matrix", rows).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import require
from derivations.recheck.reader.tokens import LINE, SCRIPTS, SIGNS, closed, text_of, tokens

Tree = tuple[Any, ...]
RELATIONS, INFIX, CLOSING, DIFFERENTIALS = (SIGNS[key] for key in ("relations", "infix", "closing", "differentials"))
SUM, PRODUCT, POWER = 10, 30, 50  # how tightly signs bind
TURNED = {"<": ">", "<=": ">=", "<<": ">>"}
NAMES = {name: name for name in SIGNS["functions"]} | SIGNS["function_names"]
NAMED = {style % spelling: name for spelling, name in NAMES.items() for style in SIGNS["function_styles"]}


class Relation(NamedTuple):
    """One printed relation, a condition of what follows or not; a lone expression has no sign, and one side twice.

    That one side is far larger than another one says that the smaller over the larger goes to 0, and is written so.
    """

    supposed: bool
    sign: str
    left: Tree
    right: Tree
    latex: str  # of the left side


def relations(record: Mapping[str, Any]) -> list[Relation]:
    """All relations of a formula, in which the letters, functions and averages of its record stand."""
    return _Parser(record).statements("")


def parts_of(formula: Any) -> Iterator[Any]:
    """A formula or a tree with all that stand in it."""
    if isinstance(formula, tuple):
        if formula and isinstance(formula[0], str):
            yield formula
        for part in formula:
            yield from parts_of(part)


class NoMeaning(Rejected):
    """A letter has no meaning, which a left side need not have."""


def meant(record: Mapping[str, Any], spelling: str) -> Any:
    """Return what the record of an entry says of a letter."""
    if record["letters"].get(spelling, ("", None))[1] is None:
        raise NoMeaning(f"the record of the entry does not say what {spelling} means")
    return record["letters"][spelling][1]


def named(record: Mapping[str, Any], letter: Tree) -> str:
    return str(record["letters"].get(letter[1], letter[1:])[0])


def number(text: str) -> Tree:
    return ("number", text)


SIGNED = {"+": number("1"), "-": number("-1"), r"\pm": ("pm",), r"\mp": ("mp",)}


def joined(sign: str, one: Tree, other: Tree) -> Tree:
    """Two operands under the sign between them: differences are sums, and quotients products."""
    if sign == "/":
        return ("*", one, ("^", other, number("-1")))
    return ("+", one, other if sign == "+" else ("*", SIGNED[sign], other)) if sign in SIGNED else (sign, one, other)


def turned(left: tuple[Tree, str], sign: str, right: tuple[Tree, str]) -> Relation:
    """A relation with its larger side first."""
    if sign in TURNED:
        sign, left, right = TURNED[sign], right, left
    if sign == ">>":
        return Relation(False, "->", joined("/", right[0], left[0]), number("0"), "")
    return Relation(False, sign, left[0], right[0], left[1])


class _Parser:
    def __init__(self, record: Mapping[str, Any]) -> None:
        self.signs, self.k = [*tokens(record["reads"]), ""], 0
        self.letters, self.functions = (
            sorted(((tokens(s), s) for s in record[kind]), key=lambda pair: len(pair[0]), reverse=True)
            for kind in ("letters", "functions")
        )
        for signs, spelling in self.letters:
            require(is_name(signs), f"{spelling} means something of itself, and is no letter")
        require(not {spelling for _, spelling in self.functions} & NAMED.keys(), "a known function has another meaning")
        self.subscripts = {"||": [["F"], []], r"\langle": [tokens(subscript) for subscript in record["averages"]]}
        self.transposes = {*SIGNS["transposes"], *record["transposes"]} if record["kind"] != "scalars" else set()
        self.opened = [""]

    # --- places -------------------------------------------------------------------------------------------------------

    @property
    def sign(self) -> str:
        return self.signs[self.k]

    def skip(self, *signs: str) -> bool:
        is_there = bool(self.sign) and self.sign in signs
        self.k += is_there
        return is_there

    def take(self, sign: str) -> None:
        require(self.sign == sign, f"{sign or 'the end'} was expected before {self.coming()}")
        self.k += 1

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
        place = self.k
        is_spelled = bool(self.matched(self.letters) or self.matched(self.functions))
        self.k = place
        is_closed = self.sign in ("|", "||") and CLOSING.get(self.opened[-1]) == self.sign
        return not is_closed and (is_spelled or self.sign in FORMS or self.sign[:1].isdigit())

    def goes_on(self) -> bool:
        """Check whether a product goes on at this place."""
        return self.begins() or INFIX.get(self.sign) == PRODUCT

    def inside(self, opening: str = "") -> Tree:
        """Return what stands between the bracket at this place, or before it, and the one that closes it."""
        if not opening:
            opening = self.sign
            require(self.sign in CLOSING, f"a bracket was expected at {self.coming()}")
            self.k += 1
        self.opened.append(opening)
        inside = self.expression(0)
        self.take(CLOSING[self.opened.pop()])
        return inside

    # --- statements ---------------------------------------------------------------------------------------------------

    def statements(self, end: str) -> list[Relation]:
        stated: list[Relation] = []
        waiting: list[tuple[Tree, str]] = []
        while self.sign not in ("", end):
            is_over = bool(stated) and stated[0].supposed and not stated[-1].supposed
            require(not is_over, "an implication stands alone in its formula")
            left, is_lone = self.side(), True
            while self.sign in RELATIONS:
                sign, self.k = RELATIONS[self.sign], self.k + 1
                right = self.side()
                stated += [turned(one, sign, right) for one in (*waiting, left)]  # in "a, b > c", a > c too
                left, waiting, is_lone = right, [], False
            waiting += [left] * is_lone
            if self.skip(r"\implies"):
                is_first = bool(stated) and not (stated[0].supposed or waiting)
                require(is_first, "an implication has one condition, and one conclusion")
                stated = [part._replace(supposed=True) for part in stated]
            else:
                require(self.sign in (end, *SIGNS["separators"]), f"nothing is expected at {self.coming()}")
            while self.skip(*SIGNS["separators"]):
                pass
        self.take(end)
        is_whole = bool(stated) is not bool(waiting) and len(waiting) < 2
        require(is_whole, "a relation was expected, and a part of the formula states nothing")
        return stated or [Relation(False, "", waiting[0][0], *waiting[0])]

    def side(self) -> tuple[Tree, str]:
        start = self.k
        tree = self.expression(0)
        return tree, text_of(self.signs[start : self.k])

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, power: int) -> Tree:
        if self.sign in SIGNED:
            require(not power, f"two signs stand side by side: {self.coming()}")
            factor, self.k = SIGNED[self.sign], self.k + 1
            left: Tree = ("*", factor, self.expression(SUM))
        else:
            left = self.operand()
        while True:
            sign, binding = self.sign, INFIX.get(self.sign, 0)
            if sign == "^" and power < POWER:
                left = self.script(left)
            elif binding > power:
                self.k += 1
                right = self.expression(binding)
                is_open = sign == "/" and self.goes_on()
                require(not is_open, "what a slash divides by may end in two places: write a fraction")
                left = joined(SIGNS["infix_names"].get(sign, sign), left, right)
            elif power < PRODUCT and self.begins():
                require(not sign[:1].isdigit(), "a number behind a symbol may be a factor or an index")
                left = ("*", left, self.expression(PRODUCT))
            else:
                return left

    def script(self, base: Tree) -> Tree:
        _, mark, end = self.signs[self.k + 1 : self.k + 4]
        if end == "}" and mark in self.transposes:
            self.k += 4
            return ("pinv" if mark == "+" else "T", base)
        self.take("^")
        return ("^", base, self.inside())

    def require_one_owner(self, spelling: str, outside: list[str]) -> None:
        """Refuse a power behind several signs, but not a transpose, which is one of the last sign as well."""
        is_power = self.sign == "^" and self.signs[self.k + 2] not in self.transposes
        is_open = is_power and ((len(outside) > 1 and outside[-1] != "(") or spelling == "e")
        require(not is_open, f"a superscript behind {spelling} may belong to all of it or to its last sign")

    def operand(self) -> Tree:
        place = self.k
        if (spelling := self.matched(self.functions)) and self.sign == "(":
            return ("call", spelling, self.arguments())
        self.k = place
        if spelling := self.matched(self.letters):
            self.require_one_owner(spelling, bases(self.signs[place : self.k]))
            return ("letter", spelling)
        sign, self.k = self.sign, self.k + 1
        if sign[:1].isdigit():
            return number(sign)
        require(sign in FORMS, f"{sign or 'the end'} is no letter of the vocabulary, and begins nothing that is known")
        return FORMS[sign](self, sign)

    def arguments(self) -> tuple[Tree, ...]:
        self.take("(")
        listed = [self.expression(0)]
        while self.skip(",", ";"):
            listed.append(self.expression(0))
        self.take(")")
        return tuple(listed)

    def function(self, sign: str) -> Tree:
        name, power = NAMED[sign], self.inside() if self.skip("^") else None
        if self.sign in ("(", "["):
            argument = self.inside()
            is_open = self.sign == "^" or self.sign in ("(", "[")
            require(not is_open, f"{self.coming()} behind an argument may belong to it or to the value")
        else:
            argument = self.expression(PRODUCT)
            is_open = self.goes_on() and not (self.sign in NAMED and name in SIGNS["waves"])
            require(not is_open, f"{name} may act on one factor or on a product: write parentheses")
        return (name, argument) if power is None else ("^", (name, argument), power)

    def bracket(self, sign: str) -> Tree:
        inside = self.inside(sign)
        if known := self.subscripts.get(sign.rstrip("(")):
            end = closed(self.signs, self.k + 1) if self.sign == "_" else self.k
            require(self.signs[self.k + 2 : end - 1] in known, f"no such subscript is known: {self.coming()}")
            is_known, self.k = self.k < end and sign.startswith("||"), end
            if is_known:
                return ("frobenius", inside)
        return (SIGNS["wrapped"][sign], inside) if sign in SIGNS["wrapped"] else inside

    def sum(self, _: str) -> Tree:
        """A sum of all factors that follow, over indices with the end and the beginning that are printed."""
        self.take("_")
        inside = self.signs[self.k + 1 : closed(self.signs, self.k) - 1]
        named = inside.index("=") if "=" in inside else len(inside)
        self.k += 1 + named
        lower = self.expression(0) if self.skip("=") else None
        self.take("}")
        upper = self.inside() if self.skip("^") else None
        require(lower is None or upper is not None, "a sum that begins somewhere has to end somewhere")
        return ("sum", self.expression(SUM), tuple("".join(inside[:named]).split(",")), lower, upper)

    def matrix(self, begin: str) -> Tree:
        rows, end = list[list[Tree]]([[]]), begin.replace(r"\begin", r"\end")
        self.opened.append(end)
        while self.opened[-1] == end:
            rows[-1].append(self.expression(0))
            if self.skip(end):
                self.opened.pop()
            elif not self.skip("&"):
                self.take(LINE)
                rows.append([])
        return ("matrix", tuple(map(tuple, rows)))

    def fraction(self, _: str) -> Tree:
        """A fraction, or a derivative by one letter, of its numerator or of the one factor after it."""
        start, d, below = self.k, self.signs[self.k + 1], closed(self.signs, self.k)
        if d in DIFFERENTIALS and self.signs[below + 1] == d:
            self.k = below + 2
            if (by := self.matched(self.letters)) and self.skip("}"):
                end, self.k = self.k, start + 2
                of = None if self.skip("}") else self.inside("{")
                self.k = end
                of = of or self.expression(PRODUCT)
                require(self.k == end or not self.goes_on(), "a derivative may be of one factor or of a product")
                return (DIFFERENTIALS[d], of, ("letter", by))
            self.k = start
        return joined("/", self.inside(), self.inside())

    def labelled(self, brace: str) -> Tree:
        """Return what stands at a brace, whose label says nothing of it."""
        inside = self.inside()
        if self.sign == ("_" if brace == r"\underbrace" else "^"):
            self.k = closed(self.signs, self.k + 1)
        return inside

    def chance(self, _: str) -> Tree:
        self.take("(")
        return ("P", *self.statements(")"))


def bases(signs: list[str]) -> list[str]:
    """The signs of a spelling beside its scripts, and what is in brackets as its first one."""
    outside, k = list[str](), 0
    while k < len(signs):
        sign = signs[k]
        outside += [sign] * (sign not in ("{", *SCRIPTS))
        if sign in CLOSING and sign != "{":
            k = signs.index(CLOSING[sign], k + 1) if CLOSING[sign] in signs[k + 1 :] else len(signs)
        k = closed(signs, k + 1 if sign in SCRIPTS else k) if k < len(signs) else k
    return outside


def is_name(signs: list[str]) -> bool:
    """Check that a spelling can be a letter: it is no number, function, sum or product, and no power that is read."""
    outside, is_alone = bases(signs), signs in (["e"], ["P"])
    is_power = signs[1:3] == ["^", "{"] and (signs[0] == "e" or "".join(signs[3:-1]).isdigit()) and len(outside) == 1
    of_itself = [s for s in outside if s[:1].isdigit() or s in {*INFIX, *RELATIONS, *NAMED, r"\sqrt", r"\sum"}]
    letters = [s for s in signs if not (s[:1].isdigit() or s in FORMS or s in SCRIPTS or s in CLOSING.values())]
    return is_alone or (bool(letters) and not of_itself and not is_power)


FORMS: dict[str, Callable[[_Parser, str], Tree]] = {
    **dict.fromkeys(CLOSING, _Parser.bracket),
    **dict.fromkeys(NAMED, _Parser.function),
    **dict.fromkeys(SIGNS["chances"], _Parser.chance),
    **{rf"\begin{{{matrix}}}": _Parser.matrix for matrix in SIGNS["matrices"]},
    **dict.fromkeys((r"\underbrace", r"\overbrace"), _Parser.labelled),
    **dict.fromkeys(("e", r"\mathrm{e}"), lambda p, _: ("exp", p.inside() if p.skip("^") else number("1"))),
    r"\frac": _Parser.fraction,
    r"\sum": _Parser.sum,
    r"\pi": lambda _, __: ("pi",),
    r"\sqrt": lambda p, _: ("^", p.inside(), number("1/2")),
    r"\dot": lambda p, _: ("dt", p.inside(), ("letter", "t")),
    r"\mathcal{N}": lambda p, _: ("normal", *p.arguments()),
}
"""Commands that begin an operand, beside letters, numbers and functions of the vocabulary."""
