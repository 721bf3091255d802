"""The page of what has to be trusted: every rule and every theorem, where it is coded, and which test breaks it.

The page is computed from the code: from the checker's table of methods, its modules' own accounts of their rules, and
the theorems that both sides know.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from derivations.audit.glosses import free_words, is_gloss
from derivations.audit.ledger import plain
from derivations.audit.table import written
from derivations.audit.verify import Report
from derivations.prove.certificate import Json, Verdict
from derivations.recheck.core.slots import about_matrices
from derivations.recheck.core.theorems import Theorem, averages, kinds, limits, theorems
from derivations.recheck.core.theorems import rules as rule_lines
from derivations.recheck.ledgers.reading import formula
from derivations.recheck.ways import WAYS

MEASURED, MUTANTS = "tests/fuzz/outcome.json", "tests/laws/library_mutants.json"
PROVES, CHECKS = "derivations.prove.", "derivations.recheck."
CORRUPTIONS = "tests/recheck/test_corruptions.py"
THEOREMS_TEST = "tests/engine/test_theorems.py"
BROKEN = "tests/engine/cases/{}.txt"
WORD_CHECKERS = ("core.words.claims", "core.words.values", "core.words.indexed")
KINDS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "identity": ("equality", ("core.ring", "core.ring.point", "core.table.by"), CORRUPTIONS),
    "sign": ("sign", ("core.ring", "core.ring.line", "core.ring.point", "core.table.by"), CORRUPTIONS),
    "limit": ("limits", ("core.limits",), "tests/recheck/test_limits_corruptions.py"),
    "enclosure": ("enclosure", ("core.table.boxes",), CORRUPTIONS),
    "solves": ("flows.solutions", ("core.table.by",), CORRUPTIONS),
    "trajectory": (
        "flows.trajectories",
        (
            "flows.trajectories",
            *(f"flows.trajectories.{part}" for part in ("step", "formulas", "questions", "settling")),
        ),
        CORRUPTIONS,
    ),
    "words": (
        "words",
        WORD_CHECKERS,
        "tests/recheck/test_words_corruptions.py",
    ),
    "loewner": ("words.loewner", ("core.words.orders",), "tests/recheck/test_loewner_corruptions.py"),
    "sums": (
        "sums",
        WORD_CHECKERS,
        "tests/recheck/test_sums_corruptions.py",
    ),
    "average": (
        "averages",
        ("core.table.averages", "core.table.averages.lines", "core.table.averages.products"),
        "tests/recheck/test_averages.py",
    ),
    "all": ("schemas.composite", ("core.table.structure",), CORRUPTIONS),
    "by": ("schemas.use", ("core.table.by",), THEOREMS_TEST),
    "argued": ("schemas.composite", ("core.table.by",), THEOREMS_TEST),
    "not": ("schemas.composite", ("core.table.structure",), THEOREMS_TEST),
    "concluded": ("schemas.use", ("core.table.by", "core.table.integrals"), THEOREMS_TEST),
}
"""Who decides a kind of statement, who checks it (modules of `prove` and `recheck`), and what refuses lies."""

SHARED = """- **python-flint**, which computes with exact numbers, polynomials and balls for both.
- **The language of terms**: both read the same data. What SymPy hands over is read at one door
  (`derivations/language/terms.py`), which refuses what it does not understand.
- **What the letters and operators of a print mean**: the reader of LaTeX (`derivations/latex/`) takes it from the
  paper's vocabulary. The checker reads each print again (`derivations/recheck/reader/`) with code of its own, and the
  same meanings. It computes what a page tells of them: what a left side stands for, and each meaning that is not the
  own name of a letter, or that the statement does not say, as of exponentials, roots, means and functions.
