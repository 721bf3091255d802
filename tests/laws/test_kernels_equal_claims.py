"""A kernel that differs from its claim is refused: false variants of every emitted program, and its values in balls."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from kernels.of_papers import made

from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.matrices import Primitive
from derivations.kernels.specification.sums import Definition
from derivations.language.evaluate import evaluate
from derivations.language.sums import Sums
from derivations.language.terms import as_expression, carried_out, symbols_in
from derivations.language.words import Words
from derivations.language.words.blocks import Blocks
from derivations.paper.equals import Equals, equality
from derivations.paper.equals.programs import Case
from derivations.paper.library import library
from derivations.prove.certificate import Verdict
from derivations.text import DerivationError

INDEX = Path(__file__).parents[2] / "numerics" / "kernels" / "index.json"
ROWS = json.loads(INDEX.read_text(encoding="utf-8"))["kernels"]
TIED = [f"{row['paper']}:{row['name']}" for row in ROWS]
PER_KERNEL = 12


@pytest.mark.parametrize("name", TIED)
def test_false_variants_of_a_kernel_are_refused(name: str) -> None:
    paper, kernel = library()[name.partition(":")[0]], made()[name]
    cases = paper.cases(kernel.name)
    variants = {"of numbers": _of_numbers, "of matrices of any size": _of_matrices}
    every = list(variants.get(kernel.content.kind, _of_sums)(kernel))
    chosen = random.Random(name).sample(every, min(PER_KERNEL, len(every)))
    assert chosen
    assert [what for what, mutant in chosen if not _refused(mutant, cases)] == []


def _refused(mutant: Any, cases: list[Any]) -> bool:
    try:
        return equality(mutant, cases).verdict is not Verdict.PROVED
    except (DerivationError, ZeroDivisionError, ValueError):
        return True


@pytest.mark.parametrize("name", TIED)
def test_an_emitted_program_gives_what_its_claim_states(name: str) -> None:
    """In balls, at random points of the claim's symbols: the cases of a kernel meet, so that one of them must agree."""
    kernel, rng = made()[name], random.Random(name)
    if kernel.content.kind != "of numbers":
        pytest.skip("tests/kernels compares kernels of sums and of matrices with the literature and with solvers")
    if kernel.name in EQUATIONS:
        pytest.skip("the claim speaks of symbols that equations tie, which random numbers do not satisfy")
    cases = [c for c in library()[name.partition(":")[0]].cases(kernel.name) if c.never is None]
    agreed, tried = 0, 0
    for _ in range(200):
        found = [at_a_point(kernel, case, lambda: _number(rng)) for case in rng.sample(cases, min(3, len(cases)))]
        for sides in filter(None, found):
            if all(a.is_finite() and b.is_finite() for a, b in sides.values()):
                tried += 1
                agreed += all(a.overlaps(b) for a, b in sides.values())
        if tried > 20:
            break
    assert tried
    assert agreed == tried or (kernel.name in SIDED and agreed > 0)


def at_a_point(kernel: Any, case: Equals, value: Callable[[], Any]) -> dict[str, tuple[Any, Any]] | None:
    """By return what the emitted program gives and what the claim does, as balls, where `value` draws the symbols.

    None where the point is outside the kernel's domain, or where an argument is no rational number there.
    """
    one = Case(kernel, case)
    terms = {name: carried_out(one.formula(name)) for name in case.formulas}
    sides = {k: as_expression(v).xreplace(dict(case.fix)) for k, v in one.translation.items()}
    names = {s.name for e in sides.values() for s in e.free_symbols}.union(*map(symbols_in, terms.values()))
    point = {name: value() for name in sorted(names)}
    arguments = {k: e.subs({s: point[s.name] for s in e.free_symbols}) for k, e in sides.items()}
    inside = [relation.subs(arguments) for relation in kernel.of_numbers.domain]
    allowed = all(v.is_Rational and not (k.is_nonnegative and v < 0) for k, v in arguments.items())
    if not allowed or any(relation != sp.true for relation in inside):
        return None
    computed = kernel.balls(*(str(v) for v in arguments.values()), digits=40)
    exact = {name: Fraction(int(v.p), int(v.q)) for name, v in point.items()}
    stated_there = {name: evaluate(term, exact) for name, term in terms.items()}
    return {name: (computed[list(kernel.returns).index(name)], ball) for name, ball in stated_there.items()}


EQUATIONS = {"decoupling_peak"}
SIDED = {"final_distance", "decoupling"}
"""Kernels whose claims state other formulas on the other side of a condition, which a random point need not meet."""


def _number(rng: random.Random) -> sp.Rational:
    return sp.Rational(rng.randint(1, 9), rng.randint(2, 9))


# --- numbers ----------------------------------------------------------------------------------------------------------


def _of_numbers(kernel: Kernel) -> Iterator[tuple[str, Kernel]]:
    """Variants in one formula, which have other values somewhere."""
    numbers = kernel.of_numbers
    for place, (part, formula) in enumerate(numbers.shared):
        for what, changed in _changed(formula, numbers.params):
            shared = [*numbers.shared[:place], (part, changed), *numbers.shared[place + 1 :]]
            yield from _different(kernel, f"{part}: {what}", shared, dict(numbers.returns))
    for name, formula in numbers.returns.items():
        for what, changed in _changed(formula, numbers.params):
            yield from _different(kernel, f"{name}: {what}", list(numbers.shared), {**numbers.returns, name: changed})


