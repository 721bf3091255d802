"""Functions that emitted Numba programs carry with them: accurate, and quick where a program runs over many points.

They hold no branches and call nothing of the C library, so that a compiler may put as many points at once through them
as the processor's registers hold. Wherever a rounding would matter they multiply and add in one step (`fma`).
"""

from __future__ import annotations

from collections.abc import Collection

from derivations.kernels.program import CALLS

INLINED = '@njit(cache=True, error_model="numpy", forceinline=True)'

NEEDS: dict[str, tuple[str, ...]] = {
    "fma": (),
    "minor": ("fma",),
    "exp_parts": ("fma",),
    "power_of_two": (),
    "two_powers": ("power_of_two",),
    "exp": ("exp_parts", "two_powers", "fma"),
    "relexp": ("exp_parts", "two_powers", "fma"),
    "relexp1": ("exp_parts", "two_powers", "fma"),
    "asin": ("fma",),
    "log": ("fma",),
}
"""The helpers that each of them calls, in an order in which they can stand in a file."""

IMPORTS: dict[str, tuple[tuple[str, str], ...]] = {
    "fma": (
        ("fractions", "Fraction"),
        ("math", "isfinite"),
        ("numba", "float64"),
        ("numba.extending", "intrinsic"),
        ("numba.extending", "overload"),
    ),
    "exp_parts": (("numpy", ""),),
    "power_of_two": (("numpy", ""),),
    "asin": (("math", "sqrt"),),
    "log": (("numpy", ""),),
}
"""The names that each of them imports, and from where; NumPy as a whole."""

MODULES = ("fractions", "math", "numpy", "numba", "numba.extending")
OF_MATH = frozenset(CALLS) - set(NEEDS) - {"abs", "cbrt"} | {"pi"}

EXP_SERIES = [
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326136,
    0.0013888888888883748,
    0.00019841269874820627,
    2.4801587325547743e-05,
    2.7557255400206422e-06,
    2.75572736431103e-07,
    2.5105217004720745e-08,
    2.0914686968086876e-09,
]
"""(exp(r) - 1 - r)/r^2 in powers of r, of size log(2)/2 at most, from its values at 11 Chebyshev nodes; relative error
of exp(r) - 1 below 1e-18."""
RELEXP1_SERIES = [
    0.5,
    0.33333333333333337,
    0.125,
    0.03333333333333178,
    0.006944444444444353,
    0.0011904761904929966,
    0.0001736111111121019,
    2.2045855299190406e-05,
    2.4801587254424228e-06,
    2.50521279278102e-07,
    2.2964444208670986e-08,
    1.9268297308029706e-09,
    1.4910462510638438e-10,
    1.0875970998749004e-11,
    7.26945015997829e-13,
]
"""relexp1(x) in powers of x of size 1 at most, from its values at 15 Chebyshev nodes; relative error 1.4e-17."""
ASIN_SERIES = [
    0.16666666666666669,
    0.07499999999998433,
    0.04464285714635543,
    0.030381944138531247,
    0.02237217294214989,
    0.017352392720869973,
    0.013971212973552933,
    0.011479177415184906,
    0.01032281435018578,
    0.005457506718640358,
    0.01740087944269402,
    -0.014851887071247204,
    0.028757851367421566,
]
"""(asin(x)/x - 1)/x^2 in powers of x^2 <= 1/4, from its values at 13 Chebyshev nodes; relative error of asin 6e-18."""
LOG_SERIES = [
    0.3333333333333335,
    0.19999999999949752,
    0.14285714312987743,
    0.1111110556739754,
    0.09091444562630861,
    0.07665860800278021,
    0.07308224842521703,
]
"""(artanh(s)/s - 1)/s^2 in powers of s^2, where (1 + s)/(1 - s) lies between sqrt(1/2) and sqrt(2)."""

