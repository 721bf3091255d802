"""Appendices A.5 and A.6: large initial weights, and random ones."""
