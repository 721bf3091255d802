"""Figure 4: decoupling, in panels that a simulation repeats."""

from __future__ import annotations

from derivations.papers.braun_2022.setup import paper

PANELS = [
    (
        "4A",
        "The on- and off-diagonal elements of A'A over time, simulated, lie on the solution.",
        ["theorem_51_for_any_shape", "decoupling_solves_the_flow"],
    ),
    ("4C", "Three tasks of two modes: a dense one, one with unequal and one with equal singular values.", []),
    (
        "4D",
        "A'A for the dense task from small, intermediate and large starts.",
        ["theorem_51_for_any_shape", "decoupling_solves_the_flow"],
    ),
    (
        "4E",
        "A'A for the task with unequal singular values: no peak of small starts, one peak of intermediate ones.",
        ["decoupling_solves_the_flow", "one_peak_below_half", "different_modes_stay_near_zero"],
    ),
    (
        "4F",
        "A'A for the task with equal singular values, and the predicted times of the peak of the off-diagonal element.",
        ["decoupling_solution_equal", "peak_time", "peak_condition", "peak_of_small_starts"],
    ),
]

for panel, says, rests_on in PANELS:
    paper.experiment(f"Figure {panel}", f"fig_{panel.lower()}", says, rests_on=rests_on)
