"""One conversation with a model."""
