"""Permits: the hands that running tools have."""
