"""Checks at the end of a step, and repairs of what they find."""
