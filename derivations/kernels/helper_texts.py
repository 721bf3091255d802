"""Programs that emitted modules carry with them: what formulas may call, in Python on floats and on balls."""

from __future__ import annotations

import re
from collections.abc import Mapping

# --- scalars on balls -------------------------------------------------------------------------------------------------

EXACT = '''
def exact(value):
    """The number as written: a float's binary value, text such as 0.1, 1/3 or 0x1.8p+3, a ball as it is."""
    if isinstance(value, arb):
        return value
    number = Fraction(float.fromhex(value) if isinstance(value, str) and "0x" in value else value)
    return arb(number.numerator)/number.denominator
'''
BALL_HELPERS = {
    "power": '''
def power(x, n):
    """x to the integer n >= 2, for balls that may reach below zero."""
    result = x
    for _ in range(n - 1):
        result = result*x
    return result
''',
    "sqrt": '''
def sqrt(x):
    """The square root; a ball that reaches below zero is cut there."""
    return arb.nan() if x < 0 else x.nonnegative_part().sqrt()
''',
    "cbrt": '''
def cbrt(x):
    """The cube root of a ball that is not negative."""
    return x.root(3)
''',
    "relexp": '''
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    return x.hypgeom_1f1(1, 2)
''',
    "relexp1": '''
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    return x.hypgeom_1f1(2, 3)/2
''',
    "branch": '''
def branch(surely, surely_not, then, otherwise):
    """The value of the branch taken; where the condition is not decided, a ball around both."""
    if surely:
        return then()
    return otherwise() if surely_not else then().union(otherwise())
''',
}


# --- matrices ---------------------------------------------------------------------------------------------------------

SIZES = '''
def sizes(**matrices):
    """The dimensions by name, in order of appearance; every matrix comes with the names of its own."""
    found = {}
    for name, (matrix, *dimensions) in matrices.items():
        for size, dimension in zip(SHAPE, dimensions, strict=True):
            if found.setdefault(dimension, 1 if dimension == 1 else size) != size:
                raise ValueError(f"{name} has {dimension} = {size}, but another matrix has {found[dimension]}")
    return [size for dimension, size in found.items() if dimension != 1]
'''

FLOAT_MATRIX_HELPERS = {
    "matrix": '''
def matrix(value):
    """A matrix of floats from rows of numbers."""
    array = np.asarray(value, dtype=float)
    if array.ndim != 2:
        raise ValueError(f"a matrix has rows and columns, but this has {array.ndim} axes")
    return array
''',
    "sizes": SIZES.replace("SHAPE", "matrix.shape"),
    "cut": '''
def cut(matrix, heights, widths):
    """The blocks of a matrix, row by row."""
    rows = np.split(matrix, np.cumsum(heights)[:-1])
    return [block for row in rows for block in np.split(row, np.cumsum(widths)[:-1], axis=1)]
''',
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
}
BALL_MATRIX_HELPERS = {
    "exact": EXACT,
    "matrix": '''
def matrix(value):
    """A matrix of balls from rows of numbers; an arb_mat as it is."""
    return value if isinstance(value, arb_mat) else arb_mat([[exact(entry) for entry in row] for row in value])
''',
    "sizes": SIZES.replace("SHAPE", "(matrix.nrows(), matrix.ncols())"),
    "identity": '''
def identity(n):
    """The identity matrix."""
    return arb_mat([[int(i == j) for j in range(n)] for i in range(n)])
''',
    "joined": '''
def joined(rows):
    """One matrix of rows of blocks."""
    lines = [sum(line, []) for row in rows for line in zip(*(block.tolist() for block in row))]
    return arb_mat(len(lines), sum(block.ncols() for block in rows[0]), sum(lines, []))
''',
    "cut": '''
def cut(matrix, heights, widths):
    """The blocks of a matrix, row by row."""
    rows, blocks = iter(matrix.tolist()), []
    for height in heights:
        lines = [iter(next(rows)) for _ in range(height)]
        blocks += [arb_mat(height, width, [next(line) for line in lines for _ in range(width)]) for width in widths]
    return blocks
''',
    "exponential_integral": '''
def exponential_integral(A, t):
    """The integral of exp(A s) over s from 0 to t: the upper right block of exp(t [A, I; 0, 0])."""
    n = A.nrows()
    return cut(joined([[A*t, identity(n)*t], [arb_mat(n, 2*n)]]).exp(), (n, n), (n, n))[1]
''',
}

# --- arrays in loops --------------------------------------------------------------------------------------------------

FLOAT_LOOP_HELPERS = {
    "symmetric": '''
@njit(cache=True, error_model="numpy")
def symmetric(A):
    """Whether no two opposite entries of a square array differ."""
    for i in range(A.shape[0]):
        for k in range(i):
            if A[i, k] < A[k, i] or A[i, k] > A[k, i]:
                return False
    return True
''',
}
BALL_LOOP_HELPERS = {
    "read": '''
def read(value, depth):
    """Nested lists of balls from nested rows of numbers."""
    return [read(row, depth - 1) for row in value] if depth else exact(value)
''',
    "shape": '''
def shape(value, depth):
    """The lengths of nested lists, which must agree on every level."""
    inner = {shape(row, depth - 1) for row in value} if depth > 1 else {()}
    if len(inner) > 1:
        raise ValueError("the rows of an array have different lengths")
    return (len(value), *(inner.pop() if inner else (0,)*(depth - 1)))
''',
    "symmetric": '''
def symmetric(A):
    """Whether no two opposite entries of a square array surely differ."""
    return not any(A[i][k] != A[k][i] for i in range(len(A)) for k in range(i))
''',
    "table": '''
def table(size, *further):
    """Nested lists to be filled."""
    return [table(*further) if further else None for _ in range(size)]
''',
}


def called(text: str, known: Mapping[str, str]) -> list[str]:
    """The programs that a text calls, and those that they call; each calls only such as stand before it."""
    found: list[str] = []
    for name, source in reversed(list(known.items())):
        if re.search(rf"\b{name}\(", text):
            text += source
            found.insert(0, source.strip())
    return found
