"""Steps of a trajectory that do not show what they must: boxes that are left, and steps that end elsewhere."""

from __future__ import annotations

from fractions import Fraction

from case_files import Cases
from each import each
from recheck.certificates import TURNING
from recheck.corrupt import placed, refusal
from recheck.trajectories_proposed import dyadic

FAMILIES = Cases(__file__, globals())
STEPS = TURNING["payload"]["steps"]


@each("share", ["3/10", "1/2", "7/10"])
def test_a_box_that_the_solution_leaves_is_refused(share: str) -> None:
    """One side of it is moved to where the solution is not at the beginning, or not at the end of the step."""
    for k, (_, box, _) in enumerate(STEPS):
        for state, (low, high) in enumerate(box):
            inside = dyadic(float(Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(share)), 1)
            for side in (0, 1):
                assert refusal(placed(TURNING, ("payload", "steps", k, 1, state, side), inside)), (k, state, side)


@each("factor", ["1/8", "1/2", "2", "3"])
def test_a_step_of_another_length_is_refused(factor: str) -> None:
    for k, (length, *_) in enumerate(STEPS):
        assert refusal(placed(TURNING, ("payload", "steps", k, 0), str(Fraction(length) * Fraction(factor))))


test_statements_have_their_verdicts = FAMILIES.verdicts()
