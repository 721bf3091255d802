"""Networks of convolutions on a few points, trained by compiled code: tiles of sums that stay in vector registers."""
