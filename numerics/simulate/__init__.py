"""Learning by gradient descent, run step by step: no theory inside."""