- **The printer of sentences** (`derivations/recheck/ledgers/reading.py`) is the checker's, and the only one: pages show
  what it says, and `recheck --pages` prints again. Formulas drawn by a browser or by GitHub are written elsewhere
  (`derivations/language/show/`), and stand beside the sentence."""
WORDS = """- the gloss of a claim, which stands below the computed sentence of what was judged;
- which sentence or formula of the source a claim is about, and its quotation;
- what an erratum changes for the source, and which of several readings is meant;
- the definitions of a model, which the probe confronts with simulated instances;
- the last step of every claim that is argued."""
GLOSSES = """A gloss is a person's sentence below the computed one, and no verdict is about it. Its numbers,
comparisons, quantifiers and notions that stand in nothing that was judged are in italics on the pages, and counted
here. `derivations lies --words` changes one number, sign, letter, comparison, quantifier or condition of each sentence:
no page passes with a computed sentence that was changed."""
RULES = """A rule turns a statement about numbers into simpler ones. The checker computes them from the statement and
from the rule's parameters, and asks for a certificate of each, or of the contrary of one of its hypotheses."""
LINES = """Rules are lines of the table too (`derivations/theorems/rules`): `left` and `right` are the sides of the
statement that a rule is used on, and `order` is its relation. `derivations theorems LEDGER.json` prints the whole
table, and how often the certificates of a ledger use each line."""
LARGER: dict[str, tuple[tuple[str, ...], str]] = {
    "ring and sign": (
        ("core.ring", "core.ring.polynomials", "core.ring.line"),
        """An equation or an inequality is one identity between polynomials; that is the smaller part of the code. The
larger one says what a letter of a polynomial may stand for. A formula such as a root or a quotient gets a letter only
once steps have shown that it has a value, and each way to write one by others (a sum in an exponent, a product in a
logarithm, a root by its power, an odd function) has a condition of its own. Facts have four relations to zero, which
products and sums mix. A multiplication is paid for before it is done, as a certificate may ask for any. Signs between
roots are there because a polynomial in one letter can be positive without a sum of squares that is short enough to be
written down.""",
    ),
    "limits": (
        ("core.limits", "core.limits.forms"),
        """A limit is a value at zero of something continuous, and what is continuous depends on where formulas have
values: beside the identity that a proof ends with, its parts must have values near the limit, for all parameters in a
step that rewrites, and for one exact choice of them at the end, so that the statement is about something. A variable
may go to infinity or to a point from one side, and hypotheses may speak of it. That functions have no Taylor series
where they end, such as asin at 1, is said by lines of the table. A wrong limit is refuted by the proof of another one
at exact parameters, which has to be the same statement in all else.""",
    ),
    "words and sums": (
        ("core.words.indexed", "core.words.values", "core.words.claims", "core.words.orders"),
        """Matrices of any size and sums over any range have one normal form, in which a summed index has no name. That
two products are the same up to such names is a question about graphs, and the search for the smallest way to write one
is bounded by its work; without it every certificate would have to say how its indices correspond. The rest reads the
formulas of the language, with derivatives along a flow and gradients, each of which must respect what letters are
declared to be, and multiplies exact matrices, which show that a statement is about something, or refute it. Orders
between matrices need few lines more: pieces that are never negative by how they are built.""",
    ),
    "averages": (
        ("core.table.averages", "core.table.averages.lines", "core.table.averages.products"),
        """Each step of a Gaussian average is a line of the table, but its letters are products of factors of random
fields, not formulas: they are joined, have slopes with point masses in them, and are averaged under covariances that
change from step to step. Whether a covariance is one at all, and definite where a density is used, has to be checked at
an exact point. Products that have a name of their own are averages which no formula gives: to refute a statement with
them takes their values for numbers, each proved by another derivation.""",
    ),
    "theorem and rule": (
        (
            "core.slots",
            "core.theorems",
            "core.table.by",
            *(f"core.table.named.{part}" for part in ("numbers", "statements", "integrals", "matrices")),
        ),
        """A line of the table is data, and to fill its letters takes a reader of its expressions, which has about
twenty forms and runs nothing. The named functions say what an expression cannot: where formulas have values or
derivatives (which ends of intervals, roots and denominators ask for), how many changes of sign a list has, and, most
of all, which letters for matrices move with others. A matrix may be defined by others and be declared symmetric or the
inverse of another; a theorem about a flow is false if one of these words is believed of something that moves. So its
side conditions follow definitions through the whole table of letters.""",
    ),
    "balls": (
        ("core.balls", "core.table.boxes", "core.table.integrals"),
        """Balls are those of python-flint. What is larger is that exact values stay rational for as long as they are,
so that an equation can hold at a point; that a value asks for all its parts, also those that a derivative loses; and
that an integral is enclosed by values and second derivatives on its parts, or by values alone where there are none.""",
    ),
    "step": (
        tuple(f"flows.trajectories{part}" for part in ("", ".claims", ".formulas", ".questions", ".settling", ".step")),
        """A statement about all solutions from a box of starts has no identity that shows it: the set of solutions has
to be enclosed step by step, by Taylor polynomials with a bound of what they miss, and the checker does this again from
the lengths, boxes and frames that a certificate holds. One step is 250 lines with the argument that it is right. The
rates need coefficients of Taylor series and derivatives in balls, thousands of times, so that they are carried out as a
list of operations and not formula by formula. What is said of solutions (a relation at a time, an event in a window,
convergence to a rest point) is a judge for each, and a failure is the contrary of one. It is the one part that stands
outside of the core (`derivations/recheck/kinds`), and few entries need it.""",
    ),
}
"""Primitives that take more lines than their rule seems to ask for: their modules, and the reason."""
NEEDS = """These are lines of the table too (`derivations/theorems/kinds`): what has to be shown for a statement, and
what follows from it. `kept` asks for denominators, roots and logarithms along the solution that
keep the sign which they have at the start. What follows is refuted where it fails at a point at which all `values`
are there: such points are all that the statement speaks of."""
AVERAGES = """By these lines (`derivations/theorems/averages`) averages over jointly Gaussian fields of mean zero are
derived: `E` of the product on the left is the right side. x and y are fields, F and G products of factors of single
fields, and C(x, y) is a covariance; `D` is a slope, and `E(F, less(x, v))` is under C - C(., x) C(x, .)/v."""
SMALL = """By these lines (`derivations/theorems/limits`) a proof of a limit names quantities o that go to zero: those
with a formula, and those that make an equation hold. d is a product of powers of such quantities and of what is
positive near the limit."""
KERNELS = """An emitted kernel is a program, which `numerics/kernels/index.json` holds as data beside the sha256 of
every file.

**Certified.** Each kernel is an entry of its paper, whose certificate is one statement: for all arguments in a domain
the program returns formulas that proved claims state, in every branch. Its statement names the sha256 of the program,
and has the domain, which is the one that the index tells, and cases. `derivations recheck --pages` refuses an index
with another program. Programs of numbers it also reads back, line by line (`derivations/recheck/ledgers/programs.py`;
`tests/recheck/test_programs.py` changes their operations one by one), and finds for all arguments in the domain at
which the conditions of a case hold: there are symbols, formulas in the arguments that have values there, of which the
arguments are what the case says, all at once; they are as the case supposes, and values that are put into a formula of
a claim are as the claim supposes; each return is such a whole formula. Whatever is not so literally, parts show that
suppose nothing but what is known in the case. The conditions of a case which never occurs contradict each other in the
domain, and the cases leave no combination of conditions out. A page says what a kernel returns, where, and under which
hypotheses. The formulas of a claim, and all that stand in the place of lines, have values in all of the domain. Only
edges may be left out, where a quotient of polynomials is zero; pages, emitted files and the index tell where
(`nothing is shown where`): expm1, relexp and relexp1 are read as fractions, so that zero is an edge of what they are
taken of. Solutions that claims state while they are defined, averages and numbers that are those of matrices are told
there too. Programs of matrices and of sums it reads back as well (`derivations/recheck/ledgers/arrays.py`). Of
matrices it writes the solution of the claim in the letters of the program, and finds that every letter is there what
the claim says (`derivations/recheck/ledgers/matrices.py`); of sums, sides of the claim stand in the parts, under its
rules.

**A person's word.** That both sides are continuous on an edge. That a sentence in a domain says what a claim supposes
of matrices. That a kernel of numbers computes what a call of it stands for, which a page says (`not shown here`), is
that of `derivations/paper/equals/sums.py`.

**Only tested.** That the text in a language says what the program says, which every file tests on exact values by
itself; the compiler; and floating point: `ACCURACY.md` measures how far results are from exact ones. An emitted file
of which a form was changed because it fails in doubles says so, and the form is proved equal when it is emitted."""
INTRODUCTION = """# What has to be trusted

Generated by `derivations update` from the code. A verdict holds if the checker's rules below do, and if the checker
applies them as they say. Prover and checker share no code but the reading of theorems and rules and the steps of
limits and of trajectories, which the checker makes anew from its evidence, and they share:"""
TABLE = """Each is a line of the table in `derivations/theorems`, which prover and checker read with the same code: what
is needed and what follows is computed from what fills its letters. The hypotheses are shown as they stand here: after
"given" stands what is supposed besides, `smooth` and `valued` ask for denominators, roots and logarithms that are in
order, and `D`, `at` and `along` are a derivative, a substitution and the rate along a flow. Named functions do what
formulas cannot say (`derivations/recheck/core/table/named`): that a symbol stands nowhere in a value, how often signs
change, which letters for matrices move with others, and what a determinant is of. They depend on how letters are
declared, not on formulas alone, and so stay code."""


