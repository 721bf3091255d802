"""How accurate kernels are: the criterion, the domains it is searched on, and the sheet."""
