"""Every line of the table of averages on random instances: both sides are enclosed, and must meet."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from averages_in_balls import average, drawn
from flint import fmpq

from derivations.language.evaluate import evaluate, precision
from derivations.recheck.core.balls import exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.table.averages.lines import NAMED, Use
from derivations.recheck.core.table.averages.products import Covariance, Product
from derivations.recheck.core.theorems import Theorem, _line, averages

WIDTHS = [("q", text) for text in ("1", "1/2", "2", "3/4")]
SAMPLE, NEAR, STEP = 12, 1e-4, Fraction(1, 2)
Letters = dict[str, Any]


def smooth(rng: random.Random, fields: list[int]) -> tuple[Any, ...]:
    """A product of one or two factors without steps, at most one of them a power."""
    kinds = rng.choice(["bell", "erf", "power", "bell erf", "power bell", "power erf", "erf erf"]).split()
    return tuple((kind, rng.choice(fields), 1 if kind == "power" else rng.choice(WIDTHS)) for kind in kinds)


def stepped(rng: random.Random, fields: list[int]) -> tuple[Any, ...]:
    """Steps of all fields, perhaps ramps."""
    return tuple(("ramp" if rng.random() < 0.3 else "step", x) for x in fields)


def widths(rng: random.Random) -> Letters:
    return {"v": rng.choice(WIDTHS), "w": rng.choice(WIDTHS)}


LETTERS: dict[str, Callable[[random.Random], Letters]] = {
    "average of one": lambda rng: {},
    "odd product": lambda rng: {"F": smooth(rng, [0, 1])},
    "one step": lambda rng: {"x": rng.randrange(2)},
    "independent fields": lambda rng: {"F": smooth(rng, [0]), "G": smooth(rng, [1])},
    "point mass of a field": lambda rng: {"x": 0, "F": rng.choice((smooth, stepped))(rng, [1])},
    "two bells of one field": lambda rng: {"x": 0, "F": smooth(rng, [0, 1])} | widths(rng),
    "bell as a weight": lambda rng: {"x": 0, "w": rng.choice(WIDTHS), "F": smooth(rng, [0, 1])},
    "Stein's lemma": lambda rng: {"x": rng.randrange(2), "F": rng.choice((smooth, smooth, stepped))(rng, [0, 1])},
    "two error functions": lambda rng: {"x": rng.randrange(2), "y": rng.randrange(2)} | widths(rng),
    "two steps": lambda rng: {"x": 0, "y": 1},
    "three steps": lambda rng: {"x": 0, "y": 1, "z": 2},
    "Price's theorem": lambda rng: {"F": rng.choice((smooth, smooth, stepped))(rng, [0, 1])},
}  # fmt: skip


def covariances(rng: random.Random, name: str) -> list[list[Fraction]]:
    """A covariance in numbers; one in three is singular, or keeps the fields apart."""
    rows = drawn(rng, 3 if name == "three steps" else 2)
    kind = rng.choice(["apart", "equal", "opposite", "zero", *["definite"] * 5])
    if kind == "apart" or (name == "independent fields" and rng.random() < 0.7):
        rows[0][1] = rows[1][0] = Fraction(0)
    elif kind in ("equal", "opposite"):
        rows[0][1] = rows[1][0] = rows[0][0] * (1 if kind == "equal" else -1)
        rows[1][1] = rows[0][0]
    elif kind == "zero":
        rows[0][1] = rows[1][0] = rows[0][0] = Fraction(0)
    return rows


def is_definite(rows: list[list[Fraction]]) -> bool:
    return rows[0][0] > 0 and rows[0][0] * rows[1][1] > rows[0][1] ** 2


class Instance:
    """A line for random letters under a covariance in numbers; with Price's theorem, t moves it."""

    def __init__(self, name: str, rng: random.Random, *, all_definite: bool = False) -> None:
        self.rows, self.letters, self.name = covariances(rng, name), LETTERS[name](rng), name
        definite = range(len(self.rows)) if is_definite(self.rows) or all_definite else ()
        entries = [[("q", str(entry)) for entry in row] for row in self.rows]
        self.time = "t" if name == "Price's theorem" else ""
        if self.time:
            entries[0][1] = entries[1][0] = ("*", ("s", "t"), entries[0][1])
        self.at = Covariance(tuple(map(tuple, entries)), frozenset(definite))
        self.balls: dict[str, Any] = {"t": Fraction(1)}

    def named(self, of: Product, under: Covariance) -> Any:
        """A letter for the average of a product, whose ball is computed."""
        name = f"e{len(self.balls)}"
        numbers = [[exact(entry, {"t": fmpq(1)}) for entry in row] for row in under.entries]
        self.balls[name] = in_balls([[Fraction(int(v.p), int(v.q)) for v in row] for row in numbers], of)
        return ("s", name)

    def sides(self) -> tuple[Any, Any]:
        """Balls around the left and the right side, or Rejected where the line says nothing."""
        use = Use(self.name, self.letters, {}, len(self.rows))
        right = use.value_under(self.at, self.named, self.time)
        with precision(70):
            return self.left(use.of or ()), evaluate(right, self.balls)

    def left(self, of: Product) -> Any:
        if not self.time:
            return in_balls(self.rows, of)
        little = Fraction(1, 1000)

        def moved(share: Fraction) -> list[list[Fraction]]:
            return [[v * (1 if i == j else share) for j, v in enumerate(row)] for i, row in enumerate(self.rows)]

        up, down = (in_balls(moved(1 + sign * little), of) for sign in (1, -1))
        return (up - down) / (2 * evaluate(("q", str(little)), {}))


