"""Mutants that no paper can notice, each with the reason."""

from __future__ import annotations

LINEAR, MONOMIALS = "derivations.models.two_layer_linear", "derivations.language.averages.monomials"
AVERAGES = "tests/engine/test_averages.py"
BELLS = f"{AVERAGES}::test_averages_change_with_a_covariance_as_their_closed_forms_do"
DEEP = "tests/models/test_two_layer_linear.py::test_the_imbalance_of_neighbouring_layers_is_proved_to_stay"
BY_TRACE = "it stands under a trace, in which factors may turn round"

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "derivations.models.two_point",
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
        MONOMIALS,
        "return sum(part.power + len(part.erfs) for _, part in of) % 2 == 1",
        "+ becomes -",
    ): "a sum and a difference are odd together",
    (
        "derivations.prove.averages.lemmas",
        "group = [0]",
        "0 becomes 1",
    ): "a lemma follows whichever field is moved away from the others",
}
"""Those that mean the same as the original, by module, line of source, and what is changed."""

ELSEWHERE: dict[tuple[str, str, str], str] = {
    (LINEAR, "if depth < 1:", "1 becomes 2"): DEEP,
    (LINEAR, 'hidden = ["N_h"] if depth == 2 else [f"N_h{k}" for k in range(1, depth)]', "1 becomes 2"): DEEP,
    (
        MONOMIALS,
        'if kinds.count("point") > 1 or ("point" in kinds and ("step" in kinds or "ramp" in kinds)):',
        "1 becomes 2",
    ): f"{AVERAGES}::test_a_point_mass_times_a_step_or_itself_is_refused",
    (
        MONOMIALS,
        "yield times(MINUS_ONE, power(width2, MINUS_ONE)), replace(part, power=part.power + 1)",
        "+ becomes -",
    ): BELLS,
    (
        MONOMIALS,
        "yield times(MINUS_ONE, power(width2, MINUS_ONE)), replace(part, power=part.power + 1)",
        "1 becomes 2",
    ): BELLS,
    (
        "derivations.prove.averages.fields",
        "parts.append(times(*([MINUS_ONE] if j % 2 else []), entry, rest))",
        "2 becomes 3",
    ): f"{AVERAGES}::test_minors_are_determinants",
}
"""What the papers do not use, by the same, and the test that notices it."""
