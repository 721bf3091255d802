"""What the checker knows of integrals: letters for them, their rates, and balls around their values."""
