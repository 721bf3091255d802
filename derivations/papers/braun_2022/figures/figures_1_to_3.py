"""Figures 1 to 3: what only a simulation repeats."""

from __future__ import annotations

from derivations.papers.braun_2022.setup import paper

PANELS = [
    ("1B", "The output over training from small random weights, simulated, lies on the solution.", ["theorem_31"]),
    ("1C", "The output over training from large random weights, simulated, lies on the solution.", ["theorem_31"]),
    ("1D", "The output over training from the weights of a task learned before lies on the solution.", ["theorem_31"]),
    (
        "2A",
        "Loss, network function, correlations of the weights and tangent kernel from small weights match the solution.",
        ["theorem_31"],
    ),
    (
        "2B",
        "Loss, network function, correlations of the weights and tangent kernel from large weights match the solution.",
        ["theorem_31"],
    ),
    (
        "2C",
        "For 50 random networks, the smaller the learning rate (0.05 to 0.0005), the closer the simulated loss is to the solution.",
        ["theorem_31", "balance_after_a_step"],
    ),
    ("2D", "Simulated and analytical learning curves of five of these networks.", ["theorem_31"]),
    ("3B", "The singular value decomposition of the semantic task, and its two similarity matrices.", []),
    (
        "3C",
        "QQ' in the end from small random weights: its diagonal blocks look like the task's similarity matrices.",
        ["small_starts_become_nearly_rich"],
    ),
    (
        "3D",
        "QQ' in the end from large random weights: the same network function, diagonal blocks unlike the task's.",
        ["large_imbalance_stays"],
    ),
    (
        "3E",
        "QQ' in the end from large balanced weights: diagonal blocks like the task's.",
        ["guaranteed_where_overlap_has_an_inverse", "half_of_the_starts_have_the_other_sign"],
    ),
    (
        "3F",
        "The loss from small weights falls in slow steps, from both kinds of large weights fast.",
        ["aligned_mode", "large_starts_fall_fast"],
    ),
]

for panel, says, rests_on in PANELS:
    paper.experiment(f"Figure {panel}", f"fig_{panel.lower()}", says, rests_on=rests_on)
