"""Exact matrices for statements with many structured letters: rational rotations and frames.

They satisfy what is known of the singular vectors of a start and of a task, and of what completes the latter.
"""

from __future__ import annotations

from derivations.language.words.instances import instance

ONE_MODE = instance(
    "N_i=2 N_o=2 N_m=1 N_s=1 N_u=1 N_v=1", U="3/5; 4/5", V="5/13; 12/13", U_t="1; 0", V_t="0; 1", U_p="0; 1",
    V_p="1; 0", S=4, S_inv="1/4", S_root=2, S_t=3, S_t_inv="1/3", E="1/2", G=2, t=4, D=2, R="1/2", t_root=2,
    B="99/65", B_inv="65/99", C="-21/65", Sigma="0 3; 0 0", x=7, y=7,
)  # fmt: skip
"""One learned mode of two: both bases need completing."""
WIDE = instance(
    "N_i=4 N_o=3 N_m=2 N_s=2 N_u=1 N_v=2", U="1/3 2/3; 2/3 1/3; 2/3 -2/3", V="2/9 -4/9; 4/9 2/9; 5/9 -2/3; 2/3 5/9",
    U_t="0 1; 1 0; 0 0", V_t="1 0; 0 1; 0 0; 0 0", U_p="0; 0; 1", V_p="0 0; 0 0; 1 0; 0 1", S="4 0; 0 9",
    S_inv="1/4 0; 0 1/9", S_root="2 0; 0 3", S_t="3 0; 0 8", S_t_inv="1/3 0; 0 1/8", R="1/2 0; 0 1/3",
    E="1/2 0; 0 1/3", G="2 0; 0 3", t=4, t_root=2, D="2 0; 0 4/3", B="8/9 7/9; -1/9 8/9",
    B_inv="72/71 -63/71; 9/71 72/71", C="4/9 -1/9; 7/9 4/9", Sigma="0 8 0 0; 3 0 0 0; 0 0 0 0", x="7; -2", y="7; -2",
)  # fmt: skip
"""Two modes of four inputs and three outputs: both bases need completing, and B is not symmetric."""
FRAMES = [ONE_MODE, WIDE]
