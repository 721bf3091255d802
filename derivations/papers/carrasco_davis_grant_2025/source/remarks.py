"""Section 4, the replications that the draft plans, and a person's words to the authors."""

from derivations.papers.carrasco_davis_grant_2025.setup import *

RATES_OF_ERF = ["average_of_slope_field_value", "average_of_slopes_and_values", "average_of_values"]
PLANNED = [("Figure 1", "fig_1",
        "Soft committee machines trained online follow the solution of equation 20 and the error of equation 19.",
        RATES_OF_ERF),
    ("Figure 2", "fig_2",
        "Where the error leaves its plateau the order parameters change with it: every student specialises on one teacher.",
        ["plateau_rests", "plateau_is_left"]),
    ("Figure 3, K = 2", "fig_3_two_students",
        "From large weights two students of four teachers end at an error that differs from run to run; the runs' average is compared with equation 20.",
        RATES_OF_ERF),
    ("Figure 3, K = 4", "fig_3_four_students",
        "The same for four students of four teachers, which can represent them all.", [*RATES_OF_ERF, "perfect_rests"]),
    ("Figure 3, K = 6", "fig_3_six_students",
        "The same for six students of four teachers, of which two are more than needed.", RATES_OF_ERF),
    ("Figure 4", "fig_4", "Two-layer networks whose second layer is trained as well follow the extended equations.",
        []),
    ("Section 4, limits of the setting, learning rate", "limit_in_the_learning_rate",
        "Up to some learning rate simulations of finite dimension follow the equations.",
        ["critical_polynomial", "critical_rate_of_one", "critical_rate_of_many"]),
    ("Section 4, limits of the setting, noise", "limit_in_the_noise",
        "Up to some noise of the teacher simulations of finite dimension follow the equations.",
        ["error_left_by_noise"])]

for where, name, says, rests_on in PLANNED:
    paper.experiment(where, name, says, rests_on=rests_on)

paper.letters = (
    "Letters of witnesses: W, W_teacher (W*) and x have a row for each unit or sample. g_student, g_teacher and slope have "
    "g(lambda_k), g(rho_m) and g'(lambda_k), a row for each unit and a column for each sample or value of the input. Averages are "
    "over finitely many values: chance has the probabilities of D values of the input, noise_chance those of E values of the noise. "
    "per_input, per_sample, per_unit and root_per_input are 1/N, 1/B, 1/K and 1/sqrt(N); U counts units where K = M, O the outcomes "
    "of a batch; start and learned are the weight a at the start and what the network learns, s. Indices count from 1.")

tell = paper.remarks
tell.cause("The flow of Q lacks 1/B beside the square of the learning rate", "student_overlap_rate_as_printed",
    witness="g(x) = erf(x/sqrt 2), Gaussian inputs, one student and one teacher of length one at a right angle, no noise, eta = 3: dQ/dt "
    "is -0.285 in batches of two, and Eqs. 15 and 20 give +0.532, that of one sample (student_overlap_rate_in_the_model).",
    changes="every run with B > 1: plateaus, the critical learning rate, and the error that noise leaves are those of B = 1. Eq. 12 (dR/dt), and "
    "what is linear in eta in Eq. 15 (dQ/dt), hold for every B; Eq. 15 itself holds for B = 1, and for batches that are one sample copied.")
tell.cause("Equation 20, line 4, has J2(i, j), where no j is free", "quadratic_flow_as_printed",
    witness="two students and a teacher of length one, all at right angles, g(x) = erf(x/sqrt 2), eta = sigma = 1, B = 1, i = k = 1: dQ/dt "
    "is 0.304, and 0.255 with j = 2 (quadratic_flow_in_the_model). For B > 1 line 4 also lacks the 1/B of Eq. 15.",
    changes="runs with noise, by sigma^2 eta^2 (J2(i, k) - J2(i, j)); without noise nothing but the 1/B.")
