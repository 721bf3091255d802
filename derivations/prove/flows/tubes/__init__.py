"""Enclosures of solutions: programs, series, sets, steps, and the tubes that they make."""