def _changed(formula: Any, params: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """A factor two, the sign of one term, and a parameter left out; branches are changed one by one."""
    if isinstance(formula, sp.Piecewise):
        for place, (value, condition) in enumerate(formula.args):
            for what, changed in _changed(value, params):
                branches = [*formula.args[:place], (changed, condition), *formula.args[place + 1 :]]
                yield f"branch {place + 1}, {what}", sp.Piecewise(*branches)
        return
    formula = sp.sympify(formula)
    yield "twice", 2 * formula
    if formula.is_Add:
        for term in formula.args:
            yield f"minus {term}", formula - 2 * term
    for parameter in sorted(formula.free_symbols & set(params), key=str):
        yield f"without {parameter}", formula.subs(parameter, 1)


def _different(kernel: Kernel, what: str, shared: Any, returns: Any) -> Iterator[tuple[str, Kernel]]:
    """The variant, unless it has the same values at every point that is tried: then a part of it is never used."""
    numbers = kernel.of_numbers
    mutant = Kernel(
        kernel.name, says="A lie.", state=numbers.state, params=numbers.params, shared=shared, returns=returns
    )
    rng = random.Random(what)
    for _ in range(12):
        point = _point(kernel, rng)
        try:
            sides = [k.balls(*point, digits=30) for k in (kernel, mutant)]
        except (ValueError, ZeroDivisionError, DerivationError):
            continue
        if any(a.is_finite() and not a.overlaps(b) for a, b in zip(*sides, strict=True)):
            yield what, mutant
            return


def _point(kernel: Kernel, rng: random.Random) -> list[str]:
    """Numbers in the domain: squares of anything dominate what they bound."""
    large = {"C_aa", "C_bb", "C_cc", "C_dd", "a1", "a2", "y0", "X", "Q", "K"}
    return [
        str(sp.Rational(rng.randint(10, 30) if name in large else rng.randint(1, 9), rng.randint(3, 9)))
        for name in kernel.arguments
    ]


# --- sums -------------------------------------------------------------------------------------------------------------


def _of_sums(kernel: Kernel) -> Iterator[tuple[str, Kernel]]:
    """Variants in one term of one step: its sign, twice as much, and one factor left out."""
    content: Any = kernel.content
    for place, step in enumerate(content.steps):
        if not isinstance(step, Definition):
            continue
        for places, formula in step.pieces:
            for what, changed in _other_sums(formula):
                pieces = {p: changed if p == places else f for p, f in step.pieces}
                steps = [*content.steps[:place], Definition(step.target, pieces), *content.steps[place + 1 :]]
                try:
                    made = Kernel(
                        kernel.name,
                        says="A lie.",
                        inputs=content.given,
                        steps=steps,
                        returns=content.returned,
                        domain="any",
                    )
                except DerivationError:
                    continue  # no kernel can be so
                yield f"{step.target.name}: {what}", made


def _other_sums(formula: Sums) -> Iterator[tuple[str, Sums]]:
    for key, coefficient in formula.terms.items():
        for factor in (-1, 2):
            yield (
                f"{factor} times {key}",
                Sums({**formula.terms, key: factor * coefficient}, formula.free, formula.arrays),
            )
        bound, factors = key
        for place, (head, *indices) in enumerate(factors):
            if not indices and len(factors) > 1:
                rest = {k: c for k, c in formula.terms.items() if k != key}
                left = (bound, (*factors[:place], *factors[place + 1 :]))
                yield f"without {head}", Sums({**rest, left: coefficient}, formula.free, formula.arrays)


# --- matrices ---------------------------------------------------------------------------------------------------------


def _of_matrices(kernel: Kernel) -> Iterator[tuple[str, Kernel]]:
    """Variants in one step or return: twice as much, the opposite, and without one of its terms."""
    content: Any = kernel.content
    steps = [(step.target, step.value) for step in content.steps]
    for place, (target, value) in enumerate(steps):
        for what, changed in _other_matrices(value):
            others = [*steps[:place], (target, changed), *steps[place + 1 :]]
            yield from _of_steps(kernel, f"{target}: {what}", others, content.returns)
    for name, value in content.returns.items():
        for what, changed in _other_matrices(value):
            yield from _of_steps(kernel, f"{name}: {what}", steps, {**content.returns, name: changed})


def _of_steps(kernel: Kernel, what: str, steps: Any, returns: Any) -> Iterator[tuple[str, Kernel]]:
    try:
        given = kernel.content.letters  # type: ignore[union-attr]
        yield what, Kernel(kernel.name, says="A lie.", inputs=given, steps=steps, returns=returns, domain="any")
    except DerivationError:
        return  # no kernel can be so


def _other_matrices(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Primitive):
        for what, changed in _other_matrices(value.of):
            yield f"{value.name} of {what}", replace(value, of=changed)
        return
    for factor in (2, -1):
        yield f"{factor} times", value * factor
    for i, row in enumerate(value.rows):
        for j, block in enumerate(row):
            for key in block.terms:
                less = Words(block.shape, {k: c for k, c in block.terms.items() if k != key}, block.letters)
                rows = [[less if (m, n) == (i, j) else b for n, b in enumerate(r)] for m, r in enumerate(value.rows)]
                yield f"without {key}", Blocks(rows)
