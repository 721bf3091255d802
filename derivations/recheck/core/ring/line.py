"""Signs of polynomials in one letter, wherever others have theirs.

The roots of all of them cut the line of real numbers into points and open intervals, on each of which every polynomial
keeps its sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from flint import ctx, fmpq, fmpq_poly

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Rational, require
from derivations.recheck.core.statements import SIGNS, sign_of

Poly = Any  # flint.fmpq_poly
Cell = tuple[Rational, Rational, Rational]  # a number: an interval around it; or two ends, and a root between them

MOST_DEGREE, MOST_BITS = 200, 20_000
ROOTS_WORK, VALUE_WORK = 3000, 60  # see `spend`


def follows(goal: tuple[Any, str], facts: list[tuple[Any, str]]) -> bool:
    """Check whether a polynomial has a relation to zero at every number at which all of some others have theirs."""
    return not any(failing(goal, facts))


def failing(goal: tuple[Any, str], facts: list[tuple[Any, str]]) -> Iterator[Cell]:
    """The roots and intervals on which the facts hold and the goal does not."""
    letters = {i for poly, _ in (goal, *facts) for i, degree in enumerate(poly.degrees()) if degree > 0}
    require(len(letters) < 2, "signs on the line are those of polynomials in one letter")
    (wanted, relation), *known = [(_plain(poly, max(letters, default=0)), sign) for poly, sign in (goal, *facts)]
    cut = _without_squares([wanted, *(poly for poly, _ in known)])
    for cell in _cells(cut):
        held = all(_sign(poly, cell, cut) in SIGNS[sign] for poly, sign in known)
        if held and _sign(wanted, cell, cut) not in SIGNS[relation]:
            yield cell


def _plain(poly: Any, letter: int) -> Poly:
    """A polynomial in one letter, written by its degrees."""
    rows = {int(exponents[letter]): coefficient for exponents, coefficient in poly.to_dict().items()}
    _require_small(max(rows, default=0), 0)
    return fmpq_poly([rows.get(degree, 0) for degree in range(max(rows, default=0) + 1)])


def _require_small(degree: int, bits: int) -> None:
    small = degree <= MOST_DEGREE and bits <= MOST_BITS
    require(small, "a polynomial is too large for its real roots to be found: state the claim in smaller parts")
    spend(max(degree, 1) * (VALUE_WORK + bits))


def _bits(poly: Poly) -> int:
    return max([int(poly.denom()).bit_length(), *(int(c).bit_length() for c in poly.numer().coeffs())])


def _cells(cut: Poly) -> list[Cell]:
    """The roots, each between two numbers that are none, and the intervals between them, each by a number in it."""
    spend(cut.degree() ** 3 * (ROOTS_WORK + _bits(cut) * cut.degree()))  # roots may lie so close together
    with ctx.workprec(64):
        complex_roots = cut.numer().complex_roots() if cut.degree() > 0 else []
    real = [root.real for root, _ in complex_roots if root.imag.is_zero()]
    with ctx.workprec(64 + _bits(cut)):  # the enclosures lie apart, and so should their rounded ends
        roots = sorted((root.lower().fmpq(), root.upper().fmpq()) for root in real)
    apart = all(a[1] < b[0] for a, b in pairwise(roots))
    require(apart, "two real roots lie too close together: state the claim in smaller parts")
    ends = [fmpq(0)] if not roots else [roots[0][0] - 1, *((a[1] + b[0]) / 2 for a, b in pairwise(roots))]
    ends += [roots[-1][1] + 1] if roots else []
    around = [(low, high, (a + b) / 2) for (low, high), (a, b) in zip(pairwise(ends), roots, strict=True)]
    return [*around, *((end, end, end) for end in ends)]


def _sign(poly: Poly, cell: Cell, cut: Poly) -> int:
    """The sign on a cell, where no polynomial has a root but the one that `cut` has there."""
    spend(max(poly.degree(), 1) * (VALUE_WORK + _bits(poly)))
    if cell[0] != cell[1]:
        shared = poly.gcd(cut)
        if sign_of(shared(cell[0])) != sign_of(shared(cell[1])):
            return 0
    return sign_of(poly(cell[0]))


def _without_squares(polys: Iterable[Poly]) -> Poly:
    """A polynomial with simple roots: all those of the given ones that are not zero."""
    product = fmpq_poly([1])
    for poly in polys:
        if poly.degree() > 0:
            spend((product.degree() + poly.degree()) ** 3 * VALUE_WORK)
            simple = poly // poly.gcd(poly.derivative())
            more = simple // simple.gcd(product)
            _require_small(product.degree() + more.degree(), _bits(product) + _bits(more))
            product = product * more
            product = fmpq_poly(product.numer()) / product.numer().content()
    return product
