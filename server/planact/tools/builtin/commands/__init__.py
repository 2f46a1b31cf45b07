"""Tools that run commands and read what they print."""
