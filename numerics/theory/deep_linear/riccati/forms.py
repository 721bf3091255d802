"""In which form QQ'(t) of a start is computed, and when: `riccati.fast` says what a form is.

    from time zero     until                      the growing modes inside
    early              M becomes large            none
    between            the others have grown      those that see much of the start that no faster one sees
    late                                          all of them, or all that see anything new of it

The late form is used for all times where it is well conditioned at time zero, the one between where the late form is
not yet when the early one ends. Ranges depend on the start alone, so that the bits of a state do not depend on which
other times are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.machine.specialise import specialise
from numerics.theory.deep_linear.modes import Array, Modes

PARTS = ("numerics.theory.deep_linear.riccati.form_kernel",)
CLEAR = 0.2  # what is new in a row, relative to the largest row, that is well conditioned to divide by
DEPENDENT = 1e-14  # the same that counts as rounding
GROWN = 4.0  # time constants of a row that is left out, which grows by a hundred
UNSEEN = 7.0  # time constants of a row of rounding, which grows by a thousand
OVERTAKEN = 300.0  # time constants in which squares of what grows are doubles
CONDITION = 1e4  # of M, scaled, as `condition` estimates it
INVERSE = 1e8  # of A, which is computed from an inverse with a condition number of its root
GROWTH = 1e4  # of M in the early form
ROUNDED = 1e-13  # what modes that do not grow have besides, relative to the largest row, that is rounding
SEEN = 1e-3  # the least that is new in each growing mode, relative to the same


class Form(NamedTuple):
    """X and A, the modes inside, and the range of times, without its end."""

    X: Array
    A: Array
    inside: NDArray[np.bool_]
    begin: float = 0.0
    end: float = np.inf


def forms(modes: Modes, until: float) -> Sequence[Form]:
    """Forms for one range of times after the other from zero on, at least `until` some time; none if it does not suit.

    Each is checked where it begins, and where it ends or at the last time.
    """
    f, Y = modes.frequencies, modes.components
    X, A, growing, condition = _kernel("whole_form")(f, Y)
    if condition <= CONDITION:
        return (Form(X, A, growing),)
    if not growing.any():
        return ()
    late = Form(X, A, growing) if condition <= INVERSE else _partial(f, Y, DEPENDENT, UNSEEN, OVERTAKEN)
    if late is not None and _conditioned(f, late, 0.0) and _holds(f, late, until):
        return (late,)
    squares, none = np.einsum("ij,ij->i", Y, Y), np.zeros(f.size, dtype=np.bool_)
    early = Form(Y, np.eye(Y.shape[1]), none, end=_kernel("reach")(f, squares, GROWTH, OVERTAKEN / f.max()))
    if until < early.end:
        return (early,)
    between = _partial(f, Y, CLEAR, GROWN, GROWN)
    for later in ((late,), (between, late), (between,)):
        chain = _chain(f, early, [form for form in later if form is not None], until)
        if chain:
            return chain
    return ()


def _chain(f: Array, early: Form, later: Sequence[Form], until: float) -> list[Form]:
    """Forms behind one another, or nothing if one is not conditioned well enough, or if there is only the early one."""
    chain = [early]
    for form in later:
        begin = chain[-1].end
        if begin > until:
            break
        if form.end <= begin or not (_conditioned(f, form, begin) and _holds(f, form, until)):
            return []
        chain.append(form._replace(begin=begin))
    return chain if len(chain) > 1 else []


def _holds(f: Array, form: Form, until: float) -> bool:
    """Check whether a form that ends is well conditioned there, or at the last time."""
    return form.end == np.inf or _conditioned(f, form, min(form.end, until))


def _conditioned(f: Array, form: Form, time: float) -> bool:
    if time == 0.0:
        return bool(_kernel("condition")(form.A) <= CONDITION)
    return bool(_kernel("condition_at")(f, form.inside, form.X, form.A, time) <= CONDITION)


def _partial(f: Array, Y: Array, least: float, lasting: float, spanned: float) -> Form | None:
    """A form without growing modes that see nothing of the start beyond what faster ones see, or little.

    Fast modes come first, so that what a mode that is left out shares with them falls behind theirs. It ends after so
    many time constants of the fastest that is left out, `spanned` if those inside span all that the start has.
    """
    growing = f > 0.0
    X, A, inside = _kernel("partial_form")(Y, growing, least)
    count = np.count_nonzero(inside)
    if count in (0, np.count_nonzero(growing)):
        return None
    end = (lasting if count < Y.shape[1] else spanned) / float(f[growing & ~inside].max())
    return Form(X, A, inside, end=end)


def narrow(modes: Modes) -> Modes:
    """Return a form with one column for each growing mode, if the start has no higher rank than there are modes.

    What is left out is rounding, relative to the whole start, and nothing of what growing modes see.
    """
    if modes.components.shape[1] <= np.count_nonzero(modes.frequencies > 0.0):
        return modes
    components, found = _kernel("narrowed")(modes.frequencies, modes.components, SEEN, ROUNDED)
    return replace(modes, components=components) if found else modes


@cache
def _kernel(name: str) -> Callable[..., Any]:
    return specialise(name, PARTS)
