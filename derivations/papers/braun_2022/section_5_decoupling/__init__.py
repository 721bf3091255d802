"""Section 5: the modes, how they decouple, and how fast they are learned."""
