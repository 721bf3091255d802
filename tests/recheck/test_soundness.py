"""False statements stay unproved, however their evidence is dressed up."""

from __future__ import annotations

from typing import Any

import pytest
from recheck.handmade import (
    ONE,
    ZERO,
    Json,
    Term,
    a,
    add,
    certificate,
    continuous,
    difference,
    e,
    exp,
    fact,
    gens,
    identity,
    limit,
    minus,
    mul,
    positive_sign,
    power,
    proved,
    q,
    refuted,
    symbols,
    x,
    y,
)

from derivations.recheck import Rejected, check


def refuses(broken: Json, *words: str) -> None:
    with pytest.raises(Rejected) as caught:
        check(broken)
    for word in words:
        assert word in str(caught.value)


def monomial(*exponents: int, times: str = "1") -> list[Any]:
    return [[times, list(exponents)]]


def root(term: Term) -> Term:
    return power(term, "1/2")


def test_the_root_of_a_square_is_not_the_symbol() -> None:
    square = root(power(x, 2))
    refuses(proved(identity(square, x, symbols("x")), gens("x"), [[square, monomial(1), monomial(0)]]), "rewrite")


def test_a_rewrite_is_not_justified_by_what_rests_on_it() -> None:
    """sqrt(sqrt(x^2)) is defined, but that says nothing about x: only about what sqrt(x^2) stands for."""
    square = root(power(x, 2))
    outer = root(square)
    rewrites = [[square, monomial(1, 0), monomial(0, 0)], [outer, monomial(0, 1), monomial(0, 0)]]
    refuses(
        proved(
            identity(mul(outer, outer), x, symbols("x")), [*gens("x"), ["root", x, 2]], rewrites, (), [monomial(0, 0)]
        ),
        "rewrite",
    )


@pytest.mark.parametrize("table", [symbols("x", "y"), {"x": ["nonnegative"], "y": []}])
def test_a_root_is_split_only_over_factors_whose_sign_is_known(table: Json) -> None:
    whole = root(mul(x, y))
    made = proved(
        identity(mul(whole, whole), mul(x, y), table),
        [*gens("x", "y"), ["root", x, 2], ["root", y, 2]],
        [[whole, monomial(0, 0, 1, 1), monomial(0, 0, 0, 0)]],
        cofactors=[monomial(0, 0, 0, 2), monomial(1, 0, 0, 0)],
    )
    refuses(made)


def test_a_logarithm_is_split_only_over_positive_factors() -> None:
    whole = ["log", mul(x, y)]
    made = proved(
        identity(whole, whole, symbols("x", "y")),
        [*gens("x", "y"), ["log", x], ["log", y]],
        [[whole, [["1", [0, 0, 1, 0]], ["1", [0, 0, 0, 1]]], monomial(0, 0, 0, 0)]],
    )
    refuses(made)


def test_a_logarithm_is_not_a_logarithm_of_something_else() -> None:
    made = proved(
        identity(["log", mul(a, a)], ["log", a], symbols("a")),
        [*gens("a"), ["log", a]],
        [[["log", mul(a, a)], monomial(0, 1), monomial(0, 0)], [["log", a], monomial(0, 1), monomial(0, 0)]],
    )
    refuses(made, "rewrite")


def test_a_multiplier_that_may_vanish_proves_nothing() -> None:
    made = proved(
        identity(x, ONE, symbols("x"), [["=", mul(x, x), x]]),
        gens("x"),
        multiplier=[monomial(1)],
        cofactors=[monomial(0)],
        inhabited={"x": "1"},
    )
    refuses(made, "may vanish")


def test_a_multiplier_may_be_what_a_hypothesis_keeps_from_zero() -> None:
    check(
        proved(
            identity(x, ONE, symbols("x"), [["=", mul(x, x), x], [">", x, q("1/2")], ["!=", x, ZERO]]),
            gens("x"),
            multiplier=[monomial(1)],
            cofactors=[monomial(0)],
            inhabited={"x": "1"},
        )
    )


