"""Operations and matrices as text: formulas for people, programs on floats; and lines that are not too long."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from derivations.kernels.lowering.operations import minor_of, negative
from derivations.kernels.program import CALLS, Line, Operation
from derivations.language.terms import NotExact

WIDTH = 110
INDENT = "    "
SUM, PRODUCT, POWER, ATOM = range(4)
GLUE = "\u00a0"  # a space at which no line is broken
ASTERISK = re.compile(r"(?<=[\w)])\*(?=[\w(])")
INNER = "\u202f"  # a space inside parentheses, at which a line is broken only if it has to be
MIRRORED = {">": "<", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Printer:
    """A printer of formulas for people; targets change how numbers, powers and comparisons are written."""

    spelling: dict[str, str] = field(default_factory=lambda: {name: name for name in CALLS})
    power_sign: str = "^"
    equals: str = "="
    pi: str = "pi"
    times: str = "*"  # between matrices
    transpose: str = "'"
    join: str = ""  # what puts blocks together; people write them between brackets

    def number(self, value: Fraction, *, alone: bool) -> tuple[str, int]:
        """A non-negative number; `alone` where no other operand makes it a number of the target's own kind."""
        return (str(value), ATOM) if value.denominator == 1 else (str(value), PRODUCT)

    def coefficient(self, value: Fraction) -> tuple[str, str]:
        """The texts of a coefficient's numerator and denominator; "" for one."""
        return _unless_one(value.numerator, str), _unless_one(value.denominator, str)

    def whole_power(self, base: Operation, exponent: int) -> tuple[str, int]:
        return f"{self.inside(base, ATOM)}{self.power_sign}{exponent}", POWER

    def entry(self, array: str, positions: Sequence[Sequence[str]]) -> str:
        return f"{array}[{f',{GLUE}'.join(map(position, positions))}]"

    def size(self, name: str) -> str:
        return name

    def identity(self, dimension: str) -> str:
        return f"identity({dimension})"

    def unit(self, rows: str, columns: str) -> str:
        """The matrix that a term without matrices is a multiple of; a number beside matrices has none."""
        return "" if (rows, columns) == ("1", "1") else self.identity(rows)

    def zeros(self, rows: str, columns: str) -> str:
        return "0"

    def total(self, indices: Sequence[str], term: Operation) -> str:
        return f"sum_{{{f',{GLUE}'.join(indices)}}}({self.text(term).replace(' ', INNER)})"

    # --- matrices -----------------------------------------------------------------------------------------------------

    def matrix(self, value: Sequence[Any]) -> str:
        """The whole matrix that the blocks of a statement are cut from."""
        kind, rows, *time = value
        text = self.blocks(rows)
        if kind == "blocks":
            return text
        until = f", {self.text(time[0])}" if time else ""
        return f"{kind.removeprefix('diagonal_')}({text}{until})"

    def blocks(self, rows: Sequence[Sequence[Any]]) -> str:
        if len(rows) == len(rows[0]) == 1:
            return self.words(rows[0][0])
        if not self.join:
            return f"[{f';{GLUE}'.join(f',{GLUE}'.join(map(self.words, row)) for row in rows)}]"
        lines = (f"[{', '.join(self.words(block).replace(' ', INNER) for block in row)}]" for row in rows)
        return f"{self.join}([{', '.join(lines)}])"

    def words(self, words: Sequence[Any]) -> str:
        """A sum of products."""
        rows, columns, terms = words
        if not terms:
            return self.zeros(rows, columns)
        first, *rest = (self._words_term(term, rows, columns) for term in terms)
        return f"{'-' * (first[0] == '-')}{first[1]}" + "".join(f" {sign}{GLUE}{text}" for sign, text in rest)

    def _words_term(self, term: Sequence[Any], rows: str, columns: str) -> tuple[str, str]:
        value, numbers, factors = Fraction(term[0]), term[1], term[2]
        size = abs(value)
        product = self.times.join(map(self.letter, factors)) or self.unit(rows, columns)
        text = self.scaled([str(size.numerator)] * (size.numerator != 1) + list(map(self.name, numbers)), product)
        return "-" if value < 0 else "+", text + (f"/{size.denominator}" if size.denominator != 1 else "")

    def scaled(self, numbers: Sequence[str], product: str) -> str:
        return "*".join([*numbers, *([product] if product else [])]) or "1"

    def letter(self, factor: str) -> str:
        return self.name(factor.removesuffix("'")) + self.transpose * factor.endswith("'")

    def name(self, name: str) -> str:
        return name

    # --- the same for every target ------------------------------------------------------------------------------------

    def text(self, operation: Operation) -> str:
        """A whole right-hand side or argument."""
        return self._print(operation)[0]

    def inside(self, operation: Operation, strength: int) -> str:
        text, own = self._print(operation, alone=False)
        return text if own >= strength else f"({text.replace(' ', INNER)})"

    def condition(self, relation: Operation) -> str:
        sign, left, right = relation
        if left[0] == "q" and right[0] != "q":
            sign, left, right = MIRRORED[sign], right, left
        return f"{self.inside(left, SUM)} {self.equals if sign == '=' else sign} {self.inside(right, SUM)}"

    def _print(self, operation: Operation, *, alone: bool = True) -> tuple[str, int]:
        head = operation[0]
        match head:
            case "s":
                return self.name(operation[1]), ATOM
            case "at":
                return self.entry(operation[1], operation[2]), ATOM
            case "size":
                return self.size(operation[1]), ATOM
            case "total":
                return self.total(operation[1], operation[2]), ATOM
            case "delta":
                return f"[{operation[1]} = {operation[2]}]", ATOM
            case "apply":
                return f"{operation[1]}({', '.join(map(self.text, operation[2]))})", ATOM
            case "names":
                return ", ".join(map(self.text, operation[1])), ATOM
            case "blocks" | "inverse" | "exponential" | "diagonal_exponential" | "exponential_integral":
                return self.matrix(operation), ATOM
            case "pi":
                return self.pi, ATOM
            case "q":
                value = Fraction(operation[1])
                text, strength = self.number(abs(value), alone=alone)
                return (f"-{text}", SUM) if value < 0 else (text, strength)
            case "+":
                first, *rest = operation[1:]
                return self.inside(first, SUM if negative(first) else PRODUCT) + "".join(map(self._signed, rest)), SUM
            case "*":
                return self._product(operation)
            case "^":
                return self.whole_power(operation[1], operation[2])
            case "**":
                base, exponent = (self.inside(part, ATOM) for part in operation[1:])
                return f"{base}{self.power_sign}{exponent}", POWER
        return f"{self.spelling[head]}({self.text(operation[1]).replace(' ', INNER)})", ATOM

    def _signed(self, part: Operation) -> str:
        if not negative(part):
            return f" +{GLUE}{self.inside(part, PRODUCT)}"
        opposite = (part[0], part[1].removeprefix("-"), *part[2:])
        return f" -{GLUE}{self.inside(opposite, PRODUCT)}"

    def _product(self, operation: Operation) -> tuple[str, int]:
        value = Fraction(operation[1])
        over, under = self.coefficient(abs(value))
        above = [over] * (over != "") + [self.inside(factor, PRODUCT) for factor in operation[2]]
        text = "*".join(above) or self.number(Fraction(1), alone=False)[0]
        if under or len(operation[3]) > 1:
            below = [under] * (under != "") + [self.inside(factor, PRODUCT) for factor in operation[3]]
            text += f"/({'*'.join(below)})" if len(below) > 1 else f"/{under}"
        elif operation[3]:
            text += f"/{self.inside(operation[3][0], POWER)}"
        return (f"-{text}", SUM) if value < 0 else (text, PRODUCT)


