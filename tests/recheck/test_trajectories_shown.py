"""How trajectories are shown, lied about and probed: nothing is left out, lies are noticed, runs contradict them."""

from __future__ import annotations

import math
import random
from typing import Any

import mpmath
import numpy as np
import pytest
from case_files import Cases
from each import each
from recheck.certificates import TURNING as CERTIFICATE
from recheck.corrupt import at, leaves, placed
from recheck.handmade import Json, mul, power, q, s
from recheck.trajectories_proposed import LOGISTIC, SHRINK, converges, ends, flow, iteration, reaches, stays

from derivations import prove
from derivations.audit.ledger import plain
from derivations.audit.lies.trajectories import trajectory_mutants
from derivations.audit.probe.numbers import DIGITS, NoValue, value
from derivations.audit.probe.trajectories import confront
from derivations.language import show
from derivations.language.show import tubes
from derivations.language.terms import FUNCTIONS
from derivations.prove import decide
from derivations.recheck import check
from derivations.recheck.ledgers.reading import formula
from derivations.report.evidence import _tube
from derivations.report.pictures import drawing

FAMILIES = Cases(__file__, globals())

MAP = iteration(
    SHRINK,
    {"x": 1, "y": 1},
    [reaches(2, 3, q("1/3"), s("x")), converges(5, "7/10", x=("-1/4", "1/4"), y=("-1/5", "1/5"))],
    5,
)
FAMILY = flow(
    LOGISTIC, {"x": "1/10", "c": (1, "101/100")}, [stays(1, 3, ">=", s("x"), q("1/5")), ends(3, x=("1/2", 1))], []
)
STATEMENTS: list[Json] = [each["statement"] for each in (CERTIFICATE, MAP, FAMILY)]


def replaced(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    return placed(data, path, value(at(data, path)))


@each("statement", STATEMENTS)
def test_a_ledger_shows_every_part_of_a_statement(statement: Json) -> None:
    shown = formula(statement)
    for path in leaves(statement):
        if path[0] == "kind" or path[-1] == 0 or path[-1] == "that":  # the kinds of things that are said, and of terms
            continue
        more = "7" if _is_number(statement, path) else "w"
        assert formula(replaced(statement, path, lambda text, more=more: text + more)) != shown, path


def _is_number(data: Any, path: tuple[Any, ...]) -> bool:
    for key in path:
        data = data[key]
    return str(data).lstrip("-").replace("/", "").isdigit()


@each("statement", STATEMENTS)
def test_every_rate_has_its_formula(statement: Json) -> None:
    assert len(show.formulas(statement)) == len([x for x in statement["states"] if x != "c"])


@each("statement", STATEMENTS)
def test_lies_are_refuted_and_rechecked(statement: Json) -> None:
    """Each is false by construction."""
    found = list(trajectory_mutants(statement))
    assert len(found) >= 3
    for what, mutant in found:
        certificate = decide(mutant)
        assert certificate.verdict.value == "refuted", what
        check(plain(certificate))


@each("statement", STATEMENTS)
def test_runs_contradict_nothing_that_holds(statement: Json) -> None:
    assert list(confront(statement, random.Random(1), 4)) == [None] * 4


FALSE: list[Json] = FAMILIES["false"]


@each("number", range(len(FALSE)))
def test_runs_contradict_what_is_false(number: int) -> None:
    found = list(confront(FALSE[number], random.Random(1), 3))
    assert len(found) == 3
    assert any(found)


def test_starts_that_have_no_run_hide_nothing_of_the_others() -> None:
    """The runs from -1 to 1 that are above zero obey, the others have no value, and each start is told its own."""
    root = {**STATEMENTS[2], "states": {"x": power(s("x"), "1/2")}, "start": {"x": ["-1", "1"]}}
    found = list(confront({**root, "says": [ends(1, x=(0, 3))]}, random.Random(1), 40))
    assert found[:2] == ["from x = -1: the system has no value along it", None]
    assert 10 < found.count(None) < 30
    assert all("no value" in text for text in found if text)


TERMS = [
    *([name, mul(q("1/5"), s("x"))] for name in sorted({*FUNCTIONS.values(), "digamma"})),
    *(power(s("x"), exponent) for exponent in (-2, -1, "-1/2", "1/2", 1, 2, "7/3")),
    *FAMILIES["terms"],
]


@each("term", TERMS)
def test_floats_have_the_values_of_many_digits(term: Json) -> None:
    """And of derivatives; at points on both sides of zero where there are values."""
    places = np.array([0.3, 1.0, 2.4, 4.9, *(() if _ends_at_zero(term) else (-0.2, -3.3))])
    for either, close in ((term, 1e-9), (["D", term, "x"], 1e-6)):
        found = value(either, {"x": places, "t": 0.7}, fast=True)
        with mpmath.workdps(DIGITS):
            single = [value(either, {"x": mpmath.mpf(x), "t": mpmath.mpf(0.7)}) for x in places]
        assert np.allclose(np.broadcast_to(found, places.shape), np.array(single, float), rtol=close, atol=close)


def _ends_at_zero(term: Json) -> bool:
    return term[0] in ("log", "digamma", "lambertw") or (term[0] == "^" and term[2] not in (["q", "-2"], ["q", "2"]))


NOWHERE = FAMILIES["nowhere"]


@each(("term", "place"), NOWHERE)
def test_floats_say_that_a_point_has_no_value(term: Json, place: float) -> None:
    with pytest.raises(NoValue):
        value(term, {"x": np.array([0.5, place])}, fast=True)


def test_the_tube_is_drawn_with_every_step_inside() -> None:
    bands = tubes.bands(CERTIFICATE["statement"], CERTIFICATE["payload"])
    assert {name: len(band) for name, band in bands.items()} == {"x": 12, "y": 12}
    few = tubes.bands(CERTIFICATE["statement"], CERTIFICATE["payload"], 5)
    for name, band in few.items():
        assert len(band) == 4
        assert band[0][2] == min(piece[2] for piece in bands[name][:3])
        assert band[-1][3] == max(piece[3] for piece in bands[name][-3:])
    picture = drawing.tubes(bands, "t")
    assert picture.count('class="tube') == 2
    assert tubes.bands(MAP["statement"], MAP["payload"]) == {}
    assert len(tubes.lines(CERTIFICATE["statement"], CERTIFICATE["payload"])) == 6


def test_tubes_of_joined_statements_are_shown_too() -> None:
    found = prove.Certificate(CERTIFICATE["statement"], prove.Verdict.CERTIFIED, "", payload=CERTIFICATE["payload"])
    joined = prove.every(found, prove.identity(1, 1), found)
    names = [name for name, _ in tubes.told(joined.statement, joined.payload)]
    assert names == ["tube 1"] * 3 + ["tube 2"] * 3
    assert [name for name, _ in tubes.told(found.statement, found.payload)] == ["tube"] * 6
    assert _tube(joined) == 2 * _tube(found)
    assert _tube(found).count("<figure") == 1
    assert _tube(prove.identity(1, 1)) == ""


@each("here", [0.0, 1e-18, 1e-6, 0.3, -7.0])
def test_slopes_in_floats_are_those_of_other_code(here: float) -> None:
    slope: Json = ("D", ("exp", s("x")), "x")
    assert value(slope, {"x": here}, fast=True) == pytest.approx(math.exp(here), rel=1e-7)
    with mpmath.workdps(DIGITS):
        assert float(value(slope, {"x": mpmath.mpf(here)})) == pytest.approx(math.exp(here), rel=1e-12)


test_statements_have_their_verdicts = FAMILIES.verdicts()
