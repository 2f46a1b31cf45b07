"""What language servers say of files and of the names in them."""
