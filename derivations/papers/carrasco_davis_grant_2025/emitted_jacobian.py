"""The derivatives of the flow by every order parameter, as a program for any number of students and teachers.

By the chain rule: every entry C[a, b] of the covariance of all fields first moves alone, which moves the sums over the
averages in the flow. An order parameter stands in two entries, or in one on the diagonal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from derivations import prove
from derivations.kernels.indexed_kernel import Call, Definition, IndexedKernel, Step, entry, fields
from derivations.kernels.kernel import Kernel
from derivations.language.sums import Array, Index, Range, Sums, delta, derivative, number, total
from derivations.papers.carrasco_davis_grant_2025.emitted import CITES
from derivations.papers.carrasco_davis_grant_2025.emitted_flows import (
    BATCH,
    DOMAIN,
    ETA,
    FLOW_CLAIMS,
    SIGMA,
    C,
    F,
    K,
    M,
    Q,
    R,
    T,
    a,
    averages,
    b,
    both,
    committee,
    covariance,
    eta,
    f,
    h,
    i,
    k,
    linear,
    m,
    n,
    per_sample,
    quadratic,
    s,
    share,
    sigma,
    slopes,
    turned,
    x,
    y,
)
from derivations.papers.carrasco_davis_grant_2025.emitted_slopes import I3_by, I4_by, J2_by
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.prove import Certificate


def tables(prefix: str, kernel: Kernel, *ranges: Range) -> dict[str, Array]:
    """Arrays for the derivatives of an average by the covariances of its fields, by the letters of the fields."""
    return {name[-2:]: Array(f"{prefix}_{name[-2:]}", *ranges) for name in kernel.returns}


def derivatives(kernel: Kernel, found: dict[str, Array], *places: Index) -> Call:
    return Call(list(found.values()), places, kernel, list(fields(kernel, C, *places)))


by_J2, by_I3, by_I4 = tables("J2", J2_by, K, K), tables("I3", I3_by, K, F, F), tables("I4", I4_by, K, K, F, F)
unit = Array("unit", K, F)
"""1 where a student is the field."""

# --- sums over the derivatives ----------------------------------------------------------------------------------------

Form = Callable[..., Sums]


def by_field(pair: str) -> Form:
    """Where both fields are at hand, only the value is summed over."""
    return lambda first, along: total(s[h] * by_I3[pair][first, along, h], h)


def by_students(pair: str) -> Form:
    def form(first: Index, second: Index) -> Sums:
        values = total(s[f] * s[h] * by_I4[pair][first, second, f, h], f, h)
        return values + sigma * sigma * by_J2[pair][first, second]

    return form


def by_value(pair: str, other: str) -> Form:
    """The two values of I4 change places under the sum."""

    def form(first: Index, second: Index, value: Index) -> Sums:
        return total(s[h] * (by_I4[pair][first, second, value, h] + by_I4[other][first, second, h, value]), h)

    return form


I3_own, I3_with = Array("I3_own", K, F), Array("I3_with", K, F)
I4_first, I4_second, I4_mixed = (Array(f"I4_{name}", K, K) for name in ("first", "second", "mixed"))
I4_from_first, I4_from_second, I4_alone = (
    Array(f"I4_{name}", K, K, F) for name in ("from_first", "from_second", "alone")
)
FORMS: dict[Array, Form] = {
    I3_own: by_field("aa"),
    I3_with: by_field("ab"),
    I4_first: by_students("aa"),
    I4_second: by_students("bb"),
    I4_mixed: by_students("ab"),
    I4_from_first: by_value("ac", "ad"),
    I4_from_second: by_value("bc", "bd"),
    I4_alone: by_value("cc", "dd"),
}
AT = {(K, F): (i, f), (K, K): (i, k), (K, K, F): (i, k, a)}
sums_of_derivatives = [
    Definition(target, {AT[target.ranges]: form(*AT[target.ranges])}) for target, form in FORMS.items()
]

# --- the chain rule ---------------------------------------------------------------------------------------------------

own_linear = unit[i, a] * (unit[i, b] * I3_own[i, f] + delta(f, b) * I3_with[i, f] + s[b] * by_I3["ac"][i, f, b])
other_linear = delta(f, a) * s[b] * by_I3["bc"][i, f, b] + delta(a, b) * s[a] * by_I3["cc"][i, f, a]
of_slopes = unit[i, a] * (unit[i, b] * I4_first[i, k] + unit[k, b] * I4_mixed[i, k] + s[b] * I4_from_first[i, k, b])
of_second = unit[k, a] * (unit[k, b] * I4_second[i, k] + s[b] * I4_from_second[i, k, b])
of_values = delta(a, b) * s[a] * I4_alone[i, k, a] + s[a] * s[b] * by_I4["cd"][i, k, a, b]
linear_moved, quadratic_moved = own_linear + other_linear, of_slopes + of_second + of_values


def as_entries_move(found: dict[str, Array], *, students: int) -> Form:
    """How an average changes with the entry C[a, b] alone; its first fields are students."""

    def meets(field: int, at: Sequence[Index], place: Index) -> Sums:
        return unit[at[field], place] if field < students else delta(at[field], place)

    def rate(*at: Index) -> Sums:
        pairs = [(name, "abcd".index(name[0]), "abcd".index(name[1])) for name in found]
        return sum((found[name][at] * meets(p, at, a) * meets(q, at, b) for name, p, q in pairs), number(0))

    return rate


def written_out(of: Sums) -> Sums:
    """With the sums over derivatives in place of their names, in which it is linear."""

    def exchanged(name: Array, form: Form) -> Form:
        return lambda *at: form(*at) - name[at]

    return of + derivative(of, {name: exchanged(name, form) for name, form in FORMS.items()})


def value(of: Array) -> Sums:
    """What the flow defines an array to be."""
    return next(step.pieces[0][1] for step in averages if isinstance(step, Definition) and step.target == of)


@paper.claim(
    "Beyond: Eq. 20, slopes by every covariance", rests_on=["emitted_slopes", "emitted_slopes_of_slopes_and_values"]
)
def slopes_of_the_flow() -> Certificate:
    """By the chain rule the sums over I3, and over I4 and J2, in the flow change with each entry of the covariance of all fields,
    moved alone, at sums over the derivatives of these averages by the covariances of their own fields."""
    rates = {
        turned: as_entries_move(by_I3, students=1),
        both: as_entries_move(by_I4, students=2),
        slopes: as_entries_move(by_J2, students=2),
    }
    return prove.every(
        prove.sums(derivative(value(linear), rates), written_out(linear_moved)),
        prove.sums(derivative(value(quadratic), rates), written_out(quadratic_moved)),
    )


# --- the program ------------------------------------------------------------------------------------------------------

linear_by, quadratic_by = Array("linear_by", K, F, F, F), Array("quadratic_by", K, K, F, F)
R_by, Q_by = Array("R_by", K, M, F, F), Array("Q_by", K, K, F, F)
alone: list[Step] = [
    Definition(unit, {(i, k): delta(i, k), (i, m): number(0)}),
    *sums_of_derivatives,
    Definition(linear_by, {(i, f, a, b): linear_moved}),
    Definition(quadratic_by, {(i, k, a, b): quadratic_moved}),
    Definition(R_by, {(i, n, a, b): eta * entry(linear_by, i, n, a, b)}),
    Definition(
        Q_by,
        {
            (i, k, a, b): eta * (entry(linear_by, i, k, a, b) + entry(linear_by, k, i, a, b))
            + eta * eta * per_sample * quadratic_by[i, k, a, b]
        },
    ),
]


def moved(of: Array, places: Sequence[Index], first: Index, second: Index) -> Sums:
    """Both entries of a covariance move together."""
    found = entry(of, *places, first, second) + entry(of, *places, second, first)
    return found - delta(first, second) * entry(of, *places, first, first) if first.range == second.range else found


dQ_dQ, dQ_dR = Array("dQ_dQ", K, K, K, K), Array("dQ_dR", K, K, K, M)
dR_dQ, dR_dR = Array("dR_dQ", K, M, K, K), Array("dR_dR", K, M, K, M)

paper.kernel(
    IndexedKernel(
        "order_parameter_jacobian",
        says="The derivatives of the rates of Q and R of a soft committee machine by Q[x, y], whose mirror entry moves with "
        "it, and by R[x, m].",
        inputs=[Q, R, T, ETA, SIGMA, BATCH],
        steps=[
            covariance,
            committee,
            share,
            derivatives(J2_by, by_J2, i, k),
            derivatives(I3_by, by_I3, i, f, h),
            derivatives(I4_by, by_I4, i, k, f, h),
            *alone,
            Definition(dQ_dQ, {(i, k, x, y): moved(Q_by, (i, k), x, y)}),
            Definition(dQ_dR, {(i, k, x, m): moved(Q_by, (i, k), x, m)}),
            Definition(dR_dQ, {(i, n, x, y): moved(R_by, (i, n), x, y)}),
            Definition(dR_dR, {(i, n, x, m): moved(R_by, (i, n), x, m)}),
        ],
        returns=[dQ_dQ, dQ_dR, dR_dQ, dR_dR],
        domain=f"{DOMAIN}, batch > 0",
        rests_on=[*FLOW_CLAIMS, "slopes_of_the_flow"],
        cites=f"{CITES}, Eq. 20, differentiated",
    )
)
