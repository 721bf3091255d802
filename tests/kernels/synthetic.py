"""Small kernels that use everything the emitter can print."""

from __future__ import annotations

import sympy as sp

from derivations.kernels.kernel import Kernel
from derivations.language.functions import expm1, relexp

p, K, r = sp.symbols("p K r", positive=True)
t = sp.Symbol("t", nonnegative=True)
x, y, lost = sp.symbols("x y lost", real=True)
radius = sp.Symbol("radius", positive=True)

flow = Kernel(
    "logistic_flow",
    says="The rate of change of a population.",
    state=[p],
    params=[K, r],
    returns={"dp": r * p * (1 - p / K)},
    domain=[p <= 10 * K],
    rests_on=["growth"],
    cites="Verhulst (1838), Eq. 4",
)
curve = Kernel(
    "logistic_curve",
    says="The population after a time t.",
    state=[p],
    params=[K, r, t],
    shared=[(lost, -expm1(-r * t))],
    returns={"size": K * p / (K * sp.exp(-r * t) + p * lost), "gained": r * t * relexp(r * t)},
    rests_on=["growth"],
)
root = Kernel(
    "larger_root",
    says="The larger root of h^2 - x h - y^2 = 0, without cancellation for either sign of x.",
    state=[x, y],
    shared=[(radius, sp.Abs(x) / 2 + sp.sqrt(x**2 / 4 + y**2))],
    returns={"h": sp.Piecewise((radius, x >= 0), (y**2 / radius, True))},
    domain=[sp.Ne(y, 0)],
)
powers = Kernel(
    "powers",
    says="Powers, roots and functions in the entries of a vector and a matrix.",
    state=[x],
    params=[K],
    returns={
        "v": sp.Matrix([K ** sp.Rational(3, 2) / 7, K ** sp.Rational(-1, 3), K ** sp.Rational(1, 4)]),
        "M": sp.Matrix([[x**5 - 1, (x + K) ** 2 / 3], [sp.tanh(x) + sp.erf(x), sp.pi * K**x / sp.cosh(x)]]),
    },
)
slopes = curve.jacobian("logistic_slopes", [r, t])
curvature = Kernel(
    "averaged_slope", says="A derivative with a removable singularity.", state=[x], returns={"slope": relexp(x).diff(x)}
)

ALL = {"verhulst": [flow, curve, root, powers, slopes, curvature]}
