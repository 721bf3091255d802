"""The paper as printed: how it writes, what formulas should read, its figures, and the ways in which it is read."""
