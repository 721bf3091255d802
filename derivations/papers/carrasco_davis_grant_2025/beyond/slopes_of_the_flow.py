"""How the sums over averages in the flow change with every covariance, for any number of students and teachers.

By the chain rule: an entry C[a, b] of the covariance of all fields moves alone, which moves the averages at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from derivations import prove
from derivations.kernels.specification.sums import Definition
from derivations.language.sums import Array, Index, Range, Sums, delta, derivative, number, total
from derivations.papers.carrasco_davis_grant_2025.emitted_flows import (
    LINEAR,
    QUADRATIC,
    F,
    K,
    a,
    b,
    both,
    f,
    h,
    i,
    k,
    s,
    sigma,
    slopes,
    turned,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.prove import Certificate


def tables(average: str, pairs: str, *ranges: Range) -> dict[str, Array]:
    """Arrays for the derivatives of an average by the covariances of its fields, which the pairs of letters name."""
    return {pair: Array(f"{average}_{pair}", *ranges) for pair in pairs.split()}


by_J2 = tables("J2", "aa bb ab", K, K)
by_I3 = tables("I3", "aa cc ab bc ac", K, F, F)
by_I4 = tables("I4", "aa bb cc dd ab ac bc ad bd cd", K, K, F, F)
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


def value(definition: Definition) -> Sums:
    """What the flow defines an array to be."""
    return definition.pieces[0][1]


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
        prove.sums(derivative(value(LINEAR), rates), written_out(linear_moved)),
        prove.sums(derivative(value(QUADRATIC), rates), written_out(quadratic_moved)),
    )
