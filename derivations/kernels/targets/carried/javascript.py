"""Functions that programs in JavaScript carry with them; each calls only such as stand before it."""

from __future__ import annotations

JAVASCRIPT = {
    "table": """
// nested arrays to be filled
function table(size, ...further) {
    return Array.from({length: size}, () => (further.length ? table(...further) : 0.0));
}
""",
    "has": """
// whether nested arrays have these sizes
function has(value, size, ...further) {
    const right = value?.length === size;
    return right && (further.length ? Array.prototype.every.call(value, (row) => has(row, ...further)) : true);
}
""",
    "symmetric": """
// whether no two opposite entries of a square array differ
function symmetric(A) {
    return A.every((row, i) => row.every((entry, k) => entry === A[k][i]));
}
""",
    "inverse": """
// the inverse of a matrix, by elimination with the largest pivot of each column
function inverse(A) {
    const n = A.length, left = A.map((row) => [...row]), right = A.map((row, i) => row.map((_, k) => +(i === k)));
    for (let k = 0; k < n; k++) {
        let p = k;
        for (let i = k + 1; i < n; i++) if (Math.abs(left[i][k]) > Math.abs(left[p][k])) p = i;
        if (!(left[p][k] !== 0.0)) throw new RangeError("a matrix has no inverse");
        [left[k], left[p]] = [left[p], left[k]];
        [right[k], right[p]] = [right[p], right[k]];
        const pivot = left[k][k];
        for (let j = 0; j < n; j++) {
            left[k][j] /= pivot;
            right[k][j] /= pivot;
        }
        for (let i = 0; i < n; i++) {
            const factor = left[i][k];
            for (let j = 0; i !== k && j < n; j++) {
                left[i][j] -= factor*left[k][j];
                right[i][j] -= factor*right[k][j];
            }
        }
    }
    return right;
}
""",
    "times": """
// the product of two matrices
function times(A, B) {
    return A.map((row) => B[0].map((_, k) => row.reduce((sum, entry, j) => sum + entry*B[j][k], 0.0)));
}
""",
    "exponential": """
// the exponential of a matrix: halved until it is small, summed as a series without its one, and squared
function exponential(A) {
    if (!A.length) return [];
    let size = Math.max(...A.map((row) => row.reduce((sum, entry) => sum + Math.abs(entry), 0.0))), halvings = 0;
    for (; size > 0.5 && halvings < 1100; halvings++) size *= 0.5;
    const small = A.map((row) => row.map((entry) => entry*0.5**halvings));
    let rise = A.map((row) => row.map(() => 0.0));
    for (let k = 18; k > 0; k--) {
        const share = small.map((row) => row.map((entry) => entry/k)), more = times(share, rise);
        rise = share.map((row, i) => row.map((entry, j) => entry + more[i][j]));
    }
    for (let k = 0; k < halvings; k++) {
        const square = times(rise, rise);
        rise = rise.map((row, i) => row.map((entry, j) => 2.0*entry + square[i][j]));
    }
    return rise.map((row, i) => row.map((entry, j) => entry + (i === j)));
}
""",
    "exponential_integral": """
// the integral of exp(A s) over s from 0 to t: the upper right block of exp(t [A, I; 0, 0])
function exponential_integral(A, t) {
    const n = A.length, whole = table(2*n, 2*n);
    for (let i = 0; i < n; i++) {
        for (let k = 0; k < n; k++) whole[i][k] = A[i][k]*t;
        whole[i][n + i] = t;
    }
    return exponential(whole).slice(0, n).map((row) => row.slice(n));
}
""",
    "erf": """
// the error function: its series, or one less a continued fraction
function erf(x) {
    const size = Math.abs(x), square = x*x;
    if (size < 1.5) {
        let term = 1.0, sum = 0.0;
        for (let n = 40; n > 0; n--) sum = (sum + 1.0)*(2.0*square/(2*n + 1));
        term = 2.0/Math.sqrt(Math.PI)*x*Math.exp(-square);
        return term + term*sum;
    }
    let below = size;
    for (let n = 120; n > 0; n--) below = size + 0.5*n/below;
    return Math.sign(x)*(1.0 - Math.exp(-square)/(below*Math.sqrt(Math.PI)));
}
""",
    "relexp": """
// (exp(x) - 1)/x, and 1 at x = 0
function relexp(x) {
    if (x === 0.0) return 1.0;
    const half = Math.exp(0.5*x);  // exp(x) may overflow where the quotient does not
    return x > 700.0 ? half*(half/x) : Math.expm1(x)/x;
}
""",
    "relexp1": """
// (exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0
function relexp1(x) {
    if (Math.abs(x) < 1.0) {
        let series = 0.0, factorial = 1.0;
        for (let n = 1; n < 20; n++) factorial *= n;
        for (let n = 19; n >= 0; n--) {
            series = series*x + 1.0/(factorial*(n + 2));
            factorial /= n || 1;
        }
        return series;
    }
    const half = Math.exp(0.5*x);
    return x > 700.0 ? half*((x - 1.0)/x)*(half/x) : (x*Math.exp(x) - Math.expm1(x))/x/x;
}
""",
    "product_error": """
// x*y - product without rounding, from halves of the factors (Dekker, 1971)
function product_error(x, y, product) {
    const wide_x = 134217729.0*x, wide_y = 134217729.0*y;
    const high_x = wide_x - (wide_x - x), high_y = wide_y - (wide_y - y), low_x = x - high_x, low_y = y - high_y;
    return ((high_x*high_y - product) + high_x*low_y + low_x*high_y) + low_x*low_y;
}
""",
    "minor": """
// a*b - c*d, without the rounding of the products
function minor(a, b, c, d) {
    const first = a*b, second = c*d;
    return (first - second) + (product_error(a, b, first) - product_error(c, d, second));
}
""",
    "power": """
// x to a whole number, by squares
function power(x, n) {
    let found = 1.0;
    for (let base = x; n > 0; n = Math.floor(n/2), base *= base) if (n % 2) found *= base;
    return found;
}
""",
}
