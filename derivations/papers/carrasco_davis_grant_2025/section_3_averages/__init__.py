"""Section 3: the averages that stand in the flow."""
