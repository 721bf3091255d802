"""The paper, which text of it was read, and the scalars of its two-dimensional networks."""

from derivations.author import *
from derivations.models.two_layer_linear import *
from derivations.papers.braun_2022.source.vocabulary import *
from derivations.models import two_layer_linear

aligned1, aligned2, definite, fade = reals("a1 a2 D F > 0")
# The diagonal and the determinant of A(0)'A(0) where they are positive, e^(-2 s t/tau), and that determinant.
D = a1 * a2 - b**2
net = two_layer_linear
paper = Paper("braun_2022", title="Exact learning dynamics of deep linear networks with prior knowledge",
    authors="Lukas Braun, Clémentine C. J. Dominé, James E. Fitzgerald, Andrew M. Saxe", year=2022,
    source="Advances in Neural Information Processing Systems 35 (2022)", numbered=15, vocabulary=VOCABULARY,
    read="The main text of the conference version (NeurIPS 2022), up to its checklist. Its supplementary appendices A to H "
    "(proofs, the solution of two modes in full, settings of the simulations) and the later version in a journal were not "
    "read.", models=[net])
