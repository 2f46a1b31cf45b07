"""Templates: plans with parameters."""
