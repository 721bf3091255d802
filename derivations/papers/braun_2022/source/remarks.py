"""Figures 1 to 6, which only a simulation repeats, and a person's words to the authors."""

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

paper.letters = (
    "In witnesses a1, a2 and b are the entries of A(0)'A(0), and D = a1 a2 - b^2, root_D its root; s is a singular value of the task; "
    "F is e^(-2 s t/tau), with tau = 1 if it is not named, and l is F over the size of the start. U_t, V_t and S_t, or Ut, Vt and St, "
    "stand for letters with a tilde, and N_i, N_h and N_o for the sizes of the layers. Matrices are written row by row."
)
tell = paper.remarks
tell.cause(
    "Zero-balanced is not enough: for square tasks of full rank half of all random zero-balanced starts end on a saddle",
    "every_balanced_start_is_overwritten",
    instead="from any zero-balanced initialisation for which B is non-singular (3.1). For N_i = N_o <= N_h and a task of full rank, learning "
    "keeps the sign of det(W2 W1), and where det(W2 W1) and det(Sigma) differ in sign, B is singular: so it is for half of all starts, if "
    "they are as likely as their reflections in one output. Bottlenecks, tasks of lower rank, and N_i and N_o that differ have no such half. "
    "The modes with the largest "
    "singular values are learned, and the weakest one is missed, but for special starts. (Claims determinant_keeps_its_sign, "
    "different_signs_make_overlap_singular, half_of_the_starts_have_the_other_sign, largest_modes_are_learned.)",
    witness="W1(0) = I, W2(0) = [0, 1; 1, 0], Sigma = [2, 0; 0, 1]: W2 W1 ends at [2, 0; 0, 0].",
    changes="what is concluded for \"any arbitrary zero-balanced initialisation\" in section 6, and the assumptions that section 7 lists, "
    "which leave 3.1 out; and sequences of tasks, as after T_j the start is Sigma_j: of random pairs of square tasks half are not "
    "learned one after the other (half_of_the_pairs_are_not_learned). For diag(2, 1) and then diag(2, -1) the loss of the first task ends "
    "at 1/2 + c, and the formula says 2 + c. Theorems 3.1 and 3.2 stand, for all dimensions, as they assume that B is non-singular. All this "
    "is about the exact flow: gradient descent in steps leaves the saddle, late, and not sooner with a smaller learning rate.")
tell.cause("Equation 15 loses the determinant of the start", "printed_sigmoid",
    witness="s = tau = 1, a1(0) = 0.001, a2(0) = 0.002, b(0) = 0.0005, t = 20: 1/3 as printed, and a1 is 1.",
    changes="a1(t) from the time on when the modes are learned: equation 15 ends at s a1(0)/(a1(0) + a2(0)), however small the start. It is right "
    "while a1 is small (sigmoid_at_early_times), and for D = 0 at all times. No figure, if they were drawn by the exact solution, as the "
    "captions say.")
tell.cause("With equal singular values the off-diagonal does not stay near zero", "small_starts_stay_near_zero",
    witness="A(0)'A(0) = e [2, 2; 2, 5/2] and s = 2: the peak of b tends to 8/13 as e goes to zero.",
    changes="section 5's reading of the right column of figure 4F. For different singular values it is right "
    "(different_modes_stay_near_zero). For Gaussian A(0) the height of the peak falls with the width, as one over the root of N_h: its "
    "median is 0.16 s for N_h = 2, and 0.04 s for N_h = 20.")
tell.cause("The time of the peak lacks a 1 in the logarithm", "printed_peak_time",
    witness="s = tau = 1, a1 = 0.3, a2 = 0.2, b = 0.1: 0.5756 as printed, and the peak is at 0.5995; for 0.6, 0.3 and 0.2, -0.084 and 0.135.",
    changes="the dashed line of figure 4F from intermediate starts, if it was drawn by the printed formula. For vanishing starts both times "
    "agree.")
