"""Section 3: the exact solution, and where it ends."""
