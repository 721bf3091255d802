"""Theories of learning dynamics as functions: parameters in, trajectories out."""