def trusted_page(reports: Iterable[Report], root: Path, papers: Iterable[Json] = ()) -> str:
    """The page `docs/trusted.md`. root: the checkout, in which the measured rate of false verdicts stands."""
    head = "| kind | verdicts and methods | prover | checker | the test that breaks it |"
    guide = inspect.getdoc(import_module(CHECKS + "core")) or ""
    lines = [INTRODUCTION, "", SHARED, "", "## The core of the checker", "", *guide.splitlines(), ""]
    lines += ["## Why some parts are large", "", *(line for title in LARGER for line in _why(title))]
    lines += ["## Statements and their rules", "", head, "| --- | --- | --- | --- | --- |"]
    lines += [*map(_kind_row, KINDS), "", "What each part of the checker says of its rules:", ""]
    for name in dict.fromkeys(name for _, checkers, _ in KINDS.values() for name in checkers):
        module = _checker(name)
        lines += [f"### `{_file(module)}`", "", "```text", (inspect.getdoc(module) or "").strip(), "```", ""]
    lines += ["## Rules", "", *_rules()]
    lines += ["## What a statement of a kind needs", "", NEEDS, ""]
    for name, line in kinds().items():
        lines += [f"- **{name}**: {line.text('says')}", "", "```text", *written(line), "```", ""]
    lines += ["## Averages", "", AVERAGES, "", *_lines(averages())]
    lines += ["## Quantities that go to zero", "", SMALL, "", *_lines(limits())]
    lines += ["## Theorems", "", TABLE, ""]
    for name, theorem in theorems().items():
        lines += _theorem(name, theorem)
    lines += ["## Kernels", "", KERNELS, "", *_unshown(reports)]
    lines += ["## How often a verdict was false", "", _measured(root), ""]
    lines += ["## Whether a change of the library is noticed", "", _noticed(root), ""]
    lines += ["## What a person's word still ties", "", WORDS, "", *_glosses(papers), *_argued(reports)]
    return "\n".join(lines).rstrip() + "\n"


