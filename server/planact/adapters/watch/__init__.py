"""Watching files."""
