"""Section 6: the shallow network, which learns a reversed task without slowing down."""

from derivations.papers.braun_2022.setup import *
from derivations.language.words import number
from derivations.paper.matrix_flows import ends_at, only_solution

W, start, task = letters("W: N_o x N_i, W_0: N_o x N_i, Sigma: N_o x N_i")
miss = W @ X - Y
loss = HALF * trace(miss.T @ miss) * per_sample
descent = {W: -gradient(loss, W)}  # one layer of weights, with the same loss on the same data
decay = letters("e")  # exp(-t/tau)
course = start * decay + task * (1 - decay)
reversed_course = substitute(course, {start: -task})
paper.states("shallow_solution", "Section 6, shallow networks",
    "On white inputs one layer of weights moves at S_yx - W, and is at e^(-t) W(0) + (1 - e^(-t)) S_yx.",
    lambda: [same(descent[W], data_yx - W, [WHITE]),
        only_solution(course, lambda state: task - state, start, {decay: -decay}, {decay: number(1)})])

weight = reals("w")
path = s * (1 - 2 * exp(-t))
paper.states("shallow_network_relearns: shallow_solution", "Section 6, shallow networks do succeed",
    "From the opposite of the task a shallow network is at (1 - 2 e^(-t)) S_yx, which tends to the task, as it does "
    "from every start. With one input and one output it passes zero, from -s to s, at e^(-t) = 1/2, whatever s is.",
    lambda: [same(reversed_course, task * (1 - 2 * decay)),
        solves({weight: s - weight}, {weight: path}, {weight: -s}, t), same(Subs(path, t, log(2)), 0),
        ends_at([course, reversed_course], [task, task], {decay: number(1)}), tends(path, {t: oo}, s)],
    quote="Further, as is revealed by the exact learning dynamics (Appendix G), shallow networks do succeed without exhibiting catastrophic slowing during reversal learning (Fig. 6B).")

excess = data_yx - W @ data_xx
gap, flow = task - W, {W: task - W}
paper.states("shallow_network_never_slows: shallow_solution",
    "Section 6, shallow networks, without catastrophic slowing",
    "On white inputs what a shallow network has not yet learned falls at one relative rate: d(S_yx - W) = -(S_yx - "
    "W), so that |S_yx - W|^2 = e^(-2t) |S_yx - W(0)|^2. For any inputs G = S_yx - W S_xx moves at -G S_xx.",
    lambda: [same(along(gap, flow), -gap), same(along(norm2(gap), flow), -2 * norm2(gap)),
        same(norm2(task - course), decay * decay * norm2(task - start)),
        same(along(excess, descent), -(excess @ data_xx)),
        same(along(norm2(excess), descent), -2 * trace(excess @ data_xx @ excess.T))],
    needs={"assumption_2_2": lambda: same(along(norm2(excess), descent), -2 * norm2(excess))})
