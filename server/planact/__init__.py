"""planact: an AI coding agent as a language server, that plans first and acts when the user approves."""

__version__ = "0.1.0"
