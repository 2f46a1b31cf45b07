"""Edits of a text: pure, exact or refused."""