def _checker(name: str) -> Any:
    """A module of the checker's core, or of its kinds."""
    return import_module(CHECKS + (name if name.startswith("core.") else f"kinds.{name}"))


def _why(title: str) -> list[str]:
    """The size of the modules of a primitive, and why they are not smaller."""
    modules, reason = LARGER[title]
    size = sum(len(inspect.getsource(_checker(name)).splitlines()) for name in modules)
    return [f"**{title}**, {size} lines. {' '.join(reason.split())}", ""]


def _kind_row(kind: str) -> str:
    prover, checkers, test = KINDS[kind]
    plain: dict[str, list[str]] = {}
    for way in WAYS:
        if way.kind == kind and way.method.replace(" ", "").isalpha():  # a pattern names the formula or the rule
            plain.setdefault(way.verdicts, []).append(way.method)
    methods = [f"{verdict} by {' or '.join(told)}" for verdict, told in plain.items()]
    checked = ", ".join(f"`{_file(_checker(name))}`" for name in checkers)
    decided = _file(import_module(PROVES + prover))
    return f"| {kind} | {'; '.join(methods) or 'see there'} | `{decided}` | {checked} | `{test}` |"


def _rules() -> list[str]:
    """Every rule, as its line of the table says it."""
    return [RULES, "", LINES, "", *_lines(rule_lines())]


def _lines(table: dict[str, Theorem]) -> list[str]:
    """Every line with what it says, when, and as it stands in the table."""
    found: list[str] = []
    for name, line in table.items():
        says = f"- **{name}**: {line.text('says')} {line.text('conditions')} See {line.text('citation')}."
        found += [says, "", "```text", *written(line), "```", ""]
    return found


def _theorem(name: str, theorem: Theorem) -> list[str]:
    """One theorem with its side conditions, its letters, its hypotheses and its conclusion."""
    letters = ", ".join(f"`{letter}` ({kind})" for letter, kind in theorem.letters.items())
    return [
        f"### {name}", "", theorem.text("says"), "",
        f"- *Conditions:* {theorem.text('conditions')}", f"- *Letters:* {letters}.",
        f"- *Source:* {theorem.text('citation')}.",
        f"- *Stands in* `derivations/theorems/{theorem.file}`, broken in `{_test(theorem)}`.", "",
        "```text", *written(theorem), "```", "",
    ]  # fmt: skip


