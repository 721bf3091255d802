"""Inequalities on boxes: true ones are proved, and evidence holds for every box or is refused."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
import sympy as sp
from drawn import drawn
from engine.reference import accepted

from derivations.language.terms import from_sympy
from derivations.prove import Verdict, inequality
from derivations.prove.sign import boxes
from derivations.prove.sign.reading import problem
from derivations.recheck import Rejected, check

x, y, z = sp.symbols("x y z", real=True)
SEEDS = range(drawn(30))
HALF = sp.Rational(1, 2)
UNIT = [x > 0, x < 1, y > 0, y < 1]
CLOSED = [x >= 0, x <= 1, y >= 0, y <= 1]


def strict(left: Any, right: Any = 0) -> Any:
    return sp.StrictGreaterThan(left, right, evaluate=False)


def weak(left: Any, right: Any = 0) -> Any:
    return sp.GreaterThan(left, right, evaluate=False)


def by_boxes(relation: Any, assuming: Any) -> Any:
    """The certificate by boxes as JSON data, which recheck has accepted; None without one."""
    name, left, right = from_sympy(relation)
    names = sorted(str(s) for s in relation.free_symbols)
    terms = [from_sympy(hypothesis) for hypothesis in assuming]
    statement = {
        "kind": "sign", "symbols": {n: [] for n in names}, "assuming": terms,
        "relation": name, "left": left, "right": right,
    }  # fmt: skip
    read = problem(statement)
    assert read is not None
    found = boxes.decide(statement, read)
    return None if found is None else json.loads(json.dumps(accepted(found).as_json()))


PROVED = {
    "touches at open corners": (strict(x * (1 - x) * y * (1 - y)), UNIT),
    "touches at closed corners": (weak(x * (1 - x) * y * (1 - y)), CLOSED),
    "a mixed bound": (strict(x + y - x * y), [x > 0, x <= 1, y >= 0, y <= 1]),
    "a curve": (strict(3 * HALF, x + y), [sp.Eq(x**2 + y**2, 1)]),
    "a disc": (strict(3 * HALF, x + y), [x**2 + y**2 <= 1]),
    "without an upper end": (strict(x * y, 1), [x > 1, y > 1]),
    "a hyperbola": (strict(x + y, sp.Rational(19, 10)), [sp.Eq(x * y, 1), x > 0]),
    "three": (strict(x**2 + y**2 + z**2 - x * y * z / 2, -HALF), [x > -1, x < 1, y > -1, y < 1, z > -1, z < 1]),
    "a fraction": (strict(1 / (1 + x * y), sp.Rational(2, 5)), UNIT),
    "odd powers": (strict(x**3 * y - 2 * x * y**2 + y, -sp.Rational(3, 5)), UNIT),
}
NOT_PROVED = {
    "zero at a closed corner": (strict(x * (1 - x) * y * (1 - y)), CLOSED),
    "zero at one closed corner": (strict(x + y - x * y), CLOSED),
    "zero on an edge that belongs": (strict(x * y), [x > 0, x < 1, y >= 0, y < 1]),
    "negative in a corner": (weak(x * y, sp.Rational(1, 1000)), UNIT),
    "negative far away": (strict(100 - x * y), [x > 0, y > 0]),
    "a curve that is reached": (strict(1, x * y * 2), [sp.Eq(x**2 + y**2, 1)]),
    "a small dip": (weak((x - HALF) ** 2 + (y - HALF) ** 2, sp.Rational(1, 10**8)), UNIT),
}


@pytest.mark.parametrize("name", PROVED)
def test_what_holds_on_a_box_is_proved(name: str) -> None:
    assert by_boxes(*PROVED[name]) is not None
    assert accepted(inequality(*PROVED[name])).verdict is Verdict.PROVED


@pytest.mark.parametrize("name", NOT_PROVED)
def test_what_fails_somewhere_is_not_proved(name: str) -> None:
    assert by_boxes(*NOT_PROVED[name]) is None
    assert accepted(inequality(*NOT_PROVED[name])).verdict is not Verdict.PROVED


@pytest.mark.parametrize("seed", SEEDS)
def test_no_polynomial_is_proved_that_fails_at_a_point_of_its_box(seed: int) -> None:
    rng = random.Random(seed)
    poly = sum(rng.randint(-3, 3) * x**i * y**j for i in range(4) for j in range(4)) + x * y**4
    grid = [sp.Rational(k, 8) for k in range(9)]
    least = min(poly.subs({x: u, y: v}) for u in grid for v in grid)
    below = least - sp.Rational(rng.randint(1, 4), 2)
    assert by_boxes(strict(poly, least + sp.Rational(1, 1000)), CLOSED) is None
    assert by_boxes(strict(poly, least), CLOSED) is None
    far = by_boxes(strict(poly, least - 20), CLOSED)
    assert far is not None
    near = by_boxes(weak(poly, below), CLOSED)
    assert near is None or near["verdict"] == "proved"


def grown(rng: random.Random, letters: list[str], hypotheses: int, depth: int) -> Any:
    """Any tree of cuts, with anything said of its boxes."""
    if depth == 0 or rng.random() < 0.2:
        return ["hypothesis", rng.randrange(hypotheses)] if rng.random() < 0.5 else ["holds"]
    at = rng.choice(["0", "1", "1/2", "-1", "1/3", "2"])
    sides = [grown(rng, letters, hypotheses, depth - 1) for _ in range(2)]
    return ["cut", rng.choice(letters), at, rng.choice(["<", "<="]), *sides]


def corner(k: int) -> Any:
    """The unit square cut out by its four hypotheses, the ends as wrongly as can be told by a number."""
    orders = [("<=", "<")[(k >> i) & 1] for i in range(4)]
    inner: Any = ["cut", "y", "1", orders[3], ["holds"], ["hypothesis", 3]]
    for name, number, order, below in (("y", "0", orders[2], 2), ("x", "1", orders[1], None), ("x", "0", orders[0], 0)):
        leaf = ["hypothesis", 1 if below is None else below]
        inner = ["cut", name, number, order, *((inner, leaf) if below is None else (leaf, inner))]
    return inner


@pytest.mark.parametrize("name", NOT_PROVED)
def test_no_tree_shows_what_is_false(name: str) -> None:
    relation, assuming = NOT_PROVED[name]
    true = by_boxes(weak(x**2 + y**2 + 1), assuming)
    assert true is not None
    _, left, right = from_sympy(relation)
    rng = random.Random(name)
    trees = [corner(k) for k in range(16)] if len(assuming) == 4 else []
    trees += [grown(rng, ["x", "y"], len(assuming), 4) for _ in range(150)]
    for tree in [true["payload"]["tree"], *trees]:
        broken = copy.deepcopy(true)
        order = ">" if isinstance(relation, sp.StrictGreaterThan) else ">="
        broken["statement"] |= {"left": left, "right": right, "relation": order}
        broken["payload"]["tree"] = tree
        with pytest.raises(Rejected):
            check(broken)
