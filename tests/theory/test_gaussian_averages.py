"""The averages meet the criterion of accuracy over the whole cone of covariances, and sampling finds them."""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from itertools import combinations
from math import ulp
from pathlib import Path

import numpy as np
import pytest
from case_files import Cases
from drawn import drawn
from each import each
from flint import arb, ctx, fmpq, fmpq_mat
from theory.averages_in_balls import Erf, Linear, Relu, ball
from theory.sampled_averages import CHUNK, FIELDS, SAMPLED, z_score

from numerics.machine.specialise import specialise
from numerics.ode.implicit import LANES, NUMBERS
from numerics.theory.teacher_student import FLOWS, PARTS, averages
from numerics.theory.teacher_student.flows import smooth_runs

FAMILIES = Cases(__file__, globals())

BALLS = {"erf": Erf, "linear": Linear, "relu": Relu}
ALL = [(name, activation) for activation in BALLS for name in FIELDS]
STEP = 2.0**-60


def covariance(rng: np.random.Generator, n: int) -> np.ndarray:
    """Variances from 1e-12 to 1e6; correlations anywhere, next to 1, or 1 exactly; duplicated and vanishing fields."""
    sizes = 10 ** (rng.uniform(-12, 6, size=n) / 2)
    kind = rng.integers(6)
    if kind == 0:  # of low rank
        directions = rng.normal(size=(n, rng.integers(1, n + 1)))
    elif kind == 1:  # nearly parallel
        directions = np.ones((n, 1)) + 10 ** rng.uniform(-9, -1) * rng.normal(size=(n, n))
        directions *= rng.choice([-1.0, 1.0], size=(n, 1)) if rng.integers(2) else 1.0
    elif kind == 2:
        sizes = np.full(n, sizes[0])
        directions = rng.normal(size=(n, n))
    else:
        directions = rng.normal(size=(n, n))
    vectors = directions / np.linalg.norm(directions, axis=1, keepdims=True) * sizes[:, None]
    if kind == 3:  # duplicates, of either sign
        vectors = vectors[rng.integers(n, size=n)] * rng.choice([-1.0, 1.0], size=(n, 1))
    if kind == 4:
        vectors[rng.integers(n)] = 0.0
    C = vectors @ vectors.T
    return (C + C.T) / 2


def in_balls(name: str, activation: str, C: list[list[object]]) -> object:
    return getattr(BALLS[activation](C), name)(*range(FIELDS[name]))


def bound(name: str, activation: str, C: list[list[object]]) -> object:
    """Return the bound of Cauchy and Schwarz, with the slopes as weights where there are some."""
    of = BALLS[activation](C)
    if name == "I2":
        return (of.I2(0, 0) * of.I2(1, 1)).sqrt()
    if name == "J2":
        return (of.J2(0, 0) * of.J2(1, 1)).sqrt()
    if name == "I3":  # <g'(a) b^2> <= <b^2>, for a slope of at most 1
        return (C[1][1] * of.I2(2, 2)).sqrt()
    if activation == "relu":  # likewise; with the slopes as weights it can be smaller than any rounding of a term
        return (of.I2(2, 2) * of.I2(3, 3)).sqrt()
    return (of.I4(0, 1, 2, 2) * of.I4(0, 1, 3, 3)).sqrt()


def slope(name: str, activation: str, C: np.ndarray, entries: list[list[object]], at: tuple[int, int]) -> object:
    """Return the change by one entry, from a difference far below its last digit."""
    step, sides = ball(ulp(C[at]) * STEP), []
    for sign in (1, -1):
        moved = [list(row) for row in entries]
        moved[at[0]][at[1]] = moved[at[1]][at[0]] = entries[at[0]][at[1]] + sign * step
        sides.append(in_balls(name, activation, moved))
    return (sides[0] - sides[1]) / (2 * step)


def allowance(name: str, activation: str, C: np.ndarray, value: object, entries: list[list[object]]) -> object:
    """The house criterion, and 1e-15 of the bound; where a slope has no finite value, the bound stands alone."""
    total = 8 * ball(ulp(float(value))) + ball(1e-15) * bound(name, activation, entries)
    known = Relu(entries).I4_slopes() if (name, activation) == ("I4", "relu") else {}
    for k in range(len(C)):
        for i in range(k + 1):
            found = known[i, k] if known else slope(name, activation, C, entries, (i, k))
            if found.is_finite() and C[i, k] != 0:
                total += 4 * abs(found) * ball(ulp(C[i, k])) / 2
    return total


def inside(C: np.ndarray) -> bool:
    """Check whether the covariance of all fields of different directions is positive definite, exactly."""
    exact = [[Fraction(x) for x in row] for row in C.tolist()]
    fields = [f for f in range(len(C)) if all(exact[e][f] ** 2 != exact[e][e] * exact[f][f] for e in range(f))]
    for size in range(1, len(fields) + 1):
        for chosen in combinations(fields, size):
            minor = fmpq_mat(size, size, [fmpq(*exact[i][k].as_integer_ratio()) for i in chosen for k in chosen])
            if minor.det() <= 0:
                return False
    return True


@pytest.mark.drawn
@each(("name", "activation"), ALL)
def test_averages_are_as_exact_as_their_arguments_allow(name: str, activation: str) -> None:
    rng = np.random.default_rng(list(map(ord, name + activation)))
    for _ in range(drawn(60 if (name, activation) == ("I4", "relu") else 150)):
        C = covariance(rng, FIELDS[name])
        computed = float(getattr(averages, name)(C, activation))
        assert np.isfinite(computed)
        with ctx.workdps(100):
            if activation == "relu" and ((np.diagonal(C) == 0).any() or not inside(C)):
                continue
            entries = [[ball(x) for x in row] for row in C.tolist()]
            value = in_balls(name, activation, entries)
            if not value.is_finite():
                continue
            error = abs(ball(computed) - value)
            assert error <= allowance(name, activation, C, value, entries), (C.tolist(), computed, value)


