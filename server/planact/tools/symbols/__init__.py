"""Names in source code as language servers know them, and the edits that these propose."""
