"""What an edit asked for means for a text: pure, exact or refused."""
