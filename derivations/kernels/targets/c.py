"""Kernels in C.

A kernel of numbers is a function of doubles that fills an array of results. Others take the sizes of their indices,
then pointers to arrays, row by row, and pointers to results; they return NULL, or in words what is wrong.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from derivations.kernels.lowering.loops import without_matrices
from derivations.kernels.points import references
from derivations.kernels.program import Program, Statement, Value, statements
from derivations.kernels.reference import SHOWN, Reference
from derivations.kernels.specification import Specification
from derivations.kernels.targets.carried import helper_texts
from derivations.kernels.targets.dialects import C
from derivations.kernels.targets.facts import Facts, about, commented, names_in, paragraph
from derivations.kernels.targets.names import check_names
from derivations.kernels.targets.printing import INDENT, plain, wrapped
from derivations.kernels.targets.python import of_numbers
from derivations.kernels.targets.statements import Braced, Lines

IN_C = "static inline"
NO_MEMORY = "there is not enough memory"
LAYOUT = "Arrays are row by row, one entry after the other. The results must not overlap the arguments."
ANSWER = "Returns NULL, or in words what is wrong."
LOOPS = "Products, inverses and exponentials of matrices are plain loops here, which call no other library."


def c_files(kernel: Specification, facts: Facts) -> dict[str, str]:
    """A header that says everything, and the source that it declares."""
    check_names(kernel, facts, "c")
    written = Written(kernel, facts)
    guard = f"{facts.name.upper()}_H"
    header = [
        commented(written.about()),
        f"#ifndef {guard}\n#define {guard}" + "\n\n#include <stddef.h>" * (not written.plain),
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        f"{written.says()}\n{written.head()};",
        "#ifdef __cplusplus\n}\n#endif",
        f"#endif  // {guard}",
    ]
    note = [f"The source of {facts.name}.h. Compile with -DSELF_TEST for a program that tests itself:", ""]
    note += [f"{INDENT}cc -std=c11 -O2 -DSELF_TEST {facts.name}.c -lm && ./a.out", "", f"sha256 {kernel.sha256}"]
    function = written.function()
    source = [
        commented(note),
        f'#include "{facts.name}.h"\n\n{written.includes()}',
        *written.helpers(function),
        *written.called(),
        function,
        written.self_test(),
    ]
    return {f"{facts.name}.h": joined(header), f"{facts.name}.c": joined(source)}


def c_text(files: Mapping[str, str]) -> str:
    """The header and the source as one text."""
    header, source = (files[name] for name in sorted(files, reverse=True))
    return header + "\n" + "\n".join(line for line in source.splitlines() if not line.startswith('#include "')) + "\n"


def joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


# --- the function -----------------------------------------------------------------------------------------------------


class Written:
    """One kernel in C."""

    def __init__(self, kernel: Specification, facts: Facts) -> None:
        self.kernel, self.facts, self.known = kernel, facts, helper_texts.C
        self.program = without_matrices(kernel.program)
        self.plain = of_numbers(self.program)
        self.printer = C(
            axes=_axes(self.program),
            returned=frozenset() if self.plain else frozenset(v.name for v in self.program.returns if not v.axes),
        )

    def about(self) -> list[str]:
        lines = about(self.kernel, self.facts, [] if self.plain else self.program.sizes)
        return [*lines, LOOPS] if self.program.joined or _libraries(self.program) else lines

    def says(self) -> str:
        if not self.plain:
            return f"// {LAYOUT}\n// {ANSWER}"
        listed = ", ".join(f"result[{k}] = {name}" for k, name in enumerate(self.kernel.returns))
        return commented(paragraph(listed, "", ""))

    def head(self, kind: str = "") -> str:
        if self.plain:
            arguments = [f"double {value.name}" for value in self.program.inputs]
            text = (
                f"{kind}void {self.facts.name}({', '.join([*arguments, f'double result[{len(self.kernel.returns)}]'])})"
            )
        else:
            arguments = [f"size_t {name}" for name in self.program.sizes]
            arguments += [f"const double *{v.name}" if v.axes else f"double {v.name}" for v in self.program.inputs]
            arguments += [f"double *{value.name}" for value in self.program.returns]
            text = f"{kind}const char *{self.facts.name}({', '.join(arguments)})"
        return textwrap.fill(text, 110, subsequent_indent=INDENT * 2, break_on_hyphens=False)

    def includes(self) -> str:
        further = [] if self.plain else ["#include <stdint.h>", "#include <stdlib.h>"]
        return "\n".join(["#include <math.h>", *further])

    def helpers(self, function: str) -> list[str]:
        """The helpers that the function, and those that it calls, need."""
        text = "\n".join([function, *self.called()])
        return [part.replace("FUNCTION", IN_C) for part in helper_texts.called(text, self.known)]

    def called(self) -> list[str]:
        """The functions of the kernels that this one calls."""
        parts = self.kernel.content.called
        return [Written(part, Facts(part.name)).function(f"{IN_C} ") for part in parts]

    def function(self, kind: str = "") -> str:
        body = _Plain(self) if self.plain else _Looped(self)
        return "\n".join([self.head(kind), "{", *body.body(self.program), "}"])

    def self_test(self) -> str:
        return _self_test(self)


def _axes(program: Program) -> dict[str, Sequence[str]]:
    """The sizes of every array."""
    known = {value.name: value.axes for value in (*program.inputs, *program.returns)}
    return known | {s[1]: s[2] for s in statements(program.body) if s[0] == "new"}


def _libraries(program: Program) -> bool:
    return any(statement[0] == "library" for statement in statements(program.body))


class _Plain(Braced):
    """A straight program: every name is assigned once."""

    def __init__(self, written: Written) -> None:
        super().__init__(written.printer)

    def body(self, program: Program) -> list[str]:
        used = {s for _, _, cases in program.body for case in cases for part in case if part for s in names_in(part)}
        unused = [f"{INDENT}(void){value.name};" for value in program.inputs if value.name not in used]
        results = [f"{INDENT}result[{k}] = {value.name};" for k, value in enumerate(program.returns)]
        return [*unused, *self.lines(program.body, INDENT), *results]

    def assigned(self, lines: Sequence[tuple[str, Any]], indent: str) -> Lines:
        first = lines[0][1]
        if len(first) == 1:
            for name, cases in lines:
                yield wrapped(f"const double {name} = ", self.printer.text(cases[0][1]), indent) + ";"
            return
        yield f"{indent}double {', '.join(name for name, _ in lines)};"
        yield from self.branched(lines, indent)


class _Looped(Braced):
    """Loops on doubles; arrays that are not returned lie in one block of memory."""

    counter = "size_t"

    def __init__(self, written: Written) -> None:
        super().__init__(written.printer)
        self.returned = {value.name for value in written.program.returns}

    def body(self, program: Program) -> list[str]:
        inner = [s for s in program.body if s[0] == "new" and s[1] not in self.returned]
        self.scratch = bool(inner)
        text = "\n".join(
            [
                *self.measured(program),
                *self.stored(inner),
                *self.lines(program.body, INDENT),
                *[f"{INDENT}free(scratch);"] * self.scratch,
                f"{INDENT}return NULL;",
            ]
        )
        given = [*program.sizes, *(value.name for value in program.inputs)]
        unused = [f"{INDENT}(void){name};" for name in given if not re.search(rf"\b{name}\b", text)]
        local = [s[1] for s in statements(program.body) if s[0] in ("=", "sum") and s[1] not in self.returned]
        declared = [f"{INDENT}double {', '.join(dict.fromkeys(local))};"] * bool(local)
        trouble = [f"{INDENT}const char *trouble;"] * _libraries(program)
        return [*unused, *declared, *trouble, text]

    def measured(self, program: Program) -> Lines:
        """Lines that refuse bad sizes and compute the sizes of joined ranges."""
        for value in program.inputs:
            if value.kind == "symmetric":
                yield f'{INDENT}if (!symmetric({value.axes[0]}, {value.name})) return "{value.name} is not symmetric";'
        for name, parts in program.joined.items():
            yield f"{INDENT}const size_t {name} = {' + '.join(parts)};"

    def stored(self, inner: Sequence[Statement]) -> Lines:
        """One block of zeros for all inner arrays; a count of entries that no block has is told by a double.

        Zeros, as a compiler cannot see that every entry is filled before it is read.
        """
        if not inner:
            return
        counts = " + ".join("*".join(f"(double){size}" for size in sizes) for _, _, sizes in inner)
        yield wrapped("const double count = ", counts) + ";"
        yield f'{INDENT}if (count >= (double)(SIZE_MAX/16)) return "{NO_MEMORY}";'
        yield f"{INDENT}double *const scratch = (double *)calloc((size_t)count + 1, sizeof(double));"
        yield f'{INDENT}if (scratch == NULL) return "{NO_MEMORY}";'
        start = "scratch"
        for _, name, sizes in inner:
            yield f"{INDENT}double *const {name} = {start};"
            start = f"{name} + {'*'.join(sizes)}"

    def on_new(self, indent: str, name: str, sizes: Sequence[str]) -> Lines:
        yield from ()

    def on_call(self, indent: str, name: str, values: Sequence[Any], targets: Sequence[Any]) -> Lines:
        yield f"{indent}double found[{len(targets)}];"
        arguments = [*map(self.printer.text, values), "found"]
        yield wrapped("", f"{name}({', '.join(arguments)})", indent) + ";"
        for k, (array, at) in enumerate(targets):
            head = self.printer.entry(array, at) if at else self.printer.name(array)
            yield plain(f"{indent}{head} = found[{k}];")

    def on_library(self, indent: str, function: str, target: str, size: str, arguments: Sequence[Any]) -> Lines:
        matrix, *numbers = arguments
        given = ", ".join([size, matrix, *map(self.printer.text, numbers), target])
        yield f"{indent}trouble = {function}({given});"
        yield f"{indent}if (trouble != NULL) {{"
        yield from [f"{indent}{INDENT}free(scratch);"] * self.scratch
        yield f"{indent}{INDENT}return trouble;\n{indent}}}"


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
MAIN = """
int main(void)
{
    int count = tested();
    if (count == 0) printf("NAME: COUNT points agree\\n");
    return count > 0;
}
"""


def _self_test(written: Written) -> str:
    """The program under -DSELF_TEST: a reference value is a double and what it leaves of the exact value."""
    rows = references(written.kernel)
    points = [line for k, row in enumerate(rows) for line in _point(written, k, row)]
    text = "\n".join(
        [
            "#ifdef SELF_TEST",
            "#include <stdio.h>",
            COMPARED,
            f"static int tested(void)\n{{\n{INDENT}int count = 0;",
            *points,
            f"{INDENT}return count;\n}}",
            MAIN.rstrip(),
            "\n#endif  // SELF_TEST",
        ]
    )
    return re.sub(r"\b(NAME|COUNT)\b", lambda m: {"NAME": written.facts.name, "COUNT": str(len(rows))}[m[0]], text)


def _point(written: Written, k: int, row: Reference) -> Iterator[str]:
    """A block: entries to many digits, the nearest doubles, what these lack, and the comparison."""
    texts = [text for entries in row.texts for text in entries]
    near = [float(Fraction(text)) for text in texts]
    tails = [float(Fraction(text) - Fraction(head)) for text, head in zip(texts, near, strict=True)]
    n, ends = len(texts), [0]
    for entries in row.texts:
        ends.append(ends[-1] + len(entries))
    name, given = written.facts.name, list(zip(written.program.inputs, row.point, strict=True))
    block = [f"{{  // values to {SHOWN} digits, the nearest doubles, and what these lack"]
    quoted = ", ".join(f'"{text}"' for text in texts)
    block += _filled(f"const char *const texts[{n}] = {{{quoted}}};")
    block += _filled(f"const double values[{n}] = {{{', '.join(map(repr, near))}}};")
    block += _filled(f"const double tails[{n}] = {{{', '.join(map(repr, tails))}}};")
    arrays = [(j, list(_entries(value))) for j, (_, value) in enumerate(given) if isinstance(value, list)]
    for j, numbers in arrays:
        block += _filled(f"const double given_{j}[{len(numbers)}] = {{{', '.join(map(repr, numbers))}}};")
    block.append(f"{INDENT}double found[{n}];")
    values = [f"given_{j}" if isinstance(value, list) else repr(value) for j, (_, value) in enumerate(given)]
    if written.plain:
        block += _filled(f"{name}({', '.join([*values, 'found'])});")
        trouble = ""
    else:
        sizes = _sizes(given)
        results = [f"found + {start}" for start in ends[:-1]]
        call = f"{name}({', '.join([*(str(sizes[s]) for s in written.program.sizes), *values, *results])})"
        block += _filled(f"const char *const trouble = {call};")
        block.append(f'{INDENT}if (trouble != NULL) printf("{name}, point {k}: %s\\n", trouble);')
        block.append(f"{INDENT}count += trouble != NULL;")
        trouble = "if (trouble == NULL) "
    for result, start, end, allowed in zip(written.kernel.returns, ends, ends[1:], row.allowed, strict=False):
        shifted = ", ".join(f"{array} + {start}" for array in ("found", "texts", "values", "tails"))
        block += _filled(f'{trouble}count += failures({k}, {end - start}, {shifted}, {allowed!r}, "{result}");')
    yield from (INDENT + line for line in [*block, "}"])


def _sizes(given: Iterable[tuple[Value, Any]]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for value, entries in given:
        inner = entries
        for axis in value.axes:
            sizes.setdefault(axis, len(inner))
            inner = inner[0] if inner else []
    return sizes


def _entries(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for row in value:
            yield from _entries(row)
    else:
        yield value


def _filled(text: str) -> list[str]:
    return textwrap.wrap(
        text, 106, initial_indent=INDENT, subsequent_indent=INDENT * 2, break_long_words=False, break_on_hyphens=False
    )
