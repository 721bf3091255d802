"""Flows that everybody knows, enclosed by the prover, followed by the checker, and by Euler's method in balls."""
