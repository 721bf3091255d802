"""A kernel equals what a claim states, in every branch: one that does not is refused, whatever it names."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import Paper, prove
from derivations.audit.verify import verify
from derivations.kernels.kernel import Kernel
from derivations.paper.equals import Equals, Unequal, equality
from derivations.prove.certificate import Certificate, Verdict
from derivations.text import DerivationError

FAMILIES = Cases(__file__, globals())

a0, s, K = sp.symbols("a0 s K", positive=True)
t = sp.Symbol("t", nonnegative=True)
a = sp.Symbol("a", real=True)
LOGISTIC = K / (1 + (K / a0 - 1) * sp.exp(-s * t))


def new_paper() -> Paper:
    """Growth: its solution, its square, and a claim about something else."""
    made = Paper("growth", title="Growth", authors="Somebody", year=2026, source="", numbered=0)
    flow = {a: s * a * (1 - a / K)}
    made.claim("Section 1", name="solution", says="It grows.")(lambda: prove.solves(flow, {a: LOGISTIC}, {a: a0}, t))
    made.claim("Section 1", name="square", says="A square.")(
        lambda: prove.identity((a0 + s) ** 2, a0**2 + 2 * a0 * s + s**2)
    )
    made.claim("Section 1", name="wrong", says="Wrong.", expect=Verdict.REFUTED)(lambda: prove.identity(a0, s))
    return made


paper = pytest.fixture(new_paper)


def kernel(**returns: Any) -> Kernel:
    shared = returns.pop("shared", [])
    return Kernel("grown", says="Growth.", state=[a0], params=[s, K, t], returns=returns, shared=shared)


def equal(paper: Paper, made: Kernel, **about: Any) -> Certificate:
    claim = paper.entries[about.pop("claim", "solution")]
    return equality(made, [Equals(claim, about.pop("returns", {"u": "a"}), **about)])


fade = sp.Symbol("fade", positive=True)
SHARED = [(fade, sp.exp(-s * t))]


def test_a_kernel_that_is_written_otherwise_equals_the_claim(paper: Paper) -> None:
    found = equal(paper, kernel(u=a0 * K / (a0 + (K - a0) * fade), shared=SHARED))
    assert found.verdict is Verdict.PROVED
    assert (
        found.statement["parts"][0]["right"]
        == prove.solves({a: s * a * (1 - a / K)}, {a: LOGISTIC}, {a: a0}, t).statement["solution"]["a"]
    )


@each("formula", FAMILIES["another formula is refused"])
def test_another_formula_is_refused(formula: Any) -> None:
    paper = new_paper()
    assert equal(paper, kernel(u=formula, shared=SHARED)).verdict is not Verdict.PROVED


def test_an_unrelated_claim_states_nothing_of_the_kernel(paper: Paper) -> None:
    with pytest.raises(Unequal, match="states no solution"):
        equal(paper, kernel(u=17 + a0 * s), claim="square")
    with pytest.raises(Unequal, match="does not state"):
        equal(paper, kernel(u=17 + a0 * s), claim="square", returns={"u": 17 + a0 * s})
    with pytest.raises(Unequal, match="is refuted"):
        equal(paper, kernel(u=s), claim="wrong", returns={"u": s})


def test_every_branch_is_compared(paper: Paper) -> None:
    good, bad = a0 * K / (a0 + (K - a0) * sp.exp(-s * t)), 17 + a0 * s
    late = s * t > 1
    assert equal(paper, kernel(u=sp.Piecewise((LOGISTIC, late), (good, True)))).verdict is Verdict.PROVED
    for branches in ([(bad, late), (good, True)], [(good, late), (bad, True)]):
        assert equal(paper, kernel(u=sp.Piecewise(*branches))).verdict is not Verdict.PROVED
    with pytest.raises(Unequal, match="add that case"):
        equal(paper, kernel(u=sp.Piecewise((good, late), (bad, True))), holds={late: True})


def test_a_branch_of_a_part_is_compared_too(paper: Paper) -> None:
    parts = [(fade, sp.Piecewise((sp.exp(-s * t), s * t > 1), (2 * sp.exp(-s * t), True)))]
    assert equal(paper, kernel(u=a0 * K / (a0 + (K - a0) * fade), shared=parts)).verdict is not Verdict.PROVED


def test_derivatives_are_taken_by_the_provers(paper: Paper) -> None:
    slope = sp.diff(LOGISTIC, s)
    assert equal(paper, kernel(u=slope), by={"u": s}).verdict is Verdict.PROVED
    assert equal(paper, kernel(u=slope), by={"u": K}).verdict is not Verdict.PROVED


def test_a_return_without_a_claim_and_a_claim_without_a_return_are_refused(paper: Paper) -> None:
    with pytest.raises(Unequal, match="v of the kernel grown equals nothing"):
        equal(paper, kernel(u=LOGISTIC, v=a0))
    with pytest.raises(Unequal, match="returns no v"):
        equal(paper, kernel(u=LOGISTIC), returns={"u": "a", "v": "a"})


def test_arguments_in_other_symbols_must_all_be_reached(paper: Paper) -> None:
    share = sp.Symbol("share", positive=True)
    made = Kernel("grown", says="Growth.", state=[share], params=[s, K, t], returns={"u": LOGISTIC.subs(a0, share * K)})
    there, back = {share: a0 / K}, {a0: share * K}
    assert equal(paper, made, where=there, reached=back).verdict is Verdict.PROVED
    with pytest.raises(Unequal, match="nothing shows that the case reaches share"):
        equal(paper, made, where=there, reached={a0: share})
    assert equal(paper, made, at=back).verdict is Verdict.PROVED


def test_what_the_claim_supposes_beyond_the_kernel_is_named(paper: Paper) -> None:
    wide = sp.Symbol("a0", nonnegative=True)
    made = Kernel("grown", says="Growth.", state=[wide], params=[s, K, t], returns={"u": LOGISTIC.subs(a0, wide)})
    found = equal(paper, made)
    assert found.verdict is Verdict.PROVED
    assert found.statement["kernel"]["cases"][0]["edges"] == [(">", ("s", "a0"), ("q", "0"))]


def test_a_kernel_by_its_fields_is_made_when_asked_for_and_must_equal_its_claim(paper: Paper) -> None:
    asked: list[Any] = []

    def returns() -> dict[str, Any]:
        asked.append(LOGISTIC)
        return {"u": LOGISTIC}

    about: dict[str, Any] = {"says": "Growth.", "state": [a0], "params": [s, K, t]}
    made = paper.emits("grown", equals=[Equals("solution", {"u": "a"})], returns=returns, **about)
    assert not asked
    assert made() is made() is paper.kernels[-1]
    assert asked == [LOGISTIC]
    assert paper.entries["grown_kernel"].certificate.verdict is Verdict.PROVED  # type: ignore[attr-defined]
    wrong = new_paper()
    wrong.emits("grown", equals=[Equals("solution", {"u": "a"})], returns={"u": 17 + a0 * s}, **about)
    assert wrong.entries["grown_kernel"].certificate.verdict is not Verdict.PROVED  # type: ignore[attr-defined]


def test_the_equality_is_an_entry_and_the_kernel_rests_on_its_claim(paper: Paper) -> None:
    about: dict[str, Any] = {"says": "Growth.", "state": [a0], "params": [s, K, t], "returns": {"u": LOGISTIC}}
    made = paper.emits("grown", equals=[Equals("solution", {"u": "a"})], **about)
    assert made().rests_on == ("growth:solution",)
    report = verify(paper, [paper.entries["grown_kernel"]])
    assert (report.faults, report.outcomes[0].entry.kind) == ([], "kernel")
    assert paper.equalities == {"grown": "growth:grown_kernel"}


SQUARE = a0**2 + 2 * a0 * s + s**2
UNPROVED = FAMILIES["unproved"]


@each("case", [*UNPROVED])
def test_a_case_that_leaves_out_what_differs_is_refused(case: str) -> None:
    paper = new_paper()
    value, cases = UNPROVED[case]
    paper.emits("grown", says="G.", state=[a0], params=[s], returns={"x": value, "y": SQUARE}, equals=[
        *cases, Equals("square", {"y": SQUARE})
    ])  # fmt: skip
    with pytest.raises(DerivationError, match="has no condition"):
        verify(paper)


x, p = sp.Symbol("x", real=True), sp.Symbol("p", positive=True)
WHOLE = (x + 1) ** 2
LYING = FAMILIES["lying"]


def lying(case: str) -> tuple[Kernel, list[Equals]]:
    made = Paper("lies", title="Lies", authors="Nobody", year=2026, source="", numbered=0)
    made.claim("1", name="root", says="A root.")(lambda: prove.identity(sp.sqrt(p**2), p))
    made.claim("1", name="square", says="A square.")(lambda: prove.identity(WHOLE, x**2 + 2 * x + 1))
    formula, cases = LYING[case]
    claim, value = ("root", p) if "where" in cases[0] else ("square", WHOLE)
    kernel = Kernel("lie", says="A lie.", state=[x], returns={"u": formula}, shared=[])
    return kernel, [Equals(made.entries[claim], {"u": value}, **about) for about in cases]


@each("case", [*LYING])
def test_a_case_that_leaves_something_out_for_no_reason_is_not_proved(case: str) -> None:
    with suppress(Unequal):
        assert equality(*lying(case)).verdict is not Verdict.PROVED


@each("about", [{"reached": {p: sp.exp(sp.log(x) / 2)}}, {"reached": {p: sp.sqrt(x)}}])
def test_a_way_back_has_values_in_all_of_the_domain(about: Any) -> None:
    kernel, (case,) = lying("half of the line is never reached")
    with pytest.raises(Unequal, match=r"nothing shows that (exp|sqrt|x|1).* has a value"):
        equality(kernel, [replace(case, where={x: p**2}, **about)])


@each("relation", [sp.Gt, sp.Lt])
def test_an_inequality_of_its_own_excludes_no_case(relation: Any) -> None:
    kernel, (first, second) = lying("a case that there is")
    never = relation(x**2 + 1, 0, evaluate=False)
    with pytest.raises(Unequal, match="no condition of it"):
        equality(kernel, [first, replace(second, never=never)])


def test_a_case_that_cannot_be_is_left_out() -> None:
    wide = sp.Symbol("wide", nonnegative=True)
    paper = Paper("k", title="K", authors="Nobody", year=2026, source="", numbered=0)
    paper.claim("1", name="root", says="A root.")(lambda: prove.identity(sp.sqrt(wide**2), wide))
    about = {"claim": paper.entries["root"], "returns": {"u": wide}}
    late = wide - 1 > wide**2
    made = Kernel("k", says="K.", state=[wide], returns={"u": sp.Piecewise((17, late), (wide, True))}, shared=[])
    cases = [Equals(**about, holds={late: False}), Equals(**about, holds={late: True}, never=late)]
    assert equality(made, cases).verdict is Verdict.PROVED


test_statements_have_their_verdicts = FAMILIES.verdicts()
