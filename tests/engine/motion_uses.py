"""Theorems about what moves, each in use, with hypotheses broken and slots that do not fit."""

from __future__ import annotations

from typing import Any

import sympy as sp

x, y, z, s = sp.symbols("x y z s", real=True)
a, b, t = sp.symbols("a b t", positive=True)
some, size = sp.Symbol("some", nonnegative=True), sp.Symbol("size", positive=True)
other = sp.Symbol("other", real=True, nonzero=True)
low = sp.Symbol("low", negative=True)
half, grown = sp.Rational(1, 2), sp.exp(a * s)
r2 = x**2 + y**2

USES: dict[str, dict[str, Any]] = {
    "comparison on an interval": {
        "state": x,
        "rate": 1 - x**2,
        "lower": sp.tanh(s),
        "upper": s,
        "variable": s,
        "low": 0,
        "high": sp.oo,
        "order": ">=",
    },
    "comparison along a flow": {
        "flow": {x: a * x + sp.sin(s)},
        "start": {x: b},
        "time": s,
        "lower": x,
        "upper": b * grown + (grown - 1) / a,
        "state": y,
        "rate": a * y + 1,
        "order": ">=",
    },
    "bound from a differential inequality": {
        "state": y,
        "rate": a * y + b,
        "start": x,
        "bound": x * grown + b * (grown - 1) / a,
        "time": s,
    },
    "set that a flow does not leave": {
        "flow": {x: y - x * r2, y: -x - y * r2},
        "start": {x: half, y: 0},
        "time": s,
        "barriers": [r2 - 1],
    },
    "box that a flow does not leave": {
        "flow": {x: x * (1 - x - a * y), y: y * (1 - y - b * x)},
        "start": {x: 1, y: half},
        "time": s,
        "low": {x: 0, y: 0},
        "high": {x: 1, y: 1},
    },
    "motion towards a rest point": {
        "flow": {x: a * x * (1 - x / b)},
        "start": {x: b / 2},
        "point": {x: b},
        "side": "below",
        "time": s,
    },
    "linear instability": {
        "flow": {x: a * x - x**3, y: -y},
        "point": {x: 0, y: 0},
        "vector": {x: 1, y: 0},
        "growth": a,
        "side": "right",
    },
    "linear stability in the plane": {"flow": {x: y, y: -a * y - x - x**2}, "point": {x: 0, y: 0}},
    "instability by the trace": {"flow": {x: y, y: -x + a * y * (1 - x**2)}, "point": {x: 0, y: 0}},
    "linear stability on a line": {"flow": {x: x - x**3}, "point": {x: 1}},
}

CONCLUSIONS = {
    "linear instability": "x = 0, y = 0 rests under dx/dt = -x^3 + x*a, dy/dt = -y and is not stable",
    "comparison on an interval": "s >= tanh(s)",
    "bound from a differential inequality": "every continuous y with y <= x at s = 0 and dy/ds <= b + y*a has"
    " y <= x*exp(s*a) + b*(-1 + exp(s*a))/a, for as long as the hypotheses hold",
    "linear stability on a line": "x = 1 rests under dx/dt = x - x^3 and attracts every start near it",
}

ROOT = {"rate": 2 * sp.sqrt(some), "state": some}
"""The square of the time has this rate, and so has zero."""

HOLDING: list[tuple[str, dict[str, Any], list[Any]]] = [
    (
        "comparison on an interval",
        {"rate": x**2, "lower": 1 / (2 - s), "upper": 1 / (1 - s), "high": half},
        [],
    ),
    ("comparison on an interval", {"upper": s + 1, "order": ">"}, []),
    (
        "comparison on an interval",
        {"state": size, "rate": 1 / size, "lower": sp.sqrt(1 + s), "upper": sp.sqrt(1 + 2 * s)},
        [],
    ),
    (
        "comparison on an interval",
        {"state": low, "rate": -(low**2), "lower": -1 / (1 - s), "upper": -1 + 0 * s, "high": half},
        [],
    ),
    (
        "comparison along a flow",
        {
            "flow": {x: x * (1 - x), y: a + y * (1 - y)},
            "start": {x: b, y: b},
            "upper": y,
            "state": z,
            "rate": z * (1 - z),
        },
        [],
    ),
    (
        "comparison along a flow",
        {
            "flow": {x: x * (a - y), y: y * (x - b)},
            "start": {x: a, y: b},
            "lower": sp.S.Zero,
            "upper": x,
            "state": z,
            "rate": z * (a - y),
            "order": ">",
        },
        [],
    ),
    (
        "bound from a differential inequality",
        {"state": size, "rate": a * size + b, "start": b, "bound": b * grown + b * (grown - 1) / a},
        [],
    ),
    (
        "set that a flow does not leave",
        {"flow": {x: -x + y / 2, y: -y + x / 2}, "barriers": [x - 1, -1 - x, y - 1, -1 - y]},
        [],
    ),
    ("box that a flow does not leave", {"flow": {x: x * (a - y), y: y * (x - b)}, "high": {}}, []),
    ("motion towards a rest point", {"start": {x: 2 * b}, "side": "above"}, []),
    ("motion towards a rest point", {"start": {x: y}}, [y > 0, y < b]),
]

BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("comparison on an interval", {"upper": s / 2}),
    ("comparison on an interval", {"lower": 2 * sp.tanh(s)}),
    ("comparison on an interval", {"upper": s - 1}),
    ("comparison on an interval", {"order": ">"}),
    ("comparison on an interval", {**ROOT, "lower": s**2, "upper": 0 * s}),
    ("comparison on an interval", {"rate": 2 * sp.sqrt(size), "state": size, "lower": s**2, "upper": 0 * s}),
    ("comparison on an interval", {"rate": x**2, "lower": 1 / (2 - s), "upper": 1 / (1 - s)}),
    (
        "comparison on an interval",
        {"rate": x**2, "lower": 1 / (2 - s), "upper": 1 / (1 - s), "high": 3},
    ),
    ("comparison on an interval", {"rate": 0 * x, "lower": sp.sqrt((s - 1) ** 2) / (s - 1), "upper": s * 0}),
    ("comparison on an interval", {"low": -1}),
    ("comparison along a flow", {"upper": b * grown}),
    ("comparison along a flow", {"start": {x: b + 1}}),
    ("comparison along a flow", {"flow": {x: 2 * a * x}}),
    ("comparison along a flow", {"order": ">"}),
    ("comparison along a flow", {"lower": 2 * x}),
    (
        "comparison along a flow",
        {**ROOT, "flow": {size: 2 * sp.sqrt(size)}, "start": {size: 0}, "lower": size, "upper": sp.S.Zero},
    ),
    ("comparison along a flow", {"flow": {x: x**2}, "start": {x: half}, "rate": y**2, "upper": 1 / (1 - s)}),
    (
        "comparison along a flow",
        {"flow": {x: sp.S.One}, "start": {x: -1}, "lower": 1 / x, "upper": sp.S.Zero, "rate": 0 * y},
    ),
    ("bound from a differential inequality", {"bound": x * grown}),
    ("bound from a differential inequality", {"start": x + 1}),
    ("bound from a differential inequality", {"bound": x / grown + b * (grown - 1) / a}),
    ("bound from a differential inequality", {"rate": y**2, "start": 1, "bound": 1 / (1 - s)}),
    ("bound from a differential inequality", {**ROOT, "start": 0, "bound": 0 * s}),
    ("bound from a differential inequality", {"state": size, "rate": 2 * sp.sqrt(size), "start": 0, "bound": 0 * s}),
    ("set that a flow does not leave", {"flow": {x: x, y: y}}),
    ("set that a flow does not leave", {"start": {x: 2, y: 0}}),
    (
        "set that a flow does not leave",
        {"flow": {x: sp.S.One, y: sp.S.Zero}, "start": {x: -1, y: 0}, "barriers": [x**3]},
    ),
    (
        "set that a flow does not leave",
        {"flow": {x: sp.S.One, y: sp.S.Zero}, "start": {x: -half, y: 0}, "barriers": [1 + 1 / x]},
    ),
    ("set that a flow does not leave", {"flow": {x: y, y: sp.S.Zero}, "start": {x: 0, y: 1}, "barriers": [x - 1]}),
    (
        "set that a flow does not leave",
        {"flow": {x: y, y: sp.S.One}, "start": {x: 0, y: -1}, "barriers": [x - 1, y + half]},
    ),
    ("box that a flow does not leave", {"flow": {x: x, y: -y}}),
    ("box that a flow does not leave", {"flow": {x: sp.S.NegativeOne, y: -y}}),
    ("box that a flow does not leave", {"flow": {x: half - x + s, y: -y}}),
    ("box that a flow does not leave", {"start": {x: 2, y: half}}),
    ("box that a flow does not leave", {"start": {x: 1, y: -1}}),
    (
        "box that a flow does not leave",
        {"flow": {x: 2 * sp.sqrt(x), y: -y}, "start": {x: 0, y: 0}, "high": {x: 0, y: 1}},
    ),
    ("box that a flow does not leave", {"flow": {x: (1 - x) / (2 * x - 1), y: -y}, "high": {x: 1, y: 1}}),
    ("motion towards a rest point", {"point": {x: 2 * b}}),
    ("motion towards a rest point", {"start": {x: -b}}),
    ("motion towards a rest point", {"start": {x: 0}}),
    ("motion towards a rest point", {"flow": {x: -a * x * (1 - x / b)}}),
    ("motion towards a rest point", {"flow": {x: sp.sqrt(1 - x)}, "start": {x: 0}, "point": {x: 1}}),
    ("motion towards a rest point", {"flow": {x: (1 - x) / (2 * x - 1) ** 2}, "start": {x: 0}, "point": {x: 1}}),
    ("linear instability", {"vector": {x: 0, y: 0}}),
    ("linear instability", {"growth": -a}),
    ("linear instability", {"growth": 2 * a}),
    ("linear instability", {"point": {x: 1, y: 0}}),
    ("linear instability", {"flow": {x: -x, y: -y}}),
    ("linear stability in the plane", {"flow": {x: x, y: y}}),
    ("linear stability in the plane", {"flow": {x: y, y: -a * y + x}}),
    ("linear stability in the plane", {"point": {x: 1, y: 0}}),
    ("instability by the trace", {"flow": {x: y, y: -x}}),
    ("instability by the trace", {"flow": {x: y, y: -x - a * y}}),
    ("instability by the trace", {"point": {x: 1, y: 0}}),
    ("linear stability on a line", {"point": {x: 0}}),
    ("linear stability on a line", {"point": {x: 2}}),
    ("linear stability on a line", {"flow": {x: (x - 1) ** 3}}),
]

