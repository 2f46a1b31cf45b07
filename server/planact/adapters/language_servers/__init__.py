"""Language servers of planact's own: which there are, a client on raw JSON, and what they say of edits."""
