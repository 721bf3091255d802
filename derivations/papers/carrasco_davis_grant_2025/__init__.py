"""Carrasco-Davis & Grant (2025), A primer on the analytical learning dynamics of nonlinear neural networks.

The draft is followed from its introduction to the flow of the order parameters and the averages that stand in it; then
come other activations and a learned second layer, the plateau, the critical learning rate, and the emitted kernels.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import paper as paper

paper.written_in(__name__, """
    sections_1_and_2.background sections_1_and_2.training sections_1_and_2.linear_committee
    section_3_order_parameters.network section_3_order_parameters.flow section_3_order_parameters.error
    section_3_averages beyond.two_layer beyond.equal_units beyond.in_time emitted emitted_flows source.remarks
""", pictures="source.pictures")
