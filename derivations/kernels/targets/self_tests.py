"""Reference values as the data of emitted files, and the programs that compare with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from derivations.kernels.reference import SHOWN, Reference
from derivations.kernels.specification import Specification
from derivations.kernels.targets.facts import Facts
from derivations.kernels.targets.printing import INDENT, WIDTH

COMPARED = '''
def compared(where, results, expected):
    """A sentence for every result at a point of which an entry is further from its exact value than allowed."""
    found = []
    for result, value, (texts, allowed) in zip(RESULTS, results, expected):
        entries = [float(x) for x in np.ravel(value)]
        errors = [abs(Fraction(x) - Fraction(t)) if math.isfinite(x) else math.inf for x, t in zip(entries, texts)]
        if not (len(entries) == len(texts) and max(errors, default=0) <= allowed):
            shown = texts[errors.index(max(errors))] if len(entries) == len(texts) else f"{len(texts)} entries"
            error = f"is off by {float(max(errors, default=0)):.3g}, and may be by {allowed}"
            found.append(f"NAME at {where}: {result} {error}; it should be {shown}")
    return found
'''
NUMBA = (
    COMPARED
    + '''

def self_test():
    """Return faults as sentences; nothing where all is well."""
    found = []
    for place, (arguments, expected) in enumerate(POINTS):
        results = NAME(*(np.array(a) if isinstance(a, list) else a for a in arguments))
        found += compared(f"point {place}", results, expected)
    return found
'''
)
NUMPY = (
    COMPARED
    + '''

def self_test():
    """Return faults as sentences; nothing where all is well: point by point, and numbers all at once as arrays."""
    found = []
    for place, (arguments, expected) in enumerate(POINTS):
        found += compared(f"point {place}", NAME(*arguments), expected)
    if not any(isinstance(a, list) for a in POINTS[0][0]):
        at_once = NAME(*np.transpose([arguments for arguments, _ in POINTS]))
        for place, (_, expected) in enumerate(POINTS):
            found += compared(f"point {place} of all", [result[place] for result in at_once], expected)
    return found
'''
)
JAX = (
    COMPARED
    + '''

def self_test():
    """Return faults as sentences; nothing where all is well: compiled values, and gradients where they are known."""
    found = []
    sum_of_results = jax.grad(lambda at: sum(NAME(*at)))
    for place, (arguments, expected) in enumerate(POINTS):
        at = tuple(jnp.asarray(a, dtype=float) for a in arguments)
        found += compared(f"point {place}", jax.jit(NAME)(*at), expected)
        exact = GRADIENTS[place]
        if exact is not None:
            gradient = np.asarray(sum_of_results(at))
            if not np.max(abs(gradient - np.asarray(exact))) <= 1e-15 + 1e-7*max(map(abs, exact)):
                found.append(f"NAME at point {place}: the gradient {gradient.tolist()} should be {exact}")
    return found
'''
)

MAIN = """
if __name__ == "__main__":
    failures = self_test()
    print("\\n".join(failures) or f"NAME: {len(POINTS)} points agree")
    raise SystemExit(1 if failures else 0)
"""


def program(text: str, facts: Facts) -> str:
    return text.replace("NAME", facts.name).strip()


def results(kernel: Specification) -> str:
    return "\n".join(listed("RESULTS = ", [f'"{name}"' for name in kernel.returns], ""))


def points(rows: Sequence[Reference]) -> str:
    """Arguments, and for every result its entries and the largest error allowed."""
    lines = [
        f"# Arguments; for every result its entries to {SHOWN} digits and the largest error allowed.",
        "POINTS = [",
    ]
    for row in rows:
        lines += [f"{INDENT}(", *_nested(row.point, INDENT * 2, "()"), f"{INDENT * 2}("]
        for texts, allowed in zip(row.texts, row.allowed, strict=True):
            lines += _expected(texts, allowed, INDENT * 3)
        lines += [f"{INDENT * 2}),", f"{INDENT}),"]
    return "\n".join([*lines, "]"])


def _nested(value: Any, indent: str, marks: str = "[]") -> list[str]:
    """Numbers, or nested lists of them, on one line or one for each part."""
    if not isinstance(value, list | tuple):
        return [f"{indent}{value!r},"]
    line = f"{indent}{_on_one_line(value, marks)},"
    if len(line) <= WIDTH:
        return [line]
    inner = [text for part in value for text in _nested(part, indent + INDENT)]
    return [f"{indent}{marks[0]}", *inner, f"{indent}{marks[1]},"]


def _on_one_line(value: Any, marks: str = "[]") -> str:
    if not isinstance(value, list | tuple):
        return repr(value)
    end = "," * (marks == "()" and len(value) == 1)
    return f"{marks[0]}{', '.join(map(_on_one_line, value))}{end}{marks[1]}"


def _expected(texts: Sequence[str], allowed: float, indent: str) -> list[str]:
    quoted = [f'"{text}"' for text in texts]
    line = f"{indent}(({', '.join(quoted)}{',' * (len(quoted) == 1)}), {allowed!r}),"
    if len(line) <= WIDTH:
        return [line]
    deeper = indent + INDENT
    return [f"{indent}(", *listed(deeper, quoted, ","), f"{deeper}{allowed!r},", f"{indent}),"]


def listed(start: str, items: Sequence[str], end: str) -> list[str]:
    """A tuple on one line, or one line for each of its parts."""
    line = f"{start}({', '.join(items)}{',' * (len(items) == 1)}){end}"
    if len(line) <= WIDTH:
        return [line]
    deeper = " " * (len(start) - len(start.lstrip())) + INDENT
    return [f"{start}(", *(f"{deeper}{item}," for item in items), f"{deeper[:-4]}){end}"]


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
