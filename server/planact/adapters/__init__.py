"""The outside, one thing each; they implement `ports` and are wired in `app` alone."""
