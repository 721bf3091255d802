"""Random statements where engines go wrong: ends of ranges, bound letters with signs, unevaluated numbers, waves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import sympy as sp
from case_files import Cases
from fuzz.drawn import Drawn
from fuzz.expressions import p, points, q, x, y
from fuzz.values import NoValue, TooLarge, differ, value
from mpmath import mp, mpf, quad

from derivations import prove

FAMILIES = Cases(__file__, globals())

z = sp.Symbol("z", real=True)
e = sp.Symbol("e", positive=True)
PI, HALF = sp.pi, sp.Rational(1, 2)
POINTS = 20
Point = dict[Any, Any]


def _raw(base: Any, exponent: Any) -> Any:
    return sp.Pow(base, exponent, evaluate=False)


def _seen(sides: Callable[[Point], bool], symbols: Any, fixed: Point | None = None) -> Callable[[random.Random], Any]:
    """A point at which a statement is false, where some symbols have given values."""

    def found(rng: random.Random) -> Any:
        for point in points(rng, sorted(symbols, key=str), POINTS):
            at = {**point, **(fixed or {})}
            try:
                if sides(at):
                    return at
            except (NoValue, ZeroDivisionError, ValueError, OverflowError, TypeError):
                continue
        return None

    return found


# --- waves at multiples of pi -----------------------------------------------------------------------------------------


def wave(rng: random.Random) -> Drawn:
    """Products and sums of waves at multiples of pi with any denominator, and sometimes one multiple is moved."""
    a, b = (sp.Rational(rng.randint(-70, 70), rng.randint(1, 60)) * PI for _ in range(2))
    a, b = a + rng.choice((0, 0, x, 2 * x, y)), b + rng.choice((0, 0, x, -y))
    wrong = rng.choice((0, 0, PI / rng.randint(1, 60), PI / 2, PI))
    many = rng.randint(2, 7)
    left, right = rng.choice(
        (
            (sp.sin(a) * sp.cos(b), (sp.sin(a + b + wrong) + sp.sin(a - b)) / 2),
            (sp.cos(a) * sp.cos(b), (sp.cos(a + b) + sp.cos(a - b + wrong)) / 2),
            (sp.sin(a + b), sp.sin(a + wrong) * sp.cos(b) + sp.cos(a) * sp.sin(b)),
            (sp.cos(2 * a), 1 - 2 * sp.sin(a + wrong) ** 2),
            (sum(sp.cos(a + 2 * PI * k / many) for k in range(many)), sp.sin(wrong)),
            (x * (sp.cos(a) - sp.cos(b)), -2 * x * sp.sin((a + b) / 2 + wrong) * sp.sin((a - b) / 2)),
            (sp.tan(a) * sp.cos(a), sp.sin(a + 2 * wrong)),
        )
    )
    left, right = left + (extra := rng.choice((0, sp.sin(PI / 7), x * sp.cos(PI / 11)))), right + extra
    apart = _seen(lambda at: differ(value(left, at), value(right, at)), sp.Tuple(left, right).free_symbols | {x})
    return Drawn("wave", f"{left} = {right}", lambda: prove.identity(left, right), apart)


# --- ends of ranges ---------------------------------------------------------------------------------------------------

ENDS = FAMILIES["ends"]
VALUES = FAMILIES["values"]


def end(rng: random.Random) -> Drawn:
    """The leading behaviour of functions where they end, branch or level off, with a value that numbers know or not."""
    f, g = rng.choice(ENDS), rng.choice((sp.S.Zero, sp.S.Zero, *ENDS))
    power = sp.Rational(rng.choice((0, 1, 1, 2, 3)), rng.choice((1, 2, 2, 3)))
    start = sp.nsimplify(rng.choice((0, 0, 1, PI / 2, -PI / 2, PI)))
    whole = (f + rng.choice((1, -1)) * g - start) / e**power
    claimed = sp.sympify(rng.choice(VALUES))
    guess = _limit(whole)
    if guess is not None and rng.random() < 0.6:
        near = [v for v in map(sp.sympify, VALUES) if _is_limit(guess, v)]
        claimed = near[0] if near else claimed

    def apart(_: random.Random) -> Any:
        found = _limit(whole)
        return None if found is None or _is_limit(found, claimed) else {"limit": str(found)}

    return Drawn("end of a range", f"{whole} -> {claimed}", lambda: prove.limit(whole, {e: 0}, claimed), apart)


def _limit(whole: Any) -> Any:
    """The limit that values far out show: a number, an infinite one, or nothing that is certain."""
    far = []
    with mp.workdps(2000):
        for k in (150, 200, 250):
            try:
                far.append(value(whole, {e: mpf(10) ** -k}, 2000))
            except TooLarge as sign:
                far.append(sign.args[0] * mp.inf)
            except (NoValue, ZeroDivisionError, ValueError, OverflowError):
                return None
    if far[0] == far[1] == far[2]:
        return far[2]
    if abs(far[2] - far[1]) < mpf(10) ** -12 and abs(far[1] - far[0]) < mpf(10) ** -8:
        return far[2]
    return None


def _is_limit(found: Any, claimed: Any) -> bool:
    if claimed.is_infinite or mp.isinf(found):
        return bool(claimed.is_infinite and mp.isinf(found) and (found > 0) == bool(claimed > 0))
    return bool(abs(found - mpf(sp.N(claimed, 30))) < mpf(10) ** -10)


# --- letters that are bound and declared to have a sign ---------------------------------------------------------------

BOUND = FAMILIES["bound"]
SIGNS: tuple[dict[str, bool], ...] = (
    {"positive": True},
    {"negative": True},
    {"nonnegative": True},
    {"nonzero": True, "real": True},
)
PLACES = tuple(sp.Rational(k, 2) for k in range(-5, 6))


def bound(rng: random.Random) -> Drawn:
    """A substitution or an integral over a letter with a sign, and the value with or without that sign."""
    of, signed, factor = rng.choice(BOUND), sp.Symbol("z", **rng.choice(SIGNS)), rng.choice((1, -1, 2))
    inside, plain = factor * of(signed), factor * of(z)
    low, high = rng.choice(PLACES), rng.choice(PLACES)
    if low == 0:  # numbers do not tell a sign of zero
        low = sp.Rational(1, 3)
    if rng.random() < 0.5:
        node, truth = sp.Subs(inside, signed, low), value(plain, {z: low})
        as_signed = inside.subs(signed, low)
    else:
        node, truth = sp.Integral(inside, (signed, low, high)), _area(plain, low, high)
        as_signed = sp.integrate(inside.xreplace({signed: z}), (z, low, high))
    claimed = as_signed if rng.random() < 0.6 else sp.Rational(str(mp.nstr(truth, 20))).limit_denominator(1000)
    with mp.workdps(60):
        is_false = differ(truth, value(claimed, {}))
    return Drawn(
        "bound letter",
        f"{node} = {claimed}",
        lambda: prove.identity(node, claimed),
        lambda _: {"value": mp.nstr(truth, 20)} if is_false else None,
    )


def _area(f: Any, low: Any, high: Any) -> Any:
    """An integral by quadrature, between zeros of what stands in absolute values."""
    cuts = sorted({low, high, *(c for c in (sp.S.Zero, sp.S.NegativeOne) if min(low, high) < c < max(low, high))})
    with mp.workdps(60):
        ends = [mpf(int(c.p)) / int(c.q) for c in cuts]
        area = quad(lambda at: value(f, {z: at}), ends, method="gauss-legendre") if len(ends) > 1 else mpf(0)
        return area if low <= high else -area


# --- numbers that are not written as numbers --------------------------------------------------------------------------


def _unevaluated(k: int, rng: random.Random) -> Any:
    """A way to write a whole number, or a fraction, that SymPy leaves alone."""
    raw_sum, raw_product = (lambda *a: sp.Add(*a, evaluate=False)), (lambda *a: sp.Mul(*a, evaluate=False))
    a = rng.randint(1, 4)
    return rng.choice(
        (
            raw_sum(sp.Integer(k - a), sp.Integer(a)),
            raw_product(sp.Integer(k * a), sp.Rational(1, a)),
            raw_sum(PI, sp.Integer(k), -PI),
            raw_sum(y, sp.Integer(k), -y),
            sp.log(sp.exp(k, evaluate=False), evaluate=False),
            _raw(sp.Integer(k * k), HALF) if k > 0 else sp.Integer(k),
        )
    )


def unevaluated(rng: random.Random) -> Drawn:
    """Powers with such exponents, as if their base could have no sign; or with a letter that a hypothesis fixes."""
    k, base = rng.choice((1, 2, 3, 4, 5, -1, -3)), rng.choice((x, x, x - y, -p, x * y))
    spelled, plain = _unevaluated(k, rng), base**k
    if rng.random() < 0.3:
        letter = sp.Symbol("m", positive=True)
        return _fixed(rng, base, letter, abs(k))
    power = _raw(base, spelled)

    def speaks(at: Point) -> bool:
        """A power whose exponent has a letter has a value where its base is positive, which the statement says."""
        return not spelled.free_symbols or bool(value(base, at) > 0)

    if rng.random() < 0.4:
        relation = sp.Gt(power, 0, evaluate=False)
        apart = _seen(lambda at: speaks(at) and not value(plain, at) > 0, {x, y, p, q})
        return Drawn("unevaluated number", str(relation), lambda: prove.inequality(relation), apart)
    other = rng.choice((plain, sp.Abs(plain), sp.sqrt(base**2) ** k, -plain))
    outer, truth = (sp.Abs(power), sp.Abs(plain)) if rng.random() < 0.5 else (power, plain)
    apart = _seen(lambda at: speaks(at) and differ(value(truth, at), value(other, at)), {x, y, p, q})
    return Drawn("unevaluated number", f"{outer} = {other}", lambda: prove.identity(outer, other), apart)


def _fixed(rng: random.Random, base: Any, letter: Any, k: int) -> Drawn:
    given = [sp.Eq(letter, k)]
    left, right = rng.choice(
        (
            (_raw(_raw(base, letter), 1 / letter), base),
            (sp.Abs(_raw(base, letter)), _raw(base, letter)),
            (_raw(base, letter), base**k),
        )
    )
    plain = left.subs(letter, k), right.subs(letter, k)
    # A power whose exponent is a letter has a value where its base is positive, which the statement says.
    apart = _seen(lambda at: value(base, at) > 0 and differ(*(value(side, at) for side in plain)), {x, y, p, q})
    return Drawn(
        "unevaluated number", f"{left} = {right} under {given}", lambda: prove.identity(left, right, given), apart
    )
