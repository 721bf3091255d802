"""Lines with every part that several of them need computed once, and one division for every common divisor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import count
from operator import and_

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
    """The lines with one division for every factor by which several quotients divide: a product is far quicker.

    Only divisions that are carried out whichever branch is taken count.
    """
    lines = list(lines)
    shared = _shared_divisors(lines)
    names = (name for i in count() if (name := f"t{i}") not in {*taken, *(line.name for line in lines)})
    named: dict[Operation, str] = {}
    result: list[Line] = []

    def named_below(line: Line) -> None:
        for base in _divisors(line):
            if base in shared and base not in named:
                whole = ("*", "1", (), tuple(map(replaced, shared[base])))
                named.update(dict.fromkeys(shared[base], next(names)))
                result.append(Line(named[base], ((None, whole),)))

    def replaced(operation: Operation) -> Operation:
        if operation[0] == "*":
            below = tuple(factor for factor in operation[3] if _base(factor) not in named)
            turned = [factor for factor in operation[3] if factor not in below]
            missing = (other for factor in turned for other in shared[_base(factor)] if other != _base(factor))
            above = [other for other in dict.fromkeys(missing) if other not in operation[3]]
            above += [*operation[2], *dict.fromkeys(_renamed(factor, named[_base(factor)]) for factor in turned)]
            operation = ("*", operation[1], tuple(above), below)
        return with_parts(operation, replaced)

    for line in lines:
        named_below(line)
        result.append(Line(line.name, tuple((c and replaced(c), replaced(v)) for c, v in line.cases)))
    return result


def _shared_divisors(lines: Sequence[Line]) -> dict[Operation, tuple[Operation, ...]]:
    """For every factor by which several quotients divide, the factors whose product has one reciprocal for them.

    That is the factor alone, or several arguments: where a quotient divides by all of them, and whatever divides by any
    divides by some of them once, the others multiply, and one division is enough.
    """
    uses = sum(map(_divisors, lines), Counter[Operation]())
    shared: dict[Operation, tuple[Operation, ...]] = {base: (base,) for base, times in uses.items() if times > 1}
    arguments = {base for base in uses if base[0] == "s"} - {("s", line.name) for line in lines}
    sides = [side for line in lines for case in line.cases for side in case if side is not None]
    everywhere = [_below(part) for part in dict.fromkeys(part for side in sides for part in _every_part(side))]
    always = [_below(part) for line in lines if len(line.cases) == 1 for part in _every_part(line.cases[0][1])]
    for whole in always:
        touched = [below for below in everywhere if not {*whole}.isdisjoint(map(_base, below))]
        if min(len(whole), len(touched)) > 1 and all(map({*whole}.issuperset, touched)) and arguments.issuperset(whole):
            shared |= dict.fromkeys(whole, whole)
    return shared


def _renamed(factor: Operation, name: str) -> Operation:
    return ("^", ("s", name), factor[2]) if factor[0] == "^" else ("s", name)


def _divisors(line: Line) -> Counter[Operation]:
    """By which factors, powers aside, a line divides in each of its cases, and at least how many quotients do."""
    quotients = (dict.fromkeys(part for part in _every_part(value) if _below(part)) for _, value in line.cases)
    return reduce(and_, (Counter(_base(f) for part in parts for f in _below(part)) for parts in quotients))


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