TEXTS = {
    "fma": '''
def fma(a, b, c):
    """a*b + c, rounded once; compiled, it is one instruction."""
    if not isfinite(a*b + c):
        return a*b + c
    return float(Fraction(a)*Fraction(b) + Fraction(c))


@intrinsic
def fused(_, a, b, c):
    """The processor's own."""
    return float64(float64, float64, float64), lambda _, builder, signature, values: builder.fma(*values)


@overload(fma)
def compiled_fma(a, b, c):
    """Functions that compiled programs call."""
    return lambda a, b, c: fused(a, b, c)
''',
    "minor": '''
@INLINED
def minor(a, b, c, d):
    """a*b - c*d without cancellation (Kahan)."""
    second = c*d
    return fma(a, b, -second) - fma(c, d, -second)
''',
    "exp_parts": '''
TURNS = 6755399441055744.0  # 3 2^51: a sum with it is rounded to a whole number, which its last bits hold
WHOLE = np.float64(TURNS).view(np.int64)


@INLINED
def exp_parts(x):
    """A whole number n and a number of size 1/2 at most, where exp(x) = (1 + rise) 2^n; no result needs larger x."""
    x = -746.0 if x < -746.0 else 720.0 if x > 720.0 else x
    turned = fma(x, 1.4426950408889634, TURNS)
    n = turned - TURNS
    first = fma(n, -0.6931471805599453, x)
    r = fma(n, -2.3190468138462996e-17, first)
    rest = fma(n, -2.3190468138462996e-17, first - r)
@EXP_SERIES@
    return np.float64(turned).view(np.int64) - WHOLE, r + fma(r*r, p0, rest)
''',
    "power_of_two": '''
@INLINED
def power_of_two(n):
    """2^n for n from -1022 to 1023."""
    return np.int64((n + 1023) << 52).view(np.float64)
''',
    "two_powers": '''
@INLINED
def two_powers(n):
    """Two powers of two with the product 2^n, which alone may be too large or too small, and one over the second."""
    half = n >> 1
    return power_of_two(half), power_of_two(n - half), power_of_two(half - n)
''',
    "exp": '''
@INLINED
def exp(x):
    """The exponential function."""
    n, rise = exp_parts(x)
    first, second, _ = two_powers(n)
    last = 0.0 if x < -745.2 else second  # a product that is too small for a float takes far longer
    return fma(rise, first, first)*last
''',
    "relexp": '''
@INLINED
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    n, rise = exp_parts(x)
    first, second, one = two_powers(n)  # one is that of exp(x) - 1, before it is multiplied by the second
    divisor = x if x < 720.0 else 720.0  # beyond, the quotient overflows
    return 1.0 if x == 0.0 else fma(rise, first, first - one)/divisor*second
''',
    "relexp1": '''
@INLINED
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
@RELEXP1_SERIES@
    near = p0
    n, rise = exp_parts(x)
    first, second, one = two_powers(n)
    divisor = x if x < 720.0 else 720.0  # beyond, the quotient overflows
    grown, less = fma(rise, first, first), fma(rise, first, first - one)
    return near if abs(x) < 1.0 else (grown - less/divisor)/divisor*second
''',
    "asin": '''
@INLINED
def asin(x):
    """The arcsine, through that of sqrt((1 - x)/2) where x is large."""
    size = abs(x)
    square = 0.5*(1.0 - size) if size > 0.5 else x*x
    small = sqrt(square) if size > 0.5 else size
@ASIN_SERIES@
    bend = small*square*p0
    angle = small + bend
    if size > 0.5:
        angle = fma(-2.0, small, 1.5707963267948966) - (2.0*bend - 6.123233995736766e-17)
    return angle if x >= 0.0 else -angle
''',
    "log": '''
@INLINED
def log(x):
    """The natural logarithm."""
    subnormal = x < 2.2250738585072014e-308
    bits = np.float64(x*18014398509481984.0 if subnormal else x).view(np.int64)
    n = (bits - 0x3FE6A09E667F3BCD) >> 52  # x is 2^n times a number from sqrt(1/2) to sqrt(2)
    power = np.float64(n) - (54.0 if subnormal else 0.0)
    above = np.int64(bits - (n << 52)).view(np.float64) - 1.0
    s = above/(2.0 + above)
    z = s*s
@LOG_SERIES@
    half = 0.5*above*above
    low = fma(power, 2.3190468138462996e-17, s*(half + 2.0*z*p0))
    value = fma(power, 0.6931471805599453, above - (half - low))
    return value if 0.0 < x < np.inf else -np.inf if x == 0.0 else x if x > 0.0 else np.nan
''',
}


def with_needs(used: Collection[str]) -> list[str]:
    """Those of the names that stand for programs, and what these call, in an order in which they can be defined."""
    names = set(used) & set(NEEDS)
    while more := {need for name in names for need in NEEDS[name]} - names:
        names |= more
    return [name for name in NEEDS if name in names]


def programs(used: Collection[str]) -> list[str]:
    """The texts of what programs call."""
    series = {"EXP_SERIES": ("r", EXP_SERIES), "RELEXP1_SERIES": ("x", RELEXP1_SERIES)}
    series |= {"ASIN_SERIES": ("square", ASIN_SERIES), "LOG_SERIES": ("z", LOG_SERIES)}
    texts = []
    for name in with_needs(used):
        text = TEXTS[name].strip().replace("@INLINED", INLINED)
        for key, (variable, coefficients) in series.items():
            text = text.replace(f"@{key}@", _summed(variable, coefficients))
        texts.append(text)
    return texts


def imports(used: Collection[str]) -> list[str]:
    """The lines that import what a Numba program calls, Python's own modules first."""
    wanted = {("numba", "njit"), *((("numpy", ""),) if "cbrt" in used else ())}
    wanted |= {("math", name) for name in used if name in OF_MATH}
    wanted |= {pair for name in with_needs(used) for pair in IMPORTS.get(name, ())}
    return [
        _import(module, sorted(n for m, n in wanted if m == module)) for module in MODULES if module in dict(wanted)
    ]


def _import(module: str, names: list[str]) -> str:
    return "import numpy as np" if module == "numpy" else f"from {module} import {', '.join(names)}"


def _summed(variable: str, coefficients: list[float]) -> str:
    """A polynomial by Estrin's rule: neighbours are joined pair by pair, so that few steps wait for one another."""
    parts, power, lines = list(map(repr, coefficients)), variable, []
    while len(parts) > 1:
        pairs = list(zip(parts[::2], parts[1::2], strict=False))
        lines += [f"p{k} = fma({high}, {power}, {low})" for k, (low, high) in enumerate(pairs)]
        odd = parts[-1:] if len(parts) % 2 else []
        lines += [f"p{len(pairs)} = {part}" for part in odd]
        parts = [f"p{k}" for k in range(len(pairs) + len(odd))]
        lines += ["span = " + "*".join([power] * 2)] * (len(parts) > 1)
        power = "span"
    return "\n".join(f"    {line}" for line in lines)
