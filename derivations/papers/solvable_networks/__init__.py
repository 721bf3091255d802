"""Exactly solvable networks: a compendium of what is known of them, with one theorem at its centre.

The sections go from the flow and its solution to where it ends, to starts that are nearly solvable, and to single
modes.
"""

from importlib import import_module

from derivations.papers.solvable_networks.setup import paper

__all__ = ["paper"]
# The modules that say what the compendium says.
PARTS = "flow solution ends off_balance modes emitted lazy_and_rich depth attention seen"

for part in PARTS.split():
    import_module(f"{__name__}.{part}")
