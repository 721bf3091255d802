"""Names that a kernel and its parts may have, and the class of errors about them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from derivations.kernels.program import CALLS
from derivations.text import DerivationError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
C = """auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"""
PROGRAMS = """acos atan ceil cos cosh cut erfc exponential exponential_integral fabs floor fma hypot identity inf
inverse isnan joined log1p log2 log10 matrix max min minor nan pi pow relexp_of sizes spectral sum tan tanh Fraction
TURNS WHOLE arb arb_mat branch compiled_fma ctx digits exact exp_parts factorial flint
float64 fused intrinsic isfinite math njit np numba numpy overload power power_of_two read shape symmetric
table tuple two_powers"""
KEYWORDS_OF_C = frozenset(C.split())
NAMES_IN_PROGRAMS = frozenset(CALLS) | frozenset(PROGRAMS.split())


class KernelError(DerivationError):
    """A kernel that cannot be emitted; the message names the kernel, the culprit and the remedy."""


def check_texts(kernel: str, says: str, *others: str) -> None:
    """Check a kernel's texts: they become part of a program, so none may be missing or leave its quotes."""
    if not says:
        raise KernelError(f"the kernel {kernel} says nothing: describe in one sentence what it computes")
    for text in (says, *others):
        if "\\" in text or '"""' in text or not text.isprintable():
            raise KernelError(
                f"a text of the kernel {kernel} holds backslashes, triple quotes or unprintable signs: {text!r}"
            )


def check_names(kernel: str, names: Sequence[str], of: str) -> None:
    """A kernel's own name and those of its parts must differ, and be free in every language of programs."""
    every = [kernel, *names]
    for name in every:
        if not NAME.fullmatch(name):
            raise KernelError(
                f"{name!r} in the kernel {kernel} cannot be a name in a program: use letters, digits and _"
            )
        if keyword.iskeyword(name) or name in KEYWORDS_OF_C:
            raise KernelError(
                f"{name} in the kernel {kernel} is a keyword of Python or C: give it another name, e.g. {name}_"
            )
        if name in NAMES_IN_PROGRAMS:
            raise KernelError(
                f"{name} in the kernel {kernel} means something else in emitted programs: give it another name"
            )
        if every.count(name) > 1:
            raise KernelError(
                f"the kernel {kernel} uses the name {name} twice: its own name and those of {of} must all differ"
            )
