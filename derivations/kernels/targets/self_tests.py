"""Reference values as the data of emitted files, and the programs that compare with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from derivations.kernels.kernel import Kernel
from derivations.kernels.printing import INDENT, WIDTH
from derivations.kernels.reference import SHOWN, Reference
from derivations.kernels.targets.facts import Facts

COMPARED = '''
def compared(arguments, results, expected):
    """A sentence for every result at a point that is further from its exact value than allowed."""
    rows = zip(RESULTS, map(float, results), expected)
    return [
        f"NAME{arguments}: {result} = {value!r} should be {text}, up to {allowed}"
        for result, value, (text, allowed) in rows
        if not (math.isfinite(value) and abs(Fraction(value) - Fraction(text)) <= allowed)
    ]
'''
NUMBA = (
    COMPARED
    + '''

def self_test():
    """What is wrong, in sentences; nothing where all is well."""
    found = []
    for arguments, expected in POINTS:
        found += compared(arguments, NAME(*arguments), expected)
    return found
'''
)
NUMPY = (
    COMPARED
    + '''

def self_test():
    """What is wrong, in sentences; nothing where all is well: point by point, and all points at once as arrays."""
    found = []
    at_once = np.transpose(NAME(*np.transpose([arguments for arguments, _ in POINTS])))
    for results, (arguments, expected) in zip(at_once, POINTS):
        found += compared(arguments, results, expected) + compared(arguments, NAME(*arguments), expected)
    return found
'''
)
JAX = (
    COMPARED
    + '''

def self_test():
    """What is wrong, in sentences; nothing where all is well: compiled values, and gradients."""
    columns = jnp.asarray([arguments for arguments, _ in POINTS]).T
    at_once = np.transpose(jax.jit(jax.vmap(NAME))(*columns))
    sum_of_results = jax.grad(lambda at: sum(NAME(*at)))
    gradients = np.transpose(jax.vmap(sum_of_results)(tuple(columns)))
    found = []
    for results, gradient, exact, (arguments, expected) in zip(at_once, gradients, GRADIENTS, POINTS):
        found += compared(arguments, results, expected)
        error = 0.0 if exact is None else np.max(abs(gradient - np.asarray(exact)))
        if not error <= 1e-15 + 1e-7*max(map(abs, exact or [0.0])):
            found.append(f"NAME{arguments}: the gradient {gradient.tolist()} should be {exact}")
    return found
'''
)
MPMATH = '''
def self_test():
    """What is wrong, in sentences; nothing where all is well: with 60 digits, against 30."""
    found = []
    with mp.workdps(60):
        for arguments, expected in POINTS:
            for result, value, (text, allowed) in zip(RESULTS, NAME(*arguments), expected):
                if not abs(value - mpf(text)) <= mpf(allowed):
                    sentence = f"{result} = {value} should be {text}, up to {allowed}"
                    found.append(f"NAME{arguments}: {sentence}")
    return found
'''
MAIN = """
if __name__ == "__main__":
    failures = self_test()
    print("\\n".join(failures) or f"NAME: {len(POINTS)} points agree")
    raise SystemExit(1 if failures else 0)
"""


def program(text: str, facts: Facts) -> str:
    return text.replace("NAME", facts.name).strip()


def results(kernel: Kernel) -> str:
    return "\n".join(listed("RESULTS = ", [f'"{name}"' for name in kernel.returns], ""))


def points(rows: Sequence[Reference], *, as_text: bool = False) -> str:
    """Arguments, and for every result its value and the largest error allowed; `as_text` for any number of digits."""
    lines = [f"# Arguments; for every result its value to {SHOWN} digits and the largest error allowed.", "POINTS = ["]
    for row in rows:
        pairs = zip(row.texts, row.allowed, strict=True)
        expected = [f'("{text}", {_last_digit(text) if as_text else repr(allowed)})' for text, allowed in pairs]
        lines += [
            f"{INDENT}(",
            *listed(INDENT * 2, list(map(repr, row.point)), ","),
            *listed(INDENT * 2, expected, ","),
            f"{INDENT}),",
        ]
    return "\n".join([*lines, "]"])


def listed(start: str, items: Sequence[str], end: str) -> list[str]:
    """A tuple on one line, or one line for each of its parts."""
    line = f"{start}({', '.join(items)}{',' * (len(items) == 1)}){end}"
    if len(line) <= WIDTH:
        return [line]
    deeper = " " * (len(start) - len(start.lstrip())) + INDENT
    return [f"{start}(", *(f"{deeper}{item}," for item in items), f"{deeper[:-4]}){end}"]


def _last_digit(text: str) -> str:
    """Two units of the last digit shown, as text."""
    value = abs(Fraction(text))
    exponent = 0
    while value and value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while value and value < Fraction(10) ** exponent:
        exponent -= 1
    return f'"2e{exponent - SHOWN + 1}"'


def gradients(rows: Sequence[Reference]) -> str:
    """The gradient of the sum of all results, where they have one."""
    lines = ["# The gradient of the sum of all results; None where it has no value, or branches meet.", "GRADIENTS = ["]
    for row in rows:
        if row.slopes is None:
            lines.append(f"{INDENT}None,")
        else:
            totals = [math.fsum(column) for column in zip(*row.slopes, strict=True)]
            lines += listed(INDENT, list(map(repr, totals)), ",")
    return "\n".join([*lines, "]"])
