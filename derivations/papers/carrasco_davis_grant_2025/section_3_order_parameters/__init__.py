"""Section 3: the committee machine, its update, and the flow of its order parameters."""
