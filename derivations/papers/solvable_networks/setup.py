"""The compendium, and the letters of its networks: any numbers of neurons, any task, any levels of the start.

J = diag(I, -I) tells inputs from outputs. QQ'J has the conserved values of -Lambda = W1 W1' - W2'W2, and zero. A
start is of two levels where these are a and -b alone, (QQ'J - a)(QQ'J + b) = 0: one number at the inputs and one at
the outputs. Balanced starts, W2'W2 - W1 W1' = lambda I, have a = 0 and b = lambda, or a = -lambda and b = 0.
"""

from derivations.author import *
from derivations.models.two_layer_linear import *
from derivations.models import quantities, two_layer_linear

net = two_layer_linear
paper = Paper("solvable_networks", title="Exactly solvable networks: an atlas",
    authors="after Fukumizu; Saxe, McClelland & Ganguli; Braun et al.; Anguita; Dominé et al.; Kunin et al.; Zhang et al.",
    year=2026, source="a compendium: each entry names where its formula is known from", numbered=0,
    read="No single text: formulas come from the places that the entries name, and are derived anew.", models=[net])
paper.quantities = sorted(net.QUANTITIES | quantities("solvable_networks"))
QQ = Q @ Q.T
ONE, J = block_diagonal("N_i", "N_o"), block_diagonal(identity("N_i"), -identity("N_o"))
a, b = letters("a, b")  # the level at the inputs, and at the outputs; neither is negative
F_ab = F + J * (HALF * (a - b))  # [(a - b) I/2, S'; S, -(a - b) I/2], which is Braun's F for a = b
# The roots of S'S + (a + b)^2/4 and of S S' + (a + b)^2/4: the rates at which modes are learned.
R_i, R_o = letters("R_i: N_i x N_i, R_o: N_o x N_o", symmetric=True)
R, half_width = block_diagonal(R_i, R_o), HALF * (a + b)
ROOTS = [(R_i @ R_i, Sigma.T @ Sigma + identity("N_i") * (half_width @ half_width)),
    (R_o @ R_o, Sigma @ Sigma.T + identity("N_o") * (half_width @ half_width)),
    (Sigma @ R_i, R_o @ Sigma)]

def two_level_rate(state):
    """The rate of QQ' for a start of two levels."""
    return riccati(F_ab, state) + ONE * (a @ b)

# One input, one output, two hidden neurons: levels 4 and 1.
EXAMPLE = instance("N_i=1 N_o=1 N_h=2 N_r=2 N=2", W1="2; 2", W2="-1 -2", W1_0="2; 2", W2_0="-1 -2", a=4, b=1, Sigma=6,
    R_i="13/2", R_o="13/2", R_i_inv="2/13", R_o_inv="2/13", L_i="3 2", L_o="-2 -3", T_i="3/5; -2/5", T_o="2/5; -3/5",
    E_i=2, E_o=3, Phi_i=1, Phi_o=2, X_i="1/2", X_o="1/3", K_inv="23/90 -1/5; -1/5 1/5", X_11=1, X_12=2, X_21=3, X_22=5)
