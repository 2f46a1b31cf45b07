"""Greets whom the configuration names."""

from store import load


def greeting(path):
    """The line to print."""
    return f"Hello, {load(path)['name']}!"
