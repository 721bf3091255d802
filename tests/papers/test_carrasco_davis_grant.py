"""The behaviour of the primer's code where no claim can say it, and the numbers that a person wrote beside its
claims.
"""

from __future__ import annotations

import pytest
import sympy as sp
from case_files import Cases
from each import each

from benchmarks.flows.committees import Committee
from derivations.audit import ledger
from derivations.audit.verify import verify
from derivations.audit.witness import briefly
from derivations.audit.witness_text import reason
from derivations.models.committee import examples
from derivations.papers.carrasco_davis_grant_2025 import paper
from derivations.papers.carrasco_davis_grant_2025.beyond import in_time
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters import error as at
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.error import (
    order_parameter_loss,
    overlaps,
    printed_error,
)
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.network import EQ_14_4

FAMILIES = Cases(__file__, globals())


@each("point", [(0.4, 0.1, 0.9, 0.2), (0.7, 0.2, 1.2, 0.7), (0.1, 0.09, 0.1, 0.02)])
def test_four_teachers_in_pairs_are_a_committee(point: tuple[float, ...]) -> None:
    """The flow of four order parameters is that of all eleven where students are alike."""
    whole, flow = Committee(2, 4), in_time.flow_of_four()
    stands_for = {r: "R" if n // 2 == i else "S" for (i, n), r in whole.overlap.items()}
    stands_for |= {own: "Q" if i == k else "C" for (i, k), own in whole.own.items()}
    here = dict(zip(flow, point, strict=True))  # R, S, Q and C
    values = {symbol.name: value for symbol, value in here.items()}
    expected = {symbol.name: float(rate.subs(here)) for symbol, rate in flow.items()}
    for symbol, rate in whole.rates().items():
        found = rate.subs({each: values[name] for each, name in stands_for.items()})
        assert float(found) == pytest.approx(expected[stands_for[symbol]], abs=1e-13)


def test_numbers_that_findings_tell_are_those_of_the_claims() -> None:
    """A person wrote them: the rates of Eqs. 15 and 20, an update of Eq. 14, the snippet with the R of Eq. 10."""
    batches = [at.own_rate(of).subs({at.rate: 3, at.noise: 0}) for of in (2, 1)]
    units = [at.own_rate(1, (-1, -1, 1), j).subs({at.rate: 1, at.noise: 1}) for j in (0, 1)]
    sizes, network = examples.in_the_model(1, 2)
    updates = [examples.evaluated(side, sizes, network) for side in (EQ_14_4.left, EQ_14_4.right)]
    third = sp.Rational(1, 3)
    Q, R, T = overlaps([third, 2 * third], [third, 1])
    losses = [order_parameter_loss(Q, R, T, sp.Integer(0)), printed_error(Q, R.T, T, sp.Integer(0))]
    told = {cause.claims[0]: cause.witness for cause in paper.remarks.causes}
    for name, values, digits in (
        ("student_overlap_rate_as_printed", batches, 3),
        ("quadratic_flow_as_printed", units, 3),
        ("overlap_expanded_as_printed", updates, 4),
        ("printed_R_has_students_first", losses, 4),
    ):
        for value in values:
            assert f"{float(value):.{digits}f}" in told[name]


def test_the_witness_of_a_limit_gives_no_value_to_what_goes_to_zero() -> None:
    report = verify(paper, [paper.entries["small_weights_keep_their_kernel"]])
    (outcome,) = report.outcomes
    assert (outcome.certificate.witness or {})["point"] == {"learned": "3"}  # type: ignore[union-attr]
    assert "start" not in reason(outcome)
    assert "start" not in briefly(ledger.errata(report).entries[0], 200)


test_statements_have_their_verdicts = FAMILIES.verdicts()
