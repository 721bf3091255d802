"""Kernels before they are emitted: where doubles fail is found, and only what is proved equal takes the place."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import Kernel
from derivations.__main__ import main
from derivations.commands import safely
from derivations.commands.own import new
from derivations.kernels.hunting import hunt, points
from derivations.kernels.rewriting import forms
from derivations.kernels.specification.names import KernelError
from derivations.language.functions import expm1

FAMILIES = Cases(__file__, globals())

s, tau, a0, b = sp.symbols("s tau a0 b", positive=True)
t = sp.Symbol("t", nonnegative=True)
r = sp.Symbol("r", real=True)
GROWN, EITHER = sp.exp(2 * s * t / tau), sp.exp(2 * s * r / tau)

MENDED = FAMILIES["mended"]
DECAYED = a0 * (s - b) / (a0 + (s - b - a0) * sp.exp(-2 * (s - b) * t))
REFUSED = FAMILIES["refused"]
SOUND = FAMILIES["sound"]


def kernel(formula: Any, **about: Any) -> Kernel:
    arguments = sorted(formula.free_symbols, key=str)
    return Kernel("k", state=arguments, returns={"a": formula}, **about)


@each("formula", SOUND.values())
def test_nothing_is_found_where_nothing_fails(formula: Any) -> None:
    made = kernel(formula)
    assert hunt(made) is None
    assert safely.safe(made, pytest.fail) is made


@each("formula", [*MENDED.values(), *REFUSED.values()])
def test_what_is_found_fails_indeed(formula: Any) -> None:
    made = kernel(formula)
    failure = hunt(made)
    assert failure is not None
    (value,) = made.lambdify()(*failure.point.values())
    exact = float(Fraction(made.reference(failure.point, digits=20)["a"]))
    assert math.isnan(float(value)) or abs(float(value) - exact) > 1e-13 * abs(exact)


@each("formula", MENDED.values(), one_of=2)
def test_what_takes_the_place_is_equal_and_does_not_fail(formula: Any) -> None:
    told: list[str] = []
    made = kernel(formula)
    better = safely.safe(made, told.append)
    assert isinstance(better, Kernel)
    assert len(told) == 1
    assert "proved equal" in told[0]
    assert hunt(better) is None
    for point in random.Random(0).sample(list(points(made)), 60):
        exact, other = (k.balls(*point.values(), digits=400)[0] for k in (made, better))
        assert exact.overlaps(other)


def test_a_difference_of_arguments_is_taken_once(tmp_path: Path) -> None:
    better = safely.safe(kernel(DECAYED), [].append)
    (tmp_path / "k.py").write_text(better.source("numpy"))
    emitted = _module(tmp_path / "k.py").k
    for gap in (sign * 2.0**-k for k in (3, 20, 40) for sign in (1, -1)):
        point = {"a0": 0.001, "b": 2.0 - gap, "s": 2.0, "t": 3.0}
        exact = float(Fraction(kernel(DECAYED).reference(point, digits=30)["a"]))
        assert emitted(*point.values())[0] == pytest.approx(exact, rel=4 * sys.float_info.epsilon)


@each("formula", REFUSED.values())
def test_what_cannot_be_mended_is_refused_with_the_place(formula: Any) -> None:
    with pytest.raises(KernelError, match=r"fails in doubles: at .* it gives a = .* the value is"):
        safely.safe(kernel(formula), pytest.fail)


def test_a_form_that_is_not_equal_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    lies = [1 / (1 + sp.exp(-2 * r)), sp.tanh(r), 1 / (2 + sp.exp(-r)), sp.Integer(1)]
    monkeypatch.setattr(safely, "forms", lambda _: iter(lies))
    with pytest.raises(KernelError, match="fails in doubles"):
        safely.safe(kernel(MENDED["logistic"]), pytest.fail)
    half = sp.Piecewise((MENDED["logistic"], r <= 0), (sp.tanh(r), True))  # right in one case only
    monkeypatch.setattr(safely, "forms", lambda _: iter([half]))
    with pytest.raises(KernelError, match="fails in doubles"):
        safely.safe(kernel(MENDED["logistic"]), pytest.fail)


def test_a_form_without_a_value_where_the_formula_has_one_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    logistic = sp.exp(t) / (1 + sp.exp(t))
    hole = expm1(-t) / expm1(-2 * t)  # equal wherever both have a value, and none at t = 0
    monkeypatch.setattr(safely, "forms", lambda _: iter([hole]))
    with pytest.raises(KernelError, match="fails in doubles"):
        safely.safe(kernel(logistic), pytest.fail)


@each("formula", [*MENDED.values(), *REFUSED.values()])
def test_every_form_has_the_value_of_its_formula(formula: Any) -> None:
    arguments = sorted(formula.free_symbols, key=str)
    rng = random.Random(1)
    for form in forms(formula):
        for _ in range(5):
            at = {x: sp.Rational(rng.randint(1, 40), 8) * (rng.choice((1, -1)) if x == r else 1) for x in arguments}
            assert abs((formula - form.rewrite(sp.exp)).subs(at).evalf(30)) < 1e-20


def test_the_kernel_of_a_paper_of_ones_own_is_right_at_late_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new.write("mine", tmp_path)
    path = tmp_path / "mine.py"
    printed = r"a(t)=\frac{se^{2st/\tau}}{e^{2st/\tau}-1+\frac{s}{a_0}}"
    path.write_text(path.read_text().replace(r"a(t)=\frac{s}{1+(\frac{s}{a_0}-1)e^{-2st/\tau}}", printed))
    assert printed in path.read_text()
    assert main(["emit", str(path), "--target", "numpy", "-o", str(tmp_path / "code")]) == 0
    assert "the kernel sigmoid is written as a = " in capsys.readouterr().out
    sigmoid = _module(tmp_path / "code" / "sigmoid.py").sigmoid
    for time in (200.0, 1e6):
        assert sigmoid(0.001, 2.0, 1.0, time) == (2.0,)
    assert sigmoid(0.001, 2.0, 1.0, 0.0)[0] == pytest.approx(0.001, rel=1e-14)


def _module(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    load: Callable[[Any], None] = spec.loader.exec_module
    load(module)
    sys.modules.pop(path.stem, None)
    return module


test_statements_have_their_verdicts = FAMILIES.verdicts()
