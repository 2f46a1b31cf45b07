import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.web_address import link_from, page_host, web_address, written_addresses


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("HTTPS://Docs.Example", "https://docs.example/"),
        ("https://docs.example:443/a#part", "https://docs.example/a"),
        ("http://docs.example.:8080/a?b=c d".replace(" ", "%20"), "http://docs.example:8080/a?b=c%20d"),
        ("https://bücher.example/ü?ö=ß", "https://xn--bcher-kva.example/%C3%BC?%C3%B6=%C3%9F"),
        ("http://[2606:4700:0:0::1111]/", "http://[2606:4700::1111]/"),
        ("https://docs.example/%7Ea/{b}", "https://docs.example/%7Ea/%7Bb%7D"),
    ],
)
def test_addresses_have_one_spelling(written: str, address: str) -> None:
    assert web_address(written) == address
    assert web_address(address) == address


@pytest.mark.parametrize(
    ("written", "cause"),
    [
        ("docs.example/a", "begins neither"),
        ("ftp://docs.example/", "begins neither"),
        ("file:///etc/passwd", "begins neither"),
        ("https://user:key@docs.example/", "user name or password"),
        ("https://docs.example\\@evil.example/", "backslash"),
        ("https://docs.exa\tmple/", "control characters"),
        ("https://docs.example/a b", "spaces"),
        ("https:///a", "no host"),
        ("https://docs..example/", "no address"),
        ("https://[::1/", "no address"),
        ("https://docs.example:99999/", "no address"),
        ("https://docs.example%2eevil/", "no host"),
        (f"https://docs.example/{'a' * 2_000}", "longer than 2,000"),
    ],
)
def test_what_could_be_read_in_two_ways_is_no_address(written: str, cause: str) -> None:
    with pytest.raises(ValueError, match=cause):
        web_address(written)


@given(st.text(max_size=40))
def test_an_address_is_plain_text_with_the_host_that_is_shown(text: str) -> None:
    for written in (text, f"https://{text}", f"https://docs.example/{text}"):
        try:
            address = web_address(written)
        except ValueError:
            continue
        assert address.isascii()
        assert address.isprintable()
        assert web_address(address) == address
        assert address.split("/")[2] == page_host(address)


def test_links_lead_from_their_page() -> None:
    page = "https://docs.example/a/b?c"
    assert link_from(page, "../d#e") == "https://docs.example/d"
    assert link_from(page, "//other.example") == "https://other.example/"
    assert [link_from(page, link) for link in ("javascript:x()", "mailto:a@b", "http://[", "data:text/html,x")] == [
        ""
    ] * 4


def test_addresses_are_found_in_sentences() -> None:
    text = "See https://docs.example/a_(b), [this](https://docs.example/c) or <https://docs.example/d>."
    found = set(written_addresses(text))
    assert {f"https://docs.example/{path}" for path in ("a_(b)", "c", "d")} <= found
    assert not any("other" in each for each in found)
    assert list(written_addresses("read docs.example/guide")) == []
    bare = set(written_addresses("Read docs.example/guide, as a@other.example says. main.py", also_bare=True))
    assert "https://docs.example/guide" in bare
    assert not any("other" in each for each in bare)
