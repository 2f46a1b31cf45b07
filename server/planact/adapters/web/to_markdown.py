"""A program that reads a page of HTML and writes its text as Markdown, in UTF-8.

Its arguments are the address of the page, its character set (empty = not told), and the most characters to write.
"""

import re
import sys

from bs4 import BeautifulSoup, Tag
from markdownify import MarkdownConverter

from planact.base.web_address import link_from

_MOST_MEMORY = 1_000_000_000
_MOST_SECONDS = 30  # of processor, for a process whose parent was killed before it could end it
_NOT_TEXT = ("script", "style", "noscript", "template", "svg", "iframe", "head", "form", "button", "input", "select")
_AROUND = ("nav", "header", "footer", "aside")
_SHORTEST_MAIN = 200


def to_markdown(data: bytes, charset: str, address: str) -> str:
    """Return the page's text without menus, scripts and pictures, each link with its whole address."""
    page = BeautifulSoup(data, "html.parser", from_encoding=charset or None)
    title = page.title.get_text(" ", strip=True) if page.title else ""
    main = page.find("main") or page.find("article")
    if not isinstance(main, Tag) or len(main.get_text(strip=True)) < _SHORTEST_MAIN:
        main = page
        _remove(main, _AROUND)
    _remove(main, _NOT_TEXT)
    for picture in main.find_all("img"):
        picture.replace_with(str(picture.get("alt") or ""))
    for link in main.find_all("a"):
        target = link_from(address, str(link.get("href") or ""))
        if target and link.get_text(strip=True):
            link.attrs = {"href": target}
        else:
            link.unwrap()
    text = re.sub(r"\n{3,}", "\n\n", _converted(main)).strip()
    return f"# {title}\n\n{text}" if title and not text.startswith("#") else text


def _remove(part: Tag, names: tuple[str, ...]) -> None:
    for each in part.find_all(names):
        each.decompose()


def _converted(part: Tag) -> str:
    try:
        return str(MarkdownConverter(heading_style="ATX", bullets="-").convert_soup(part))
    except RecursionError:  # nested deeper than any page for people is
        return part.get_text("\n", strip=True)


def _limit_itself() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, most in ((resource.RLIMIT_AS, _MOST_MEMORY), (resource.RLIMIT_CPU, _MOST_SECONDS)):
        given = resource.getrlimit(kind)[1]
        limit = most if given == resource.RLIM_INFINITY else min(most, given)
        resource.setrlimit(kind, (limit, limit))


if __name__ == "__main__":
    _, of_page, character_set, limit = sys.argv
    _limit_itself()
    markdown = to_markdown(sys.stdin.buffer.read(), character_set, of_page)
    sys.stdout.buffer.write(markdown[: int(limit)].encode("utf-8", "replace"))
