"""What the work of sessions is to be shown as: under way, elsewhere, or left."""
