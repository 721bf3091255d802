"""Rules about functions of real numbers: their domain, their slopes, and enclosures of their values."""
