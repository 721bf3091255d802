"""Names that a target has taken: those of parts are written with a further underscore, those of functions refused."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.programs import Line, Operation, parts_of
from derivations.kernels.targets.facts import Facts

CPP = """alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class compl concept consteval
constexpr constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export false friend
mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires
static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq"""
MACROS = """EOF HUGE_VAL INFINITY NAN NULL SELF_TEST assert errno linux stderr stdin stdout unix M_PI blockIdx blockDim
gridDim threadIdx warpSize __host__ __device__"""
FILE_OF_C = """main result power POINTS TAILS VALUES ALLOWED TEXTS
RESULTS failures on_device memcpy printf"""
LIBRARY = """acosh asinh atan2 atanh copysign drem erf exp2 exp10 fdim finite fmax fmin fmod frexp gamma ilogb isfinite
isinf isnormal j0 j1 jn ldexp lgamma llrint llround logb lrint lround modf nearbyint nextafter nexttoward pow10
remainder remquo rint round scalb scalbln scalbn signbit significand sincos tgamma trunc y0 y1 yn abort abs atexit
atof atoi atol bsearch calloc div exit fclose fflush fopen fprintf fputs free fscanf fwrite getc getenv gets index
labs ldiv malloc memcpy memset printf putc putchar puts qsort rand read realloc remove rename rewind scanf setbuf
signal sleep sprintf srand sscanf strlen strtod system time tmpfile tolower toupper ungetc write"""
HEADERS = """assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdarg stdint stdio stdlib
string time"""

OF_PYTHON = """Fraction POINTS RESULTS GRADIENTS compared cut jax jnp lax moment mp mpf partial
quotient self_test shape sum_of_powers"""

IN_C = frozenset(f"{CPP} {MACROS} {FILE_OF_C}".split())
IN_PYTHON = frozenset(OF_PYTHON.split())
PACKAGES = frozenset({"jax", "jaxlib", "mpmath", "scipy", "sympy", "llvmlite", "flint"})

PARTS: dict[str, frozenset[str]] = {"c": IN_C, "cuda": IN_C} | dict.fromkeys(
    ("numba", "numpy", "jax", "mpmath"), IN_PYTHON
)
"""What arguments and results cannot be called."""
FUNCTIONS: dict[str, frozenset[str]] = {
    target: names
    | (frozenset(f"{LIBRARY} {HEADERS}".split()) if names is IN_C else PACKAGES | frozenset(sys.stdlib_module_names))
    for target, names in PARTS.items()
}
"""What a function and its file cannot be called: a file statistics.py would be imported in place of Python's own."""


def spelled(kernel: Kernel, facts: Facts, target: str) -> Facts:
    """The facts with what the target has to write differently."""
    check_function(facts, target)
    every = {*kernel.arguments, *(line.name for line in kernel.program), facts.name}
    changed = {}
    for name in sorted(every & PARTS.get(target, frozenset())):
        other = f"{name}_"
        while other in every:
            other += "_"
        changed[name] = other
        every.add(other)
    return replace(facts, spelled=changed)


def check_function(facts: Facts, target: str) -> None:
    if facts.name in FUNCTIONS.get(target, ()):
        raise KernelError(
            f"{facts.name} already means something else in programs of the target {target}: "
            "give the kernel another name, or emit it to another target"
        )


def program_of(kernel: Kernel, facts: Facts) -> list[Line]:
    """The kernel's program in the names of the target."""
    if not facts.spelled:
        return kernel.program
    spelled = facts.spelled
    return [
        Line(facts.spell(line.name), tuple((c and renamed(c, spelled), renamed(v, spelled)) for c, v in line.cases))
        for line in kernel.program
    ]


def renamed(operation: Operation, names: Mapping[str, str]) -> Operation:
    """The operation in other names."""
    if operation[0] == "s":
        return ("s", names.get(operation[1], operation[1]))
    if operation[0] == "*":
        above, below = (tuple(renamed(factor, names) for factor in side) for side in operation[2:])
        return ("*", operation[1], above, below)
    if operation[0] == "^":
        return ("^", renamed(operation[1], names), operation[2])
    return (operation[0], *(renamed(part, names) for part in parts_of(operation))) if parts_of(operation) else operation
