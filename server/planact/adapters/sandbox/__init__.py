"""How commands run."""