tell.cause("Equation 10 prints R with the teachers first", "printed_R_has_students_first",
    witness="N = 1, students 1/3 and 2/3, teachers 1/3 and 1, no noise: order_parameter_loss is 0.0007 with this R, and the error is "
    "0.0096 (snippet_takes_printed_overlaps).",
    changes="what is given to the snippets: for K and M that differ they fail, or silently broadcast a single row or column; for K = M "
    "their loss is wrong in general, and right where all students have one length and all teachers one, or R is symmetric. Equations 11 to 20 "
    "use R_in with the student first.")
tell.cause("The last line of equation 14 takes both slopes and both inputs from one sample",
    "overlap_expanded_as_printed",
    witness="N = K = M = 1, g(x) = erf(x/sqrt 2), W = 1/2, W* = 1, the batch x = 1, 2, no noise, eta = 1: Q after the update is 0.5433, and "
    "0.5447 as printed (overlap_expanded_in_the_model).",
    changes="the step to Eq. 15. With the printed line the pairs of different samples average to 0 for an odd g, as the text says; with the "
    "right line they leave an average of order 1/N, which the limit drops. Equation 15 does not depend on it, and keeps 1/B either way.")
tell.cause("The first line of equation 8 sums over i, and s stays free", "loss_is_summed_over_i",
    witness="outputs y = 5, -3 and y_hat = 2, 2 of a batch of two: the loss is 17/2, and line 1 gives 9/2 at s = 1.",
    changes="nothing: line 2 sums over s.")
tell.cause("A soft committee machine is a sum of its units", "output_is_an_average_of_units",
    witness="two units with the outputs 1 and 2: Eq. 7 gives 3, and their average is 3/2.",
    instead="a sum of non-linear perceptrons, in Saad and Solla's work as well.",
    changes="the word alone: every equation has the sum.")
tell.cause("The mean update of the weights has a closed form", "mean_update_has_no_closed_form",
    witness="the closed form itself, which is proved.",
    instead="over N, the sum over teachers of J2(i, m) W*_m less that over students of J2(i, k) W_k plus <Delta g''(lambda_i)> W_i: these "
    "averages have closed forms for erf, in terms of Q, R and T, so that Eq. 5 closes on the weights. At a finite rate Q also has the noise "
    "of the updates, which the mean update leaves out.",
    changes="the reason that is given for the order parameters; none of the equations after it.")
tell.caveats |= {
    "small_weights_keep_their_kernel": "Lazy training \"can be induced by initializing with small weights\": for n units that start at "
    "n^(-1/4) with outputs that cancel it is, as n grows; at every fixed number of units smaller weights are less lazy.",
    "quadratic_term_in_the_limit": "\"Expectations over s and s' are 0 as they are independent samples\": independence does not make an average "
    "0, but the product of two averages, which goes to 0 as 1/N.",
    "squared_length_concentrates": "\"By the central limit theorem\": |x|^2/N tends to 1 by the law of large numbers.",
    "shared_noise_stays": "xi^u has no index of the sample: read as one noise for the batch, its variance would not fall with B. For Gaussian "
    "inputs and an odd g no mean changes by that: the noise of the gradient is divided by B all the same. Everything else here takes a "
    "noise for each sample.",
    "teacher_field_of_a_row": "x_s and W*_n are columns in some places and rows in others (Eqs. 8, 9, 11, 13 and 14): the products meant "
    "are clear, and are judged so."}
tell.tells("What stands",
    "Every equation that is listed below, and of the others all that no mistake names: lines 2 to 4 of equation 8, Q and T of 10, "
    "lines 1 to 3 of 14, what is linear in the rate in 15, and lines 1 to 3 of 20.",
    "For batches of one sample, one index apart, equations 15 and 20 are right with every rate, and equation 12 for every batch size.",
    "What changes runs is 1/B in equations 15 and 20, J2(i, k) where there is noise, and the order in which R is given to the snippets.")
tell.tells("Not judged",
    "The replications are headings without figures or numbers: what stands under Figures 1 to 4 here are the project's own runs of "
    "what is planned there, with thresholds of its own.",
    "The JAX codebase that the draft speaks of, but for the two snippets printed in it.")
