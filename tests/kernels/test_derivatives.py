"""Derivatives along and against: proved, checked, emitted, and used by tools that integrate, differentiate and fit."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from kernels import synthetic
from kernels.elsewhere import output
from kernels.of_papers import NUMBERS, made
from test_emit_command import own

from derivations.__main__ import main
from derivations.commands.emit import derivatives
from derivations.commands.safely import safe
from derivations.kernels.kernel import Kernel
from derivations.kernels.targets import files_of
from derivations.kernels.targets.facts import Facts
from derivations.paper.equals import Unequal
from derivations.paper.equals.derivatives import equality
from derivations.prove.certificate import Verdict
from derivations.recheck.check import check
from derivations.recheck.core.errors import Rejected

FAMILIES = Cases(__file__, globals())

x, y, leg = sp.symbols("x y leg", real=True)
t = sp.Symbol("t", real=True)
SIGMOID = Kernel("sigmoid", state=[t], returns={"a": 1 / (1 + sp.exp(-t))})
STEEP = Kernel("steep", state=[t], returns={"a": t / (1 + t**2) + sp.Rational(1, 2)})
LEAKY = Kernel(
    "leaky",
    state=[x],
    params=[y],
    shared=[(leg, sp.Piecewise((x, x > 0), (y * x, True)))],
    returns={"a": leg**2, "c": x * y},
)
KERNELS = [SIGMOID, LEAKY, synthetic.flow]
PROVED = [*KERNELS, synthetic.curve, synthetic.powers]


def written(kernel: Kernel, target: str, folder: Path) -> Path:
    """The files of a kernel, of its derivatives, and of what hands them to other tools."""
    folder.mkdir(exist_ok=True)
    facts, one = Facts(kernel.name), SimpleNamespace(kernel=kernel)
    files = files_of(kernel, target, facts)
    files |= derivatives(one, kernel, target, facts, ways=["jvp", "vjp"], tell=lambda _: None)  # type: ignore[arg-type]
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def ran(folder: Path, code: str) -> str:
    return output("-c", f"import os; os.chdir({str(folder)!r})\n{code}", PYTHONPATH=str(folder))


# --- proofs -----------------------------------------------------------------------------------------------------------


@each("kernel", PROVED)
def test_derivatives_are_proved_and_accepted_by_separate_code(kernel: Kernel) -> None:
    for derived in (kernel.along(), kernel.against()):
        certificate = equality(kernel, derived)
        assert certificate.verdict.value == "proved"
        assert certificate.statement["kernel"]["program"] == derived.program.sha256
        check(certificate.as_json())


def changed(derived: Kernel, place: int) -> Kernel:
    """Return the kernel with one return that is a little larger."""
    numbers = derived.of_numbers
    returns = {
        name: value + numbers.symbols[-1] / 1000 if k == place else value
        for k, (name, value) in enumerate(derived.returns.items())
    }
    return Kernel(
        derived.name, state=numbers.state, params=numbers.params, shared=numbers.shared, returns=returns, domain=[]
    )


@each("kernel", PROVED)
def test_no_wrong_derivative_is_proved(kernel: Kernel) -> None:
    for derived in (kernel.along(), kernel.against()):
        for place in range(len(derived.returns)):
            with pytest.raises(Unequal, match=r"it is not proved that .* is a derivative"):
                equality(kernel, changed(derived, place))


def test_a_wrong_branch_is_noticed() -> None:
    derived = LEAKY.along()
    wrong = [(s, e.subs(y, y + 1) if isinstance(e, sp.Piecewise) else e) for s, e in derived.of_numbers.shared]
    numbers = derived.of_numbers
    lie = Kernel("leaky_jvp", state=numbers.state, params=numbers.params, shared=wrong, returns=derived.returns)
    with pytest.raises(Unequal):
        equality(LEAKY, lie)


def test_a_certificate_of_another_derivative_is_rejected() -> None:
    told = equality(SIGMOID, SIGMOID.along()).as_json()
    (part,) = told["statement"]["parts"]
    told["statement"]["parts"] = [{**part, "left": ("*", ("q", "2"), part["left"])}]
    with pytest.raises(Rejected):
        check(told)


def test_an_absolute_value_has_the_derivative_of_each_branch() -> None:
    size = Kernel("size", state=[x], returns={"a": sp.Abs(x) * x})
    derived = size.along()
    assert equality(size, derived).verdict is Verdict.PROVED
    assert [derived.reference([value, 1])["along_a"] for value in (-3, 2)] == ["6", "4"]


ONCE = "van_rossem_saxe_2024:equal_targets_sensitivities"


@pytest.mark.drawn
def test_every_kernel_of_numbers_has_proved_derivatives() -> None:
    names = sorted({*NUMBERS} - {ONCE})
    for name in random.Random(os.environ.get("LAWS_SEED", "")).sample(names, drawn(len(names))):
        kernel = made()[name]
        for derived in (kernel.along(), kernel.against()):
            certificate = equality(kernel, derived)
            assert certificate.verdict is Verdict.PROVED, name
            check(certificate.as_json())


def twice(formula: Any) -> Any:
    if isinstance(formula, sp.Piecewise):
        return sp.Piecewise(*((2 * value, condition) for value, condition in formula.args))
    return 2 * formula


def test_another_slope_is_no_derivative() -> None:
    kernel = made()["van_rossem_saxe_2024:final_distance"]
    numbers = kernel.along().of_numbers
    slopes = [k for k, (s, _) in enumerate(numbers.shared) if str(s).startswith("d") and "_d" in str(s)]
    assert len(slopes) > 3
    for k in slopes:
        shared = [(s, twice(e) if place == k else e) for place, (s, e) in enumerate(numbers.shared)]
        lie = Kernel(
            f"{kernel.name}_jvp", state=numbers.state, params=numbers.params, shared=shared, returns=numbers.returns
        )
        with pytest.raises(Unequal):
            equality(kernel, lie)


def test_derivatives_are_of_the_program_that_does_not_fail(tmp_path: Path) -> None:
    """The sigmoid overflows as it is printed: what is written instead is differentiated."""
    u0, s, tau = sp.symbols("u0 s tau", positive=True)
    time = sp.Symbol("t", nonnegative=True)
    grown = sp.exp(2 * s * time / tau)
    learnt = u0 * s * grown / (s - u0 + u0 * grown)
    printed = Kernel("learnt", state=[u0], params=[s, tau, time], returns={"u": learnt}, domain=[u0 < s])
    said: list[str] = []
    kernel = safe(printed, said.append)
    assert "is written as" in said[0]
    one: Any = SimpleNamespace(kernel=printed)
    files = derivatives(one, kernel, "numpy", Facts("learnt"), ways=["jvp", "vjp"], tell=said.append)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    tried = "import learnt_jvp as j, learnt_vjp as v; assert not j.self_test() + v.self_test()"
    late = "(slope,) = j.learnt_jvp(1.0, 3.0, 0.01, 2.0, 0.0, 1.0, 0.0, 0.0)"
    assert ran(tmp_path, f"{tried}; {late}; print(float(slope))") == "1.0\n"


# --- files ------------------------------------------------------------------------------------------------------------


def test_files_of_derivatives_pass_their_own_tests(tmp_path: Path) -> None:
    for kernel in KERNELS:
        written(kernel, "numpy", tmp_path / "files")
    names = [f"{kernel.name}_{way}" for kernel in KERNELS for way in ("jvp", "vjp")]
    assert ran(tmp_path / "files", f"for n in {names}: print(__import__(n).self_test(), end='')") == "[]" * len(names)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_files_of_derivatives_in_c_pass_their_own_tests(tmp_path: Path) -> None:
    for kernel in KERNELS:
        folder = written(kernel, "c", tmp_path / "files")
        for way in ("jvp", "vjp"):
            source = folder / f"{kernel.name}_{way}.c"
            strict = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
            command = ["cc", *strict, "-DSELF_TEST", str(source), "-lm", "-o", str(folder / "a.out")]
            assert subprocess.run(command, check=False).returncode == 0
            assert subprocess.run([folder / "a.out"], check=False, capture_output=True).returncode == 0


def test_the_command_writes_derivatives_and_says_what_is_proved(tmp_path: Path) -> None:
    arguments = ["emit", str(own(tmp_path)), "--target", "numpy", "--with", "jvp,vjp", "-o", str(tmp_path / "out")]
    assert main(arguments) == 0
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"squared.py", "squared_jvp.py", "squared_vjp.py", "squared_in_torch.py"}
    text = (tmp_path / "out" / "squared_jvp.py").read_text()
    assert "that it is the derivative of squared, in every branch  proved" in " ".join(text.split(" "))
    assert main([*arguments[:5], "jacobian", *arguments[6:]]) == 2


# --- tools ------------------------------------------------------------------------------------------------------------

WITH_SCIPY = """
import warnings; warnings.simplefilter("error")
from scipy import integrate
import NAME, NAME_callables as made
assert made.self_test() == [], made.self_test()
slope = made.INTEGRANDS["NAME_jvp"]["along_a"]
integral, _ = integrate.quad(slope, -2.0, 5.0, args=(1.0,), epsabs=1e-13)
gained = NAME.NAME(5.0)[0] - NAME.NAME(-2.0)[0]
assert abs(integral - gained) < 1e-12, (integral, gained)
area, _ = integrate.quad(made.INTEGRANDS["NAME"]["a"], -3.0, 3.0)
assert abs(area - 3.0) < 1e-12, area
"""
FIT = """
import numpy as np
from scipy.optimize import least_squares
from logistic_flow import logistic_flow
from logistic_flow_jvp import logistic_flow_jvp
p = np.linspace(0.1, 4.0, 20)
seen = logistic_flow(p, 3.0, 0.7)[0]
rest = lambda at: logistic_flow(p, *at)[0] - seen
slopes = lambda at: np.transpose([logistic_flow_jvp(p, *at, 0.0, *row)[0] for row in np.eye(2)])
found = least_squares(rest, [2.0, 1.0], jac=slopes, xtol=1e-15, ftol=1e-15, gtol=1e-15)
assert np.allclose(found.x, [3.0, 0.7], rtol=1e-10), found
"""
WITH_JAX = """
import jax, jax.numpy as jnp, numpy as np
import logistic_flow_in_jax as growth, sigmoid_in_jax as made, leaky_in_jax as leaky
for module in (growth, made, leaky):
    assert module.self_test() == [], module.self_test()
