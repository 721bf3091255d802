"""Committees: the update is the gradient of the loss, and the overlaps after it are those of the moved weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from case_files import Cases
from each import each

from derivations.language.sums import Index, Sums, total
from derivations.language.sums.instances import Instance as Arrays
from derivations.models import committee as m
from derivations.models.committee import population
from derivations.models.committee.instances import RANGES, VALUES
from derivations.models.sampling import Instance

FAMILIES = Cases(__file__, globals())

SEEDS = range(2)
every_kind = each("kind", m.KINDS.keys())


def errors(at: Instance) -> list[Fraction]:
    """By how much each sample's noisy target is above the student's output."""
    students, teachers, samples = (range(at.sizes[r]) for r in "KMB")
    noise = {s: at["sigma"][()] * at["noise"][s,] for s in samples}
    taught = {s: sum(at["g_teacher"][k, s] for k in teachers) for s in samples}
    return [taught[s] + noise[s] - sum(at["g_student"][k, s] for k in students) for s in samples]


def moved_weights(at: Instance) -> dict[tuple[int, int], Fraction]:
    """The weights of the students after an update, by the chain rule."""
    samples, rate = range(at.sizes["B"]), at["eta"][()] * at["root_per_input"][()] / at.sizes["B"]
    pulls = {s: error * rate for s, error in enumerate(errors(at))}
    return {
        (k, a): weight + sum(pulls[s] * at["slope"][k, s] * at["x"][s, a] for s in samples)
        for (k, a), weight in at["W"].items()
    }


def overlap(at: Instance, left: Any, right: Any, place: tuple[int, int]) -> Fraction:
    inputs = range(at.sizes["N"])
    return sum((left[place[0], a] * right[place[1], a] for a in inputs), Fraction(0)) / len(inputs)


@every_kind
def test_a_step_goes_down_the_exact_gradient_of_the_loss(kind: str) -> None:
    for seed in SEEDS:
        at = m.instance(kind, seed)
        assert m.loss_at(at) == sum(error**2 for error in errors(at)) / (2 * at.sizes["B"])
        rates, moved = m.rates(at), moved_weights(at)
        for (unit, place), weight in at["W"].items():
            assert at.value(m.step(m.i, m.a), i=unit, a=place) == moved[unit, place] - weight, seed
            assert at["eta"][()] * rates[unit, place] == moved[unit, place] - weight


@every_kind
def test_overlaps_after_a_step_are_those_of_the_moved_weights(kind: str) -> None:
    at = m.instance(kind, 0)
    moved, students, teachers = moved_weights(at), range(at.sizes["K"]), range(at.sizes["M"])
    for unit, other in product(students, students):
        assert at.value(m.overlap_after_step(m.i, m.j), i=unit, j=other) == overlap(at, moved, moved, (unit, other))
    for unit, teacher in product(students, teachers):
        expected = overlap(at, moved, at["W_teacher"], (unit, teacher))
        assert at.value(m.teacher_overlap_after_step(m.i, m.n), i=unit, n=teacher) == expected


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


# --- averages over the data -------------------------------------------------------------------------------------------


def change(unit: Index, other: Index) -> Sums:
    """Return what an update adds to an overlap of students."""
    return m.overlap_after_step(unit, other) - m.per_input * total(m.W[unit, m.a] * m.W[other, m.a], m.a)


def teacher_change(unit: Index, teacher: Index) -> Sums:
    now = m.per_input * total(m.W[unit, m.a] * m.W_teacher[teacher, m.a], m.a)
    return m.teacher_overlap_after_step(unit, teacher) - now


def batches(at: Instance) -> Iterator[tuple[Fraction, Instance]]:
    """Every batch that can be drawn from the data, with its chance, as an instance of the committee."""
    inputs, units = range(at.sizes["N"]), {name: range(at.sizes[RANGES[name][0]]) for name in VALUES}
    points = product(range(at.sizes["D"]), range(at.sizes["E"]))
    for batch in product(list(points), repeat=at.sizes["B"]):
        chance = prod((at["chance"][d,] * at["noise_chance"][e,] for d, e in batch), start=Fraction(1))
        arrays = {name: at[name] for name in RANGES}
        arrays |= {
            name: {(k, s): at[name][k, d] for k in of for s, (d, _) in enumerate(batch)} for name, of in units.items()
        }
        arrays["x"] = {(s, a): at["x"][d, a] for s, (d, _) in enumerate(batch) for a in inputs}
        arrays["noise"] = {(s,): at["noise"][e,] for s, (_, e) in enumerate(batch)}
        yield chance, replace(at, values=Arrays(at.sizes, arrays, RANGES))


@each("kind", list(population.KINDS))
def test_averages_over_batches_are_those_of_all_batches_one_by_one(kind: str) -> None:
    changes = {("i", "j"): change(m.i, m.j), ("i", "n"): teacher_change(m.i, m.n)}
    for seed in SEEDS:
        at = population.instance(kind, seed)
        drawn = list(batches(at))
        for (first, second), of in changes.items():
            sizes = at.sizes["K"], at.sizes["K" if second == "j" else "M"]
            for unit, other in product(*map(range, sizes)):
                here = {first: unit, second: other}
                one_by_one = sum(chance * batch.value(of, **here) for chance, batch in drawn)
                assert at.value(population.over_batches(of), **here) == one_by_one


def test_hypotheses_on_the_data_hold_where_a_kind_says_so() -> None:
    for seed in range(5):
        white, round_one = (population.instance(kind, seed) for kind in ("white", "sphere"))
        for at, rules in ((white, population.WHITE), (round_one, population.ON_A_SPHERE)):
            for left, right in (*rules, *population.NOISE, *population.CHANCES):
                free = {index: range(at.sizes[of.name]) for index, of in left.free.items()}
                for places in product(*free.values()):
                    here = dict(zip(free, places, strict=True))
                    assert at.value(left, **here) == (at.value(right, **here) if isinstance(right, Sums) else right)


test_statements_have_their_verdicts = FAMILIES.verdicts()
