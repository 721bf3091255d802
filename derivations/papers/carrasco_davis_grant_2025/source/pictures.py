"""Pictures beside refuted claims: these and their corrections, at numbers chosen to tell them apart."""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import PLAIN, SCALED, C, a, b
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.error import (batch, noise, own_rate, rate)
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.network import EQ_14_4, EQ_14_4_CORRECTED
from derivations.models.committee.examples import evaluated, in_the_model

paper.picture("printed_average_for_erf",
    Picture("The average of two values of erf(x), by the covariance of the fields.", C[a, b], 1,
        (("as printed", SCALED.values(C, a, b)), ("derived", PLAIN.values(C, a, b))), start=-1,
        held=((C[a, a], 1), (C[b, b], 1))))

# --- batches: one student and one teacher of length one at a right angle ------------------------------------------------
B, eta, variance = reals("B eta σ² > 0")  # what the axes and captions call them
RIGHT_ANGLE = "dQ/dt for one student and one teacher of length one at a right angle"
NOISY = ((variance, Fraction(1, 4)),)

def step(of_batch):
    return own_rate(of_batch).subs({batch: B, rate: eta, noise: variance})

BOTH = (("as printed", step(1)), ("derived", step(batch)))
for name in ("student_overlap_rate_as_printed", "student_overlap_rate_in_the_model"):
    caption = f"{RIGHT_ANGLE}, by the size of the batch."
    paper.picture(name, Picture(caption, B, 10, BOTH, start=1, held=((eta, 1), *NOISY)))
paper.picture(
    "quadratic_flow_as_printed", Picture(f"{RIGHT_ANGLE}, by the learning rate.", eta, 2, BOTH, held=((B, 5), *NOISY)))

# --- line 5 of equation 14 ----------------------------------------------------------------------------------------------
other_input = reals("x_2")
NETWORK = in_the_model(1, other_input)
paper.picture("overlap_expanded_as_printed",
    Picture("Q after an update on two samples of one input, by the second sample; the first one is 1.", other_input, 2,
        (("as printed", evaluated(EQ_14_4.right, *NETWORK)), ("derived", evaluated(EQ_14_4_CORRECTED.right, *NETWORK))),
        start=-2))
