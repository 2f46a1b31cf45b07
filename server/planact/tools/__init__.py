"""The agent's tools, and the gate that every call passes."""
