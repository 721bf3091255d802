"""From derived formulas to programs: kernels, their programs in every target, exact values, and committed modules."""