def _test(theorem: Theorem) -> str:
    if about_matrices(theorem.letters):
        return BROKEN.format("matrix_theorems")
    return BROKEN.format("motion_uses" if theorem.file in ("flows.toml", "rest_points.toml") else "theorems")


def _file(module: ModuleType | None) -> str:
    """The file of a module as it stands in the checkout."""
    parts = Path(str(module and module.__file__)).parts
    return "/".join(parts[len(parts) - parts[::-1].index("derivations") - 1 :])


def _measured(root: Path) -> str:
    """Return what the fuzzer measured last, or that it was not run."""
    file = root / MEASURED
    if not file.is_file():
        return "Not measured yet."
    found = json.loads(file.read_text(encoding="utf-8"))
    seeds = " and ".join(f"{first} to {last}" for first, last in found["seeds"])
    rows = [
        f"| {kind} | {', '.join(f'{number} {verdict}' for verdict, number in verdicts.items())} |"
        for kind, verdicts in found["by_kind"].items()
    ]
    false, repaired, rejected = (len(found.get(key, ())) for key in ("unsound", "repaired", "rejected"))
    said = (
        f"{false} of {found['statements']} random statements, whose truth is known by construction or by evaluation to"
        f" many digits, got a false verdict, and {repaired} more did before a repair; the checker rejected {rejected}"
        " certificates of the prover"
        f" ({found['date']}, seeds {seeds}, `tests/fuzz`)."
    )
    return "\n".join([said, "", "| kind | verdicts |", "| --- | --- |", *rows])


def _noticed(root: Path) -> str:
    """Return what noticed false variants of the library's code when all of them were tried last, or that they were
    not.
    """
    file = root / MUTANTS
    if not file.is_file():
        return "Not measured yet."
    told = json.loads(file.read_text(encoding="utf-8"))
    said = (
        f"{sum(told['noticed'].values())} of {told['mutants']} variants of the code that holds the mathematics of the"
        f" papers, in each of which one number, sign, operation or order of factors is changed, were noticed;"
        f" {told['same']} mean the same as the code, and {len(told['survived'])} survived"
        f" ({told['date']}, `python -m benchmarks.mutants --json {MUTANTS}`)."
    )
    rows = [f"| {how} | {number} |" for how, number in told["noticed"].items()]
    return "\n".join([said, "", "| noticed by | variants |", "| --- | --- |", *rows])


def _unshown(reports: Iterable[Report]) -> list[str]:
    """Return what certificates of kernels leave to a person's word."""
    kernels = [
        (o.entry.id, o.certificate)
        for report in reports
        for o in report.outcomes
        if o.entry.kind == "kernel" and o.certificate is not None
    ]
    told = [
        f"- `{name}`: {line}"
        for name, certificate in kernels
        for line in dict.fromkeys(formula(plain(certificate)["statement"]))
        if "nothing is shown" in line or "not shown" in line
    ]
    return [f"{len(kernels)} kernels are shown to equal claims, and of these is not shown:", "", *told, ""]


def _glosses(papers: Iterable[Json]) -> list[str]:
    """How many sentences are a person's, and how many of their words stand in nothing that was judged."""
    rows = ["| paper | computed sentences | glosses | of these with free words | free words |"]
    rows.append("| --- | ---: | ---: | ---: | ---: |")
    for paper in papers:
        computed = sum(bool(entry["certificate"]) for entry in paper["entries"])
        free = [len(free_words(entry)) for entry in paper["entries"] if is_gloss(entry)]
        rows.append(f"| {paper['key']} | {computed} | {len(free)} | {sum(map(bool, free))} | {sum(free)} |")
    return [GLOSSES, "", *rows, ""] if len(rows) > 2 else []


def _argued(reports: Iterable[Report]) -> list[str]:
    """The claims whose last step is a person's, with their share of all that is decided."""
    outcomes = [o for report in reports for o in report.outcomes if o.verdict not in (None, Verdict.OPEN)]
    argued = [o for o in outcomes if o.verdict is Verdict.ARGUED]
    head = f"{len(argued)} of {len(outcomes)} decided claims are argued:" if argued else "No claim is argued."
    return [head, "", *(f"- `{o.entry.id}` ({'; '.join(o.entry.where)}): {o.entry.says}" for o in argued)]
