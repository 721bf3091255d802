"""Section 3, the two code snippets: what they compute, entry by entry, with arrays that broadcast as those of JAX do."""

from __future__ import annotations
from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import EQ_18, C
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.network import EQ_10_R
from derivations.text import DerivationError

Matrix = Any  # sympy.Matrix

class ShapeError(DerivationError):
    """Arrays that do not broadcast."""

def broadcast(combine, *arrays):
    """Entry by entry; a side of length one is repeated, and other lengths must be equal."""
    rows, columns = (_length([array.shape[side] for array in arrays]) for side in (0, 1))

    def entry(p, q):
        return combine(*(array[p % array.rows, q % array.cols] for array in arrays))

    return sp.Matrix(rows, columns, entry)

def _length(lengths):
    longest = max(lengths)
    if any(length not in (1, longest) for length in lengths):
        raise ShapeError(f"sides of lengths {lengths} do not broadcast: all that are not one must be equal")
    return longest

def get_I2(c12, c11, c22):
    """The first snippet, line by line."""
    e_c11 = c11.diagonal().T
    e_c22 = c22.diagonal()
    denom = broadcast(lambda one, other: sqrt((1 + one) * (1 + other)), e_c11, e_c22)
    return broadcast(lambda c, d: asin(c / d) * (2 / pi), c12, denom)

def order_parameter_loss(Q, R, T, sigma):
    """The second."""
    first_term = sum(get_I2(Q, Q, Q))
    second_term = sum(get_I2(R, Q, T))
    third_term = sum(get_I2(T, T, T))
    return first_term / 2 - second_term + third_term / 2 + sigma**2 / 2

def printed_I2(of_both, of_one, of_other):
    """Equation 18, as printed."""
    return EQ_18.put({"C_ab": of_both, "C_aa": of_one, "C_bb": of_other}).right.doit()

def printed_error(Q, R, T, sigma):
    """Equation 19, with R_in the overlap of student i and teacher n."""
    students, teachers = range(Q.rows), range(T.rows)
    parts = [
        *(printed_I2(Q[i, j], Q[i, i], Q[j, j]) / 2 for i in students for j in students),
        *(-printed_I2(R[i, n], Q[i, i], T[n, n]) for n in teachers for i in students),
        *(printed_I2(T[n, m], T[n, n], T[m, m]) / 2 for m in teachers for n in teachers),
    ]
    return sp.Add(*parts, sigma**2 / 2, evaluate=False)

# --- two students and three teachers -----------------------------------------------------------------------------------------
def symmetric(name, units):
    """Overlaps of some units with one another: their squared lengths are positive."""
    return sp.Matrix(units, units, lambda p, q: _overlap(name, *sorted((p + 1, q + 1))))

def _overlap(name, p, q):
    return Symbol(f"{name}_{p}{q}", positive=True) if p == q else Symbol(f"{name}_{p}{q}", real=True)

STUDENTS, TEACHERS = symmetric("Q", 2), symmetric("T", 3)
# K = 2, M = 3, and R with the student first.
BOTH = sp.Matrix(2, 3, lambda p, q: Symbol(f"R_{p + 1}{q + 1}", real=True))
@paper.claim("Section 3, snippet get_I2")
def snippet_computes_equation_18():
    """For R of shape K x M, entry (i, n) of get_I2(R, Q, T) is equation 18 with C_ab = R_in, C_aa = Q_ii and C_bb = T_nn; here for
    two students and three teachers."""

    def wanted(i, n):
        return put(EQ_18.right.doit(), {C[0, 1]: BOTH[i, n], C[0, 0]: STUDENTS[i, i], C[1, 1]: TEACHERS[n, n]})

    yield same(get_I2(BOTH, STUDENTS, TEACHERS), sp.Matrix(2, 3, wanted))

