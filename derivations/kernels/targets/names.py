"""Names that a target has taken, which kernels cannot have there."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from derivations.kernels.lowering.operations import parts_of
from derivations.kernels.program import Operation, Program, statements
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets.facts import Facts

CPP = """alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class compl concept consteval
constexpr constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export false friend
mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires
static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq"""
MACROS = """EOF HUGE_VAL INFINITY NAN NULL SELF_TEST assert errno linux stderr stdin stdout unix M_PI blockIdx blockDim
gridDim threadIdx warpSize __host__ __device__"""
FILE_OF_C = """SIZE_MAX calloc count found free malloc scratch size_t symmetric trouble tested main result power
RESULTS failures on_device memcpy printf"""
LIBRARY = """acosh asinh atan2 atanh copysign drem erf exp2 exp10 fdim finite fmax fmin fmod frexp gamma ilogb isfinite
isinf isnormal j0 j1 jn ldexp lgamma llrint llround logb lrint lround modf nearbyint nextafter nexttoward pow10
remainder remquo rint round scalb scalbln scalbn signbit significand sincos tgamma trunc y0 y1 yn abort abs atexit
atof atoi atol bsearch calloc div exit fclose fflush fopen fprintf fputs free fscanf fwrite getc getenv gets index
labs ldiv malloc memcpy memset printf putc putchar puts qsort rand read realloc remove rename rewind scanf setbuf
signal sleep sprintf srand sscanf strlen strtod system time tmpfile tolower toupper ungetc write"""
HEADERS = """assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdarg stdint stdio stdlib
string time"""

OF_PYTHON = """array expm grid halves Fraction POINTS RESULTS GRADIENTS compared cut jax jnp lax moment mp mpf partial
quotient self_test shape sum_of_powers"""

IN_TESTS = """allowed arguments at at_once compared entries error errors exact expected found given gradient place
result results rows shown sum_of_results texts value wanted where"""

JAVASCRIPT = """arguments await break case catch class const continue debugger default delete do else enum eval export
extends false finally for function if implements import in instanceof interface let new null package private protected
public return static super switch this throw true try typeof undefined var void while with yield NaN Infinity Math Array
Number Object Function Symbol RangeError console process table has symmetric inverse times exponential
exponential_integral erf relexp relexp1 product_error minor power POINTS RESULTS selfTest"""
IN_C = frozenset(f"{CPP} {MACROS} {FILE_OF_C}".split())
IN_PYTHON = frozenset(OF_PYTHON.split())
PACKAGES = frozenset({"jax", "jaxlib", "mpmath", "scipy", "sympy", "llvmlite", "flint"})

PARTS: dict[str, frozenset[str]] = {"c": IN_C} | dict.fromkeys(("numba", "numpy", "jax"), IN_PYTHON)
PARTS["js"] = frozenset(JAVASCRIPT.split())
"""Names that arguments and results cannot have."""
FUNCTIONS: dict[str, frozenset[str]] = {
    target: names
    | (
        frozenset(f"{LIBRARY} {HEADERS}".split())
        if names is IN_C
        else frozenset()
        if target == "js"
        else PACKAGES | frozenset([*IN_TESTS.split(), *sys.stdlib_module_names])
    )
    for target, names in PARTS.items()
}
"""Names that a function and its file cannot have: a file statistics.py would be imported in place of Python's own."""


def check_names(kernel: Specification, facts: Facts, target: str) -> None:
    """Refuse names that mean something else in a target: of the function, of values, and of what the kernel calls."""
    for name in (facts.name, *(called.name for called in kernel.content.called)):
        if name in FUNCTIONS.get(target, ()):
            raise KernelError(
                f"{name} already means something else in programs of the target {target}: "
                "give the kernel another name, or emit it to another target"
            )
    for part in (kernel, *kernel.content.called):
        if taken := sorted(names_of(part.program) & PARTS.get(target, frozenset())):
            raise KernelError(
                f"{taken[0]} in the kernel {part.name} means something else in programs of the target {target}: "
                "write it with another letter, or emit the kernel to another target"
            )


def names_of(program: Program) -> set[str]:
    """Every name in a program, of values, indices and sizes."""
    names = {value.name for value in (*program.inputs, *program.returns)} | set(program.sizes) | set(program.joined)
    for head, name, *rest in statements(program.body):
        match head:
            case "=" | "new" | "store":
                names.add(name)
            case "for":
                names |= {index for index, _ in name}
            case "sum":
                names |= {name, *(index for index, _ in rest[0])}
            case "call":
                names |= {target for target, _ in rest[1]}
            case "matrix":
                names |= set(name)
    return names


def renamed(operation: Operation, names: Mapping[str, str]) -> Operation:
    """The operation in other names."""
    head = operation[0]
    if head in ("s", "size"):
        return (head, names.get(operation[1], operation[1]))
    if head == "*":
        above, below = (tuple(renamed(factor, names) for factor in side) for side in operation[2:])
        return ("*", operation[1], above, below)
    if head == "^":
        return ("^", renamed(operation[1], names), operation[2])
    return (head, *(renamed(part, names) for part in parts_of(operation))) if parts_of(operation) else operation