POINTLESS: list[tuple[str, dict[str, Any]]] = [
    ("linear instability", {"flow": {x: a * x + sp.sqrt(x**2), y: -y}}),
    (
        "set that a flow does not leave",
        {"flow": {x: sp.S.One, y: sp.S.Zero}, "start": {x: -1, y: 0}, "barriers": [1 / x]},
    ),
    ("motion towards a rest point", {"start": {x: b}}),
    ("motion towards a rest point", {"side": "above"}),
    ("instability by the trace", {"flow": {x: sp.sqrt(x) + 2 * x, y: y}}),
]
"""Slots with which a step speaks of no point at all."""

REFUSED: list[tuple[str, dict[str, Any], list[Any]]] = [
    ("comparison on an interval", {"state": other, "rate": 1 / other}, []),
    ("comparison on an interval", {"lower": x}, []),
    ("comparison on an interval", {"variable": t, "upper": t, "lower": sp.tanh(t)}, []),
    ("comparison on an interval", {}, [s < 1]),
    ("comparison on an interval", {}, [x < 1]),
    ("comparison on an interval", {"low": s - 1}, []),
    ("comparison on an interval", {"high": -sp.oo}, []),
    ("comparison on an interval", {"order": "="}, []),
    ("comparison on an interval", {"state": s}, []),
    ("comparison along a flow", {"start": {x: x}}, []),
    ("comparison along a flow", {"start": {x: s}}, []),
    ("comparison along a flow", {"start": {y: b}}, []),
    ("comparison along a flow", {"time": x}, []),
    ("comparison along a flow", {"time": t}, []),
    ("comparison along a flow", {"state": x}, []),
    ("comparison along a flow", {"state": s}, []),
    ("comparison along a flow", {"state": other}, []),
    ("comparison along a flow", {"lower": y}, []),
    ("comparison along a flow", {}, [y > 1]),
    ("comparison along a flow", {"order": "<"}, []),
    ("bound from a differential inequality", {"state": low, "rate": low}, []),
    ("bound from a differential inequality", {"state": s}, []),
    ("bound from a differential inequality", {"start": s}, []),
    ("bound from a differential inequality", {"bound": y}, []),
    ("bound from a differential inequality", {"time": t}, []),
    ("bound from a differential inequality", {}, [y < 1]),
    ("set that a flow does not leave", {"start": {x: half, y: x}}, []),
    ("set that a flow does not leave", {"start": {x: half}}, []),
    ("set that a flow does not leave", {"time": t}, []),
    ("box that a flow does not leave", {"low": {}, "high": {}}, []),
    ("box that a flow does not leave", {"low": {z: 0}}, []),
    ("box that a flow does not leave", {"high": {x: 1, y: x}}, []),
    ("box that a flow does not leave", {"high": {x: 1, y: s}}, []),
    ("box that a flow does not leave", {}, [x < 1]),
    ("box that a flow does not leave", {"flow": {size: -size}, "start": {size: 1}, "low": {size: 1}, "high": {}}, []),
    ("box that a flow does not leave", {"time": t}, []),
    ("motion towards a rest point", {"flow": {x: y, y: x}, "start": {x: 0, y: 0}, "point": {x: 1, y: 1}}, []),
    ("motion towards a rest point", {"flow": {size: 1 - size}, "start": {size: half}, "point": {size: 1}}, []),
    ("motion towards a rest point", {"flow": {x: s * (b - x)}}, []),
    ("motion towards a rest point", {"start": {x: x - 1}}, []),
    ("motion towards a rest point", {"point": {x: x}}, []),
    ("motion towards a rest point", {"side": "left"}, []),
    ("motion towards a rest point", {}, [x < b]),
    ("linear instability", {"growth": x}, []),
    ("linear instability", {"point": {x: y, y: 0}}, []),
    ("linear instability", {"side": "top"}, []),
    ("linear stability in the plane", {"flow": {x: -x}, "point": {x: 0}}, []),
    ("instability by the trace", {"point": {x: y, y: 0}}, []),
    ("instability by the trace", {"point": {x: 0}}, []),
    ("linear stability on a line", {"flow": {x: -x, y: -y}, "point": {x: 0, y: 0}}, []),
]
