"""The only makers of certificates: decide a statement exactly, or say that it is open.

>>> import sympy as sp
>>> from derivations import prove
>>> x = sp.Symbol("x", real=True)
>>> prove.identity(sp.sqrt(x**2), x).witness["point"]
{'x': '-1'}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

import sympy as sp

from derivations.language.averages import Integrand, Mean
from derivations.language.signs import assumptions_of, require_sign, require_time
from derivations.language.terms import Expression, Expressions, Hypotheses, NotExact, Relation, Variable, as_expression
from derivations.language.words import Order, ShapeError, Words
from derivations.language.words.blocks import Blocks, paired
from derivations.prove import words as in_words
from derivations.prove.certificate import Candidates, Certificate, Json, Verdict
from derivations.prove.dispatch import decide, settled
from derivations.prove.equality import Contradictory, Unsatisfiable
from derivations.prove.flows.asking import before, beside, converges, ends, iteration, reaches, stays, trajectory
from derivations.prove.flows.directions import unstable_direction
from derivations.prove.flows.questions import less, separates
from derivations.prove.rules.effort import allowing
from derivations.prove.rules.pieces import by_pieces, near
from derivations.prove.rules.remedies import told
from derivations.prove.schemas.integrals import comparisons
from derivations.prove.schemas.integrals.stated import compared
from derivations.prove.schemas.joining import argued, by, denied, every, together
from derivations.prove.stating import (
    entries,
    from_sympy,
    hints_of,
    hypotheses,
    plain_term,
    reads_text,
    relations_of,
    scalar,
    term_of,
    with_bases,
)
from derivations.prove.sums import sums
from derivations.prove.words import loewner as in_order
from derivations.text.as_typed import minus, over, placed
from derivations.text.doors import at_door

ORDERS = (sp.StrictGreaterThan, sp.GreaterThan, sp.StrictLessThan, sp.LessThan)

__all__ = [
    "Certificate",
    "NotExact",
    "Unsatisfiable",
    "Verdict",
    "allowing",
    "argued",
    "average",
    "before",
    "beside",
    "by",
    "converges",
    "decide",
    "denied",
    "enclosed",
    "ends",
    "every",
    "identity",
    "implies",
    "inequality",
    "integral",
    "iteration",
    "leading_order",
    "less",
    "limit",
    "loewner",
    "positive",
    "reaches",
    "separates",
    "solves",
    "stays",
    "sums",
    "trajectory",
    "unstable_direction",
    "words",
]


def __dir__() -> list[str]:
    return sorted(__all__)


@reads_text
@at_door(NotExact)
def identity(left: Expressions, right: Expressions = 0, assuming: Hypotheses = ()) -> Certificate:
    """Decide whether two expressions are equal wherever both have a value and the hypotheses hold.

    left, right: SymPy expressions, or matrices, tuples or lists of them, which are compared entry by entry; a single
        right side stands for every entry. Beside other entries, one with literally the same sides is left out. A text
        such as "sqrt(x)^2" is read without evaluating it, and "f = g" is both sides.
    assuming: relations such as `x > 0` or `Eq(a, b)`, or texts; the symbols' own assumptions count as well.

    Returns a certificate: PROVED by an exact normal form, REFUTED with an exact point where the sides differ, or OPEN.
    Refuses floats and functions without an exact meaning (`NotExact`), and hypotheses that exclude each other
    (`Unsatisfiable`).

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> identity((x + 1) ** 2, x**2 + 2 * x + 1).verdict.value
    'proved'
    >>> identity(sp.sqrt(x**2), x, assuming=[x >= 0]).verdict.value
    'proved'
    >>> identity(sp.sqrt(x**2), x).witness
    {'point': {'x': '-1'}, 'left': '1', 'right': '-1', 'bits': 128}
    """
    if _has_integrals(left, right):
        return integral(left, right, assuming)
    pairs = entries(left, right)
    relations = with_bases(relations_of(assuming), *(side for pair in pairs for side in pair))
    return _all_decided(
        [
            scalar("identity", supposed, left=a, right=b)
            for pair in pairs
            for supposed, (a, b) in by_pieces(pair, relations)
        ]
    )


def _has_integrals(*sides: Any) -> bool:
    return any(isinstance(side, sp.Basic) and side.has(sp.Integral) for side in sides)


@reads_text
@at_door(NotExact)
def integral(
    left: Expression, right: Expression, assuming: Hypotheses = (), antiderivative: Expression | None = None
) -> Certificate:
    """Decide whether an equation with integrals holds.

    left, right: the sides, in which each `sympy.Integral` is over one variable.
    assuming: relations that hold, of which none speaks of the variable.
    antiderivative: a function whose derivative is the integrand, if none is found by itself.

    Returns a certificate: PROVED by antiderivatives, which are checked; REFUTED by a proof of other values and an exact
    point where the sides differ; or OPEN.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> integral(sp.Integral(x**2, (x, 0, 1)), sp.Rational(1, 3)).verdict.value
    'proved'
    >>> integral(sp.Integral(sp.exp(-(x**2)), (x, -sp.oo, sp.oo)), 2).verdict.value
    'refuted'
    """
    stated = compared("=", as_expression(left), as_expression(right), relations_of(assuming))
    return comparisons.decided(stated, settled, antiderivative)


@at_door(ShapeError)
def words(
    left: Words | Blocks,
    right: Words | Blocks | int = 0,
    assuming: Iterable[in_words.Hypothesis | tuple[Blocks, Blocks | int]] = (),
    among: Candidates = (),
) -> Certificate:
    """Decide whether two polynomials in matrices are equal for matrices of every size.

    left, right: `Words` or `Blocks` of one shape; 0 is the zero matrix. Blocks are compared block by block.
    assuming: pairs of equal words (or blocks), used as rules of rewriting; `Equation` says which way one is used.
    among: exact matrices to try as instances, in the form that certificates have.

    Returns a certificate: PROVED when rewriting makes the sides equal, REFUTED with exact matrices, or OPEN. Refuses
    shapes that do not fit (`ShapeError`).

    >>> from derivations.language.words import Letter
    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n", symmetric=True)
    >>> words((A @ B).T, B @ A.T).verdict.value
    'proved'
    >>> words(A @ B, B @ A).verdict.value, words(A @ B, B @ A, assuming=[(A, B @ B)]).verdict.value
    ('refuted', 'proved')
    """
    rules = [rule for hypothesis in assuming for rule in _word_rules(hypothesis)]
    return _all_decided([in_words.statement(a, b, rules, among) for a, b in paired(left, right)])


@at_door(ShapeError)
def loewner(
    claim: Order,
    assuming: Iterable[in_order.Hypothesis] = (),
    among: Candidates = (),
) -> Certificate:
    """Decide whether a symmetric matrix is positive semidefinite or definite, or a number not negative, for every size.

    claim: an inequality between `Words` of one square shape: `A >= B` says that A - B is positive semidefinite, and
        `A > B` that it is definite, so that it has an inverse; 1x1 words, such as traces, are numbers.
    assuming: such inequalities between matrices that are symmetric as they stand, and pairs of equal words.
    among: exact matrices to try as instances.

    Returns a certificate: PROVED by a sum of forms X' H X, REFUTED with exact matrices and a vector, or OPEN. Refuses
    shapes that do not fit (`ShapeError`).

    >>> from derivations.language.words import Letter, identity, norm2, trace
    >>> P, X, Y = Letter("P", "n", "n", symmetric=True), Letter("X", "n", "m"), Letter("Y", "n", "m")
    >>> loewner(identity("n") + P > 0, assuming=[P >= 0]).verdict.value, loewner(P >= 0).verdict.value
    ('proved', 'refuted')
    >>> loewner(trace(X.T @ Y) ** 2 <= norm2(X) * norm2(Y)).verdict.value
    'proved'
    """
    return in_order.decide(in_order.statement(claim, assuming, among))


def _all_decided(entries: list[Json]) -> Certificate:
    """The equations of all entries; one with literally the same sides says nothing, and is left out beside others."""
    said, literal = ([e for e in entries if (e["left"] == e["right"]) is same_sides] for same_sides in (False, True))
    return together(_decided(said, literal))


def _decided(statements: list[Json], otherwise: Sequence[Json] = ()) -> list[Certificate]:
    """All but those about nothing, such as a piece of a function that the hypotheses rule out; else the first other."""
    found: list[Certificate] = []
    trouble: Unsatisfiable | None = None
    for statement in statements:
        try:
            found.append(told(settled(statement), settled))
        except Contradictory as refused:
            trouble = refused
    if found or otherwise:
        return found or [settled(otherwise[0])]
    raise trouble or Unsatisfiable("nothing was stated: give at least one pair of expressions")


def _word_rules(hypothesis: in_words.Hypothesis | tuple[Blocks, Blocks | int]) -> list[in_words.Hypothesis]:
    in_words.require_pair(hypothesis)
    return [hypothesis] if isinstance(hypothesis, in_words.Equation) else [*paired(*hypothesis)]


@reads_text
@at_door(NotExact)
def inequality(relation: Relation, assuming: Hypotheses = (), squares: Iterable[Expression] = ()) -> Certificate:
    """Decide a strict or weak inequality at every point that satisfies the hypotheses.

    relation: one of `<`, `<=`, `>`, `>=` between SymPy expressions, or a text such as "sqrt(x)^2 >= 0", which is read
        without evaluating it.
    assuming: further relations that hold.
    squares: expressions whose squares may help the proof; they are hints and change nothing in the statement.

    Returns a certificate: PROVED by a positive combination of known facts, REFUTED at an exact point, or OPEN. Refuses
    what SymPy has already decided from the symbols' assumptions (`Unsatisfiable`), and other relations (`NotExact`).

    >>> import sympy as sp
    >>> x, y = sp.symbols("x y", real=True)
    >>> inequality(x**2 + y**2 >= 2 * x * y).verdict.value
    'proved'
    >>> inequality(x**2 > x).witness["point"]
    {'x': '0'}
    """
    if relation in (sp.true, True, sp.false, False):
        raise Unsatisfiable(
            f"the inequality is {str(relation).lower()} by its symbols' assumptions alone, or SymPy has evaluated its"
            " sides, so that nothing is left to decide: state it unevaluated, such as sp.Gt(x, 0, evaluate=False), or"
            " as a text, such as 'x > 0', whose symbols are real numbers and no more"
        )
    if not isinstance(relation, ORDERS):
        raise NotExact(f"an inequality needs <, <=, > or >=, got {relation}")
    if _has_integrals(relation.lhs, relation.rhs):
        return comparisons.decided(
            compared(relation.rel_op, relation.lhs, relation.rhs, relations_of(assuming)), settled
        )
    stated = []
    given = with_bases(relations_of(assuming), relation.lhs, relation.rhs)
    for supposed, (left, right) in by_pieces((relation.lhs, relation.rhs), given):
        name, *sides = from_sympy(relation.func(left, right, evaluate=False))
        symbols = hypotheses(supposed, left, right, *squares)
        stated.append({"kind": "sign", **symbols, "relation": name, **dict(zip(("left", "right"), sides, strict=True))})
    return together(_decided([statement | hints_of(squares) for statement in stated]))


@reads_text
@at_door(NotExact)
def positive(expression: Expression, assuming: Hypotheses = (), squares: Iterable[Expression] = ()) -> Certificate:
    """Decide whether an expression is positive; the same as `inequality(expression > 0)`.

    Other arguments and what is returned are as of `inequality`.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> positive(x**2 + x + 1).verdict.value
    'proved'
    """
    return inequality(sp.StrictGreaterThan(expression, 0, evaluate=False), assuming, squares)


@reads_text
@at_door(NotExact)
def implies(assuming: Hypotheses, conclusion: Relation, squares: Iterable[Expression] = ()) -> Certificate:
    """Decide whether hypotheses imply an equation or an inequality, the conclusion.

    Other arguments and what is returned are as of `inequality` and `identity`.

    >>> import sympy as sp
    >>> a, b = sp.symbols("a b", positive=True)
    >>> implies([a > b], sp.Gt(a**2, b**2)).verdict.value
    'proved'
    """
    if isinstance(conclusion, sp.Equality):
        return identity(conclusion.lhs, conclusion.rhs, assuming)
    return inequality(conclusion, assuming, squares)


@at_door(NotExact)
def average(
    left: Mean,
    right: Expression,
    assuming: Hypotheses = (),
    given: Mapping[Variable, Integrand] | None = None,
    rate: Variable | None = None,
) -> Certificate:
    """Decide whether an average over Gaussian fields has a value, by deriving it from what an average is.

    left: `mean(integrand, covariance)` of `derivations.language.averages`.
    right: the value as an expression in the entries of the covariance.
    assuming: relations that hold, as for `identity`.
    given: symbols that stand for further averages under the same covariance, each a single product.
    rate: a symbol in the covariances of different fields; then `right` is the derivative of the average by it.

    Returns a certificate: PROVED for every covariance that is admissible and for which the right side has a value,
    REFUTED at an exact covariance, or OPEN. Refuses a symbol of `given` that is declared more than real (`NotExact`).

    >>> import sympy as sp
    >>> from derivations.language.averages import Bell, covariance, mean
    >>> C, g = covariance("a", "b"), Bell(sp.sqrt(2 / sp.pi), sp.Integer(1))
    >>> average(mean(g.slope(0) * g.slope(1), C), g.slopes(C, 0, 1)).verdict.value
    'proved'
    """
    used = sorted({*left.integrand.fields(), *(i for of in (given or {}).values() for i in of.fields())})
    places = {field: k for k, field in enumerate(used)}
    matrix = left.covariance.extract(used, used)
    data = [[plain_term(c), _factors(f, places)] for c, f in left.integrand.products]
    widths = [f[2] for _, factors in left.integrand.products for f in factors if f[0] in ("bell", "erf")]
    scalars = [
        *matrix,
        *widths,
        *(c for c, _ in left.integrand.products),
        right,
        *(given or {}),
        *([rate] if rate is not None else []),
    ]
    statement = {
        "kind": "average",
        **hypotheses(assuming, *scalars),
        "fields": [left.names[field] for field in used],
        "covariance": [[plain_term(matrix[i, j]) for j in range(len(used))] for i in range(len(used))],
        "definite": [places[field] for field in left.definite if field in places],
        "integrand": data,
        "right": term_of(right),
    }
    if given:
        for symbol in given:
            if told := statement["symbols"][str(symbol.name)]:
                raise NotExact(
                    f"{symbol} stands for an average and is declared {' and '.join(told)}, which nothing shows:"
                    f" declare it with real=True alone"
                )
        statement["given"] = {str(s.name): _factors(of.products[0][1], places) for s, of in given.items()}
    if rate is not None:
        statement["rate"] = str(rate.name)
    return settled(statement)


def _factors(factors: Iterable[Any], places: Mapping[int, int]) -> list[Any]:
    """The factors of a product as data; widths are terms."""
    return [
        [kind, places[field], *(rest if kind == "power" else map(plain_term, rest))] for kind, field, *rest in factors
    ]


@at_door(NotExact)
def solves(
    flow: Mapping[Variable, Expression],
    solution: Mapping[Variable, Expression],
    start: Mapping[Variable, Expression],
    time: Variable,
    assuming: Hypotheses = (),
    *,
    until: Expression | None = None,
    while_defined: bool = False,
) -> Certificate:
    """Decide whether functions of time satisfy a flow, begin where they should, and exist at all times from then on.

    flow: the variables' symbols with their rates of change.
    solution: the same symbols with the functions of `time` that are claimed to solve it, made of time and constants.
    start: some of these symbols with their values at time 0.
    assuming: relations between constants that hold.
    until: the end of the interval [0, until) of which the statement speaks; without it, that is all times from 0 on.
    while_defined: whether it speaks instead of that part of the formulas' domain that contains the start.

    Returns a certificate: PROVED when every residual and every difference at the start vanishes and no denominator,
    root or logarithm ends on the interval; REFUTED at an exact point or time; or OPEN. Refuses variables that do not
    match, hypotheses on what moves, and a time that is a variable of the flow (`NotExact`).

    >>> import sympy as sp
    >>> x0, rate = sp.symbols("x0 rate", positive=True)
    >>> x, t = sp.symbols("x t", real=True)
    >>> solves({x: -rate * x}, {x: x0 * sp.exp(-rate * t)}, {x: x0}, t).verdict.value
    'proved'
    >>> blow_up = {x: x**2}, {x: x0 / (1 - x0 * t)}, {x: x0}, t
    >>> solves(*blow_up).verdict.value, solves(*blow_up, until=1 / x0).verdict.value
    ('refuted', 'proved')
    """
    supposed = relations_of(assuming)
    for relation in supposed:
        if relation.free_symbols & {*flow, time}:
            raise NotExact(
                f"the hypothesis {relation} speaks of what moves: name the times with until=, and state hypotheses on"
                " constants alone"
            )
    if while_defined and until is not None:
        raise NotExact("the interval is named twice: give either until= or while_defined=True")
    tables = {
        key: {str(s.name): term_of(e) for s, e in sorted(table.items(), key=lambda item: str(item[0]))}
        for key, table in (("flow", flow), ("solution", solution), ("start", start))
    }
    ends = () if until is None else (until,)
    formulas = [*flow.values(), *solution.values(), *start.values(), *ends]
    supposed = with_bases(supposed, *formulas, moving=[*flow, time])
    head = hypotheses(supposed, *formulas, *flow, *solution, *start, time)
    for s in flow:
        require_sign(s, solution.get(s, s))
    require_time(time)
    head["symbols"] |= {name: [] for name in tables["flow"]} | {str(time.name): ["nonnegative"]}
    kind = "while defined" if while_defined else "forever" if until is None else "until"
    interval = {"kind": kind} | ({} if until is None else {"end": term_of(until)})
    return settled({"kind": "solves", **head, "time": str(time.name), **tables, "interval": interval})


@reads_text
@at_door(NotExact)
def limit(
    expression: Expression,
    to: Iterable[Variable] | Mapping[Variable, Any] | Expression,
    value: Expression,
    assuming: Hypotheses = (),
    squares: Iterable[Expression] = (),
) -> Certificate:
    """Decide whether an expression tends to a value.

    to: a symbol and where it goes: `{x: oo}`, `{x: -oo}`, `{x: 2}` from above, `{x: (2, "-")}` from below; or a list of
        positive symbols, which go to zero together, however they do so.
    value: the limit, which may hold other symbols, or `oo` or `-oo`.
    assuming, squares: as for `inequality`.

    Returns a certificate: PROVED, REFUTED with another limit, or OPEN. Refuses places that are none, and in a list
    symbols that are not declared positive (`NotExact`).

    >>> import sympy as sp
    >>> e, a = sp.symbols("e a", positive=True)
    >>> limit((sp.sqrt(a + e) - sp.sqrt(a)) / e, [e], 1 / (2 * sp.sqrt(a))).verdict.value
    'proved'
    >>> x = sp.Symbol("x", real=True)
    >>> limit(x**3 * sp.exp(-a * x), {x: sp.oo}, 0).verdict.value, limit(1 / x, {x: (0, "-")}, -sp.oo).verdict.value
    ('proved', 'proved')
    """
    if isinstance(to, sp.Basic) or not isinstance(to, Iterable):
        raise NotExact(f"what moves is a list of symbols, or a symbol with its place: give [{to}], and not {to} alone")
    places = _places(to) if isinstance(to, Mapping) else [(v, as_expression(0), "+") for v in to]
    moving = [variable for variable, _, _ in places]
    if len({*moving}) < len(moving) or not all(isinstance(v, sp.Symbol) for v in moving):
        raise NotExact(f"what moves is a list of symbols, each once, got {moving}: give the symbols of the expression")
    if not moving or not (isinstance(to, Mapping) or all(v.is_positive for v in moving)):
        raise NotExact(
            "a limit needs at least one variable, and each in a list must be declared positive, as it goes to zero from"
            " above: name other places as {x: oo} or {x: (2, '-')}"
        )
    towards = _towards(places)
    ends = [point for _, point, _ in places if not point.is_infinite]
    if len(places) == 1:
        expression = near(as_expression(expression), *places[0])
    finite = value if value not in INFINITE_VALUES else 0
    supposed = with_bases(relations_of(assuming), expression, finite)
    head = {"kind": "limit", **hypotheses(supposed, expression, finite, *moving, *ends, *squares)}
    parts = {
        "variables": [str(v.name) for v in moving],
        "expression": term_of(expression),
        "value": INFINITE_VALUES[value] if value in INFINITE_VALUES else term_of(value),
    }
    return told(settled(head | parts | ({} if towards is None else {"towards": towards}) | hints_of(squares)), settled)


INFINITE_VALUES = {sp.oo: ("oo",), -sp.oo: ("-oo",)}


def _places(to: Mapping[Any, Any]) -> list[tuple[Any, Any, str]]:
    """Each symbol with the point to which it goes, and the side from which."""
    places = []
    for variable, place in to.items():
        point, side = place if isinstance(place, tuple) and len(place) == 2 else (place, "+")
        if not isinstance(variable, sp.Symbol) or side not in ("+", "-"):
            raise NotExact(f"a limit moves a symbol to a point, or to a point and a side '+' or '-', got {to}")
        places.append((variable, as_expression(point), side))
    return places


def _towards(places: list[tuple[Any, Any, str]]) -> list[Any] | None:
    """Where the one variable goes, as data; None where all go to zero from above, as a list says."""
    if all(v.is_positive and point == 0 and side == "+" for v, point, side in places):
        return None
    if len(places) != 1:
        raise NotExact(
            "only one variable goes to infinity or to a point; several go to zero together, if they are positive:"
            " state how fast they go with prove.leading_order"
        )
    ((variable, point, side),) = places
    if variable in point.free_symbols:
        raise NotExact(f"{variable} goes to {point}, which speaks of it: give a point without {variable}")
    if point in INFINITE_VALUES:
        return [*INFINITE_VALUES[point]]
    return ["above" if side == "+" else "below", term_of(point)]


@reads_text
@at_door(NotExact)
def leading_order(
    f: Expression, g: Expression, scale: Mapping[Variable, Any], order: int | None = None, assuming: Hypotheses = ()
) -> Certificate:
    """Decide whether f agrees with g to leading order in one small positive quantity.

    scale: for every symbol that becomes small, the power of the small quantity that multiplies it.
    order: without it f/g must tend to 1; with it (f - g)/small^order must tend to 0.
    assuming: relations that hold, as for `identity`.

    Returns the certificate of that limit. Refuses a g that is zero, and powers that are no whole numbers (`NotExact`).

    >>> import sympy as sp
    >>> a, b = sp.symbols("a b", positive=True)
    >>> leading_order(a + b**2, a, {a: 1, b: 1}).verdict.value
    'proved'
    """
    relations = relations_of(assuming)
    if not all(isinstance(as_expression(e), sp.Expr) for e in (f, g)):
        raise NotExact(f"two expressions are compared to leading order, got {f} and {g}: give no relations")
    assumptions_of(f, g, *relations)
    spoken = set().union(*(as_expression(e).free_symbols for e in (f, g, *relations)))
    if not scale or not set(scale) <= spoken or not all(s.is_positive for s in scale):
        raise NotExact(
            f"the symbols that become small must be positive symbols of the expressions, got {list(scale)}:"
            " give the very symbols that stand there"
        )
    if not all(isinstance(power, int | sp.Rational) for power in scale.values()):
        raise NotExact(f"the powers of the small quantity must be exact numbers, got {list(scale.values())}")
    taken = {str(s.name) for s in spoken}
    small = sp.Symbol(next(n for k in count() if (n := "epsilon" + "_" * k) not in taken), positive=True)
    scaled = {s: s * small**power for s, power in scale.items()}
    first, second, *supposed = (placed(as_expression(e), scaled) for e in (f, g, *relations))
    if order is None:
        return limit(over(first, second), [small], sp.Integer(1), supposed)
    return limit(over(minus(first, second), small**order), [small], sp.Integer(0), supposed)


@reads_text
@at_door(NotExact)
def enclosed(
    expression: Expression, box: Mapping[Variable, tuple[Expression, Expression]], lower: Expression, upper: Expression
) -> Certificate:
    """Decide whether an expression lies strictly between two bounds everywhere in a box, by balls of numbers.

    box: every symbol with its interval of exact numbers, which may be a single point given twice.
    lower, upper: rational numbers.

    Returns a certificate: CERTIFIED by a rigorous enclosure, REFUTED, or OPEN where the enclosure is too wide. Refuses
    floats and symbols without an interval (`NotExact`).

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> enclosed(sp.exp(x), {x: (0, 1)}, sp.Rational(9, 10), 3).verdict.value
    'certified'
    """
    sides = {str(s.name): [_number(lo), _number(hi)] for s, (lo, hi) in box.items()}
    head = {
        "kind": "enclosure",
        **hypotheses((), expression, *box),
        "expression": term_of(expression),
        "box": sides,
    }
    return settled(head | {"lower": _number(lower), "upper": _number(upper)})


def _number(value: Any) -> str:
    term = from_sympy(value)
    if term[0] != "q":
        raise NotExact(f"a bound must be a rational number, got {value}")
    return str(term[1])
