"""Where programs of the system lie. What planact starts for itself is found here, and not by the user's PATH, which may
name a folder of a repository.
"""

SYSTEM_PATH = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin"
