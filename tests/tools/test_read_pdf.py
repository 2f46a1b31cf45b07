"""PDF files are read as text, by a process in a jail, and never otherwise."""

import asyncio
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader as Library
from pypdf import PdfWriter

from planact.adapters.documents.read_pdf import PdfReader
from planact.base.errors import InvalidInput
from planact.model.settings import Settings
from planact.tools.builtin.read_file import MAX_READ_CHARACTERS
from planact.tools.tool_result import Done, Failed
from tests.fakes.bench import PLAN, Bench
from tests.fakes.pdf import pdf_file
from tests.fakes.world import World

pytestmark = pytest.mark.slow


def read(bench: Bench, **asked: object) -> str:
    outcome = bench.run("read_file", path="a.pdf", **asked)
    assert isinstance(outcome, Done | Failed), outcome
    return outcome.text if isinstance(outcome, Done) else f"{outcome.code}: {outcome.message}"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "a.pdf").write_bytes(pdf_file("first", "second", "third"))
    return Bench(tmp_path, PLAN)


def test_pages_are_read_as_text(bench: Bench) -> None:
    assert read(bench) == (
        "a.pdf: pages 1-3 of 3, their text alone\n--- page 1\nfirst\n--- page 2\nsecond\n--- page 3\nthird"
    )
    assert read(bench, pages="2") == "a.pdf: pages 2-2 of 3, their text alone\n--- page 2\nsecond"
    assert read(bench, pages="2-9").splitlines()[::2] == ["a.pdf: pages 2-3 of 3, their text alone", "second", "third"]
    assert "a.pdf" in bench.trace.read


def test_a_long_file_is_read_on_page_by_page(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    long = "x" * (MAX_READ_CHARACTERS - 10)
    (tmp_path / "a.pdf").write_bytes(pdf_file(long, "y" * 100, "z" * (MAX_READ_CHARACTERS + 5)))
    assert read(bench).endswith(f"{long}\n… read on from page 2")
    assert read(bench, pages="3").endswith("z\n[… 5 more characters of this page]")


def encrypted() -> bytes:
    writer, data = PdfWriter(clone_from=io.BytesIO(pdf_file("secret"))), io.BytesIO()
    writer.encrypt("a password", algorithm="RC4-128")
    writer.write(data)
    return data.getvalue()


def loop_of_pages() -> bytes:
    """Its tree of pages has itself as a branch."""
    return pdf_file("a").replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]")


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (encrypted, "FILE_UNREADABLE: a.pdf is encrypted"),
        (lambda: b"%PDF-1.4\nnothing", "FILE_UNREADABLE: a.pdf is broken: "),
        (lambda: pdf_file("a")[:200], "FILE_UNREADABLE: a.pdf is broken: "),
        (loop_of_pages, "FILE_UNREADABLE: a.pdf is "),
        (lambda: pdf_file("", ""), "FILE_UNREADABLE: pages 1-2 of a.pdf have no text: they may be pictures"),
    ],
)
def test_what_can_not_be_read_is_told(tmp_path: Path, made: Callable[[], bytes], told: str) -> None:
    (tmp_path / "a.pdf").write_bytes(made())
    assert read(Bench(tmp_path, PLAN)).startswith(told)


def test_pages_that_are_not_there_are_told(bench: Bench, tmp_path: Path) -> None:
    assert read(bench, pages="4-7") == "INVALID_ARGUMENTS: a.pdf has 3 pages, and 4-7 is none of them"
    (tmp_path / "a.pdf").write_text("just text\n")
    assert read(bench).endswith("1\tjust text")
    assert read(bench, pages="1") == "INVALID_ARGUMENTS: a.pdf has no pages: it is no PDF file"
    (tmp_path / "a.pdf").write_bytes(b"\0\1")
    assert read(bench) == "FILE_BINARY: a.pdf is a binary file"


def test_without_a_jail_it_is_not_read(tmp_path: Path) -> None:
    world = World(tmp_path, settings=Settings(model="played", sandbox="off"))
    (tmp_path / "a.pdf").write_bytes(pdf_file("first"))
    assert "the sandbox doesn't hold" in read(Bench(tmp_path, PLAN, world=world)).replace("this system's", "the")


def test_one_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    world = World(tmp_path)
    reader = PdfReader(tmp_path, lambda: world.ports.runner, seconds=0.05)
    with pytest.raises(InvalidInput, match=r"a\.pdf takes too long or too much to read"):
        asyncio.run(reader.pdf_text(pdf_file("first"), "a.pdf", 1, None))
    assert world.ports.runner.left_behind(end=False) == 0


def test_the_library_is_imported_by_the_jailed_process_alone() -> None:
    code = "import sys, planact.app.compose, planact.lsp.serve; sys.exit('pypdf' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert Library
