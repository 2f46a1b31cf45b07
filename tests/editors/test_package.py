"""The extension's package, as it is installed: its pages are all there, and their links lead somewhere inside it."""

import zipfile
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.docs.pages import CLIENT_DOCS, DOCS, anchors, links

PACKAGE = ROOT / "client-vscode" / "planact.vsix"  # by `make vsix`, which `make test` does first


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is unpacked."""
    folder = tmp_path_factory.mktemp("package")
    with zipfile.ZipFile(PACKAGE) as packed:
        packed.extractall(folder)
    return folder / "extension"


def test_the_guide_and_every_page_of_the_server_are_in_the_package(package: Path) -> None:
    expected = {page.name for folder in (DOCS, CLIENT_DOCS) for page in folder.glob("*.md")}
    assert {page.name for page in (package / "docs").glob("*.md")} >= expected


def test_each_link_of_the_packages_pages_leads_to_something_in_it(package: Path) -> None:
    found = 0
    lost = []
    for page in package.rglob("*.md"):
        for link in links(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            found += 1
            if "://" in link:
                continue
            if not (target.is_file() and target.is_relative_to(package)) or (anchor and anchor not in anchors(target)):
                lost.append(f"{page.name}: {link}")
    assert lost == []
    assert found > 20
