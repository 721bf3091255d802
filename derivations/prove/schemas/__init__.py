"""Theorems in use: the table, read as the checker reads it, says what must be shown and what follows."""
