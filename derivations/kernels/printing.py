"""Operations as text: formulas for people, Python on floats, Python on balls."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any

from derivations.kernels.programs import CALLS, Line, Operation, minor_of, negative
from derivations.language.terms import NotExact

WIDTH = 110
INDENT = "    "
SUM, PRODUCT, POWER, ATOM = range(4)
GLUE = "\u00a0"  # a space at which no line is broken
ASTERISK = re.compile(r"(?<=[\w)])\*(?=[\w(])")
INNER = "\u202f"  # a space inside parentheses, at which a line is broken only if it has to be
OPPOSITE = {">": "<=", ">=": "<", "=": "!=", "!=": "="}
MIRRORED = {">": "<", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Printer:
    """What formulas for people need; the targets change how numbers, powers and comparisons are written."""

    spelling: dict[str, str] = field(default_factory=lambda: {name: name for name in CALLS})
    power_sign: str = "^"
    equals: str = "="
    pi: str = "pi"

    def number(self, value: Fraction, *, alone: bool) -> tuple[str, int]:
        """A non-negative number; `alone` where no other operand makes it a number of the target's own kind."""
        return (str(value), ATOM) if value.denominator == 1 else (str(value), PRODUCT)

    def coefficient(self, value: Fraction) -> tuple[str, str]:
        """What stands first in the numerator and first in the denominator of a product; "" for one."""
        return _unless_one(value.numerator, str), _unless_one(value.denominator, str)

    def whole_power(self, base: Operation, exponent: int) -> tuple[str, int]:
        return f"{self.inside(base, ATOM)}{self.power_sign}{exponent}", POWER

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
                return operation[1], ATOM
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


@dataclass(frozen=True)
class Balls(Printer):
    """Python for python-flint: numbers stay exact until they meet a ball."""

    power_sign: str = "**"
    equals: str = "=="
    pi: str = "arb.pi()"

    def number(self, value: Fraction, *, alone: bool) -> tuple[str, int]:
        if value.denominator == 1:
            return (f"arb({value})" if alone else str(value)), ATOM
        return f"arb({value.numerator})/{value.denominator}", PRODUCT

    def whole_power(self, base: Operation, exponent: int) -> tuple[str, int]:
        if is_short_product(("^", base, exponent)):
            return "*".join([base[1]] * exponent), PRODUCT
        return f"power({self.text(base)}, {exponent})", ATOM  # FLINT's own gives no answer across zero

    def decided(self, relation: Operation) -> tuple[str, str]:
        """Conditions that hold only if the relation surely holds, and only if it surely does not."""
        sign, left, right = relation
        both = (self.equals if s == "=" else s for s in (sign, OPPOSITE[sign]))
        surely, surely_not = (f"{self.inside(left, SUM)} {s} {self.inside(right, SUM)}" for s in both)
        return surely, surely_not


def is_short_product(power: Operation) -> bool:
    """Whether programs write a whole power as a product."""
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
    parts, rest = [], line
    while len(rest) > WIDTH and (places := [m.start() for m in ASTERISK.finditer(rest[:WIDTH])]):
        parts.append(rest[: places[-1]])
        rest = deeper + rest[places[-1] :]
    return "\n".join([*parts, rest])


def plain(text: str) -> str:
    """Text whose line breaks are settled."""
    return text.replace(GLUE, " ").replace(INNER, " ")


def branching(program: Iterable[Line], printer: Printer) -> list[str]:
    """Assignments in Python; lines in a row that branch on the same conditions share one branch."""
    return [text for _, lines in groupby(program, conditions) for text in _branch(list(lines), printer)]


def conditions(line: Line) -> tuple[Operation | None, ...]:
    return tuple(condition for condition, _ in line.cases)


def _branch(lines: Sequence[Line], printer: Printer) -> list[str]:
    if len(lines[0].cases) == 1:
        return [wrapped(f"{line.name} = ", printer.text(line.cases[0][1])) for line in lines]
    result, word = [], "if"
    for k, condition in enumerate(conditions(lines[0])):
        result.append(INDENT + (f"{word} {plain(printer.condition(condition))}:" if condition else "else:"))
        result += [wrapped(f"{line.name} = ", printer.text(line.cases[k][1]), INDENT * 2) for line in lines]
        word = "elif"
    return result


def sorted_imports(lines: Collection[str]) -> str:
    """The standard library, the others, and what is not an import."""
    standard = [
        line for line in lines if line.startswith(("import math", "from fractions", "from functools", "from math"))
    ]
    others = [line for line in lines if line not in standard and line.startswith(("import", "from"))]
    rest = [line for line in lines if line not in (*standard, *others)]
    order = [sorted(part, key=lambda line: (line.startswith("from"), line)) for part in (standard, others, rest)]
    return "\n\n".join("\n".join(part) for part in order if part)


def _filled(text: str, indent: str) -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def formula(printer: Printer, line: Line, indent: str) -> str:
    """A line as people write it."""
    if len(line.cases) == 1:
        return wrapped(f"{line.name} = ", printer.text(line.cases[0][1]), indent)
    return "\n".join(
        wrapped(
            f"{line.name} = ", f"{printer.text(value)}  {f'if {printer.condition(c)}' if c else 'otherwise'}", indent
        )
        for c, value in line.cases
    )
