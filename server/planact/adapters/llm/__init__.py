"""Language models: litellm, and the scripted one."""
