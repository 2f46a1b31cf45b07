"""Tools that search in the workspace."""
