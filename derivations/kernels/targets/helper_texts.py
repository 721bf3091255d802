"""Programs that emitted files carry with them, besides those in derivations.kernels.helper_texts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from math import factorial

NEEDS = {"relexp1": ("moment",), "relexp": ("moment",)}

NUMPY = {
    "erf": """
erf = np.vectorize(math.erf, otypes=[float])  # NumPy has none
""",
    "relexp": '''
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    half = np.exp(0.5*x)  # exp(x) may overflow where the quotient does not
    return np.where(x == 0.0, 1.0, np.where(x > 700.0, half*(half/x), np.expm1(x)/x))
''',
    "relexp1": '''
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    half, series = np.exp(0.5*x), np.zeros_like(x)
    for n in range(19, -1, -1):
        series = series*x + 1.0/(math.factorial(n)*(n + 2))
    far = np.where(x > 700.0, half*((x - 1.0)/x)*(half/x), (x*np.exp(x) - np.expm1(x))/x/x)
    return np.where(abs(x) < 1.0, series, far)
''',
    "minor": '''
def product_error(x, y, product):
    """x*y - product without rounding, from halves of the factors (Dekker, 1971)."""
    wide_x, wide_y = 134217729.0*x, 134217729.0*y
    high_x, high_y = wide_x - (wide_x - x), wide_y - (wide_y - y)
    low_x, low_y = x - high_x, y - high_y
    return ((high_x*high_y - product) + high_x*low_y + low_x*high_y) + low_x*low_y


def minor(a, b, c, d):
    """a*b - c*d, without the rounding of the products."""
    first, second = a*b, c*d
    return (first - second) + (product_error(a, b, first) - product_error(c, d, second))
''',
}

MPMATH = {
    "quotient": '''
def quotient(a, b):
    """a/b; no number where b is zero, which happens to parts of branches that are not taken."""
    return a/b if b else mp.nan
''',
    "relexp": '''
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    return mp.expm1(x)/x if x else mpf(1)
''',
    "relexp1": '''
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    return mp.hyp1f1(2, 3, x)/2
''',
    "minor": '''
def minor(a, b, c, d):
    """a*b - c*d, rounded once."""
    return mp.fdot([(a, b), (-1*c, d)])
''',
}

MOMENT = '''
@partial(jax.custom_jvp, nondiff_argnums=(0,))
def moment(n, x):
    """The integral of s^n exp(s x) over s from 0 to 1; its derivative by x is the next one."""
    series = sum_of_powers(n, jnp.where(abs(x) < 1.0, x, 0.0))
    low, high = jnp.minimum(x, -1.0), jnp.maximum(x, 1.0)
    below, above = jnp.expm1(low)/low, -jnp.expm1(-high)/high  # the latter without its factor exp(high)
    for k in range(1, n + 1):
        below, above = (jnp.exp(low) - k*below)/low, (1.0 - k*above)/high
    half = jnp.exp(0.5*high)
    return jnp.where(abs(x) < 1.0, series, jnp.where(x < 0.0, below, half*(half*above)))


def sum_of_powers(n, x):
    """The power series of the moment for abs(x) < 1."""
    return jnp.polyval(jnp.asarray([1.0/(math.factorial(k)*(k + n + 1)) for k in range(19, -1, -1)]), x, unroll=1)


@moment.defjvp
def _(n, at, along):
    return moment(n, *at), moment(n + 1, *at)*along[0]
'''

JAX = {
    "quotient": '''
def quotient(a, b):
    """a/b; where b is zero, as in parts of branches that are not taken, it has no slope that spoils others."""
    return jnp.where(b == 0.0, lax.stop_gradient(a/b), a/jnp.where(b == 0.0, 1.0, b))
''',
    "moment": MOMENT,
    "relexp": '''
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    return moment(0, x)
''',
    "relexp1": '''
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    return moment(1, x)
''',
    "minor": '''
@jax.custom_jvp
def minor(a, b, c, d):
    """a*b - c*d, without the rounding of the products, whichever of them a compiler fuses with a sum.

    Every factor is cut in two by its bits: a product with a leading part is exact, and fusing cannot change it.
    """
    (a, a_low), (b, b_low), (c, c_low), (d, d_low) = map(cut, (a, b, c, d))
    low = (a*b_low - c*d_low) + (a_low*b - c_low*d) + (a_low*b_low - c_low*d_low)
    return (a*b - c*d) + low


def cut(x):
    """The first 26 of a double's bits, and the rest."""
    high = lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.uint64) & jnp.uint64(2**64 - 2**27), jnp.float64)
    return high, x - high


@minor.defjvp
def _(at, along):
    (a, b, c, d), (da, db, dc, dd) = at, along
    return minor(a, b, c, d), a*db + b*da - c*dd - d*dc
''',
}

C = {
    "power": """
/* x to the integer n >= 2 */
FUNCTION double power(double x, int n)
{
    double result = 1.0;
    for (; n > 1; n /= 2) {
        if (n % 2 == 1) result *= x;
        x *= x;
    }
    return result*x;
}
""",
    "relexp": """
/* (exp(x) - 1)/x, and 1 at x = 0 */
FUNCTION double relexp(double x)
{
    if (x == 0.0) return 1.0;
    if (x > 700.0) {  /* exp(x) may overflow where the quotient does not */
        const double half = exp(0.5*x);
        return half*(half/x);
    }
    return expm1(x)/x;
}
""",
    "relexp1": """
/* (exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0 */
FUNCTION double relexp1(double x)
{
    if (fabs(x) < 1.0) {
        const double series[20] = {@SERIES@};
        double total = 0.0;
        for (int n = 19; n >= 0; n--) total = total*x + series[n];
        return total;
    }
    if (x > 700.0) {  /* exp(x) may overflow where the quotient does not */
        const double half = exp(0.5*x);
        return half*((x - 1.0)/x)*(half/x);
    }
    return (x*exp(x) - expm1(x))/x/x;
}
""",
    "minor": """
/* a*b - c*d without cancellation (Kahan) */
FUNCTION double minor(double a, double b, double c, double d)
{
    const double second = c*d;
    return fma(a, b, -second) - fma(c, d, -second);  /* fma is exact before it rounds, on any processor */
}
""",
}


SERIES = textwrap.fill(", ".join(repr(1 / (factorial(n) * (n + 2))) for n in range(20)), 90, subsequent_indent=" " * 12)


def needed(
    used: Iterable[str], known: Mapping[str, str], needs: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """The texts of the programs used and of those that they need, in the order in which they are kept."""
    every = set(used)
    every |= {need for name in used for need in (needs or {}).get(name, ())}
    return [text.replace("@SERIES@", SERIES).strip() for name, text in known.items() if name in every]
