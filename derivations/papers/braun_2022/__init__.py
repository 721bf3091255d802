"""Braun, Dominé, Fitzgerald & Saxe (2022), Exact learning dynamics of deep linear networks with prior knowledge.

The sections follow the paper: the network and its Riccati equation, the solution and its limit, decoupling,
applications; then what goes beyond it.
"""

from derivations.papers.braun_2022.setup import paper as paper

paper.written_in(__name__, """
    section_2 section_3 section_4 section_5_decoupling section_6_tasks.continual section_6_tasks.reversal
    section_6_tasks.revising section_6_tasks.shallow section_6_tasks.in_time emitted source.remarks
    source.second
""", pictures="source.pictures")
