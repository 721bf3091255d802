"""van Rossem & Saxe (2024), When Representations Align: Universality in Representation Learning Dynamics.

arXiv:2402.09142v1. The sections follow the paper: main text, then appendix A in order, then what goes beyond it.
"""

from derivations.papers.van_rossem_saxe_2024.setup import paper as paper

paper.written_in(__name__, """
    section_2 section_3_final_distance.final_distance section_3_final_distance.regimes
    section_3_final_distance.equal_targets appendix_a5_a6 running_text beyond.closed_form
    section_3_final_distance.reach beyond.rotation beyond.in_time in_numbers emitted source.remarks
""")