def test_contradictory_hypotheses_prove_nothing() -> None:
    hypotheses = [["=", x, ZERO], ["=", x, ONE]]
    for value in ("0", "1", "2"):
        made = proved(
            identity(x, q(5), symbols("x"), hypotheses),
            gens("x"),
            cofactors=[monomial(0, times="-4"), monomial(0, times="5")],
            inhabited={"x": value},
        )
        refuses(made, "hypothesis")


def test_a_statement_whose_sides_are_defined_nowhere_proves_nothing() -> None:
    below = difference(minus(ONE), power(x, 2))
    made = proved(
        identity(mul(root(below), root(below)), below, symbols("x")),
        [*gens("x"), ["root", below, 2]],
        [[root(below), monomial(0, 1), monomial(0, 0)]],
        cofactors=[monomial(0, 0)],
    )
    refuses(made, "defined")


def test_dividing_by_zero_proves_nothing() -> None:
    nothing = power(difference(x, x), -1)
    refuses(proved(identity(nothing, nothing, symbols("x")), gens("x")), "divides by zero")


def test_generators_defined_in_a_circle_prove_nothing() -> None:
    """g0 is the root of g1, g1 is the root of g0: both could be anything."""
    first, second = root(x), root(y)
    made = proved(
        identity(first, second, symbols("x", "y")),
        [*gens("x", "y"), ["root", second, 2], ["root", first, 2]],
        [[first, monomial(0, 0, 1, 0), monomial(0, 0, 0, 0)], [second, monomial(0, 0, 1, 0), monomial(0, 0, 0, 0)]],
        cofactors=[[], []],
    )
    refuses(made)


def test_an_atom_stands_only_for_itself() -> None:
    made = proved(
        identity(["sin", x], ["cos", x], symbols("x")),
        [*gens("x"), ["atom", ["sin", x]]],
        [[["sin", x], monomial(0, 1), monomial(0, 0)], [["cos", x], monomial(0, 1), monomial(0, 0)]],
    )
    refuses(made, "rewrite")


def test_sums_are_not_rewritten() -> None:
    refuses(proved(identity(add(x, x), x, symbols("x")), gens("x"), [[add(x, x), monomial(1), monomial(0)]]))


def test_a_false_identity_needs_more_than_another_constant() -> None:
    made = proved(identity(root(x), ZERO, symbols("x")), [*gens("x"), ["root", x, 2]])
    made["payload"]["rewrites"] = [[root(x), monomial(0, 1), monomial(0, 0)]]
    made["payload"]["cofactors"] = [[]]
    refuses(made, "left over")


def test_an_equal_point_refutes_nothing() -> None:
    refuses(refuted(identity(power(x, 2), x, symbols("x")), {"x": "1"}, "1", "1"), "differ")
    root_two = mul(root(q(2)), root(q(2)))
    refuses(refuted(identity(root_two, q(2), {}), {}, "2.0000000000000", "2"), "differ")


def test_a_point_outside_the_hypotheses_refutes_nothing() -> None:
    statement = identity(x, y, symbols("x", "y"), [["=", x, y]])
    refuses(refuted(statement, {"x": "1", "y": "2"}, "1", "2"), "hypothesis")
    statement = identity(x, ONE, {"x": ["positive"]})
    refuses(refuted(statement, {"x": "-2"}, "-2", "1"), "positive")


def test_an_equation_that_only_looks_true_in_balls_is_no_hypothesis_of_a_refutation() -> None:
    almost = ["=", mul(root(x), root(x)), x]
    refuses(refuted(identity(x, ONE, symbols("x"), [almost]), {"x": "2"}, "2", "1"), "hypothesis")


def test_a_point_at_which_a_side_is_undefined_refutes_nothing() -> None:
    refuses(refuted(identity(power(x, -1), ONE, symbols("x")), {"x": "0"}, "1", "1"), "not defined")
    refuses(refuted(identity(root(x), ONE, symbols("x")), {"x": "-1"}, "1", "1"), "not defined")


