"""Appendix B, equations 49 and 50: procedures that only an experiment can repeat."""

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
