"""Policy, pure: modes, roles, and the one function that decides whether a call may run."""
