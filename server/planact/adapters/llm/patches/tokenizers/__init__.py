"""An empty stand-in for litellm's package of tokenizers, which planact never asks to count tokens."""
