"""Flows of order parameters, one file for each activation."""