at = jnp.linspace(-3.0, 3.0, 7)
value = lambda t: made.sigmoid(t)[0]
exact = jax.vmap(jax.grad(jax.nn.sigmoid))(at)
assert jnp.allclose(jax.vmap(jax.grad(value))(at), exact, rtol=1e-12)
assert jnp.allclose(jax.vmap(jax.grad(lambda t: made.sigmoid_reverse(t)[0]))(at), exact, rtol=1e-12)
assert jnp.allclose(jax.jvp(value, (at,), (2.0*jnp.ones(7),))[1], 2.0*exact, rtol=1e-12)
p = jnp.linspace(0.1, 4.0, 20)
seen = growth.logistic_flow(p, 3.0, 0.7)[0]
loss = jax.jit(lambda at: jnp.sum((growth.logistic_flow(p, at[0], at[1])[0] - seen)**2))
step = jax.jit(lambda at: jnp.linalg.solve(jax.hessian(lambda d: jnp.sum((residual(at) + slopes(at) @ d)**2))(
    jnp.zeros(2)), -jax.grad(loss)(at)))
residual = lambda at: growth.logistic_flow(p, at[0], at[1])[0] - seen
slopes = jax.jacobian(residual)
found = jnp.array([2.0, 1.0])
for _ in range(20):
    found = found + step(found)
