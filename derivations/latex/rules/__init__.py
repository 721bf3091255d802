"""Rules by which operators and indices of a paper's notation become words and sums."""
