"""Section 6: several tasks in turn, reversed tasks and revised ones."""
