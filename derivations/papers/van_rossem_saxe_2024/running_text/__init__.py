"""Sentences of the running text, tasks, and statements with one hypothesis dropped."""
