"""Terms: formulas as plain nested tuples, the language that statements and certificates are written in.

A term is never evaluated or simplified on construction, compares and hashes like data, and survives a trip through
JSON. SymPy is where people write mathematics; terms are what gets judged, stored and checked again.

    ("s", "tau")              a symbol; every symbol ranges over real numbers
    ("q", "3/4")              an exact rational
    ("pi",)                   the constant
    ("+", a, b, ...)          sum            ("*", a, b, ...)   product
    ("^", a, n)               power; a rational non-integer exponent means the non-negative real root
    ("exp", a)                exp, log, sinh, cosh, tanh, sin, cos, erf, asin, atan, abs,
                              lambertw (its main branch), digamma,
                              expm1, relexp, relexp1 (see derivations.language.functions)
    ("D", a, "t")             derivative with respect to the symbol t
    ("at", a, (("t", b),))    a with every listed symbol replaced, all at once
    ("=", a, b)               a relation: "=", "!=", ">" or ">="
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from numbers import Number
from typing import Annotated, Any

import sympy as sp

from derivations.language.functions import expm1, relexp, relexp1
from derivations.text import DerivationError
from derivations.text.doors import ANYTHING, Kind

Term = tuple[Any, ...]


def is_expression(value: Any) -> bool:
    """Return whether this is an object of SymPy or a number, which may still be one that cannot be judged."""
    if isinstance(value, sp.Basic):
        return not value.has(sp.Lambda)  # a function, though an Expr
    return isinstance(value, Number)


def is_expressions(value: Any) -> bool:
    """Return whether this is such an object, or a matrix, tuple or list of them."""
    if isinstance(value, list | tuple):
        return all(map(is_expression, value))
    return isinstance(value, sp.MatrixBase) or is_expression(value)


def _is_square(value: Any) -> bool:
    """Return whether this is a matrix of SymPy with as many rows as columns."""
    return (
        isinstance(value, sp.MatrixBase)
        and value.is_square
        and all(isinstance(e, sp.Expr) and is_expression(e) for e in value)
    )


Expression = Annotated[Any, Kind("an expression of SymPy or an exact number", is_expression)]
Expressions = Annotated[Any, Kind("an expression of SymPy, or a matrix or list of them", is_expressions)]
Variable = Annotated[Any, Kind("a symbol of SymPy", lambda value: isinstance(value, sp.Symbol))]
Matrix = Annotated[Any, Kind("a square matrix of SymPy", _is_square)]
Place = Annotated[int, Kind("the number of a row, from 0 on", lambda value: type(value) is int and value >= 0)]
Hypotheses = Annotated[Iterable[Any], ANYTHING]
"""Any objects: `derivations.prove.stating` reads them, and refuses those that are no hypotheses."""
Relation = Annotated[Any, Kind("a relation such as x > 0", lambda value: isinstance(value, sp.Basic | bool))]

FUNCTIONS: dict[Any, str] = {
    sp.exp: "exp",
    sp.log: "log",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.erf: "erf",
    sp.asin: "asin",
    sp.atan: "atan",
    sp.LambertW: "lambertw",
    sp.Abs: "abs",
    expm1: "expm1",
    relexp: "relexp",
    relexp1: "relexp1",
}
_MAKERS: dict[str, Any] = {name: made for made, name in FUNCTIONS.items()} | {"+": sp.Add, "*": sp.Mul, "^": sp.Pow}
RELATIONS: dict[Any, tuple[str, bool]] = {  # name, and whether the sides trade places
    sp.Equality: ("=", False),
    sp.Unequality: ("!=", False),
    sp.StrictGreaterThan: (">", False),
    sp.GreaterThan: (">=", False),
    sp.StrictLessThan: (">", True),
    sp.LessThan: (">=", True),
}
RELATED: dict[str, Any] = {name: relation for relation, (name, swapped) in RELATIONS.items() if not swapped}
"""The relations of SymPy by their names."""
MOST_IN_EXPONENT = 10_000  # numerator and denominator; the checker bounds them too
MOST_IN_POWER = 64  # exponents in a number that is an exponent itself
MOST_PARTS, MOST_DEPTH = 250_000, 300  # of a term that is written out; the checker bounds them too


class NotExact(DerivationError):
    """An expression that cannot be judged exactly; the message says which part and what to write instead."""


class TooLong(NotExact, OverflowError):
    """A term that no walk over it should meet."""


def symbol(name: str) -> Term:
    """The term of a symbol.

    >>> symbol("tau")
    ('s', 'tau')
    """
    return ("s", name)


def rational(value: Fraction | int | str) -> Term:
    """The term of an exact number.

    >>> rational(Fraction(6, 8)), rational("1.5")
    (('q', '3/4'), ('q', '3/2'))
    """
    return ("q", str(Fraction(value)))


ZERO, ONE, MINUS_ONE = rational(0), rational(1), rational(-1)


def fraction_of(term: Term) -> Fraction:
    """The value of a ("q", ...) term."""
    return _number(term[1])


@lru_cache(maxsize=4096)  # the same few numbers are read over and over
def _number(text: str) -> Fraction:
    return Fraction(text)


def subtract(left: Term, right: Term) -> Term:
    """left - right as a term."""
    return ("+", left, ("*", MINUS_ONE, right))


def _ratio(above: str, below: str) -> Any:
    return lambda a: ("*", (above, a), ("^", (below, a), MINUS_ONE))


def _reciprocal(name: str) -> Any:
    return lambda a: ("^", (name, a), MINUS_ONE)


def _area(sign: Term) -> Any:
    """log(a + sqrt(a^2 + sign)): the inverse of sinh or of cosh, which has a value where that logarithm has one."""
    return lambda a: ("log", ("+", a, ("^", ("+", ("^", a, rational(2)), sign), rational("1/2"))))


def _middle(sign: Term) -> Any:
    """The larger, or the smaller, of some numbers: half of a + b + |a - b|, or of a + b - |a - b|."""

    def of_two(a: Term, b: Term) -> Term:
        return ("*", rational("1/2"), ("+", a, b, ("*", sign, ("abs", subtract(a, b)))))

    return lambda *numbers: reduce(of_two, numbers)


def _digamma(order: Term, a: Term) -> Term:
    if order != ZERO:
        raise NotExact("of the derivatives of the logarithm of the gamma function only the first, digamma, is judged")
    return ("digamma", a)


DEFINITIONS: dict[Any, Any] = {
    sp.tan: _ratio("sin", "cos"),
    sp.cot: _ratio("cos", "sin"),
    sp.sec: _reciprocal("cos"),
    sp.csc: _reciprocal("sin"),
    sp.coth: _ratio("cosh", "sinh"),
    sp.sech: _reciprocal("cosh"),
    sp.csch: _reciprocal("sinh"),
    sp.acos: lambda a: ("+", ("*", rational("1/2"), ("pi",)), ("*", MINUS_ONE, ("asin", a))),
    sp.asinh: _area(ONE),
    sp.acosh: _area(MINUS_ONE),
    sp.atanh: lambda a: ("*", rational("1/2"), ("log", ("*", ("+", ONE, a), ("^", subtract(ONE, a), MINUS_ONE)))),
    sp.erfc: lambda a: subtract(ONE, ("erf", a)),
    sp.Max: _middle(ONE),
    sp.Min: _middle(MINUS_ONE),
    sp.polygamma: _digamma,
}
"""Functions that are others in disguise, with the same domain; no prover meets them."""


def from_sympy(expression: Any) -> Term:
    """The term of a SymPy expression or relation, exactly as it stands.

    Refuses floats, infinities, relations inside expressions, and functions without an exact meaning here (`NotExact`).

    >>> x, y = sp.symbols("x y")
    >>> from_sympy(x / y)
    ('*', ('s', 'x'), ('^', ('s', 'y'), ('q', '-1')))
    >>> from_sympy(0.5 * x)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    derivations.language.terms.NotExact: the number 0.5... is a float, and floats never decide: ...
    """
    e = expression if isinstance(expression, sp.Basic | float) else as_expression(expression)
    for relation, (name, swapped) in RELATIONS.items():
        if isinstance(e, relation):
            left, right = (_of_expression(side) for side in e.args)
            return bounded((name, right, left) if swapped else (name, left, right))
    return bounded(_of_expression(e))


def expression_of(term: Term, symbols: Mapping[str, Any]) -> Any:
    """The SymPy expression of a term without "D" and "at", of symbols given by name.

    >>> x = sp.Symbol("x", positive=True)
    >>> expression_of(("+", ("s", "x"), ("^", ("s", "x"), ("q", "1/2"))), {"x": x})
    sqrt(x) + x
    """
    head = term[0]
    if head == "s":
        return symbols[term[1]]
    if head == "q":
        return sp.Rational(term[1])
    if head == "pi":
        return sp.pi
    parts = [expression_of(part, symbols) for part in term[1:]]
    return _MAKERS[head](*parts)


def bounded(term: Term) -> Term:
    """The term, if no walk over it takes long; parts that are one object are measured once.

    >>> bounded(("+", ("s", "x"), ("q", "1")))
    ('+', ('s', 'x'), ('q', '1'))
    """
    measured: dict[int, tuple[int, int]] = {}

    def measure(part: Term) -> tuple[int, int]:
        """How many parts a term has, and how deep they nest."""
        if part[0] in LEAVES:
            return 1, 1
        if id(part) not in measured:
            inner = [*map(measure, children(part))]
            measured[id(part)] = 1 + sum(size for size, _ in inner), 1 + max((depth for _, depth in inner), default=0)
        return measured[id(part)]

    size, depth = measure(term)
    if size > MOST_PARTS or depth > MOST_DEPTH:
        raise TooLong(
            f"a formula has more than {MOST_PARTS} parts, or nests deeper than {MOST_DEPTH} levels, once its functions,"
            " derivatives and substitutions are written out: state it in smaller parts"
        )
    return term


def _of_expression(e: Any) -> Term:
    if isinstance(e, sp.Symbol):
        return symbol(e.name)
    if isinstance(e, sp.Rational):
        return ("q", str(Fraction(int(e.p), int(e.q))))
    if isinstance(e, sp.Float | float):
        raise NotExact(
            f"the number {e} is a float, and floats never decide: write it as a Rational, e.g. Rational('{e}')"
        )
    if e is sp.pi:
        return ("pi",)
    if e is sp.E:
        return ("exp", ONE)
    if isinstance(e, sp.Add):
        return ("+", *map(_of_expression, e.args))
    if isinstance(e, sp.Mul):
        return ("*", *map(_of_expression, e.args))
    if isinstance(e, sp.Pow):
        if e.base is sp.E:
            return ("exp", _of_expression(e.exp))
        if isinstance(e.exp, sp.Rational) and max(abs(e.exp.p), e.exp.q) > MOST_IN_EXPONENT:
            raise NotExact(f"the exponent of {e} has a part beyond {MOST_IN_EXPONENT}: such powers are not judged")
        base, exponent = _of_expression(e.base), _of_expression(e.exp)
        if e.exp.free_symbols or exponent[0] == "q":
            return ("^", base, exponent)
        number = _number_of(e.exp)
        return ("exp", ("*", exponent, ("log", base))) if number is None else ("^", base, rational(number))
    if isinstance(e, sp.Derivative):
        return _of_derivative(e)
    if isinstance(e, sp.Subs):
        if len(set(e.variables)) < len(e.variables):  # SymPy joins nested ones, and then the order is lost
            raise NotExact(f"{e} replaces a symbol twice: replace it once, or give one of the two another name")
        pairs = list(zip(e.variables, e.point, strict=True))
        for k, (v, p) in enumerate(pairs):
            if late := p.free_symbols & set(e.variables[k + 1 :]):
                raise NotExact(
                    f"{e} puts in {p} for {v}, and then may or may not replace {late.pop()} in it: replace one after"
                    " the other by .subs(), or give one of them another name"
                )
        return ("at", _of_expression(e.expr), tuple((v.name, _of_expression(p)) for v, p in pairs))
    if type(e) in DEFINITIONS:
        defined: Term = DEFINITIONS[type(e)](*map(_of_expression, e.args))
        return defined
    for function, name in FUNCTIONS.items():
        if isinstance(e, function):
            if len(e.args) != 1:
                advice = "write a logarithm to base b as log(x)/log(b)" if name == "log" else "give it one"
                raise NotExact(f"{name} takes one argument, and {e} has {len(e.args)}: {advice}")
            return (name, _of_expression(e.args[0]))
    if isinstance(e, sp.core.relational.Relational):
        raise NotExact(f"the relation {e} stands where an expression is expected: state it as the statement itself")
    if e in (sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise NotExact(f"{e} is not a number: state a limit with prove.limit and an explicit scaling instead")
    raise NotExact(f"no exact meaning is known for {e!s} ({type(e).__name__}){_instead(e)}")


def _number_of(e: Any) -> Fraction | None:
    """The fraction that an expression without symbols is, however it is written; None for one that is none."""
    powers = [power.exp for power in e.atoms(sp.Pow) if power.base is not sp.E]
    if not all(isinstance(k, sp.Rational) and max(abs(k.p), k.q) <= MOST_IN_POWER for k in powers):
        raise NotExact(f"the exponent {e} is a number with large powers in it: write it as a fraction")
    try:
        value = e.doit()
        if not isinstance(value, sp.Rational):
            return None
        is_real = all(part.is_real for part in sp.preorder_traversal(e))
    except (TypeError, ValueError, ArithmeticError):  # SymPy compares what is no real number, or divides by zero
        return None
    if not is_real:  # 0 log(-1) has no value, whatever SymPy makes of it
        raise NotExact(f"a part of the exponent {e} may have no real value: write the exponent as a fraction")
    if max(abs(value.p), value.q) > MOST_IN_EXPONENT:
        raise NotExact(f"the exponent {e} has a part beyond {MOST_IN_EXPONENT}: such powers are not judged")
    return Fraction(int(value.p), int(value.q))


def _instead(e: Any) -> str:
    """Say what to write in place of an object that has no exact meaning here."""
    if isinstance(e, sp.logic.boolalg.BooleanAtom):
        return ": SymPy has decided this relation already; give its two sides, as in prove.identity(left, right)"
    if isinstance(e, sp.Sum | sp.Product | sp.Indexed):
        return ": prove.sums decides sums over any range, with arrays from derivations.language.sums"
    if isinstance(e, sp.MatrixExpr):
        return ": prove.words decides matrices of any size, with letters from derivations.language.words"
    if isinstance(e, sp.core.function.AppliedUndef):
        return ": declare a symbol for its value"
    known = sorted({*FUNCTIONS.values(), "digamma"}.difference({"relexp", "relexp1"}))
    return f"; known are rational operations, roots, {', '.join(known)}"


def _of_derivative(e: Any) -> Term:
    term = _of_expression(e.expr)
    for variable, count in e.variable_count:
        if not isinstance(variable, sp.Symbol) or not isinstance(count, sp.Integer):
            raise NotExact(f"{e} must differentiate by symbols, a whole number of times: write it so")
        for _ in range(int(count)):
            term = ("D", term, variable.name)
    return term


def as_expression(value: Any) -> Any:
    """The SymPy object that a value is; text is refused, because reading it would run it."""
    try:
        found = sp.sympify(value, strict=True)
        if isinstance(found, sp.Basic):
            return found
    except (sp.SympifyError, TypeError, ValueError, AttributeError):  # by what objects say that they are for SymPy
        pass
    raise NotExact(f"{value!r} is no expression: build it from SymPy symbols and exact numbers")


LEAVES = ("s", "q", "pi")


def children(term: Term) -> tuple[Term, ...]:
    """The terms of which a term is made, names of symbols left out."""
    head = term[0]
    if head in LEAVES:
        return ()
    if head == "D":
        return (term[1],)
    if head == "at":
        return (term[1], *(value for _, value in term[2]))
    return term[1:]


def rebuild(term: Term, new: tuple[Term, ...]) -> Term:
    """The term with its children replaced, in the order in which `children` lists them."""
    head = term[0]
    if head in LEAVES:
        return term
    if head == "D":
        return ("D", new[0], term[2])
    if head == "at":
        return ("at", new[0], tuple((name, value) for (name, _), value in zip(term[2], new[1:], strict=True)))
    return (head, *new)


@lru_cache(maxsize=1 << 14)  # asked of every subterm of what is differentiated
def symbols_in(term: Term) -> frozenset[str]:
    """The names of a term's free symbols; the symbols that an "at" replaces are bound.

    >>> sorted(symbols_in(("at", ("+", ("s", "x"), ("s", "y")), (("x", ("s", "z")),))))
    ['y', 'z']
    """
    found: set[str] = set()
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if part[0] == "s":
            found.add(part[1])
        elif part[0] == "at":
            found |= symbols_in(part[1]) - {name for name, _ in part[2]}
            waiting += [value for _, value in part[2]]
        else:
            waiting += children(part)
    return frozenset(found)


def substitute(term: Term, values: dict[str, Term]) -> Term:
    """The term with symbols replaced, all at once; derivatives and nested substitutions are carried out first.

    >>> substitute(("+", ("s", "x"), ("s", "y")), {"x": ("s", "y"), "y": ("s", "x")})
    ('+', ('s', 'y'), ('s', 'x'))
    """
    if term[0] == "s":
        return values.get(term[1], term)
    if term[0] in ("D", "at"):
        return substitute(carried_out(term), values)
    return rebuild(term, tuple(substitute(c, values) for c in children(term)))


@lru_cache(maxsize=1 << 12)  # the same terms are evaluated at point after point
def carried_out(term: Term) -> Term:
    """Return a term of this value without a "D" or "at" node; a term that has none is returned itself."""
    return _carried_out(term)


def _carried_out(term: Term) -> Term:
    if term[0] == "D":
        return bounded(derivative(_carried_out(term[1]), term[2]))
    if term[0] == "at":
        return bounded(substitute(_carried_out(term[1]), {name: _carried_out(value) for name, value in term[2]}))
    if term[0] in LEAVES:
        return term
    parts = tuple(map(_carried_out, term[1:]))
    return term if parts == term[1:] else (term[0], *parts)


def derivative(term: Term, name: str) -> Term:
    """The derivative by a symbol of a term without "D" and "at" nodes.

    >>> derivative(("sin", ("s", "x")), "x")
    ('*', ('cos', ('s', 'x')), ('q', '1'))
    """
    if name not in symbols_in(term):
        return ZERO
    head = term[0]
    if head == "s":
        return ONE
    if head == "+":
        return ("+", *(derivative(a, name) for a in term[1:]))
    if head == "*":
        factors = term[1:]
        return (
            "+",
            *(
                ("*", *factors[:i], derivative(f, name), *factors[i + 1 :])
                for i, f in enumerate(factors)
                if name in symbols_in(f)
            ),
        )
    if head == "^" and name not in symbols_in(term[2]):
        base, n = term[1:]
        if n == ZERO:
            return ZERO
        lower = rational(fraction_of(n) - 1) if n[0] == "q" else ("+", n, MINUS_ONE)
        return ("*", n, ("^", base, lower), derivative(base, name))
    if head == "^":
        return derivative(("exp", ("*", term[2], ("log", term[1]))), name)
    inner = term[1]
    return ("*", _outer_derivative(head, inner), derivative(inner, name))


def _outer_derivative(head: str, a: Term) -> Term:
    square = ("^", a, rational(2))
    match head:
        case "exp" | "expm1":
            return ("exp", a)
        case "relexp":
            return ("relexp1", a)
        case "log":
            return ("^", a, MINUS_ONE)
        case "sinh":
            return ("cosh", a)
        case "cosh":
            return ("sinh", a)
        case "tanh":
            return subtract(ONE, ("^", ("tanh", a), rational(2)))
        case "sin":
            return ("cos", a)
        case "cos":
            return ("*", MINUS_ONE, ("sin", a))
        case "erf":
            return ("*", rational(2), ("^", ("pi",), rational("-1/2")), ("exp", ("*", MINUS_ONE, square)))
        case "asin":
            return ("^", subtract(ONE, square), rational("-1/2"))
        case "atan":
            return ("^", ("+", ONE, square), MINUS_ONE)
        case "lambertw":
            return ("^", ("+", a, ("exp", ("lambertw", a))), MINUS_ONE)
    raise NotExact(f"{head} has no derivative here")


def from_json(data: Any) -> Term:
    """JSON lists back to tuples (strings stay strings)."""
    return tuple(from_json(d) if isinstance(d, list) else d for d in data)


def as_tuples(data: Any) -> Any:
    """Lists as tuples, at every depth; anything else stays as it is.

    >>> as_tuples(["+", ["s", "a"], ["q", "1"]])
    ('+', ('s', 'a'), ('q', '1'))
    """
    return tuple(map(as_tuples, data)) if isinstance(data, list | tuple) else data


def in_one_order(data: Any) -> Any:
    """Data as tuples, with the parts of sums and products in one order: SymPy sorts them, and a source does not.

    >>> in_one_order(("+", ("s", "b"), ("s", "a")))
    ('+', ('s', 'a'), ('s', 'b'))
    """
    if not isinstance(data, list | tuple):
        return data
    parts = tuple(map(in_one_order, data))
    return (parts[0], *sorted(parts[1:], key=repr)) if parts[:1] in (("+",), ("*",)) else parts
