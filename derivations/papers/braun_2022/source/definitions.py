"""The numbered equations that only introduce a name."""

from __future__ import annotations

from derivations.papers.braun_2022.setup import paper
from derivations.papers.braun_2022.source import printed

paper.definition("Eq. 1", "network_output", "A network with two layers of weights and no nonlinearity.", printed.EQ_1)
paper.definition("Eq. 2", "mean_squared_loss", "The loss is half the mean squared error.", printed.EQ_2)
paper.definition("Eq. 3", "input_correlation", "The correlation of the inputs.", printed.EQ_3_XX)
paper.definition(
    "Eq. 3", "output_input_correlation", "The correlation of the targets with the inputs.", printed.EQ_3_YX
)
paper.definition(
    "Eq. 4", "stacked_weights", "The first weights, transposed, stand on the second weights.", printed.EQ_4_Q
)
paper.definition(
    "Eq. 4", "task_matrix", "The correlation of the task and its transpose beside the diagonal.", printed.EQ_4_F
)
paper.definition(
    "Eq. 6", "quadrants", "The matrix Q Q^T holds the network function and the weights' correlations.", printed.EQ_6
)
paper.definition("Eq. 7", "output_over_data", "The output for all inputs at once.", printed.EQ_7)
paper.definition(
    "Eq. 10", "svd_of_the_start", "The compact singular value decomposition of the start.", printed.EQ_10_START
)
paper.definition(
    "Eq. 10", "svd_of_the_task", "The compact singular value decomposition of the task.", printed.EQ_10_TASK
)
paper.definition(
    "Eq. 14", "start_of_two_modes", "The start of a network with two modes, by three numbers.", printed.EQ_14_START
)
paper.definition("Eq. 14", "task_of_two_modes", "The task of a network with two modes.", printed.EQ_14_TASK)
