"""The conversation at the terminal: `planact chat` without a message."""
