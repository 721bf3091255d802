"""Functions that emitted programs carry with them, by language; each calls only such as stand before it.

Those of Numba on single numbers are in derivations.kernels.targets.carried.elementary.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from math import factorial

ON_ARRAYS = '@njit(cache=True, error_model="numpy")'
NUMBA = {
    "symmetric": '''
@ON_ARRAYS
def symmetric(A):
    """Return whether no two opposite entries of a square array differ."""
    for i in range(A.shape[0]):
        for k in range(i):
            if A[i, k] < A[k, i] or A[i, k] > A[k, i]:
                return False
    return True
''',
    "inverse": '''
@ON_ARRAYS
def inverse(A):
    """The inverse of a matrix, by elimination with the largest pivot of each column."""
    n = A.shape[0]
    left, right = A.copy(), np.eye(n)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(left[i, k]) > abs(left[p, k]):
                p = i
        if not left[p, k] != 0.0:
            raise ValueError("a matrix has no inverse")
        for j in range(n):
            left[k, j], left[p, j] = left[p, j], left[k, j]
            right[k, j], right[p, j] = right[p, j], right[k, j]
        pivot = left[k, k]
        for j in range(n):
            left[k, j] /= pivot
            right[k, j] /= pivot
        for i in range(n):
            factor = left[i, k]
            if i != k:
                for j in range(n):
                    left[i, j] -= factor*left[k, j]
                    right[i, j] -= factor*right[k, j]
    return right
''',
    "exponential": '''
@ON_ARRAYS
def exponential(A):
    """The exponential of a matrix: halved until it is small, summed as a series without its one, and squared."""
    n = A.shape[0]
    size, halvings = 0.0, 0
    for i in range(n):
        size = max(size, np.sum(np.abs(A[i])))
    while size > 0.5 and halvings < 1100:
        size, halvings = 0.5*size, halvings + 1
    small, rise = A*0.5**halvings, np.zeros((n, n))
    for k in range(18, 0, -1):
        rise = small/k + (small/k) @ rise
    for _ in range(halvings):
        rise = 2.0*rise + rise @ rise
    return rise + np.eye(n)
''',
    "exponential_integral": '''
@ON_ARRAYS
def exponential_integral(A, t):
    """The integral of exp(A s) over s from 0 to t: the upper right block of exp(t [A, I; 0, 0])."""
    n = A.shape[0]
    whole = np.zeros((2*n, 2*n))
    whole[:n, :n], whole[:n, n:] = A*t, np.eye(n)*t
    return exponential(whole)[:n, n:].copy()
''',
}

ARRAY = '''
def array(value, axes):
    """An array of floats with so many axes."""
    found = MODULE.asarray(value, dtype=float)
    if found.ndim != axes:
        raise ValueError(f"an array of {axes} axes is needed, and this one has {found.ndim}")
    return found
'''
GRID = '''
def grid(*sizes):
    """Indices that run through all combinations, each along an axis of its own."""
    return np.ix_(*map(np.arange, sizes))
'''
CUT = '''
def cut(matrix, heights, widths):
    """The blocks of a matrix, row by row."""
    rows = MODULE.split(matrix, np.cumsum(np.array(heights))[:-1])
    return [block for row in rows for block in MODULE.split(row, np.cumsum(np.array(widths))[:-1], axis=1)]
'''

NUMPY = {
    "array": ARRAY.replace("MODULE", "np"),
    "grid": GRID,
    "symmetric": '''
def symmetric(A):
    """Return whether no two opposite entries of a square array differ."""
    return not np.any((A < A.T) | (A > A.T))
''',
    "cut": CUT.replace("MODULE", "np"),
    "spectral": '''
def spectral(function, A):
    """A function of a symmetric matrix, through its eigenvalues."""
    values, vectors = np.linalg.eigh(A)
    return vectors*function(values) @ vectors.T
''',
    "relexp_of": '''
def relexp_of(x):
    """(exp(x) - 1)/x, and 1 at x = 0, entry by entry."""
    return np.divide(np.expm1(x), x, out=np.ones_like(x), where=x != 0)
''',
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
    "array": ARRAY.replace("MODULE", "jnp"),
    "grid": GRID,
    "cut": CUT.replace("MODULE", "jnp"),
    "exponential_integral": '''
def exponential_integral(A, t):
    """The integral of exp(A s) over s from 0 to t: the upper right block of exp(t [A, I; 0, 0])."""
    n = A.shape[0]
    whole = jnp.block([[A*t, jnp.eye(n)*t], [jnp.zeros((n, 2*n))]])
    return expm(whole)[:n, n:]
''',
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
    (a, a_low), (b, b_low), (c, c_low), (d, d_low) = map(halves, (a, b, c, d))
    low = (a*b_low - c*d_low) + (a_low*b - c_low*d) + (a_low*b_low - c_low*d_low)
    return (a*b - c*d) + low


def halves(x):
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
    "symmetric": """
