"""Figures 1 to 6: what only a simulation repeats, each panel with the claims that it rests on."""

from derivations.papers.braun_2022.setup import *

TWO_MODES = "theorem_51 decoupling_solves_the_flow"
PANELS = [("1B", "The output over training from small random weights, simulated, lies on the solution.", "theorem_31"),
    ("1C", "The output over training from large random weights, simulated, lies on the solution.", "theorem_31"),
    ("1D", "The output over training from the weights of a task learned before lies on the solution.", "theorem_31"),
    ("2A", "Loss, network function, correlations of the weights and tangent kernel from small weights match the solution.",
     "theorem_31"),
    ("2B", "Loss, network function, correlations of the weights and tangent kernel from large weights match the solution.",
     "theorem_31"),
    ("2C", ("For 50 random networks, the smaller the learning rate (0.05 to 0.0005), the closer the simulated loss is to the "
     "solution; from starts with the other sign of the determinant the distance is the same at every rate."),
     "theorem_31 balance_after_a_step other_sign_never_arrives"),
    ("2D", "Simulated and analytical learning curves of five of these networks.", "theorem_31"),
    ("3B", "The singular value decomposition of the semantic task, and its two similarity matrices.", "similarity_follows_the_tree"),
    ("3C", "QQ' in the end from small random weights: its diagonal blocks look like the task's similarity matrices.",
     "small_starts_become_nearly_rich"),
    ("3D", "QQ' in the end from large random weights: the same network function, diagonal blocks unlike the task's.",
     "large_imbalance_stays"),
    ("3E", "QQ' in the end from large balanced weights: diagonal blocks like the task's.",
     "guaranteed_where_overlap_has_an_inverse half_of_the_starts_have_the_other_sign"),
    ("3F", "The loss from small weights falls in slow steps, from both kinds of large weights fast.",
     "aligned_mode large_starts_fall_fast"),
    ("4A", "The on- and off-diagonal elements of A'A over time, simulated, lie on the solution.", TWO_MODES),
    ("4C", "Three tasks of two modes: a dense one, one with unequal and one with equal singular values.", ""),
    ("4D", "A'A for the dense task from small, intermediate and large starts.", TWO_MODES),
    ("4E", ("A'A for the task with unequal singular values: one peak of small and intermediate starts, too low to be seen from "
     "small ones."), "decoupling_solves_the_flow one_peak_below_half different_modes_stay_near_zero"),
    ("4F", "A'A for the task with equal singular values, and the predicted times of the peak of the off-diagonal element.",
     "decoupling_solution_equal peak_time peak_condition peak_of_small_starts"),
    ("5A", ("A network learns a sequence of tasks from small zero-balanced weights; simulated losses of all tasks over time lie on "
     "the exact ones."), "riccati_solution tasks_follow_each_other loss_of_another_task"),
    ("5B", ("The measured loss of a first task after a second one, against the exact one, for linear, tanh and ReLU networks, n = 50 "
     "each."), "loss_of_another_task forgetting_by_similarity"),
    ("5C", ("How well the two layers are balanced before and after training on two tasks, for linear, tanh and ReLU networks, n = 50 "
     "each."), "balance_persists"),
    ("5D", ("The loss of each task after training on each task of a sequence, exact and measured, for linear, tanh and ReLU "
     "networks."), "loss_of_another_task"),
    ("5E", "The data of panel D as the change of each loss from one task to the next: the amount of forgetting, exact and measured.",
     "forgetting_by_similarity"),
    ("6A", ("A deep network relearns the opposite of what it knows: the exact course ends at zero, the simulated one leaves the saddle "
     "and learns."), "reversal_ends_at_zero parity_decides_on_balanced_noise unbalanced_noise_escapes escape_takes_long"),
    ("6B", "A shallow network relearns the same task; the exact course and the simulated one both arrive, without slowing down.",
     "shallow_solution shallow_network_relearns shallow_network_never_slows"),
    ("6C", "Two revisions of the living kingdom: two fish change places, or the items get new features, a hierarchy of colours.",
     "swapped_nodes_reverse_modes"),
    ("6D", "The singular value decompositions of the revised tasks, and their similarity matrices.", "swapped_nodes_reverse_modes"),
    ("6E", "Exact and simulated loss over time, first on the living kingdom and then on either revision.",
     "partial_reversal_ends_on_a_saddle swapped_nodes_reverse_modes large_starts_need_bounded_time"),
    ("6F", ("Exact and simulated network outputs over time for the training of panel E; the exact ones stay on a saddle where two fish "
     "change places."), "partial_reversal_ends_on_a_saddle escape_takes_long"),
    ("6G", "Multidimensional scaling of the network function while the living kingdom is learned, from small and from large weights.",
     "theorem_32 large_starts_need_bounded_time"),
    ("6H", "Multidimensional scaling of the network function while either revision is learned afterwards.",
     "theorem_32 partial_reversal_ends_on_a_saddle")]

for panel, says, rests_on in PANELS:
    paper.experiment(f"Figure {panel}", f"fig_{panel.lower()}", says, rests_on=rests_on.split())
