"""Seam to pages of the web."""

from typing import Protocol

from planact.model.page import Page


class Pages(Protocol):
    """Pages of the web, each fetched by one GET that carries nothing but its address."""

    async def fetch(self, address: str) -> Page:
        """Fetch the page at `address`, which is in the spelling of `base.web_address`.

        Redirects are followed on the same host alone; one to another host ends as a `Page` without text.

        Raises:
            PageFailure: PAGE_NOT_FETCHED, also for an address that isn't public, or a page that holds no text.
        """
