"""Exactly solvable networks: a compendium of what is known of them, with one theorem at its centre.

The sections go from the flow and its solution to its ends, to starts that are nearly solvable, and to single modes.
"""

from derivations.papers.solvable_networks.setup import paper as paper

paper.written_in(__name__, "flow solution ends off_balance modes emitted lazy_and_rich depth attention")
