"""Committees: the update is the gradient of the loss, and the overlaps after it are those of the moved weights."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from each import each

from derivations.language.sums import Index, Sums, total
from derivations.models import committee as m
from derivations.models.committee import population
from derivations.models.sampling import Instance

SEEDS = range(2)
every_kind = each("kind", m.KINDS.keys())


@every_kind
def test_a_step_goes_down_the_exact_gradient_of_the_loss(kind: str) -> None:
    for seed in SEEDS:
        at = m.instance(kind, seed)
        assert at.value(m.loss) == m.loss_at(at)
        for (unit, place), rate in m.rates(at).items():
            assert at.value(m.step(m.i, m.a), i=unit, a=place) == at["eta"][()] * rate, seed


@every_kind
def test_overlaps_after_a_step_are_those_of_the_moved_weights(kind: str) -> None:
    at = m.instance(kind, 0)
    after = m.reduced(m.stepped(at))
    for (unit, other), overlap in after["Q"].items():
        assert at.value(m.overlap_after_step(m.i, m.j), i=unit, j=other) == overlap
    for (unit, teacher), overlap in after["R"].items():
        assert at.value(m.teacher_overlap_after_step(m.i, m.n), i=unit, n=teacher) == overlap
    assert after["T"] == m.reduced(at)["T"]


def with_weights(at: Instance, moved: dict[tuple[int, ...], Fraction]) -> Instance:
    """A linear committee whose weights moved, and the values at its fields with them."""
    students, inputs, samples = (range(at.sizes[r]) for r in "KNB")
    fields = {
        (k, s): at["root_per_input"][()] * sum(moved[k, a] * at["x"][s, a] for a in inputs)
        for k in students
        for s in samples
    }
    return at.changed({"W": moved, "g_student": fields})


@each("seed", range(6))
def test_the_chain_rule_is_the_difference_of_the_loss_of_linear_units(seed: int) -> None:
    """The loss is of second degree in each weight: its symmetric difference is the derivative, and no slope is used."""
    at = m.instance("linear", seed)
    for place, rate in m.rates(at).items():
        above, below = (with_weights(at, at["W"] | {place: at["W"][place] + move}) for move in (1, -1))
        assert (m.loss_at(above) - m.loss_at(below)) / 2 == -rate


def test_students_that_are_the_teachers_do_not_move() -> None:
    at = m.instance("learned", 1)
    assert not any(m.rates(at).values())


def test_numbers_of_inputs_without_a_rational_root_are_refused() -> None:
    with pytest.raises(ValueError, match="2 inputs have no rational square root"):
        m.numbers([[1, 2]], [[1, 2]], [[1, 2]], m.ACTIVATIONS["relu"])


# --- averages over the data -------------------------------------------------------------------------------------------


def change(unit: Index, other: Index) -> Sums:
    """Return what an update adds to an overlap of students."""
    return m.overlap_after_step(unit, other) - m.per_input * total(m.W[unit, m.a] * m.W[other, m.a], m.a)


def teacher_change(unit: Index, teacher: Index) -> Sums:
    now = m.per_input * total(m.W[unit, m.a] * m.W_teacher[teacher, m.a], m.a)
    return m.teacher_overlap_after_step(unit, teacher) - now


@each("kind", list(population.KINDS))
def test_averages_over_batches_are_those_of_all_batches_one_by_one(kind: str) -> None:
    means = population.over_batches(change(m.i, m.j)), population.over_batches(teacher_change(m.i, m.n))
    for seed in SEEDS:
        at = population.instance(kind, seed)
        moved = population.mean_change(at)
        for (unit, other), value in moved["Q"].items():
            assert at.value(means[0], i=unit, j=other) == value
        for (unit, teacher), value in moved["R"].items():
            assert at.value(means[1], i=unit, n=teacher) == value


def test_hypotheses_on_the_data_hold_where_a_kind_says_so() -> None:
    for seed in range(5):
        white, round_one = (population.instance(kind, seed) for kind in ("white", "sphere"))
        for at, rules in ((white, population.WHITE), (round_one, population.ON_A_SPHERE)):
            for left, right in (*rules, *population.NOISE, *population.CHANCES):
                free = {index: range(at.sizes[of.name]) for index, of in left.free.items()}
                for places in product(*free.values()):
                    here = dict(zip(free, places, strict=True))
                    assert at.value(left, **here) == (at.value(right, **here) if isinstance(right, Sums) else right)
