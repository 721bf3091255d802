"""Section 2: the network, its gradient flow as a Riccati equation, and what Q Q' holds."""
