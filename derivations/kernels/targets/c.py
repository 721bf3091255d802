"""Kernels of numbers in C and CUDA, which share one text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from derivations.kernels.committed import calls
from derivations.kernels.kernel import Kernel
from derivations.kernels.printing import INDENT, conditions, plain, wrapped
from derivations.kernels.programs import Line
from derivations.kernels.reference import SHOWN, Reference
from derivations.kernels.targets import helper_texts
from derivations.kernels.targets.facts import Facts, about, commented, names_in, paragraph
from derivations.kernels.targets.names import program_of, spelled
from derivations.kernels.targets.points import references
from derivations.kernels.targets.printers import C

PRINTER = C()
IN_C, IN_CUDA = "static inline", "__host__ __device__ static inline"


def c_files(kernel: Kernel, facts: Facts) -> dict[str, str]:
    """A header that says everything, and the source that it declares."""
    facts = spelled(kernel, facts, "c")
    guard = f"{facts.name.upper()}_H"
    header = [
        commented(about(kernel, facts), "//"),
        f"#ifndef {guard}\n#define {guard}",
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        f"{_results(kernel)}\n{_head(kernel, facts, 'void')};",
        "#ifdef __cplusplus\n}\n#endif",
        f"#endif  // {guard}",
    ]
    note = [f"The source of {facts.name}.h. Compile with -DSELF_TEST for a program that tests itself:", ""]
    note += [f"{INDENT}cc -std=c11 -O2 -DSELF_TEST {facts.name}.c -lm && ./a.out", "", f"sha256 {kernel.sha256}"]
    source = [
        commented(note, "//"),
        f'#include "{facts.name}.h"\n\n#include <math.h>',
        *helpers([kernel], IN_C),
        function(kernel, facts, "void"),
        _self_test(kernel, facts),
    ]
    return {f"{facts.name}.h": joined(header), f"{facts.name}.c": joined(source)}


def cuda_files(kernel: Kernel, facts: Facts) -> dict[str, str]:
    """One header with a function for the processor and for the device."""
    facts = spelled(kernel, facts, "cuda")
    guard = f"{facts.name.upper()}_CUH"
    note = ["", f"{INDENT}nvcc -x cu -DSELF_TEST {facts.name}.cuh && ./a.out", "", "tests the function on both."]
    parts = [
        commented([*about(kernel, facts), *note], "//"),
        f"#ifndef {guard}\n#define {guard}",
        "#include <math.h>",
        *map(_once, helpers([kernel], IN_CUDA)),
        f"{_results(kernel)}\n{function(kernel, facts, f'{IN_CUDA} void')}",
        _self_test(kernel, facts, device=True),
        f"#endif  // {guard}",
    ]
    return {f"{facts.name}.cuh": joined(parts)}


def c_text(files: dict[str, str]) -> str:
    """The header and the source as one text."""
    header, source = (files[name] for name in sorted(files, reverse=True))
    return header + "\n" + "\n".join(line for line in source.splitlines() if not line.startswith('#include "')) + "\n"


def joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


# --- the function -----------------------------------------------------------------------------------------------------


def _results(kernel: Kernel) -> str:
    listed = ", ".join(f"result[{k}] = {name}" for k, name in enumerate(kernel.returns))
    return commented(paragraph(listed, "", ""), "//")


def program(kernel: Kernel, printer: C = PRINTER, known: Mapping[str, str] = helper_texts.C) -> str:
    """The function alone with what it calls."""
    parts = ["#include <math.h>", *helpers([kernel], IN_C, known)]
    return joined([*parts, function(kernel, spelled(kernel, Facts(kernel.name), "c"), f"{IN_C} void", printer)])


def _head(kernel: Kernel, facts: Facts, kind: str) -> str:
    arguments = ", ".join(f"double {facts.spell(name)}" for name in kernel.arguments)
    text = f"{kind} {facts.name}({arguments}, double result[{len(kernel.returns)}])"
    return textwrap.fill(text, 110, subsequent_indent=INDENT * 2)


def helpers(kernels: Iterable[Kernel], kind: str, known: Mapping[str, str] = helper_texts.C) -> list[str]:
    """What the functions of some kernels call."""
    return [text.replace("FUNCTION", kind) for text in helper_texts.needed(calls(kernels), known)]


def _once(helper: str) -> str:
    """A program that several headers may carry into one text."""
    match = re.search(r"double (\w+)\(", helper)
    assert match is not None
    guard = f"DERIVATIONS_{match[1].upper()}"
    return f"#ifndef {guard}\n#define {guard}\n{helper}\n#endif"


def function(kernel: Kernel, facts: Facts, kind: str, printer: C = PRINTER) -> str:
    program = program_of(kernel, facts)
    used = {s for line in program for case in line.cases for part in case if part for s in names_in(part)}
    unused = [f"{INDENT}(void){facts.spell(name)};" for name in kernel.arguments if facts.spell(name) not in used]
    lines = [text for _, group in groupby(program, conditions) for text in _lines(list(group), printer)]
    results = [f"{INDENT}result[{k}] = {facts.spell(name)};" for k, name in enumerate(kernel.returns)]
    return "\n".join([_head(kernel, facts, kind), "{", *unused, *lines, *results, "}"])


def _lines(lines: Sequence[Line], printer: C) -> Iterator[str]:
    if len(lines[0].cases) == 1:
        for line in lines:
            yield wrapped(f"const double {line.name} = ", printer.text(line.cases[0][1])) + ";"
        return
    yield f"{INDENT}double {', '.join(line.name for line in lines)};"
    for k, condition in enumerate(conditions(lines[0])):
        word = "if" if k == 0 else "} else if" if condition else "} else"
        yield INDENT + word + (f" ({plain(printer.condition(condition))})" if condition else "") + " {"
        for line in lines:
            yield wrapped(f"{line.name} = ", printer.text(line.cases[k][1]), INDENT * 2) + ";"
    yield INDENT + "}"


# --- the test ---------------------------------------------------------------------------------------------------------

COMPARED = """
static int failures(const char *where, int point, const double *found)
{
    int count = 0;
    for (int k = 0; k < RETURNS; k++) {
        const double error = fabs((found[k] - VALUES[point][k]) - TAILS[point][k]);
        if (!(error <= ALLOWED[point][k])) {
            printf("NAME%s, point %d: %s = %.17g should be %s, up to %.3g\\n",
                   where, point, RESULTS[k], found[k], TEXTS[point][k], ALLOWED[point][k]);
            count++;
        }
    }
    return count;
}
"""
KERNEL = """
__global__ static void on_device(const double *at, double *found)
{
    NAME(AT, found);
}
"""
MAIN = """
int main(void)
{
    int count = 0;
    for (int i = 0; i < COUNT; i++) {
        double found[RETURNS];
        NAME(POINT, found);
        count += failures("", i, found);
    }
DEVICE    if (count == 0) printf("NAME: COUNT points agree\\n");
    return count > 0;
}
"""
ON_DEVICE = """
    double *at, *found;
    if (cudaMallocManaged((void **)&at, sizeof POINTS[0]) != cudaSuccess
        || cudaMallocManaged((void **)&found, RETURNS*sizeof(double)) != cudaSuccess) {
        printf("NAME: there is no device to test on\\n");
        return 1;
    }
    for (int i = 0; i < COUNT; i++) {
        memcpy(at, POINTS[i], sizeof POINTS[0]);
        on_device<<<1, 1>>>(at, found);
        const cudaError_t trouble = cudaDeviceSynchronize();
        if (trouble != cudaSuccess) {
            printf("NAME: %s\\n", cudaGetErrorString(trouble));
            return 1;
        }
        count += failures(" on the device", i, found);
    }
