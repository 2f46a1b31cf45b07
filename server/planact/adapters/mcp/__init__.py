"""MCP servers: the only package that speaks with the SDK."""