/* whether no two opposite entries of a square array differ */
FUNCTION int symmetric(size_t n, const double *A)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (A[i*n + k] < A[k*n + i] || A[i*n + k] > A[k*n + i]) return 0;
    return 1;
}
""",
    "inverse": """
/* the inverse of a matrix, by elimination with the largest pivot of each column */
FUNCTION const char *inverse(size_t n, const double *A, double *right)
{
    double *const left = (double *)calloc(n*n + 1, sizeof(double));
    if (left == NULL) return "there is not enough memory";
    for (size_t i = 0; i < n*n; i++) {
        left[i] = A[i];
        right[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(left[i*n + k]) > fabs(left[p*n + k])) p = i;
        const double pivot = left[p*n + k];
        if (!(fabs(pivot) > 0.0)) {
            free(left);
            return "a matrix has no inverse";
        }
        for (size_t j = 0; j < n; j++) {
            const double one = left[p*n + j], other = right[p*n + j];
            left[p*n + j] = left[k*n + j];
            right[p*n + j] = right[k*n + j];
            left[k*n + j] = one/pivot;
            right[k*n + j] = other/pivot;
        }
        for (size_t i = 0; i < n; i++) {
            const double factor = left[i*n + k];
            for (size_t j = 0; i != k && j < n; j++) {
                left[i*n + j] -= factor*left[k*n + j];
                right[i*n + j] -= factor*right[k*n + j];
            }
        }
    }
    free(left);
    return NULL;
}
""",
    "exponential": """
/* the exponential of a matrix: halved until it is small, summed as a series without its one, and squared */
FUNCTION const char *exponential(size_t n, const double *A, double *rise)
{
    double *const small = (double *)calloc(2*n*n + 1, sizeof(double));
    double *const next = small + n*n;
    double size = 0.0;
    int halvings = 0;
    if (small == NULL) return "there is not enough memory";
    for (size_t i = 0; i < n; i++) {
        double row = 0.0;
        for (size_t j = 0; j < n; j++) row += fabs(A[i*n + j]);
        if (row > size) size = row;
    }
    for (; size > 0.5 && halvings < 1100; halvings++) size *= 0.5;
    for (size_t i = 0; i < n*n; i++) {
        small[i] = ldexp(A[i], -halvings);
        rise[i] = 0.0;
    }
    for (int step = 18 + halvings; step > 0; step--) {
        const int k = step - halvings;  /* the power of the series that is added, or a squaring */
        const double *const left = k > 0 ? small : rise;
        const double share = k > 0 ? 1.0/k : 1.0, own = k > 0 ? 1.0/k : 2.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double total = 0.0;
                for (size_t l = 0; l < n; l++) total += left[i*n + l]*rise[l*n + j];
                next[i*n + j] = own*left[i*n + j] + share*total;
            }
        for (size_t i = 0; i < n*n; i++) rise[i] = next[i];
    }
    for (size_t i = 0; i < n; i++) rise[i*n + i] += 1.0;
    free(small);
    return NULL;
}
""",
    "exponential_integral": """
/* the integral of exp(A s) over s from 0 to t: the upper right block of exp(t [A, I; 0, 0]) */
FUNCTION const char *exponential_integral(size_t n, const double *A, double t, double *found)
{
    double *const whole = (double *)calloc(8*n*n + 1, sizeof(double));
    double *const grown = whole + 4*n*n;
    if (whole == NULL) return "there is not enough memory";
    for (size_t i = 0; i < 4*n*n; i++) whole[i] = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) whole[i*2*n + j] = A[i*n + j]*t;
        whole[i*2*n + n + i] = t;
    }
    const char *const trouble = exponential(2*n, whole, grown);
    for (size_t i = 0; trouble == NULL && i < n; i++)
        for (size_t j = 0; j < n; j++) found[i*n + j] = grown[i*2*n + n + j];
    free(whole);
    return trouble;
}
""",
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


def called(text: str, known: Mapping[str, str]) -> list[str]:
    """The functions that a text calls, and those that they call."""
    names: list[str] = []
    for name, source in reversed(list(known.items())):
        if re.search(rf"(?<![.\w]){name}\(", text):
            text += source
            names.insert(0, source.strip().replace("@SERIES@", SERIES).replace("@ON_ARRAYS", ON_ARRAYS))
    return names
