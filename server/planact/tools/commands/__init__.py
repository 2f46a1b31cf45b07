"""Helpers for the commands that tools run: classifier, background, file changes, questions."""
