"""Second statements for sentences that are quoted, written from these words alone, by somebody who saw no first one."""

from derivations.papers.braun_2022.setup import *

first, second, start, scale, a0, w0 = reals("s1 s2 a1 k a0 > 0, w0")
moment, w, start2, half = reals("t >= 0, w, a2, T")
fading = exp(-2 * first * moment)

def gram(a, c, d, s, r):
    "The first diagonal entry of equation 13, and the one off the diagonal, from [a, c; c, d] with the values s and r."
    e, f, det = exp(-s * moment), exp(-r * moment), a * d - c**2
    corner = [e**2 * d / det + (1 - e**2) / s, -e * f * c / det, f**2 * a / det + (1 - f**2) / r]
    over = corner[0] * corner[2] - corner[1] ** 2
    return corner[2] / over, -corner[1] / over

paper.reads_again("balance_persists", lambda: same(along(W2.T @ W2 - W1 @ W1.T, descent), zero("N_h", "N_h")))
paper.reads_again("gram_is_the_network_in_the_task_basis",
    lambda: same(Ut.T @ substitute(W2 @ W1, {W1: A @ Vt.T, W2: Ut @ A.T}) @ Vt, A.T @ A))
paper.reads_again("decoupled_sigmoid",
    lambda: same(gram(start, 0, second, first, second)[0], first / (1 + (first / start - 1) * fading)))
paper.reads_again("off_diagonal_vanishes", lambda: tends(gram(start, b, start2, first, second)[1], {moment: oo}, 0),
    given=start * start2 > b**2)
paper.reads_again("diagonal_of_large_starts",
    lambda: tends(gram(scale * start, scale * b, scale * start2, first, first)[0], {scale: oo}, first / (1 - fading)),
    given=[start * start2 > b**2, moment > 0])
paper.reads_again("constant_is_the_loss_that_stays", lambda: same(loss,
    HALF * norm2(W2 @ W1 - data_yx) + HALF * (trace(data_yy) - norm2(data_yx))), given=[WHITE])
paper.reads_again("loss_is_not_convex", lambda: holds(above(first**2 / 2, Integer(0))))
paper.reads_again("large_starts_fall_fast",
    lambda: tends(first / (1 + (first / scale - 1) * fading) - first, {scale: oo}, first * fading / (1 - fading)),
    given=moment > 0)
paper.reads_again("shallow_network_relearns", lambda: solves({w: first - w}, {w: first + (w0 - first) * exp(-moment)}, {w: w0}, moment))
paper.reads_again("half_learned_time_of_small_starts",
    lambda: same(
        put(first / (1 + (first / a0 - 1) * exp(-2 * first * half)), {half: log(first / a0 - 1) / (2 * first)}),
        first / 2),
    given=first > a0)
