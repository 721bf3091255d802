"""Kernels with sums in C: arrays are pointers to their entries row by row, and the sizes of the ranges come first."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from derivations.kernels.indexed_kernel import Call, IndexedKernel, Joined, Places, Reciprocal
from derivations.kernels.indexed_programs import Known, Line, Program, assignment, deeper
from derivations.kernels.printing import GLUE, INDENT, Printer, plain
from derivations.kernels.reference import SHOWN
from derivations.kernels.targets.c import IN_C, function, helpers, joined
from derivations.kernels.targets.facts import Facts, commented
from derivations.kernels.targets.loop_facts import about, check
from derivations.kernels.targets.loop_points import LoopReference, loop_references
from derivations.kernels.targets.names import spelled
from derivations.kernels.targets.printers import C
from derivations.language.sums import Array
from derivations.language.sums.algebra import Factor

NO_MEMORY = "there is not enough memory"
SYMMETRIC = """
/* whether no two opposite entries of a square array differ */
static int symmetric(size_t n, const double *A)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (A[i*n + k] < A[k*n + i] || A[i*n + k] > A[k*n + i]) return 0;
    return 1;
}
"""
LAYOUT = "Arrays are row by row, one entry after the other. The results must not overlap the arguments."
ANSWER = "Returns NULL, or in words what is wrong."


@dataclass(frozen=True)
class CLoops(Program):
    """Loops on doubles; arrays that are not returned lie in one block of memory."""

    numbers: Printer = field(default_factory=C)

    # --- formulas -----------------------------------------------------------------------------------------------------

    def entry(self, array: Array, places: Sequence[str], known: Known) -> str:
        if not places:
            return f"{array.name}[0]" if array.name in self.kernel.returns else array.name
        first, *others = self.positions(array, places, known)
        at = first
        for position, of in zip(others, array.ranges[1:], strict=True):
            at = f"{f'({at})' if '+' in at else at}*{of.name} + {position}"
        return f"{array.name}[{at.replace(' ', GLUE)}]"

    def size(self, name: str) -> str:
        return f"(double){name}"

    # --- the body -----------------------------------------------------------------------------------------------------

    def body(self) -> list[str]:
        steps = [line for step in self.kernel.steps for line in self.step(step)]
        lines = [*self.measured(), *self.stored(), *steps, *[(0, "", "free(scratch);")] * bool(self.inner)]
        text = "\n".join(map(self.line, [*lines, (0, "", "return NULL;")]))
        unused = [name for name in self.sizes if not re.search(rf"\b{name}\b", text)]
        unused += [array.name for array in self.kernel.inputs if not re.search(rf"\b{array.name}\b", text)]
        numbers = [a.name for s in self.kernel.steps for a in s.targets if not a.ranges]
        local = [name for name in ("entry", "part") if re.search(rf"^ *{name} = ", text, re.MULTILINE)]
        local += [name for name in numbers if name not in self.kernel.returns]
        declared = [f"{INDENT}double {', '.join(local)};"] * bool(local)
        return [*(f"{INDENT}(void){name};" for name in unused), *declared, text]

    def line(self, line: Line) -> str:
        depth, head, text = line
        indent = INDENT * (depth + 1)
        if head:
            return assignment(head, text, indent) + ";"
        return plain(
            textwrap.fill(
                indent + text,
                110,
                subsequent_indent=indent + INDENT,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )

    @property
    def sizes(self) -> list[str]:
        return [name for name, r in self.kernel.ranges.items() if not isinstance(r, Joined)]

    @property
    def inner(self) -> list[Array]:
        """Arrays that are neither given nor returned."""
        made = [array for step in self.kernel.steps for array in step.targets if array.ranges]
        return [array for array in made if array.name not in self.kernel.returns]

    def measured(self) -> list[Line]:
        """What is refused, and the sizes of joined ranges."""
        lines: list[Line] = []
        for array in self.kernel.inputs:
            if array.symmetric:
                condition = f"!symmetric({array.ranges[0].name}, {array.name})"
                lines.append((0, "", f'if ({condition}) return "{array.name} is not symmetric";'))
        for r in self.kernel.ranges.values():
            if isinstance(r, Joined):
                lines.append((0, f"const size_t {r.name}", " + ".join(part.name for part in r.parts)))
        return lines

    def stored(self) -> Iterator[Line]:
        """One block for all inner arrays; a count of entries that no block has is told by a double."""
        if not self.inner:
            return
        counts = ["*".join(f"(double){r.name}" for r in array.ranges) for array in self.inner]
        yield 0, "const double count", " + ".join(counts)
        yield 0, "", f'if (count >= (double)(SIZE_MAX/16)) return "{NO_MEMORY}";'
        yield 0, "double *const scratch", "calloc((size_t)count + 1, sizeof(double))"
        yield 0, "", f'if (scratch == NULL) return "{NO_MEMORY}";'
        start = "scratch"
        for array in self.inner:
            yield 0, f"double *const {array.name}", start
            start = f"{array.name} + {'*'.join(r.name for r in array.ranges)}"

    # --- steps --------------------------------------------------------------------------------------------------------

    def made(self, targets: Sequence[Array]) -> list[Line]:
        return []

    def looped(self, places: Places, lines: Sequence[Line]) -> list[Line]:
        for p in reversed(places):
            head = f"for (size_t {p.name} = 0; {p.name} < {p.range.name}; {p.name}++) {{"
            lines = [(0, "", head), *deeper(lines, 1), (0, "", "}")]
        return list(lines)

    def guarded(self, guards: Sequence[Factor], lines: Sequence[Line]) -> list[Line]:
        equal = " && ".join(f"{p} == {q}" for _, p, q in guards)
        return [(0, "", f"if ({equal}) {{"), *deeper(lines, 1), (0, "", "}")]

    def evaluated(self, step: Call | Reciprocal) -> list[Line]:
        if isinstance(step, Reciprocal):
            return super().evaluated(step)
        call = self.value(step).removesuffix(")") + ", found);"
        heads = [self.head(target, step.places) for target in step.targets]
        return [
            (0, "", f"double found[{len(heads)}];"),
            (0, "", call),
            *((0, head, f"found[{k}]") for k, head in enumerate(heads)),
        ]


# --- files ------------------------------------------------------------------------------------------------------------


def files(kernel: IndexedKernel, facts: Facts) -> dict[str, str]:
    """A header that says everything, and the source that it declares."""
    check(kernel, facts, "c")
    guard = f"{facts.name.upper()}_H"
    header = [
        commented(about(kernel, facts, sizes=True), "//"),
        f"#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>",
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        f"// {LAYOUT}\n// {ANSWER}\n{_head(kernel, facts)};",
        "#ifdef __cplusplus\n}\n#endif",
        f"#endif  // {guard}",
    ]
    note = [f"The source of {facts.name}.h. Compile with -DSELF_TEST for a program that tests itself:", ""]
    note += [f"{INDENT}cc -std=c11 -O2 -DSELF_TEST {facts.name}.c -lm && ./a.out", "", f"sha256 {kernel.sha256}"]
    functions = [function(k, spelled(k, Facts(k.name), "c"), f"{IN_C} void") for k in kernel.called]
    source = [
        commented(note, "//"),
        f'#include "{facts.name}.h"\n\n#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>',
        *helpers(kernel.called, IN_C),
        *[SYMMETRIC] * any(array.symmetric for array in kernel.inputs),
        *functions,
        "\n".join([_head(kernel, facts), "{", *CLoops(kernel).body(), "}"]),
        _self_test(kernel, facts),
    ]
    return {f"{facts.name}.h": joined(header), f"{facts.name}.c": joined(source)}


def _head(kernel: IndexedKernel, facts: Facts) -> str:
    arguments = [f"size_t {name}" for name in CLoops(kernel).sizes]
    arguments += [f"const double *{a.name}" if a.ranges else f"double {a.name}" for a in kernel.inputs]
    arguments += [f"double *{name}" for name in kernel.returns]
    return textwrap.fill(
        f"const char *{facts.name}({', '.join(arguments)})", 110, subsequent_indent=INDENT * 2, break_on_hyphens=False
    )


# --- the test ---------------------------------------------------------------------------------------------------------

COMPARED = """
static int failures(int point, int n, const double *found, const char *const *texts, const double *values,
        const double *tails, double allowed, const char *result)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        const double error = fabs((found[k] - values[k]) - tails[k]);
        if (!(error <= allowed)) {
            printf("NAME, point %d: entry %d of %s = %.17g should be %s, up to %.3g\\n",
                   point, k, result, found[k], texts[k], allowed);
            count++;
        }
    }
    return count;
}
"""


def _self_test(kernel: IndexedKernel, facts: Facts) -> str:
    """The program under -DSELF_TEST: a reference value is a double and what it leaves of the exact value."""
    rows = loop_references(kernel)
    points = [line for k, row in enumerate(rows) for line in _point(kernel, facts, k, row)]
    return "\n".join(
        [
            "#ifdef SELF_TEST",
            "#include <stdio.h>\n",
            COMPARED.strip().replace("NAME", facts.name),
            "\nint main(void)\n{",
            f"{INDENT}int count = 0;",
            f"{INDENT}const char *trouble;",
            *points,
            f'{INDENT}if (count == 0) printf("{facts.name}: {len(rows)} points agree\\n");',
            f"{INDENT}return count > 0;",
            "}\n\n#endif  // SELF_TEST",
        ]
    )


def _point(kernel: IndexedKernel, facts: Facts, k: int, row: LoopReference) -> list[str]:
    """A block: entries to many digits, the nearest doubles, what these lack, and the comparison."""
    texts = [text for entries in row.texts for text in entries.values()]
    near = [float(Fraction(text)) for text in texts]
    tails = [float(Fraction(text) - Fraction(head)) for text, head in zip(texts, near, strict=True)]
    n, ends = len(texts), [0]
    for entries in row.texts:
        ends.append(ends[-1] + len(entries))
    arguments = [str(row.sizes[name]) for name in CLoops(kernel).sizes]
    arguments += [_literal(row.inputs[array.name]) for array in kernel.inputs]
    arguments += [f"found + {start}" for start in ends[:-1]]
    block = [
        f"{{  // values to {SHOWN} digits, the nearest doubles, and what these lack",
        *_data(f"static const char *const texts[{n}]", [f'"{text}"' for text in texts]),
        *_data(f"static const double values[{n}]", map(repr, near)),
        *_data(f"static const double tails[{n}]", map(repr, tails)),
        f"{INDENT}double found[{n}];",
        *_filled(f"trouble = {facts.name}({', '.join(arguments)});"),
        f'{INDENT}if (trouble != NULL) printf("{facts.name}, point {k}: %s\\n", trouble);',
        f"{INDENT}count += trouble != NULL;",
    ]
    for name, start, end, allowed in zip(kernel.returns, ends, ends[1:], row.allowed, strict=False):
        shifted = ", ".join(f"{array} + {start}" for array in ("found", "texts", "values", "tails"))
        block += _filled(
            f'if (trouble == NULL) count += failures({k}, {end - start}, {shifted}, {allowed!r}, "{name}");'
        )
    return [INDENT + line for line in [*block, "}"]]


def _literal(entries: Mapping[tuple[int, ...], float]) -> str:
    """A number, or an array that lives as long as its block."""
    if () in entries:
        return repr(entries[()])
    return f"(const double[]){{{', '.join(map(repr, entries.values()))}}}"


def _data(head: str, items: Iterable[str]) -> list[str]:
    return _filled(f"{head} = {{{', '.join(items)}}};")


def _filled(text: str) -> list[str]:
    return textwrap.wrap(
        text, 106, initial_indent=INDENT, subsequent_indent=INDENT * 2, break_long_words=False, break_on_hyphens=False
    )
