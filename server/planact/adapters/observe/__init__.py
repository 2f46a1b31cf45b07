"""Events, and the redaction of secrets."""
