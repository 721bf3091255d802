"""Formulas of any form, printed and read back; changed formulas never pass; nonsense never crashes the reader."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from typing import Any

import mpmath
from case_files import Cases
from hypothesis import assume, given
from hypothesis import strategies as st
from same_trees import same

from derivations.language import show
from derivations.language.terms import Term
from derivations.latex import CannotRead, Notation, read
from derivations.latex.tokens import Ambiguous

FAMILIES = Cases(__file__, globals())


def s(name: str) -> Term:
    return ("s", name)


def q(value: int | str | Fraction) -> Term:
    return ("q", str(value))


def mul(*terms: Term) -> Term:
    return ("*", *terms)


def power(base: Term, exponent: int | str) -> Term:
    return ("^", base, q(exponent))


def minus(a: Term) -> Term:
    return mul(q(-1), a)


SMALL = Notation({r"||x||^{2}": "X", r"\tau_{h}": "tau"}, letters="a b w", functions={r"\Phi": "Phi"})
NAMES = {"X": "||x||^{2}", "tau": r"\tau_{h}", "a": "a", "b": "b", "w": "w"}


def trees() -> st.SearchStrategy[Term]:
    leaves = st.one_of(
        st.sampled_from(sorted(NAMES)).map(s),
        st.integers(1, 9).map(q),
        st.builds(lambda n, d: q(Fraction(n, d)), st.integers(1, 9), st.integers(2, 9)),
    )
    return st.recursive(leaves, _grown, max_leaves=10)


def _grown(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        several.map(lambda ts: ("+", *ts)),
        several.map(lambda ts: ("*", *ts)),
        st.builds(power, inner, st.sampled_from([2, 3, -1, -2, "1/2"])),
        inner.map(lambda e: ("exp", e)),
        inner.map(minus),
        inner.map(lambda e: ("call", "Phi", e)),
    )


def printed(tree: Term) -> str:
    """A printer that knows nothing of the reader: braces and parentheses wherever they could matter."""
    head, *parts = tree
    match head:
        case "s":
            return NAMES[parts[0]]
        case "q":
            value = Fraction(parts[0])
            text = (
                str(abs(value))
                if value.denominator == 1
                else rf"\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
            )
            return f"(-{text})" if value < 0 else text
        case "+":
            return "(" + "+".join(map(printed, parts)).replace(r"+(-1)\cdot ", "-") + ")"
        case "*":
            return "(" + r"\cdot ".join(map(printed, parts)) + ")"
        case "^" if parts[1] == q("1/2"):
            return rf"\sqrt{{{printed(parts[0])}}}"
        case "^" if parts[1] == q(-1):
            return rf"\frac{{1}}{{{printed(parts[0])}}}"
        case "^":
            return rf"\left({printed(parts[0])}\right)^{{{parts[1][1]}}}"
        case "exp":
            return rf"e^{{{printed(parts[0])}}}"
    return rf"\Phi({printed(parts[1])})"


def value(tree: Term, at: dict[str, Any]) -> Any:
    head, *parts = tree
    match head:
        case "s":
            return at[parts[0]]
        case "q":
            return mpmath.mpf(Fraction(parts[0]).numerator) / Fraction(parts[0]).denominator
        case "+":
            return mpmath.fsum(value(p, at) for p in parts)
        case "*":
            return mpmath.fprod(value(p, at) for p in parts)
        case "^":
            base = value(parts[0], at)
            if mpmath.almosteq(base, 0, 1e-20):
                raise ZeroDivisionError
            return mpmath.power(base, value(parts[1], at))
        case "exp":
            exponent = value(parts[0], at)
            if abs(exponent) > 1000:
                raise OverflowError
            return mpmath.exp(exponent)
    argument = value(parts[1], at)
    if abs(argument) > 1000:
        raise OverflowError
    return mpmath.sin(argument + mpmath.mpf(1) / 3)


def values(tree: Term) -> list[Any]:
    points = [
        dict(zip(sorted(NAMES), (mpmath.sqrt(p) / 3 for p in primes), strict=True))
        for primes in ((2, 3, 5, 7, 11), (29, 13, 17, 19, 23))
    ]
    try:
        with mpmath.workdps(60):
            return [value(tree, p) for p in points]
    except (ZeroDivisionError, OverflowError):
        assume(False)
        raise


@given(trees())
def test_a_formula_printed_and_read_back_is_the_same(tree: Term) -> None:
    values(tree)  # no division by zero
    assert same(read(printed(tree), SMALL).tree, tree)


SHOWN = Notation(
    letters=r"X \tau a b w", functions={"sqrt": "sqrt", "exp": "exp", r"\operatorname{Phi}": "Phi", "Phi": "Phi"}
)


@given(trees())
def test_a_formula_shown_as_latex_reads_back_as_it_was(tree: Term) -> None:
    values(tree)
    assert same(read(show.latex(tree), SHOWN).tree, tree)


@given(trees())
def test_a_formula_shown_as_text_reads_back_as_it_was(tree: Term) -> None:
    def named(term: Any) -> Any:
        if not isinstance(term, tuple):
            return term
        head, *parts = map(named, term)
        root = head == "^" and parts[1] == q("1/2")
        return ("call", "sqrt", parts[0]) if root else ("call", "exp", *parts) if head == "exp" else (head, *parts)

    values(tree)
    text = re.sub(r"\^\((-\d)\)", r"^{\1}", show.plain(tree)).replace("tau", r"\tau ").replace("*", r" \cdot ")
    try:
        shown = read(text, SHOWN).tree
    except Ambiguous:  # 1/a/b, which text may hold and a print may not
        assume(False)
    assert same(shown, named(tree))


@given(trees(), st.randoms(use_true_random=False))
def test_the_order_of_sums_and_products_of_scalars_does_not_matter(tree: Term, random: Any) -> None:
    def shuffled(term: Any) -> Any:
        if not isinstance(term, tuple) or term[0] in ("s", "q"):
            return term
        parts = [shuffled(p) for p in term[1:]]
        if term[0] in ("+", "*"):
            random.shuffle(parts)
        return (term[0], *parts)

    values(tree)
    assert same(read(printed(tree), SMALL).tree, shuffled(tree))


@st.composite
def mutants(draw: st.DrawFn) -> tuple[Term, Term]:
    tree = draw(trees())
    places = list(_places(tree, ()))
    place = draw(st.sampled_from(places))
    return tree, _changed(tree, place, draw(st.sampled_from(["sign", "factor", "symbol", "exponent"])))


def _places(tree: Any, path: tuple[int, ...]) -> Any:
    if isinstance(tree, tuple):
        yield path
        for i, part in enumerate(tree[1:], 1):
            yield from _places(part, (*path, i))


def _changed(tree: Any, path: tuple[int, ...], how: str) -> Any:
    if path:
        i = path[0]
        return (*tree[:i], _changed(tree[i], path[1:], how), *tree[i + 1 :])
    if how == "symbol" and tree[0] == "s":
        return s("b" if tree[1] == "a" else "a")
    if how == "exponent" and tree[0] == "^":
        return (*tree[:2], q(Fraction(tree[2][1]) + 1))
    return minus(tree) if how == "sign" else mul(q("3/2"), tree)


@given(mutants())
def test_no_changed_sign_factor_symbol_or_exponent_passes(pair: tuple[Term, Term]) -> None:
    tree, mutant = pair
    with mpmath.workdps(60):
        before, after = values(tree), values(mutant)
        assume(any(abs(a - b) > abs(a) * mpmath.mpf(10) ** -25 for a, b in zip(before, after, strict=True)))
    assert not same(read(printed(tree), SMALL).tree, mutant)


COMMANDS = "frac sqrt left Phi sum int langle rangle partial top pm dot nabla implies text mathcal{N} mathrm{d}"
PIECES = [
    *"abwdeP2(){}[]^_|&=<+-/,.'é",
    *("\\" + command for command in COMMANDS.split()),
    *("||", r"\\", r"\text{ and }", r"\begin{split}", r"\end{split}", r"\begin{array}{c}", r"\end{array}"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_nonsense_is_refused_with_a_sentence_and_never_crashes_the_reader(pieces: list[str]) -> None:
    with suppress(CannotRead):
        read("".join(pieces), SMALL)


test_statements_have_their_verdicts = FAMILIES.verdicts()
