"""What language servers say of files, as the model reads it."""
