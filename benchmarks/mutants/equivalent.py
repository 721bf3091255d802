"""Mutants that no paper can notice, each with the reason."""

from __future__ import annotations

LINEAR = "derivations.models.two_layer_linear.definitions"
PRODUCTS = "derivations.recheck.core.table.averages.products"
BY_TRACE = "it stands under a trace, in which factors may turn round"

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "derivations.recheck.core.table.averages.products",
        "spend(STEP_WORK * len(size) ** 2)",
        "2 becomes 3",
    ): "a bound on work, which no average meets",
    **{
        (PRODUCTS, line, f"{bound} becomes {bound + 1}"): "a bound on work, which no average meets"
        for line, bound in (
            ("STEP_WORK = 5000  # see `spend`", 5000),
            ("MAX_FIELDS, MAX_FACTORS = 8, 40", 8),
            ("MAX_FIELDS, MAX_FACTORS = 8, 40", 40),
        )
    },
    (
        PRODUCTS,
        'require(max(statement["definite"], default=-1) < size, "a field is definite that is none")',
        "1 becomes 2",
    ): ("where no field is called definite, any negative number is below the size"),
    (
        "derivations.recheck.core.table.averages.lines",
        'return "step" not in kinds and (kinds.count("power") + kinds.count("erf")) % 2 == 1',
        "+ becomes -",
    ): "a sum and a difference of whole numbers are odd together",
    (
        "derivations.language.averages.integrands",
        "if (beyond := max([-1, *read.fields(), *chosen])) >= min(matrix.rows, len(names)):",
        "1 becomes 2",
    ): "no number of rows is below zero",
    (
        "derivations.language.terms",
        "MOST_IN_POWER = 64  # exponents in a number that is an exponent itself",
        "64 becomes 65",
    ): "a bound on work, which no formula meets",
    (
        "derivations.models.two_point.definitions",
        "loss_on_line = HALF * mean([norm2(side * (_along_unit * signed - aim)) for side in (HALF, -HALF)])",
        "a minus sign is lost",
    ): "the squared error of one side is that of the other",
    (LINEAR, "data_yy = Y @ Y.T * per_sample", "factors trade places"): "only its trace is used",
    (
        LINEAR,
        "return HALF * trace(W2 @ W1 @ xx @ W1.T @ W2.T) - trace(W2 @ W1 @ yx.T)",
        "factors trade places",
    ): BY_TRACE,
    (
        LINEAR,
        "return HALF * trace(W2 @ W1 @ xx @ W1.T @ W2.T) - trace(W2 @ W1 @ yx.T)",
        "factors trade places, place 5",
    ): BY_TRACE,
    (
        "derivations.kernels.lowering.operations",
        "return 1 + sum(map(_size, parts_of(operation)))",
        "1 becomes 2",
    ): "every size is twice what it was, and only their order counts",
}
"""Those that mean the same as the original, by module, line of source, and what is changed."""

ELSEWHERE: dict[str, tuple[str, ...]] = {
    LINEAR: ("tests/models/test_two_layer_linear.py::test_the_imbalance_of_neighbouring_layers_is_proved_to_stay",),
    **dict.fromkeys(
        (
            "derivations.language.averages.closed_forms",
            "derivations.language.averages.integrands",
            "derivations.prove.averages.derivation",
            "derivations.recheck.core.table.averages.lines",
            PRODUCTS,
        ),
        ("tests/engine/test_averages.py", "tests/recheck/test_averages.py"),
    ),
    "derivations.language.words.calculus": ("tests/engine/test_words.py::test_statements_have_their_verdicts",),
    "derivations.language.sums": ("tests/engine/test_sums.py::test_statements_have_their_verdicts",),
    "derivations.language.terms": ("tests/engine/test_functions.py",),
    "derivations.language.functions": ("tests/engine/test_functions.py",),
    "derivations.kernels.lowering.operations": ("tests/kernels/test_lowering.py",),
    "derivations.kernels.lowering.repeated": ("tests/kernels/test_lowering.py",),
    "derivations.kernels.lowering.words": ("tests/kernels/test_lowering.py",),
    "derivations.kernels.lowering.sums": ("tests/kernels/test_lowering.py",),
    "derivations.kernels.lowering.loops": ("tests/kernels/test_lowering.py",),
}
"""Tests of what the papers do not use, by module: a mutant there is noticed only when one of them fails."""
