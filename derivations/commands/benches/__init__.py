"""What `derivations bench` compares: provers on lists of statements, and trajectories of well-known flows."""
