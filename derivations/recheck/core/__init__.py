"""The part of the checker that everything rests on: terms, budgets of work, and the primitive conclusions."""
