"""Tools on names in source code."""
