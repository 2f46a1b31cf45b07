"""Adapters to the outside, one per folder; each implements `ports`, and only `app` imports them."""