def in_balls(rows: list[list[Fraction]], of: Product) -> Any:
    """The average of a product, last of all the fields of which only powers stand there."""
    used = sorted({factor[1] for factor in of}, key=lambda i: ({f[0] for f in of if f[1] == i} == {"power"}, i))
    factors = [(f[0], used.index(f[1]), *(Fraction(w[1]) if w[0] == "q" else number(w) for w in f[2:])) for f in of]
    factors = [(*f, 1) if f[0] == "power" else f for f in factors]
    return average([[rows[i][j] for j in used] for i in used], factors, STEP)


def number(width: Any) -> Fraction:
    value = exact(width, {})
    return Fraction(int(value.p), int(value.q))


def faults(name: str, count: int, seed: str = "") -> tuple[int, list[Any]]:
    """How often a line could be used, and where its sides do not meet."""
    held, found = 0, []
    for k in range(count):
        instance = Instance(name, random.Random(f"{name}/{seed}/{k}"))
        try:
            left, right = instance.sides()
        except Rejected:
            continue
        held += 1
        apart = abs(float((left - right).mid())) > float((left - right).rad()) + (NEAR if instance.time else 1e-9)
        if apart or not right.is_finite() or float((left - right).rad()) > 1e-2:
            found.append((instance.letters, instance.rows, left, right))
    return held, found


def test_every_line_is_drawn() -> None:
    assert {*LETTERS} == {*averages()}
    assert all(line.text(key) for line in averages().values() for key in ("says", "conditions", "citation"))


@pytest.mark.parametrize("name", LETTERS)
def test_both_sides_of_a_line_meet(name: str) -> None:
    held, found = faults(name, SAMPLE)
    assert found == []
    assert held >= SAMPLE // 4


# --- the law sees lies ------------------------------------------------------------------------------------------------

LIES = {
    "odd product": ("odd(F)", "definite([])"),
    "one step": ("1 / 2", "1 / 3"),
    "independent fields": ("apart(F, G)", "definite([])"),
    "point mass of a field": ("(2 * pi * C(x, x))", "(pi * C(x, x))"),
    "two bells of one field": ("1 / v + 1 / w", "v + w"),
    "bell as a weight": ("less(x, w + C(x, x))", "less(x, w)"),
    "Stein's lemma": ("C(x, y) * E", "C(y, y) * E"),
    "two error functions": ("(v + C(x, x))", "(w + C(x, x))"),
    "two steps": ("(2 * pi)", "(4 * pi)"),
    "three steps": ("angle(x, z)", "angle(x, y)"),
    "Price's theorem": ("D(F, x, y)", "D(F, x, x)"),
}
"""A line, and something else in the place of what stands there."""


def changed(line: Theorem, old: str, new: str) -> Theorem:
    """The line with other text."""
    where, concludes = line.written.get("where", []), line.written["concludes"]
    assert any(old in text for text in (*where, concludes))
    parsed = [_line(text.replace(old, new)).says for text in where]
    return line._replace(where=tuple(parsed), concludes=_line(concludes.replace(old, new)))


@pytest.mark.parametrize("name", LIES)
def test_another_line_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(averages(), name, changed(averages()[name], *LIES[name]))
    assert faults(name, SAMPLE)[1]


FOR_DEFINITE = [name for name, line in averages().items() if "definite" in str(line.written.get("where"))]


@pytest.mark.parametrize("name", FOR_DEFINITE)
def test_a_line_for_definite_fields_says_nothing_of_others(name: str) -> None:
    """Else a field that is always zero would be positive with probability 1/2."""
    refused = 0
    for k in range(4 * SAMPLE):
        instance = Instance(name, random.Random(f"{name}/{k}"))
        if not instance.at.definite:
            with pytest.raises(Rejected, match="side condition definite"):
                instance.sides()
            refused += 1
    assert refused


def test_every_named_function_is_called_by_a_line() -> None:
    text = " ".join(f"{line.written['concludes']} {line.written.get('where', '')}" for line in averages().values())
    assert all(f"{name}(" in text for name in NAMED)