assert jnp.allclose(found, jnp.array([3.0, 0.7]), rtol=1e-10), found
def stepped(p, _):
    rate = lambda p: growth.logistic_flow(p, 3.0, 0.7)[0]
    first = rate(p); second = rate(p + 0.005*first); third = rate(p + 0.005*second); last = rate(p + 0.01*third)
    return p + 0.01/6*(first + 2*second + 2*third + last), None
end = jax.grad(lambda p: jax.lax.scan(stepped, p, None, length=100)[0])(0.5)
c, k = np.exp(0.7), 3.0
assert abs(end - k*k*c/(k + 0.5*(c - 1))**2) < 1e-8, end
"""
WITH_DIFFRAX = """
import diffrax, jax, jax.numpy as jnp, numpy as np, optimistix
import logistic_flow_in_jax as growth
at = jnp.linspace(0.0, 2.0, 9)
def course(start, K, r, adjoint=diffrax.RecursiveCheckpointAdjoint()):
    found = diffrax.diffeqsolve(growth.term(), diffrax.Dopri8(), 0.0, 2.0, 0.1, (start,), (K, r), adjoint=adjoint,
        saveat=diffrax.SaveAt(ts=at), stepsize_controller=diffrax.PIDController(rtol=1e-10, atol=1e-12))
    return found.ys[0]
exact = lambda start, K, r: K*start*jnp.exp(r*at)/(K + start*(jnp.exp(r*at) - 1.0))
given = (0.5, 3.0, 0.7)
assert jnp.allclose(course(*given), exact(*given), rtol=1e-8)
wanted = jax.jacobian(exact, (0, 1, 2))(*given)
for adjoint, way in ((diffrax.RecursiveCheckpointAdjoint(), jax.jacrev), (diffrax.ForwardMode(), jax.jacfwd)):
    found = way(lambda *given, adjoint=adjoint: course(*given, adjoint), (0, 1, 2))(*given)
    assert all(jnp.allclose(a, b, rtol=1e-6, atol=1e-9) for a, b in zip(found, wanted)), (adjoint, found)
seen, solver = exact(*given), optimistix.LevenbergMarquardt(rtol=1e-10, atol=1e-12)
residual = lambda p, _: course(0.5, *p, diffrax.ForwardMode()) - seen
fit = optimistix.least_squares(residual, solver, jnp.array([2.0, 1.0]), options={"jac": "fwd"})
assert jnp.allclose(fit.value, jnp.array([3.0, 0.7]), rtol=1e-6), fit.value
"""
WITH_TORCH = """
import torch
import sigmoid_in_torch as made, logistic_flow_in_torch as growth, leaky_in_torch as leaky
for module in (made, growth, leaky):
    assert module.self_test() == [], module.self_test()
