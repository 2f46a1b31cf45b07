"""MCP servers; the only package that imports MCP's SDK."""
