"""Files that aren't text, read by libraries that nothing but a jailed process imports."""
