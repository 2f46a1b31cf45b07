"""The `*.plan` language, pure: text in, tree and problems out; plan in, text out."""
