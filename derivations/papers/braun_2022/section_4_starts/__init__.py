"""Section 4: which starts the solution covers, and which train richly or lazily."""