def test_a_fact_must_be_defined_where_the_inequality_is() -> None:
    """x = sqrt(x)^2 >= 0 only says that x >= 0 where it has a root."""
    made = positive_sign(
        x,
        ZERO,
        ">=",
        symbols("x"),
        [fact(root(x), False, "root")],
        [("1", [0, 0])],
        generators=[*gens("x"), ["root", x, 2]],
        rewrites=[[root(x), monomial(0, 1), monomial(0, 0)]],
        cofactors=[monomial(0, 0, times="-1")],
    )
    refuses(made)


def test_a_square_need_not_be_positive() -> None:
    for strict, words in ((True, "not known to be positive"), (False, "certainly positive")):
        facts = [fact(power(x, 2), strict, "square", x)]
        refuses(positive_sign(power(x, 2), ZERO, ">", symbols("x"), facts, [("1", [0])], generators=gens("x")), words)


def test_a_negative_scale_turns_the_inequality() -> None:
    scale = q(-1)
    nested = identity(mul(difference(minus(a), ZERO), scale), add(mul(q(1), a)), symbols("a"))
    payload = {
        "scale": scale,
        "terms": [["1", [0]]],
        "facts": [fact(a, True, "symbol", "a")],
        "identity": proved(nested, gens("a")),
    }
    statement = nested | {"kind": "sign", "relation": ">", "left": minus(a), "right": ZERO}
    refuses(certificate(statement, "proved", "positive combination", payload), "scale")


def test_facts_about_symbols_come_from_their_assumptions() -> None:
    refuses(
        positive_sign(x, ZERO, ">", symbols("x"), [fact(x, True, "symbol", "x")], [("1", [0])], generators=gens("x"))
    )
    facts = [fact(exp(x), False, "root")]
    refuses(positive_sign(exp(x), ZERO, ">=", symbols("x"), facts, [("1", [0])], generators=gens("x")))


def test_a_limit_needs_a_denominator_that_survives() -> None:
    statement = limit(mul(e, power(e, -1)), q(7), symbols("a", "e"))
    refuses(continuous(statement, e, e, [fact(a, True, "symbol", "a")], [("1", [0])]))


def test_a_limit_needs_a_continuous_form() -> None:
    flat = exp(minus(power(e, -1)))
    statement = limit(flat, ZERO, symbols("a", "e"))
    refuses(continuous(statement, flat, ONE, [fact(ONE, True, "one")], [("1", [0])]), "continuous")


@pytest.mark.parametrize("relation", [[">", e, q("1/2")], ["=", e, q("1/2")], ["=", mul(q(2), e), ONE]])
def test_hypotheses_let_the_variables_of_a_limit_go_to_zero(relation: Term) -> None:
    made = continuous(limit(add(a, e), a, symbols("a", "e")), add(a, e), ONE, [fact(ONE, True, "one")], [("1", [0])])
    check(made)
    nested = [made["payload"][key] for key in ("identity", "value", "nonzero")]
    proofs = [*nested[:2], nested[2]["payload"]["identity"]]
    for part in [made, *nested, proofs[2]]:
        part["statement"] = part["statement"] | {"assuming": [relation]}
    for proof in proofs:
        proof["payload"]["inhabited"] = {"a": "1", "e": "1" if relation[0] == ">" else "1/2"}
        proof["payload"]["cofactors"] = [[]] if relation[0] == "=" else []
    refuses(made, "going to zero")


def test_the_value_of_a_limit_does_not_move() -> None:
    statement = limit(add(a, e), add(a, e), symbols("a", "e"))
    refuses(continuous(statement, add(a, e), ONE, [fact(ONE, True, "one")], [("1", [0])]), "must not speak")


def test_printed_values_are_the_values() -> None:
    statement = identity(exp(x), ONE, symbols("x"))
    check(refuted(statement, {"x": "1"}, "2.718281828459045235", "1"))
    check(refuted(statement, {"x": "1"}, "2.718281828459045235", "1.000000000000000"))
    for wrong in ("2.7182818284", "2.718281828459045235e1", "3", "-2.718281828459045235", "2.7|8"):
        refuses(refuted(statement, {"x": "1"}, wrong, "1"), "left")
