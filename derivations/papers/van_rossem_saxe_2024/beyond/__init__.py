"""Beyond the paper: the solution in closed form, and rotating representations."""
