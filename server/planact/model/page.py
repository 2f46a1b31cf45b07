"""A page of the web as it was fetched; all of it is the word of whoever wrote it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        address: where it was found.
        text: Markdown, or the text as it is.
        is_cut: there is more of it.
        leads_to: the address on another host that it redirects to, and then it has no text; empty = it doesn't.
    """

    address: str
    text: str
    is_cut: bool = False
    leads_to: str = ""