@pytest.mark.drawn
@each(("name", "activation"), SAMPLED)
def test_sampling_finds_the_averages(name: str, activation: str) -> None:
    assert abs(z_score(name, activation, drawn(4) * CHUNK, 5)) < 4


@each("activation", list(BALLS))
def test_the_table_holds_the_averages_of_all_pairs(activation: str) -> None:
    rng = np.random.default_rng(8)
    C = rng.normal(size=(4, 5))
    C = C @ C.T
    C = (C + C.T) / 2
    table = averages.I2_table(C, activation)
    pairs = [[averages.I2(C[np.ix_([a, b], [a, b])], activation) for b in range(4)] for a in range(4)]
    assert np.allclose(table, pairs, rtol=1e-14, atol=0)


def mean(C: np.ndarray) -> float:
    return float(averages.I4(C, "relu"))


@each("chosen", FAMILIES["fields of one direction are the limit of neighbours"])
def test_fields_of_one_direction_are_the_limit_of_neighbours(chosen: tuple[int, ...]) -> None:
    rng = np.random.default_rng(chosen)
    rows = rng.normal(size=(3, 3))[list(chosen)]
    near = rows + 1e-7 * rng.normal(size=(4, 3))
    C, inner = rows @ rows.T, near @ near.T
    assert mean(C) == pytest.approx(mean((inner + inner.T) / 2), abs=1e-5)
    opposite = rows * [[1], [-1], [1], [1]]
    if chosen[:2] == (0, 0):
        assert mean(opposite @ opposite.T) == 0.0


@each("place", range(4))
def test_a_rectifier_and_its_slope_are_zero_at_a_field_without_variance(place: int) -> None:
    rng = np.random.default_rng(place)
    rows = rng.normal(size=(4, 4))
    rows[place] = 0.0
    C = rows @ rows.T
    assert mean(C) == 0.0
    if place < 2:
        assert averages.J2(C[:2, :2], "relu") == 0.0
    if place in {0, 2}:
        assert averages.I3(C[:3, :3], "relu") == 0.0


@each("seed", range(30))
def test_covariances_that_rounding_left_outside_the_cone_have_averages_too(seed: int) -> None:
    """They are of rank 1 to 3 in four fields; some of them are outside by a few units in the last place."""
    rng = np.random.default_rng(seed)
    rank = 1 + seed % 3
    rows = np.hstack([rng.normal(size=(4, rank)), np.zeros((4, 4 - rank))])
    near = rows + 1e-7 * rng.normal(size=(4, 4))
    C, inner = rows @ rows.T, near @ near.T
    assert mean((C + C.T) / 2) == pytest.approx(mean((inner + inner.T) / 2), abs=1e-5)


def four_positive(C: np.ndarray) -> float:
    """The probability that four fields are positive."""
    part = partial(specialise, parts=averages.FORMULAS["relu"])
    work = np.empty(part("WORK"))
    for i in range(4):
        for k in range(i):
            part("place")(work, k, i, part("correlation")(C[i, k], C[i, i], C[k, k]))
    part("settle")(work)
    return float(part("four_positive")(work))


def test_four_fields_are_positive_as_often_as_symmetry_says() -> None:
    """Correlations 1/2: one of five equals is the least. Neighbours at -1/2: five equals are in one of 5! orders."""
    assert four_positive(np.full((4, 4), 0.5) + np.eye(4) / 2) == pytest.approx(1 / 5, rel=1e-15)
    chain = np.eye(4) - np.eye(4, k=1) / 2 - np.eye(4, k=-1) / 2
    assert four_positive(chain) == pytest.approx(1 / 120, rel=1e-14)
    assert four_positive(np.eye(4)) == pytest.approx(1 / 16, rel=1e-15)


def test_the_nodes_of_the_rule_are_exact_to_the_last_digit() -> None:
    part = partial(specialise, parts=averages.FORMULAS["relu"])
    nodes, weights, starts = part("ABSCISSAS"), part("WEIGHTS"), part("STARTS")
    with ctx.workdps(30):
        for rule in (0, 4, 9):
            half = starts[rule + 1] - starts[rule]
            for k in range(half):
                node, weight = arb.legendre_p_root(2 * int(half), k, weight=True)
                at = starts[rule] + k
                assert abs(nodes[at] - node) < 2e-16
                assert abs(weights[at] / weight - 1) < 1e-15


def test_parts_of_one_file_give_no_name_twice() -> None:
    flows = [(*PARTS.get(activation, ()), flow) for activation, flow in FLOWS.items()]
    flows.append(("numerics.theory.teacher_student.flows.tanh", smooth_runs.KERNEL))
    integrated = [
        (LANES, "numerics.ode.methods.hermite", *flow, NUMBERS, "numerics.ode.methods.dop853") for flow in flows
    ]
    for files in [*averages.FORMULAS.values(), *integrated]:
        names = [name for file in files for name in top_level(file)]
        assert len(names) == len(set(names)), sorted(name for name in set(names) if names.count(name) > 1)


def top_level(module: str) -> set[str]:
    """Return the names that a module assigns or defines for all of it."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    body = ast.parse(Path(spec.origin).read_text()).body
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    leaves = [leaf for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)]
    assigned = {leaf.id for leaf in leaves if isinstance(leaf.ctx, ast.Store)}
    return assigned | {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


test_statements_have_their_verdicts = FAMILIES.verdicts()