tell.cause("Time occurs outside of exponentials for unequal dimensions", "time_only_in_exponentials",
    witness="two inputs and one output, with the cosine c and the sine p between V and its counterpart in the task: equation 11 has "
    "the term 4 p^2 t e^(-2 s t)/(1 + c)^2.",
    changes="not the conclusion: t e^(-2 s t) vanishes too, and there is a steady state. Convergence is slower there, e^(-s t) instead of "
    "e^(-2 s t) (rate_for_unequal_dimensions).")
tell.cause("Assumption 2.4, as printed, brings assumption 2.1 back", "unequal_dimensions_under_printed_full_rank",
    witness="N_i = 2 and N_o = 1: no task has a rank that is 2 and 1.",
    instead="rank(Sigma) = rank(W2(0) W1(0)), whatever N_i and N_o are: that is all that theorem 3.1 needs beside 2.2, 2.3 and 3.1.",
    changes="the wording alone: theorem 3.1 is right for all dimensions.")
tell.cause("Three slips in definitions", "diagonal_holds_eigenvalues", "printed_shape_of_the_output_complement",
    "printed_product_of_bases", instead="singular values; N_o > N_i for U_perp; U V^T.",
    witness="W2 W1 = -1 has the singular value 1 and the eigenvalue -1; N_i = 2 and N_o = 1 would give U_perp -1 columns; for "
    "Ut = Vt = I, the start's vectors U = V = [0, 1; -1, 0] have U V = -I and U V^T = I.",
    changes="nothing that is computed.")

tell.caveats |= {
    "any_noise_escapes": '"Any noise": noise of a simulation is not balanced, and escapes. For N_i = N_o balanced noise can lead '
    "to the task if an even number of modes is reversed; if it is odd, it may leave this saddle, but ends where the smallest mode is missing.",
    "swapped_nodes_reverse_everything": '"Identical to reversal learning": in the sense of items mislabeled and later corrected, which '
    "reverses the modes of the swapped nodes and no others.",
    "one_start_learns_mirror_tasks": '"Task-agnostic": drawn without looking at the task. No start serves all tasks.',
    "guaranteed_where_overlap_has_an_inverse_without_assumption_3_1": '"Guaranteed": with assumption 3.1, which theorem 3.2 has.',
}
tell.tells("What stands",
    "Theorems 3.1 and 3.2, for all numbers of inputs and outputs and all equal ranks; theorem 5.1; the loss and the representations "
    "through the quadrants of QQ' (equations 5 to 9), and full reversal learning.",
    "Of the mistakes four are of substance: the arbitrary start of section 6, equation 15, what is near zero for equal singular values, "
    "and the time of the peak. The others change no result.",
    "What the text should change is where assumption 3.1 stands: sections 6 and 7 need it, and do not name it.")
tell.tells("What repeating the figures shows",
    "In the runs made here for figures 1, 2, 3, 6A and 6E-H, with sizes chosen here, as the appendix with the settings was not read, a start "
    "from which the exact solution ends on a saddle was drawn again. Without that, the deviation in figure 2C is the same at every learning "
    "rate for square networks of the other sign.",
    "After the living kingdom, the colours of figure 6E are learned in 0.6 of its time, and in 0.77 of the median time from random "
    "zero-balanced weights of the same size, for one order of the items and one seed: an advantage, where section 6 finds none.",
    "Figure 5B, repeated without noise in the targets: of the tanh networks a tenth forget more, of the rectified ones less than half; with "
    "noise of 0.5, chosen here, most do, as the text says. Exact and measured forgetting correlate by 0.97 and more.")
tell.tells("Slips of print",
    "Assumption 2.4 has Sigma^xy, elsewhere Sigma^yx. Theorem 5.1: an invertible A(0) means N_h = N_i; full column rank is enough.",
    't_peak: a_1 and a_2 for a_1(0) and a_2(0). Section 3: "Assumption 2.1)".',
    'Figure 5: "networks in linear ... in linear", "data es"; figure 6: "coreelation".')
