"""From terms to programs: operations that every target has, in one fixed order, with repeated parts named once.

An operation is a nested tuple, like a term, over what targets can print:

    ("s", name)  ("q", "3/4")  ("pi",)
    ("+", a, b, ...)                       a sum of at least two parts
    ("*", "3/4", (a, ...), (b, ...))       a fraction: coefficient, numerator, denominator
    ("^", a, n)                            a to an integer n >= 2
    ("**", a, b)                           any other power
    ("sqrt", a)  ("cbrt", a)  ("exp", a)   functions of one argument, see CALLS
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.language.terms import RELATIONS, NotExact, Term, carried_out, fraction_of

Operation = tuple[Any, ...]

CALLS = (
    "exp",
    "expm1",
    "log",
    "sinh",
    "cosh",
    "tanh",
    "sin",
    "cos",
    "erf",
    "asin",
    "abs",
    "relexp",
    "relexp1",
    "sqrt",
    "cbrt",
)
COMPARISONS = frozenset(name for name, _ in RELATIONS.values())
WORTH_NAMING = 2  # arithmetic operations; a call always is


@dataclass(frozen=True)
class Line:
    """`name` is the value of the first case whose condition holds; the last case has none."""

    name: str
    cases: tuple[tuple[Operation | None, Operation], ...]


# --- terms to operations ----------------------------------------------------------------------------------------------


def lowered(term: Term, positions: Mapping[str, int]) -> Operation:
    """The operation of a term or relation; sums and products are ordered by the positions of their symbols."""
    return _lowered(carried_out(term), positions)


def _lowered(term: Term, positions: Mapping[str, int]) -> Operation:
    head = term[0]
    if head in ("s", "q", "pi"):
        return term
    if head == "+":
        return _sum([_lowered(part, positions) for part in term[1:]], positions)
    if head == "^" and term[2][0] != "q":
        return ("**", _lowered(term[1], positions), _lowered(term[2], positions))
    if head in ("*", "^"):
        return _fraction(term, positions)
    if head in COMPARISONS:
        return (head, _lowered(term[1], positions), _lowered(term[2], positions))
    if head in CALLS:
        return (head, _lowered(term[1], positions))
    raise NotExact(f"{head} has no printer; printed are sums, products, powers and {', '.join(CALLS)}")


def _sum(parts: list[Operation], positions: Mapping[str, int]) -> Operation:
    """Positive parts first, so that a line rarely starts with a minus sign."""
    return (
        ("+", *sorted(parts, key=lambda part: (negative(part), *_order(part, positions))))
        if len(parts) > 1
        else parts[0]
    )


def _fraction(term: Term, positions: Mapping[str, int]) -> Operation:
    coefficient = Fraction(1)
    above: list[Operation] = []
    below: list[Operation] = []
    for factor, exponent in _factors(term):
        base = _lowered(factor, positions)
        if base == ("q", "0") and exponent < 0:
            raise NotExact("it divides by zero: state what is meant there")
        if base[0] == "q" and exponent.denominator == 1:
            coefficient *= Fraction(base[1]) ** int(exponent)
        else:
            (above if exponent > 0 else below).extend(_powers(base, abs(exponent)))
    if coefficient == 1 and len(above) == 1 and not below:
        return above[0]
    if not above and not below:
        return ("q", str(coefficient))
    for side in (above, below):
        side.sort(key=lambda factor: _order(factor, positions))
    return ("*", str(coefficient), tuple(above), tuple(below))


def _factors(term: Term) -> Iterable[tuple[Term, Fraction]]:
    """The bases and rational exponents that a product of powers consists of."""
    if term[0] == "*":
        for factor in term[1:]:
            yield from _factors(factor)
    elif term[0] == "^" and term[2][0] == "q":
        yield term[1], fraction_of(term[2])
    else:
        yield term, Fraction(1)


def _powers(base: Operation, exponent: Fraction) -> list[Operation]:
    whole, rest = divmod(exponent, 1)
    parts: list[Operation] = [base] if whole == 1 else [("^", base, int(whole))] if whole > 1 else []
    match rest.denominator:
        case 1:
            return parts
        case 2:
            return [*parts, ("sqrt", base)]
        case 3:
            return [*parts, *[("cbrt", base)] * rest.numerator]
        case 4:
            quarter = ("sqrt", ("sqrt", base))
            return [*parts, quarter] if rest.numerator == 1 else [*parts, ("sqrt", base), quarter]
    raise NotExact(
        f"the exponent {exponent} has no accurate printer: use integers, halves, thirds or quarters, or exp and log"
    )


def negative(operation: Operation) -> bool:
    return operation[0] in ("q", "*") and operation[1].startswith("-")


def minor_of(operation: Operation) -> tuple[str, ...]:
    """The symbols of a*b - c*d, whose products must not be rounded before they are subtracted; () for anything else."""
    if operation[0] != "+" or len(operation) != 3:
        return ()
    first, second = (_two_symbols(part, sign) for part, sign in zip(operation[1:], ("1", "-1"), strict=True))
    return first + second if first and second else ()


def _two_symbols(operation: Operation, coefficient: str) -> tuple[str, ...]:
    """The factors of a product of two symbols with a coefficient, or of the square of one."""
    match operation:
        case ("*", number, (("s", a), ("s", b)), ()) if number == coefficient:
            return (a, b)
        case ("*", number, (("^", ("s", a), 2),), ()) if number == coefficient:
            return (a, a)
        case ("^", ("s", a), 2) if coefficient == "1":
            return (a, a)
    return ()


def parts_of(operation: Operation) -> tuple[Operation, ...]:
    head = operation[0]
    if head in ("s", "q", "pi"):
        return ()
    if head == "*":
        return (*operation[2], *operation[3])
    if head == "^":
        return (operation[1],)
    return operation[1:]


def _order(operation: Operation, positions: Mapping[str, int]) -> tuple[int, str]:
    """Short before long, then by the positions of the symbols; the same under any hash seed."""

    def spelled(op: Any) -> Any:
        if isinstance(op, tuple) and op and op[0] == "s":
            return f"{positions.get(op[1], len(positions)):04d} {op[1]}"
        return [spelled(part) for part in op] if isinstance(op, tuple) else op

    return _size(operation), json.dumps(spelled(operation))


def _size(operation: Operation) -> int:
    return 1 + sum(map(_size, parts_of(operation)))


# --- repeated parts ---------------------------------------------------------------------------------------------------


def with_repeated_parts_named(lines: Iterable[Line], taken: Collection[str]) -> list[Line]:
    """The lines with every part that several of them need computed once, under the names t0, t1, ...

    Only whole parts that are identical are named, and none inside a branch, which may not be taken.
    """
    lines = list(lines)
    uses: Counter[Operation] = Counter()
    for line in lines:
        if len(line.cases) == 1:
            _count(line.cases[0][1], uses)
    names = (name for i in range(10**6) if (name := f"t{i}") not in taken)
    named: dict[Operation, str] = {}
    result: list[Line] = []

    def replaced(operation: Operation) -> Operation:
        if operation in named:
            return ("s", named[operation])
        smaller = with_parts(operation, replaced)
        if uses[operation] < 2 or _cost(operation) < WORTH_NAMING:
            return smaller
        named[operation] = next(names)
        result.append(Line(named[operation], ((None, smaller),)))
        return ("s", named[operation])

    for line in lines:
        condition, whole = line.cases[0]
        if condition is not None:
            result.append(line)
            continue
        value = ("s", named[whole]) if whole in named else with_parts(whole, replaced)
        result.append(Line(line.name, ((None, value),)))
        if _cost(whole) >= WORTH_NAMING:
            named.setdefault(whole, line.name)
    return result


def with_shared_reciprocals(lines: Iterable[Line], taken: Collection[str]) -> list[Line]:
    """The lines with one division for every factor by which several of them divide: a product is far quicker.

    Only divisions that are carried out whichever branch is taken count.
    """
    lines = list(lines)
    uses = Counter(base for line in lines for base in _divisors(line))
    names = (name for i in range(10**6) if (name := f"t{i}") not in {*taken, *(line.name for line in lines)})
    named: dict[Operation, str] = {}
    result: list[Line] = []

    def named_below(line: Line) -> None:
        for base in _divisors(line):
            if uses[base] > 1 and base not in named:
                whole = ("*", "1", (), (replaced(base),))
                named[base] = next(names)
                result.append(Line(named[base], ((None, whole),)))

    def replaced(operation: Operation) -> Operation:
        if operation[0] == "*":
            turned = tuple(_renamed(factor, named[_base(factor)]) for factor in operation[3] if _base(factor) in named)
            below = tuple(factor for factor in operation[3] if _base(factor) not in named)
            operation = ("*", operation[1], operation[2] + turned, below)
        return with_parts(operation, replaced)

    for line in lines:
        named_below(line)
        result.append(Line(line.name, tuple((c and replaced(c), replaced(v)) for c, v in line.cases)))
    return result


def _renamed(factor: Operation, name: str) -> Operation:
    return ("^", ("s", name), factor[2]) if factor[0] == "^" else ("s", name)


def _divisors(line: Line) -> list[Operation]:
    """What a line divides by in each of its cases, in the order of the first, powers aside."""
    first, *others = ([_base(f) for part in _every_part(v) for f in _below(part)] for _, v in line.cases)
    return [base for base in dict.fromkeys(first) if all(base in other for other in others)]


def _below(operation: Operation) -> tuple[Operation, ...]:
    return tuple(operation[3]) if operation[0] == "*" else ()


def _base(factor: Operation) -> Operation:
    return factor[1] if factor[0] == "^" else factor


def _every_part(operation: Operation) -> Iterator[Operation]:
    """The operation and all that it consists of."""
    yield operation
    for part in parts_of(operation):
        yield from _every_part(part)


def _count(operation: Operation, uses: Counter[Operation]) -> None:
    """Count how many different parents use each part; a part of a repeated part counts once."""
    uses[operation] += 1
    if uses[operation] == 1:
        for part in parts_of(operation):
            _count(part, uses)


def _cost(operation: Operation) -> int:
    head, parts = operation[0], parts_of(operation)
    if head in CALLS or head == "**":
        return WORTH_NAMING
    own = (
        operation[2] - 1 if head == "^" else max(len(parts) - 1, 0) + (head == "*" and abs(Fraction(operation[1])) != 1)
    )
    return own + sum(map(_cost, parts))


def with_parts(operation: Operation, change: Callable[[Operation], Operation]) -> Operation:
    """The same operation on changed parts."""
    head = operation[0]
    if head in ("s", "q", "pi"):
        return operation
    if head == "*":
        return ("*", operation[1], tuple(map(change, operation[2])), tuple(map(change, operation[3])))
    if head == "^":
        return ("^", change(operation[1]), operation[2])
    return (head, *map(change, operation[1:]))
