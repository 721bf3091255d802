"""Figures 5 and 6: the measurements, each with the claims that it rests on."""

from __future__ import annotations

from derivations.papers.braun_2022.setup import paper

# --- figure 5: continual learning ---------------------------------------------------------------------------------------

paper.experiment(
    "Figure 5A",
    "fig_5a",
    "A network learns a sequence of tasks from small zero-balanced weights; simulated losses of all tasks over time lie on the exact ones.",
    rests_on=["riccati_solution", "tasks_follow_each_other", "loss_of_another_task"],
)
paper.experiment(
    "Figure 5B",
    "fig_5b",
    "The measured loss of a first task after a second one, against the exact one, for linear, tanh and ReLU networks, n = 50 each.",
    rests_on=["loss_of_another_task", "forgetting_by_similarity"],
)
paper.experiment(
    "Figure 5C",
    "fig_5c",
    "How well the two layers are balanced before and after training on two tasks, for linear, tanh and ReLU networks, n = 50 each.",
    rests_on=["balance_persists"],
)
paper.experiment(
    "Figure 5D",
    "fig_5d",
    "The loss of each task after training on each task of a sequence, exact and measured, for linear, tanh and ReLU networks.",
    rests_on=["loss_of_another_task"],
)
paper.experiment(
    "Figure 5E",
    "fig_5e",
    "The data of panel D as the change of each loss from one task to the next: the amount of forgetting, exact and measured.",
    rests_on=["forgetting_by_similarity", "ratio_needs_the_constant"],
)

# --- figure 6: reversal and revision ------------------------------------------------------------------------------------

paper.experiment(
    "Figure 6A",
    "fig_6a",
    "A deep network relearns the opposite of what it knows: the exact course ends at zero, the simulated one leaves the saddle and learns.",
    rests_on=["reversal_ends_at_zero", "any_noise_escapes", "unbalanced_noise_escapes", "escape_takes_long"],
)
paper.experiment(
    "Figure 6B",
    "fig_6b",
    "A shallow network relearns the same task; the exact course and the simulated one both arrive, without slowing down.",
    rests_on=["shallow_solution", "shallow_network_relearns", "shallow_network_never_slows"],
)
paper.experiment(
    "Figure 6C",
    "fig_6c",
    "Two revisions of the living kingdom: two fish change places, or the items get new features, a hierarchy of colours.",
    rests_on=["swapped_nodes_reverse_modes"],
)
paper.experiment(
    "Figure 6D",
    "fig_6d",
    "The singular value decompositions of the revised tasks, and their similarity matrices.",
    rests_on=["swapped_nodes_reverse_modes"],
)
paper.experiment(
    "Figure 6E",
    "fig_6e",
    "Exact and simulated loss over time, first on the living kingdom and then on either revision.",
    rests_on=["partial_reversal_ends_on_a_saddle", "swapped_nodes_reverse_modes", "large_starts_need_bounded_time"],
)
paper.experiment(
    "Figure 6F",
    "fig_6f",
    "Exact and simulated network outputs over time for the training of panel E; the exact ones stay on a saddle where two fish change places.",
    rests_on=["partial_reversal_ends_on_a_saddle", "escape_takes_long"],
)
paper.experiment(
    "Figure 6G",
    "fig_6g",
    "Multidimensional scaling of the network function while the living kingdom is learned, from small and from large weights.",
    rests_on=["theorem_32", "large_starts_need_bounded_time"],
)
paper.experiment(
    "Figure 6H",
    "fig_6h",
    "Multidimensional scaling of the network function while either revision is learned afterwards.",
    rests_on=["theorem_32", "partial_reversal_ends_on_a_saddle"],
)
