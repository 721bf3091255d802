"""Theorems as data: what a line of the table needs and concludes, once its letters are filled.

A line is written in the syntax of Python's expressions, which is parsed and never run: sums and products make formulas,
comparisons make statements, and named functions do what formulas cannot say. "for x in xs: statement" is one statement
for each x, and "statement given a, b" has further hypotheses.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Data, Term, require
from derivations.recheck.core.slots import INFINITE, KINDS, Kind
from derivations.recheck.core.terms import MINUS_ONE, ONE, TWO, ZERO, difference, minus
from derivations.recheck.core.words.values import Values

FOLDER = Path(__file__).resolve().parents[2] / "theorems"
ORDERS: dict[type, tuple[str, bool]] = {
    ast.Eq: ("=", False), ast.Gt: (">", False), ast.GtE: (">=", False), ast.Lt: (">", True), ast.LtE: (">=", True),
    ast.NotEq: ("!=", False),
}  # fmt: skip
"""Comparisons as relations, and whether their sides change places."""
UNSHAPED = {0: ("0",), 1: ("I",)}
"""The zero matrix and the identity, before they have a shape; no formula looks like them."""
Needs = dict[str, Data]
Named = Mapping[str, Callable[..., Any]]


class Line(NamedTuple):
    """A statement, or one for each thing in a loop, under further hypotheses."""

    loop: ast.comprehension | None
    says: ast.expr
    given: tuple[ast.expr, ...]


class Theorem(NamedTuple):
    """A line of the table, its expressions parsed."""

    file: str
    written: Data
    letters: dict[str, str]
    where: tuple[ast.expr, ...]
    short: dict[str, ast.expr]
    needs: dict[str, Line]
    follows: dict[str, Line]
    concludes: Line | None

    def text(self, key: str) -> str:
        """The theorem in words (says), its side conditions in words (conditions), or where its proof is (citation)."""
        return " ".join(self.written[key].split())


@cache
def _lines(folder: str) -> dict[str, Theorem]:
    """Lines of the table, by their names."""
    lines = {}
    for file in sorted((FOLDER / folder).glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        shared = table.pop("shared", {})  # parts that several lines have
        for name, own in table.items():
            also = shared[own["shares"]] if "shares" in own else {}
            line = own | {key: _joined(part, own.get(key)) for key, part in also.items()}
            lines[name] = Theorem(
                file=file.name,
                written=line,
                letters=line["letters"],
                where=tuple(map(_parsed, line.get("where", ()))),
                short={key: _parsed(text) for key, text in line.get("short", {}).items()},
                needs={role: _line(text) for role, text in line.get("needs", {}).items()},
                follows={role: _line(text) for role, text in line.get("follows", {}).items()},
                concludes=_line(line["concludes"]) if "concludes" in line else None,
            )
    return lines


theorems, rules, kinds, averages, limits = (
    partial(_lines, folder) for folder in ("", "rules", "kinds", "averages", "limits")
)
"""Lines that conclude a statement of their own; that conclude the statement that they are used on; that say what the
statements of a kind need; by which averages are replaced by simpler ones; and by which a quantity goes to zero."""


def _joined(shared: Any, own: Any) -> Any:
    """The parts that lines share, then those of one line."""
    return [*shared, *(own or ())] if isinstance(shared, list) else shared | (own or {})


@cache
def known_values(name: str) -> dict[str, Term]:
    """Constants that stand in the table as formulas, by what they are the values of."""
    text = (FOLDER / "values" / f"{name}.toml").read_text(encoding="utf-8")
    reading = Reading({}, {}, {})
    return {key: reading.value(_parsed(formula)) for key, formula in tomllib.loads(text).items()}


def _parsed(text: str) -> ast.expr:
    return ast.parse(" ".join(text.split()), mode="eval").body


def _line(text: str) -> Line:
    text = " ".join(text.split())
    head, colon, rest = text.removeprefix("for ").partition(": ") if text.startswith("for ") else ("", "", text)
    loop = ast.parse(f"[0 for {head}]", mode="eval").body if colon else None
    says, _, given = rest.partition(" given ")
    listed = ast.parse(f"[{given}]", mode="eval").body
    assert isinstance(listed, ast.List)
    return Line(loop.generators[0] if isinstance(loop, ast.ListComp) else None, _parsed(says), tuple(listed.elts))


class Reading:
    """Expressions of a line, with what its letters stand for.

    Beside letters, what is short for something and the names of loops, expressions know `pi`, `oo`, `empty` (a table),
    and the `symbols` and hypotheses (`assuming`) of the slots. A rule knows the `statement` that it is used on, its
    sides (`left`, `right`) and its relation (`order`).
    """

    def __init__(self, slots: Data, letters: Mapping[str, str], named: Named) -> None:
        self.slots, self.named = slots, named
        self.known: dict[str, Any] = {"pi": ("pi",), "oo": ("oo",), "empty": {}, "assuming": slots.get("assuming", ())}
        self.known["symbols"] = slots.get("symbols", {})
        self.known |= {key: filled(KINDS[kind], slots[key]) for key, kind in letters.items()}

    def needed(self, theorem: Theorem) -> Needs:
        """The statements that a theorem asks for, once its side conditions hold."""
        for key, expression in theorem.short.items():
            self.known[key] = self.value(expression)
        for condition in theorem.where:
            self._require_condition(condition)
        return self.all_stated(theorem.needs)

    def _require_condition(self, condition: ast.expr) -> None:
        """A side condition is a comparison, which has to hold, or names that have no place: a set, which must be empty.

        "keys(motion) - keys(begin)" says that all that moves has a start, "names(x) & free(value)" that a value does
        not speak of x. A list is one condition for each of its parts.
        """
        holds = self._holds(condition) if isinstance(condition, ast.Compare) else self.value(condition)
        for each in holds if isinstance(holds, list) else [holds]:
            said = f"the side condition {ast.unparse(condition)}"
            if isinstance(each, bool):
                require(each, f"{said} does not hold")
            else:
                require(not each, f"there is no place for {', '.join(sorted(each))} in {said}")

    def all_stated(self, lines: Mapping[str, Line]) -> Needs:
        """The statements of several lines by their roles."""
        needs: Needs = {}
        for role, line in lines.items():
            needs = _together(needs, self.stated(role, line))
        return needs

    def stated(self, role: str, line: Line) -> Needs:
        """The statements of a line by their roles."""
        needs: Needs = {}
        before = dict(self.known)
        for names in self._each(line.loop) if line.loop else ({},):
            said = self.value(line.says)
            more = tuple(_flat(map(self.value, line.given)))
            label = role.format(**{key: _label(value) for key, value in names.items()})
            each = {label: said}
            if isinstance(said, list):
                each = {f"{label} {k}": one for k, one in enumerate(dict.fromkeys(said), 1)}
            needs = _together(needs, {key: self.statement(one, more) for key, one in each.items()})
        self.known = before
        return needs

    def statement(self, said: Any, more: tuple[Term, ...] = ()) -> Data:
        """A comparison, or what a named function makes of it, as a statement under the hypotheses of the slots."""
        if isinstance(said, dict):
            return said | {"assuming": (*said["assuming"], *more)} if more else said
        if self.about_matrices:
            return self._compared(said, more)
        relation, left, right = ordered(said)
        where = {"symbols": self.slots["symbols"], "assuming": (*self.slots["assuming"], *more)}
        kind = {"kind": "identity"} if relation == "=" else {"kind": "sign", "relation": relation}
        return kind | {"left": left, "right": right} | where

    def _compared(self, said: Term, more: tuple[Term, ...]) -> Data:
        """A comparison of matrices; what is supposed besides may compare matrices, or determinants with numbers."""
        numbers = tuple(each[1] for each in more if each[0] == "numbers")
        related = [(each[0], self._sides(*each[1:])) for each in (said, *more) if each[0] != "numbers"]
        (relation, sides), *supposed = related
        rules = [compared | {"oriented": False} for order, compared in supposed if order == "="]
        where = sides | {"letters": self.slots["letters"], "rules": (*self.slots["rules"], *rules)}
        if relation == "=":
            return {"kind": "words"} | where
        orders = tuple({"relation": order} | compared for order, compared in supposed if order != "=")
        about = {"determinants": numbers} if numbers else {}
        return {"kind": "loewner", "relation": relation, "orders": orders} | about | where

    def _sides(self, *sides: Any) -> Data:
        """The sides of a comparison of matrices; 0 and 1 have the shape of the other side."""
        rows, cols = next((self.words.value(side, {})[:2] for side in sides if side not in UNSHAPED.values()), (1, 1))
        known = {UNSHAPED[0]: ("0", rows, cols), UNSHAPED[1]: identity(rows)}
        formulas = zip(("left", "right"), [known.get(side, side) for side in sides], strict=True)
        return {key: {"shape": (rows, cols), "formula": formula} for key, formula in formulas}

    def said(self, form: str, *names: str, **computed: Any) -> Data:
        """A conclusion in a form of its own, with what stands in the named slots and further parts."""
        head = {key: self.slots[key] for key in ("symbols", "assuming", "letters", "rules") if key in self.slots}
        return {"kind": "concluded", "form": form} | head | {key: self.slots[key] for key in names} | computed

    def value(self, node: ast.expr) -> Any:
        """A formula, a matrix, a comparison, or what else an expression stands for."""
        match node:
            case ast.Name(id=name):
                return self.known[name]
            case ast.Constant(value=int(number)):
                return ("q", str(number))
            case ast.Constant(value=text):
                return text
            case ast.Attribute(value=inner, attr="T"):
                return ("T", self.value(inner))
            case ast.Subscript(value=table, slice=key):
                return self._inside(self.value(table), key)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                return ("q", str(-number))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id="oo")):
                return ("-oo",)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return minus(self.value(inner))
            case ast.BinOp(left=left, op=operation, right=right):
                return combined(operation, self.value(left), self.value(right))
            case ast.Compare(left=left, ops=[order], comparators=[right]):
                relation, turned = ORDERS[type(order)]
                sides = self._side(left), self._side(right)
                return (relation, *(sides[::-1] if turned else sides))
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.value(body if self._holds(test) else other)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self.value(item) for item in items]
            case ast.ListComp(elt=inner, generators=[loop]) | ast.GeneratorExp(elt=inner, generators=[loop]):
                return self._collected(loop, inner)
            case ast.DictComp(key=key, value=inner, generators=[loop]):
                pairs = self._collected(loop, ast.Tuple([key, inner], ast.Load()))
                return {_label(name): made for name, made in pairs}
            case ast.Call(func=ast.Name(id=name), args=args, keywords=more):
                return self._called(name, args, {one.arg: one.value for one in more})
        raise Rejected(f"a theorem has an expression that is not read here: {ast.unparse(node)}")

    def _called(self, name: str, args: list[ast.expr], more: dict[Any, ast.expr]) -> Any:
        if name == "said":
            form, *names = args
            computed = {key: self.data(self.value(value)) for key, value in more.items()}
            return self.said(self.value(form), *[one.id for one in names if isinstance(one, ast.Name)], **computed)
        values = [self.value(argument) for argument in args]
        return (name, *values) if name in FUNCTIONS else self.named[name](self, *values)

    def _side(self, node: ast.expr) -> Any:
        """A side of a comparison; among matrices a 0 or 1 of the line has no shape of its own."""
        match node:
            case ast.Constant(value=int(number)) if self.about_matrices:
                return UNSHAPED[number]
        return self.value(node)

    def _inside(self, table: Any, key: ast.expr) -> Any:
        if isinstance(key, ast.Constant) and isinstance(key.value, int):
            return table[key.value]
        return table[_label(self.value(key))]

    def _collected(self, loop: ast.comprehension, inner: ast.expr) -> list[Any]:
        before = dict(self.known)
        items = [self.value(inner) for _ in self._each(loop)]
        self.known = before
        return items

    def _each(self, loop: ast.comprehension) -> Iterable[dict[str, Any]]:
        """The names of a loop with what they stand for, which are known while it is inside."""
        for item in self._listed(self.value(loop.iter)):
            names = _matched(loop.target, item)
            self.known |= names
            if all(map(self._holds, loop.ifs)):
                yield names

    def _holds(self, test: ast.expr) -> bool:
        """Check whether a comparison of things, which is no statement, holds."""
        assert isinstance(test, ast.Compare)
        sides = map(self.value, (test.left, test.comparators[0]))
        left, right = (tuple(side) if isinstance(side, list) else side for side in sides)
        if isinstance(test.ops[0], ast.In | ast.NotIn):
            return (_label(left) in right) is isinstance(test.ops[0], ast.In)
        return bool((left == right) is isinstance(test.ops[0], ast.Eq))

    # --- matrices ---

    @property
    def about_matrices(self) -> bool:
        return "letters" in self.slots

    @cached_property
    def words(self) -> Values:
        """The reader of formulas about matrices, for the letters of the slots."""
        return Values(self.slots["letters"])

    def data(self, value: Any) -> Data:
        """Data again, as conclusions hold it: matrices with their shapes."""
        if isinstance(value, dict):
            return {key: self.data(item) for key, item in value.items()}
        if isinstance(value, list | frozenset):
            return tuple(map(self.data, self._listed(value)))
        is_matrix = self.about_matrices and isinstance(value, tuple)
        return {"shape": self.words.value(value, {})[:2], "formula": value} if is_matrix else value

    def _listed(self, value: Any) -> list[Any]:
        """Return what a loop goes through: of a table its symbols, or the names of its matrices."""
        if isinstance(value, dict) and not self.about_matrices:
            return [("s", key) for key in value]
        return sorted(value) if isinstance(value, frozenset) else list(value)


def ordered(relation: Term) -> Term:
    """A relation as statements have it: what is not zero has a positive square."""
    order, left, right = relation
    return (">", ("^", difference(left, right), TWO), ZERO) if order == "!=" else relation


# --- things ---------------------------------------------------------------------------------------------------------


def filled(kind: Kind, value: Data) -> Any:
    """Return what an expression makes of a slot: symbols are formulas, as matrices are."""
    if kind.many == "table":
        return {key: filled(Kind(kind.sort), item) for key, item in sorted(value.items())}
    if kind.many:
        return [filled(Kind(kind.sort), item) for item in value]
    if kind.sort == "word":
        return value["formula"]
    return ("s", value) if kind.sort in ("symbol", "letter") else value


def _label(value: Any) -> Any:
    return value[1] if isinstance(value, tuple) and value[:1] == ("s",) else value


def _together(needs: Needs, more: Needs) -> Needs:
    """Statements by their roles: two with one role would be shown by one certificate."""
    if twice := sorted(set(needs) & set(more)):
        raise Rejected(f"two hypotheses would be called '{twice[0]}': name the letters otherwise")
    return needs | more


def _matched(target: ast.expr, item: Any) -> dict[str, Any]:
    if isinstance(target, ast.Name):
        return {target.id: item}
    assert isinstance(target, ast.Tuple)
    pairs = zip(target.elts, item, strict=True)
    return {name: thing for one, inner in pairs for name, thing in _matched(one, inner).items()}


def _flat(items: Iterable[Any]) -> Iterable[Term]:
    for item in items:
        yield from item if isinstance(item, list) else (item,)


# --- formulas ---------------------------------------------------------------------------------------------------------


def combined(operation: ast.operator, a: Any, b: Any) -> Any:
    """A sum, a difference, a product, a quotient or a power; of lists, one after the other; of sets, as of numbers."""
    if isinstance(a, frozenset):
        return {ast.BitAnd: a & b, ast.BitOr: a | b, ast.Sub: a - b}[type(operation)]
    if isinstance(a, list | dict):
        return a + b if isinstance(a, list) else a | b
    match operation:
        case ast.MatMult():
            return ("@", a, b)
        case ast.Add():
            return ("+", a, b)
        case ast.Sub():
            return difference(a, b)
        case ast.Mult():
            return ("*", a, b)
        case ast.Div() if a[0] == b[0] == "q":
            return ("q", f"{a[1]}/{b[1]}")
        case ast.Div():
            return ("*", a, ("^", b, MINUS_ONE))
    return ("^", a, b)


def identity(size: Any) -> Term:
    """The identity of a size, which is a number where that is 1."""
    return ONE if size == 1 else ("I", size)


def sum_of(items: Iterable[Term]) -> Term:
    return ("+", ZERO, *items)


def finite(ends: Iterable[Any]) -> list[Term]:
    return [end for end in ends if end not in INFINITE]