"""


def _self_test(kernel: Kernel, facts: Facts, *, device: bool = False) -> str:
    """The program under -DSELF_TEST: a reference value is a double and what it leaves of the exact value."""
    rows = references(kernel)
    every = range(len(kernel.arguments))
    parts = [COMPARED, *[KERNEL] * device, MAIN.replace("DEVICE", ON_DEVICE.lstrip("\n") if device else "")]
    text = "\n\n".join(part.strip("\n") for part in parts)
    meant = {
        "RETURNS": str(len(kernel.returns)),
        "COUNT": str(len(rows)),
        "POINT,": _listed([f"POINTS[i][{k}]" for k in every]),
        "AT,": _listed([f"at[{k}]" for k in every]),
        "NAME": facts.name,
    }
    text = re.sub(r"\b(RETURNS|COUNT|NAME|POINT,|AT,)", lambda found: meant[found[0]], text)
    includes = ["#include <stdio.h>", *["#include <string.h>"] * device]
    return "\n".join(["#ifdef SELF_TEST", *includes, "", *_data(kernel, rows), "", text, "", "#endif  // SELF_TEST"])


def _listed(arguments: Sequence[str]) -> str:
    return f"\n{INDENT * 4}".join(textwrap.wrap(", ".join(arguments) + ",", 80))


def _data(kernel: Kernel, rows: Sequence[Reference]) -> list[str]:
    n, returns = len(rows), len(kernel.returns)
    heads = [[float(Fraction(text)) for text in row.texts] for row in rows]
    tails = [
        [float(Fraction(text) - Fraction(head)) for text, head in zip(row.texts, near, strict=True)]
        for row, near in zip(rows, heads, strict=True)
    ]
    names = ", ".join(f'"{name}"' for name in kernel.returns)
    return [
        *textwrap.wrap(f"static const char *const RESULTS[{returns}] = {{{names}}};", 100, subsequent_indent=INDENT),
        *_array(f"static const double POINTS[{n}][{len(kernel.arguments)}]", [map(repr, row.point) for row in rows]),
        f"// Exact values to {SHOWN} digits, the nearest doubles, what these lack, and the largest errors allowed.",
        *_array(f"static const char *const TEXTS[{n}][{returns}]", [[f'"{t}"' for t in row.texts] for row in rows]),
        *_array(f"static const double VALUES[{n}][{returns}]", [map(repr, row) for row in heads]),
        *_array(f"static const double TAILS[{n}][{returns}]", [map(repr, row) for row in tails]),
        *_array(f"static const double ALLOWED[{n}][{returns}]", [map(repr, row.allowed) for row in rows]),
    ]


def _array(head: str, rows: Iterable[Iterable[str]]) -> list[str]:
    listed = (
        textwrap.fill(f"{{{', '.join(row)}}},", 100, initial_indent=INDENT, subsequent_indent=INDENT * 2)
        for row in rows
    )
    return [f"{head} = {{", *listed, "};"]