sigma = Symbol("sigma", real=True)
@paper.claim("Section 3, snippet order_parameter_loss", rests_on="snippet_computes_equation_18")
def snippet_computes_equation_19():
    """For R of shape K x M, order_parameter_loss is equation 19; here for two students and three teachers."""
    arguments = (STUDENTS, BOTH, TEACHERS, sigma)
    yield same(order_parameter_loss(*arguments), printed_error(*arguments))

# --- R as equation 10 prints it ---------------------------------------------------------------------------------------
third, NO_NOISE = Rational(1, 3), Integer(0)

def overlaps(students, teachers):
    """Q, R and T for one input and these weights, R as equation 10 says."""
    W, W_teacher = sp.Matrix(students), sp.Matrix(teachers)
    R = EQ_10_R.put({"W": W, "W_teacher": W_teacher, "N": Fraction(1)}).right
    return W * W.T, R, W_teacher * W_teacher.T

def agrees(students, teachers):
    """The snippet with the R of equation 10, against equation 19."""
    Q, R, T = overlaps(students, teachers)
    students_first = sp.Matrix(students) * sp.Matrix(teachers).T
    return same(order_parameter_loss(Q, R, T, NO_NOISE), printed_error(Q, students_first, T, NO_NOISE))

@paper.claim("Section 3, snippet order_parameter_loss, R as in Eq. 10", corrected_by="snippet_computes_equation_19")
def snippet_takes_printed_overlaps():
    """With R = W* W'/N as equation 10 prints it, order_parameter_loss is equation 19: for N = 1, the students (1/3, 2/3) and
    the teachers (1/3, 1), without noise."""
    yield agrees([third, 2 * third], [third, 1])

@paper.claim(
    "Section 3, snippet order_parameter_loss, R as in Eq. 10, one teacher", corrected_by="snippet_computes_equation_19")
def snippet_takes_a_printed_row():
    """With one teacher the R of equation 10 is a row, which broadcasts against the column of students without an error, and the loss
    is equation 19 all the same: for N = 1, the students (1/3, 2/3) and the teacher 1, without noise."""
    yield agrees([third, 2 * third], [1])

@paper.claim("Section 3, snippet order_parameter_loss, R as in Eq. 10, beyond the arcsine")
def printed_overlaps_leave_the_arcsine():
    """With the R of equation 10 the argument of the arcsine can exceed one: for N = 1, the students (0, w) and the teachers (w, 0), the
    code asks for asin(w^2) where equation 18 has asin(w^2/(1 + w^2)), whose argument is below one."""
    w, beyond = symbols("w beyond", positive=True)

    def asked_for(of_both, of_one, of_other):
        values = {BOTH[0, 0]: of_both, STUDENTS[0, 0]: of_one, TEACHERS[0, 0]: of_other}
        (angle,) = get_I2(BOTH, STUDENTS, TEACHERS)[0, 0].atoms(asin)
        bare = without_signs(*values)
        return put(angle.args[0].xreplace(bare), {bare[letter]: value for letter, value in values.items()})

    Q, R, T = overlaps([0, w], [w, 0])
    yield same(asked_for(R[0, 1], Q[0, 0], T[1, 1]), w**2)
    yield same(asked_for(R.T[1, 0], Q[1, 1], T[0, 0]), w**2 / (1 + w**2))
    yield positive((w**2 - 1).subs(w, 1 + beyond))
    yield positive(1 - w**2 / (1 + w**2))

@paper.claim("Section 3, snippet order_parameter_loss, R as in Eq. 10, equal units")
def equal_lengths_hide_the_order():
    """For K = M and students and teachers that all have one length, the order of the indices of R does not matter: the snippet is
    equation 19 with either."""
    length = Symbol("length", positive=True)
    Q, T = (sp.Matrix([[length, off], [off, length]]) for off in symbols("Q_12 T_12", real=True))
    R = sp.Matrix(2, 2, lambda p, q: Symbol(f"R_{p + 1}{q + 1}", real=True))
    yield same(order_parameter_loss(Q, R.T, T, NO_NOISE), printed_error(Q, R, T, NO_NOISE))
