import codecs
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.errors import EditFailure
from planact.base.filetext import FileText, decode_text, digest_of, encode, indent, line_ending, newline

GERMAN = "# -*- coding: latin-1 -*-\nname = 'Grüße'\n"
RUSSIAN = '<?xml version="1.0" encoding="windows-1251"?>\n<a>Привет</a>\n'
JAPANESE = '<html><head><meta charset="shift_jis"></head>日本語</html>\n'
STYLE = '@charset "iso-8859-15";\na::before { content: "€" }\n'


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("data", "text", "encoding", "has_bom"),
    [
        (b"", "", "utf-8", False),
        ("naïve 🙂\r\n".encode(), "naïve 🙂\r\n", "utf-8", False),
        (codecs.BOM_UTF8 + b"a\n", "a\n", "utf-8", True),
        (codecs.BOM_UTF16_LE + "é\n".encode("utf-16-le"), "é\n", "utf-16-le", True),
        (codecs.BOM_UTF16_BE + "é\n".encode("utf-16-be"), "é\n", "utf-16-be", True),
        (codecs.BOM_UTF32_LE + "é\n".encode("utf-32-le"), "é\n", "utf-32-le", True),
        (codecs.BOM_UTF32_BE + "é\n".encode("utf-32-be"), "é\n", "utf-32-be", True),
        (GERMAN.encode("latin-1"), GERMAN, "iso8859-1", False),
        (("#!/usr/bin/python\n" + GERMAN).encode("latin-1"), "#!/usr/bin/python\n" + GERMAN, "iso8859-1", False),
        (RUSSIAN.encode("cp1251"), RUSSIAN, "cp1251", False),
        (JAPANESE.encode("shift_jis"), JAPANESE, "shift_jis", False),
        (STYLE.encode("iso-8859-15"), STYLE, "iso8859-15", False),
        # UTF-8 that really is UTF-8 wins over what the file says of itself.
        (GERMAN.encode(), GERMAN, "utf-8", False),
        # What is declared and isn't so, isn't known, or isn't a charset for text, doesn't count.
        (b"# coding: gbk\n\xff\xff\n", "# coding: gbk\n\xff\xff\n", "bytes", False),
        (b"# coding: nonsense\n\xe9\n", "# coding: nonsense\n\xe9\n", "bytes", False),
        (b"# coding: rot13\n\xe9\n", "# coding: rot13\n\xe9\n", "bytes", False),
        (b"# coding: utf-7\n\xe9\n", "# coding: utf-7\n\xe9\n", "bytes", False),
        (b"one\ntwo\n# coding: latin-1\n\xe9\n", "one\ntwo\n# coding: latin-1\n\xe9\n", "bytes", False),
        (codecs.BOM_UTF8 + b"\xff\n", "\xef\xbb\xbf\xff\n", "bytes", False),
    ],
)
def test_a_file_is_read_by_mark_then_utf_8_then_declaration_then_bytes(
    data: bytes, text: str, encoding: str, has_bom: bool
) -> None:
    file = FileText(text, encoding, has_bom, sha256(data))
    assert decode_text(data) == file
    assert encode(file, text) == data


@pytest.mark.parametrize("data", [b"\0", b"\x7fELF\0\0", "a\n".encode("utf-16-le"), codecs.BOM_UTF16_LE + b"a\0b"])
def test_what_has_nul_characters_is_binary(data: bytes) -> None:
    assert decode_text(data) is None


def declared(parts: tuple[bytes, bytes]) -> bytes:
    return b"".join(parts)


ODD_BYTES = st.one_of(
    st.binary(max_size=60),
    st.tuples(
        st.sampled_from(
            [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE]
            + [f"# coding: {name}\n".encode() for name in ("big5", "gb18030", "shift_jis", "euc_jp", "cp1252", "johab")]
        ),
        st.binary(max_size=60).map(lambda data: data.replace(b"\0", b"x")),
    ).map(declared),
)


@given(ODD_BYTES)
def test_every_byte_sequence_comes_back_as_it_was(data: bytes) -> None:
    file = decode_text(data)
    assert file is None or encode(file, file.text) == data


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\n", "a\ud800\n"),
        (b"a\n", "\ufeffa\n"),
        (b"a\n", "a\0\n"),
        (b"\xe9t\xe9\n", "\xe9t\xe9\xe9\n"),
        (b"\xe9t\xe9\n", "\xe9t\xe8\n"),
        (b"\xe9t\xe9\n", "\xe9t\xe9 \u20ac\n"),
        (b"\xe9t\xe9\n", "\xe9t\xe9\0\n"),
        (GERMAN.encode("latin-1"), GERMAN + "€"),
        (GERMAN.encode("latin-1"), GERMAN.replace("latin-1", "cp1251")),
        (GERMAN.encode("latin-1"), GERMAN.replace("latin-1", "nonsense")),
    ],
)
def test_text_that_would_not_be_read_back_is_refused(data: bytes, text: str) -> None:
    file = decode_text(data)
    assert file is not None
    with pytest.raises(EditFailure) as caught:
        encode(file, text)
    assert caught.value.code == "EDIT_REFUSED"


@pytest.mark.parametrize(
    ("data", "text", "expected"),
    [
        (b"\xe9t\xe9 = 1\n", "new\n\xe9t\xe9 = 2\n", b"new\n\xe9t\xe9 = 2\n"),
        (b"\xe9\n\xe8\n", "\xe8\n\xe9\n", b"\xe8\n\xe9\n"),
        (codecs.BOM_UTF16_LE, "hé", codecs.BOM_UTF16_LE + "hé".encode("utf-16-le")),
        (GERMAN.encode("latin-1"), GERMAN + "é\n", (GERMAN + "é\n").encode("latin-1")),
    ],
)
def test_what_the_encoding_holds_can_be_written(data: bytes, text: str, expected: bytes) -> None:
    file = decode_text(data)
    assert file is not None
    assert encode(file, text) == expected


@pytest.mark.parametrize(
    ("text", "name", "most"),
    [
        ("", "none", ""),
        ("a", "none", ""),
        ("a\x0bb\x85c\u2028d", "none", ""),
        ("a\nb", "LF", "\n"),
        ("a\r\nb\r\n", "CRLF", "\r\n"),
        ("a\rb", "CR", "\r"),
        ("a\r\nb\r\nc\n", "mixed", "\r\n"),
        ("a\r\nb\n", "mixed", "\n"),
    ],
)
def test_line_endings_are_those_of_lsp(text: str, name: str, most: str) -> None:
    assert (line_ending(text), newline(text)) == (name, most)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "none"),
        ("a\nb\n", "none"),
        ("a\n\tb\n\t\tc\n", "tabs"),
        ("a\n  b\n    c\n  d\n", "2 spaces"),
        ("if a:\n    b(1,\n      2)\n    c\nif d:\n    e\n", "4 spaces"),
        ("/**\n * doc\n */\na {\n    b\n}\nc {\n    d\n}\n", "4 spaces"),
        ("a\n\tb\n    c\n", "mixed"),
        ("a\n \n\t\n", "none"),
    ],
)
def test_indentation_is_named(text: str, expected: str) -> None:
    assert indent(text) == expected


def test_the_digest_of_a_large_text_is_its_own_however_alike_the_texts_before_were() -> None:
    texts = [bytes(200_000) + bytes([number]) for number in range(4)]
    for data in (*texts, *reversed(texts), texts[0], bytes(bytearray(texts[0])), texts[0][:-1], b"small"):
        assert digest_of(data) == sha256(data)
