"""Rules about functions of real numbers, as the checker understands them."""
