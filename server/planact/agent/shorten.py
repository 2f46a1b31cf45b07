"""A long text cut in its middle, since its beginning and its end tell the most."""


def shortened(text: str, limit: int) -> str:
    """At most about `limit` characters of `text`, from its beginning and its end."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]}\n[planact: {len(text) - limit} characters left out]\n{text[len(text) - limit + head :]}"
