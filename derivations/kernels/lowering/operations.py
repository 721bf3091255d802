"""From terms to operations, in one fixed order, which every target prints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from derivations.kernels.program import CALLS, COMPARISONS, Operation
from derivations.language.terms import NotExact, Term, carried_out, fraction_of

ATOMS = ("s", "q", "pi", "at", "size", "delta")

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
    whole, fraction = divmod(exponent, 1)
    parts: list[Operation] = [base] if whole == 1 else [("^", base, int(whole))] if whole > 1 else []
    match fraction.denominator:
        case 1:
            return parts
        case 2:
            return [*parts, ("sqrt", base)]
        case 3:
            return [*parts, *[("cbrt", base)] * fraction.numerator]
        case 4:
            quarter = ("sqrt", ("sqrt", base))
            return [*parts, quarter] if fraction.numerator == 1 else [*parts, ("sqrt", base), quarter]
    raise NotExact(
        f"the exponent {exponent} has no accurate printer: use integers, halves, thirds or quarters, or exp and log"
    )


def multiple(coefficient: Fraction, factors: Sequence[Operation]) -> Operation:
    """A product with a number in front."""
    if not factors:
        return ("q", str(coefficient))
    return factors[0] if coefficient == 1 and len(factors) == 1 else ("*", str(coefficient), tuple(factors), ())


def added(parts: Sequence[Operation]) -> Operation:
    """The sum of some operations, of which there may be one or none."""
    return ("+", *parts) if len(parts) > 1 else parts[0] if parts else ("q", "0")


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
    if head in ATOMS:
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


def refuse_huge(operation: Operation) -> None:
    """Every number must be one that floats can hold."""
    if operation[0] in ("q", "*"):
        value = Fraction(operation[1])
        for number in (value.numerator, value.denominator):
            if abs(number) > LARGEST:
                raise NotExact(f"the number {str(number)[:12]}... is larger than any float")
    for part in parts_of(operation):
        refuse_huge(part)


LARGEST = 2**1024 - 2**970


def with_parts(operation: Operation, change: Callable[[Operation], Operation]) -> Operation:
    """Return the operation with changed parts."""
    head = operation[0]
    if head in ATOMS:
        return operation
    if head == "*":
        return ("*", operation[1], tuple(map(change, operation[2])), tuple(map(change, operation[3])))
    if head == "^":
        return ("^", change(operation[1]), operation[2])
    return (head, *map(change, operation[1:]))
