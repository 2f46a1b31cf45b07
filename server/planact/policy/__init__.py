"""Who may do what, pure: modes, roles, and the one function that decides."""
