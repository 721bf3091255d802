"""Lines with every part that several of them need computed once, and one division for every common divisor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from itertools import count

from derivations.kernels.lowering.operations import parts_of, with_parts
from derivations.kernels.program import CALLS, Line, Operation

WORTH_NAMING = 2  # arithmetic operations; a call always is


def with_repeated_parts_named(lines: Iterable[Line], taken: Collection[str]) -> list[Line]:
    """The lines with every part that several of them need computed once, under the names t0, t1, ...

    Only whole parts that are identical are named, and none inside a branch, which may not be taken.
    """
    lines = list(lines)
    uses: Counter[Operation] = Counter()
    for line in lines:
        if len(line.cases) == 1:
            _count(line.cases[0][1], uses)
    names = (name for i in count() if (name := f"t{i}") not in taken)
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
    names = (name for i in count() if (name := f"t{i}") not in {*taken, *(line.name for line in lines)})
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
