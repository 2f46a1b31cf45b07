"""Storage: the state database, the files of the workspace, and the records beside them."""
