"""What the agent can do, and the gate that every call passes."""
