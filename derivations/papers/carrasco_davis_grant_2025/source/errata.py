"""The meaning of the letters of witnesses."""

from derivations.papers.carrasco_davis_grant_2025.setup import *

paper.letters = (
    "Letters of witnesses: W, W_teacher (W*) and x have a row for each unit or sample. g_student, g_teacher and slope have "
    "g(lambda_k), g(rho_m) and g'(lambda_k), a row for each unit and a column for each sample or value of the input. Averages are "
    "over finitely many values: chance has the probabilities of D values of the input, noise_chance those of E values of the noise. "
    "per_input, per_sample, per_unit and root_per_input are 1/N, 1/B, 1/K and 1/sqrt(N); U counts units where K = M, O the outcomes "
    "of a batch; start and learned are the weight a at the start and what the network learns, s. Indices count from 1."
)