@dataclass(frozen=True)
class Floats(Printer):
    """Python for Numba: every number is a float, small powers are products, a*b - c*d does not cancel."""

    spelling: dict[str, str] = field(default_factory=lambda: {name: name for name in CALLS} | {"cbrt": "np.cbrt"})
    power_sign: str = "**"
    equals: str = "=="

    def number(self, value: Fraction, *, alone: bool) -> tuple[str, int]:
        if _is_short(value):
            return _decimal(value), ATOM
        return f"{_decimal(value.numerator)}/{_decimal(value.denominator)}", PRODUCT

    def coefficient(self, value: Fraction) -> tuple[str, str]:
        if _is_short(value):
            return _unless_one(value, _decimal), ""
        return _unless_one(value.numerator, _decimal), _unless_one(value.denominator, _decimal)

    def whole_power(self, base: Operation, exponent: int) -> tuple[str, int]:
        if is_short_product(("^", base, exponent)):
            return "*".join([base[1]] * exponent), PRODUCT
        return super().whole_power(base, exponent)

    def _print(self, operation: Operation, *, alone: bool = True) -> tuple[str, int]:
        if factors := minor_of(operation):
            return f"minor({f',{INNER}'.join(factors)})", ATOM
        return super()._print(operation, alone=alone)


def is_short_product(power: Operation) -> bool:
    """Return whether programs write a whole power as a product."""
    return bool(power[1][0] == "s" and power[2] <= 4)


