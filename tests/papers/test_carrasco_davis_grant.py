"""What the primer's code does where no claim can say it: shapes that do not fit."""

from __future__ import annotations

import pytest

from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.snippets import (
    BOTH,
    STUDENTS,
    TEACHERS,
    ShapeError,
    order_parameter_loss,
)


def test_the_snippet_refuses_overlaps_as_equation_10_prints_them_for_more_teachers_than_students() -> None:
    with pytest.raises(ShapeError, match="do not broadcast"):
        order_parameter_loss(STUDENTS, BOTH.T, TEACHERS, 0)


def test_the_snippet_takes_overlaps_with_a_row_for_each_student() -> None:
    assert order_parameter_loss(STUDENTS, BOTH, TEACHERS, 0).free_symbols