at = torch.linspace(-3.0, 3.0, 7, dtype=torch.float64, requires_grad=True)
value = lambda t: made.sigmoid(t)[0]
assert torch.autograd.gradcheck(value, (at,), check_forward_ad=True)
assert torch.allclose(torch.autograd.grad(value(at).sum(), at)[0], torch.sigmoid(at)*(1 - torch.sigmoid(at)))
p = torch.linspace(0.1, 4.0, 20, dtype=torch.float64)
seen = growth.logistic_flow(p, 3.0, 0.7)[0]
found = torch.tensor([2.0, 1.0], dtype=torch.float64, requires_grad=True)
told = {"tolerance_grad": 1e-14, "tolerance_change": 1e-16, "line_search_fn": "strong_wolfe"}
fit = torch.optim.LBFGS([found], max_iter=200, **told)
def again():
    fit.zero_grad()
    loss = ((growth.logistic_flow(p, found[0], found[1])[0] - seen)**2).sum()
    loss.backward()
    return loss
fit.step(again)
p = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
rate, now = lambda p: growth.logistic_flow(p, 3.0, 0.7)[0], p
for _ in range(100):
    first = rate(now); second = rate(now + 0.005*first); third = rate(now + 0.005*second); last = rate(now + 0.01*third)
    now = now + 0.01/6*(first + 2*second + 2*third + last)
grown = torch.exp(torch.tensor(0.7, dtype=torch.float64))
assert abs(now - 3.0*0.5*grown/(3.0 + 0.5*(grown - 1.0))) < 1e-9, now
slope = torch.autograd.grad(now, p)[0]
assert abs(slope - 9.0*grown/(3.0 + 0.5*(grown - 1.0))**2) < 1e-8, slope
assert torch.allclose(found.detach(), torch.tensor([3.0, 0.7], dtype=torch.float64), rtol=1e-6), found
"""


@pytest.mark.parametrize("kernel", [STEEP, pytest.param(SIGMOID, marks=pytest.mark.laws)])  # exp takes long to compile
def test_scipy_integrates_compiled_derivatives(kernel: Kernel, tmp_path: Path) -> None:
    ran(written(kernel, "numba", tmp_path / "files"), WITH_SCIPY.replace("NAME", kernel.name))


def test_scipy_fits_with_emitted_derivatives(tmp_path: Path) -> None:
    ran(written(synthetic.flow, "numpy", tmp_path / "files"), FIT)


def together(target: str, folder: Path) -> Any:
    for kernel in KERNELS:
        written(kernel, target, folder)
    return folder


without_jax = pytest.mark.skipif(find_spec("jax") is None, reason="JAX is not installed: pip install -e '.[jax]'")
without_compiler = pytest.mark.skipif(shutil.which("c++") is None, reason="there is no compiler of C++")


@without_jax
def test_jax_integrates_differentiates_and_fits(tmp_path: Path) -> None:
    ran(together("jax", tmp_path / "files"), WITH_JAX)


@without_jax
@without_compiler
def test_jax_does_the_same_with_the_files_for_c(tmp_path: Path) -> None:
    folder = together("c", tmp_path / "files")
    ran(folder, WITH_JAX.replace("_in_jax", "_through_ffi"))
    (folder / "sigmoid_jvp.c").write_text(
        (folder / "sigmoid_jvp.c").read_text().replace("result[0] = ", "result[0] = 2.0*")
    )
    told = "import sigmoid_through_ffi as made; print(len(made.self_test()))"
    assert int(ran(folder, told)) > 0


@pytest.mark.skipif(find_spec("diffrax") is None, reason="diffrax is not installed: pip install -e '.[jax]'")
@pytest.mark.parametrize("target", ["jax", pytest.param("c", marks=without_compiler)])
def test_diffrax_integrates_differentiates_and_fits(target: str, tmp_path: Path) -> None:
    module = {"jax": "_in_jax", "c": "_through_ffi"}[target]
    ran(written(synthetic.flow, target, tmp_path / "files"), WITH_DIFFRAX.replace("_in_jax", module))


def test_only_a_flow_has_a_term(tmp_path: Path) -> None:
    folder = together("jax", tmp_path / "files")
    has = {kernel.name: "def term():" in (folder / f"{kernel.name}_in_jax.py").read_text() for kernel in KERNELS}
    assert has == {"sigmoid": False, "leaky": False, "logistic_flow": True}


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed: pip install -e '.[torch]'")
def test_torch_differentiates_and_fits(tmp_path: Path) -> None:
    ran(together("numpy", tmp_path / "files"), WITH_TORCH)


test_statements_have_their_verdicts = FAMILIES.verdicts()