def _is_short(value: Fraction) -> bool:
    """A number that a float holds exactly and that reads well as a decimal."""
    d = value.denominator
    return d == 1 or (d & (d - 1) == 0 and d <= 64 and value.numerator < 2**50)


def _unless_one(value: Fraction | int, spelled: Callable[[Any], str]) -> str:
    return "" if value == 1 else spelled(value)


def _decimal(value: Fraction | int) -> str:
    try:
        return repr(float(value))
    except OverflowError:
        raise NotExact(f"the number {str(value)[:12]}... is larger than any float") from None


def wrapped(start: str, text: str, indent: str = INDENT) -> str:
    """One assignment or formula; a long one continues below, broken before signs or, if need be, within products."""
    line = f"{indent}{start}{text}"
    if len(line) > WIDTH:
        body = _filled(text, indent + INDENT)
        if any(len(part) > WIDTH for part in body.splitlines()):
            body = _filled(text.replace(INNER, " "), indent + INDENT)
            body = "\n".join(map(_broken, body.splitlines()))
        line = f"{indent}{start}(\n{body}\n{indent})" if "\n" in body or len(start) > len(INDENT) else line
    return plain(line)


def _broken(line: str) -> str:
    """A line that is too long for any other break, broken before the products' asterisks."""
    deeper = " " * (len(line) - len(line.lstrip())) + INDENT
    parts, line_left = [], line
    while len(line_left) > WIDTH and (places := [m.start() for m in ASTERISK.finditer(line_left[:WIDTH])]):
        parts.append(line_left[: places[-1]])
        line_left = deeper + line_left[places[-1] :]
    return "\n".join([*parts, line_left])


def plain(text: str) -> str:
    """Text whose line breaks are settled."""
    return text.replace(GLUE, " ").replace(INNER, " ")


def position(parts: Sequence[str]) -> str:
    """An index, behind the sizes of what stands before its own part."""
    return f"{GLUE}+{GLUE}".join(parts)


def assignment(head: str, text: str, indent: str) -> str:
    """A line, or several where the value or what it is unpacked into is long."""
    if len(head) < WIDTH - len(indent) - len(INDENT):
        return wrapped(f"{head} = ", text, indent)
    return f"{wrapped('', head, indent)} = {wrapped('', text, indent).lstrip()}"


def conditions(cases: Sequence[tuple[Operation | None, Operation]]) -> tuple[Operation | None, ...]:
    return tuple(condition for condition, _ in cases)


def sorted_imports(lines: Collection[str]) -> str:
    """The standard library, the others, and what is not an import."""
    standard = [
        line for line in lines if line.startswith(("import math", "from fractions", "from functools", "from math"))
    ]
    others = [line for line in lines if line not in standard and line.startswith(("import", "from"))]
    own = [line for line in lines if line not in (*standard, *others)]
    order = [sorted(part, key=lambda line: (line.startswith("from"), line)) for part in (standard, others, own)]
    return "\n\n".join("\n".join(part) for part in order if part)


def _filled(text: str, indent: str) -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def formula(printer: Printer, line: Line, indent: str) -> str:
    """An equation as people write it."""
    head = line.name if isinstance(line.name, str) else printer.text(line.name)
    if len(line.cases) == 1:
        return assignment(head, printer.text(line.cases[0][1]), indent)
    return "\n".join(
        wrapped(f"{head} = ", f"{printer.text(value)}  {f'if {printer.condition(c)}' if c else 'otherwise'}", indent)
        for c, value in line.cases
    )
