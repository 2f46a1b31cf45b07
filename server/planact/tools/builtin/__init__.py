"""The tools, one file each, named as the model sees them; reached only through the registry."""
