"""Figures 2 to 16 and appendix B: what only trained networks repeat."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.papers.van_rossem_saxe_2024.source.readings import SYSTEM

paper.experiment("Eq. 49", "fit_of_time_constants",
    "The two effective time constants are fitted by least squares between simulated and theoretical |dh|^2, |dy|^2 and w.",
    paper.equation("Eq. 49",
        r"\int_{\text{epochs}}(||dh(t)||^{2}-||dh(t)||^{2}_{\text{theory}})^{2}dt+\int_{\text{epochs}}(||dy(t)||^{2}-||dy(t)||^{2}_{\text{theory}})^{2}dt"
        r"+\int_{\text{epochs}}(w(t)-w(t)_{\text{theory}})^{2}dt").formula, rests_on=SYSTEM)
paper.experiment("Eq. 50", "exponential_weighing",
    "Predicted pairwise distances are summed with weights that fall exponentially with the predicted distances.",
    paper.equation("Eq. 50",
        r"||dh_{i,j}(\infty)||^{2}_{\text{pred}}=\sum_{k,l}e^{-||dh_{i,k}(\infty)||^{2}_{\text{theory}}}"
        r"e^{-||dh_{l,j}(\infty)||^{2}_{\text{theory}}}||dh_{k,l}(\infty)||^{2}_{\text{theory}}").formula,
    rests_on="final_rest_distance starts_off_the_separatrix_arrive")

# === Figures 2 to 16: what only trained networks repeat ===
FITTED = [*SYSTEM, "fit_of_time_constants"]
SMALL_STARTS = ["final_rest_distance", "distance_from_low_level"]
KINDS = "default convolution skip_connections shallow narrow dropout linear relu elu tanh swish"
PANELS = [
    ("2, top", "2_connectivity", "For six kinds of connections |dh|^2, |dy|^2 and w follow the fitted theory.", FITTED),
    ("2, bottom", "2_nonlinearity", "For five other nonlinearities |dh|^2, |dy|^2 and w follow the fitted theory.",
     FITTED),
    ("3, top", "3_dynamics", ("|dh|^2, |dy|^2 and w from four sizes of starting weights: the plateau of small ones "
      "disappears with their size, and for the largest the theory no longer fits."),
     [*FITTED, "plateau_grows_without_bound", "large_weights_decay_fast"]),
    ("3, bottom", "3_loss", "The training loss from these starts, with a third time constant fitted.",
     [*FITTED, "training_loss", "loss_waits_at_small_weights"]),
    ("4", "4", "Two images of a data set learned as a whole, a zero and a one, still follow the fitted theory.",
     FITTED),
    *((f"5, {kind.replace('_', ' ')}", f"5_{kind}",
         "The final |dh|^2 over a grid of distances of inputs and targets is what equation 10 predicts.",
         [*FITTED, *SMALL_STARTS]) for kind in KINDS.split()),
    ("6, middle", "6_deep", ("In the XOR task at three sizes of starting weights, pairs end as far apart as the theory "
      "predicts in a deep network."), [*SMALL_STARTS, "xor_at_small_weights", "no_merging_at_large_weights"]),
    ("6, right", "6_shallow", ("In the XOR task from small weights, a network of two layers merges one pair with equal "
      "targets and not the other."), ["xor_at_small_weights"]),
    ("7", "7", "The data set of Gaussian blobs, whose position is to be told along one axis or the other.", []),
    ("8", "8", ("From small weights the representation of the blobs collapses to a line in each context, from large "
      "ones it keeps its two squares."), ["smaller_weights_merge_slower", "large_weights_retain_input_structure"]),
    ("9", "9", ("Mean distances between the representations of images, sorted by digit, correlate with the weighed "
      "theory."), [*SMALL_STARTS, "exponential_weighing"]),
    ("10", "10", ("With the depth of the hidden layer that is looked at, the fit improves, the encoder's effective "
      "rate rises and the decoder's falls."), [*FITTED, "rate_counts_parameters"]),
    ("11", "11", "The training loss of each kind of network follows equation 9 with a third time constant fitted.",
     [*FITTED, "training_loss"]),
    ("12", "12", "From very small weights the two lines of the blobs' representation become one.",
     ["smaller_weights_merge_slower"]),
    ("13", "13", "Trained with Adam, the default network does not follow the fitted theory well.", FITTED),
    ("14, left", "14_deep", "Figure 6 with Adam: the final distances in a deep network are still as predicted.",
     ["xor_at_small_weights"]),
    ("14, right", "14_shallow", ("With Adam too, a network of two layers merges one pair with equal targets and not "
      "the other."), ["xor_at_small_weights"]),
    ("15", "15", "Figure 8 with Adam: the same collapse from small weights.", ["large_weights_retain_input_structure"]),
    ("16", "16", "Figure 9 with Adam: the distances still correlate with the weighed theory.",
     [*SMALL_STARTS, "exponential_weighing"])]

for where, name, says, rests_on in PANELS:
    paper.experiment(f"Figure {where}", f"fig_{name}", says, rests_on=rests_on)
