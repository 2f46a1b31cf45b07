"""The nouns that several packages share: frozen data, one file per noun."""
