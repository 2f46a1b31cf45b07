"""The web as the port `Pages` has it; what fetches is loaded with the first page."""

from planact.model.page import Page


class WebPages:
    """The web, as the user's machine reaches it."""

    def __init__(self, version: str) -> None:
        self._version = version

    async def fetch(self, address: str) -> Page:
        """As `ports.Pages.fetch`."""
        from planact.adapters.web.fetch_page import fetch_page

        return await fetch_page(address, self._version)
