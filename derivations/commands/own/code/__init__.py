"""`derivations audit-code`: a user's function beside a kernel, at arguments in the kernel's domain."""
