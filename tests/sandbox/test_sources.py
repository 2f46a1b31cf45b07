"""The folders that are read without a question: software, and nothing that holds what is the user's."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.limits.readable import FoundReadableFolders
from planact.adapters.sandbox.limits.sources import dependency_sources, links_in_home, usable_folders
from planact.model.rights.rule import AllowedReading, Rule

MADE = (
    *("home/go/pkg/mod", "home/.cargo/registry/src", "home/.rustup/toolchains", "home/.m2/repository"),
    *("home/.gradle/caches/modules-2", "home/.gradle/daemon", "home/code/node_modules", "home/code/sib/.git"),
    *("home/code/ws/node_modules", "home/code/sib/src", "home/.ssh", "home/notes", "home/.config/gcloud"),
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in MADE:
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "home"


def below(home: Path, folders: Iterable[Path]) -> list[str]:
    return sorted(str(path.relative_to(home)) for path in folders if path.is_relative_to(home))


def test_sources_of_dependencies_are_found_and_nothing_else_of_the_home(home: Path) -> None:
    found = dependency_sources({"PATH": "/usr/bin"}, home, home / "code/ws")
    assert below(home, found) == [
        *(".cargo/registry", ".gradle/caches/modules-2", ".m2/repository", ".rustup/toolchains"),
        *("code/node_modules", "go/pkg/mod"),
    ]
    assert Path("/usr/lib") in found
    assert {Path("/"), Path("/etc"), Path("/usr"), home}.isdisjoint(found)


def test_what_variables_name_counts_where_it_is_a_whole_path(home: Path) -> None:
    environment = {"GOMODCACHE": str(home / "notes"), "CARGO_HOME": "relative", "GOPATH": ""}
    assert "notes" in below(home, dependency_sources(environment, home, home / "code/ws"))


def test_a_repository_leads_it_nowhere(home: Path, tmp_path: Path) -> None:
    ws = home / "code/ws"
    (ws / ".venv/bin").mkdir(parents=True)
    (home / "notes/bin").mkdir()
    (home / "notes/bin/python").write_text("")
    (home / "notes/lib").mkdir()
    (ws / ".venv/bin/python").symlink_to(home / "notes/bin/python")
    (ws / ".venv/lib").mkdir()
    (ws / ".venv/lib/python3.12").symlink_to(home / ".ssh")
    (home / "notes/lib/python3.11").symlink_to(home / ".ssh")
    above = home / "code/mono"
    (above / "ws").mkdir(parents=True)
    (above / "node_modules").symlink_to(home / ".ssh")
    for workspace in (ws, above / "ws"):
        found = dependency_sources({}, home, workspace)
        assert not [path for path in found if ".ssh" in str(path.resolve()) or "notes" in str(path)]


def test_no_folder_counts_that_holds_the_home_or_the_workspace(home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home)
    ws = home / "code/ws"
    for name in (Path("/"), tmp_path, home, tmp_path / "link", home / "code", ws, home / "missing"):
        assert usable_folders([name], home, ws) == ()
    (tmp_path / "other").symlink_to(home / "notes")
    assert usable_folders([tmp_path / "other"], home, ws) == (tmp_path / "other", home / "notes")


def test_the_jails_can_read_what_is_not_asked_about(home: Path) -> None:
    ws = home / "code/ws"
    folders = FoundReadableFolders({"PATH": "/usr/bin"}, home, ws, ["~/code/sib"], lambda: ()).now()
    profiles = make_profiles(JailEnvironment({"PATH": "/usr/bin"}, home, ws, kept=(), readable=folders))
    for name in ("local-read", "contain"):
        readable = profiles[name].readable
        assert readable is not None
        assert [
            folder for folder in folders if not any(folder.resolve().is_relative_to(each) for each in readable)
        ] == []
    registry = profiles["registry-read"].readable
    assert registry is not None
    assert not any((home / "code/sib").is_relative_to(each) for each in registry)


def test_an_empty_home_leads_to_them(home: Path) -> None:
    links = dict(links_in_home([home / "go/pkg/mod", home / "go/pkg/mod/x", home, Path("/usr/lib")], home))
    assert links == {"go/pkg/mod": home / "go/pkg/mod"}


def test_a_rule_counts_like_the_setting_and_only_as_long_as_it_is_there(home: Path) -> None:
    rules: list[Rule] = []
    folders = FoundReadableFolders({}, home, home / "code/ws", [], lambda: rules)
    assert home / "code/sib" not in folders.now()
    rules.append(Rule(id="r", created_at="", allows=AllowedReading(folder=str(home / "code/sib"))))
    assert home / "code/sib" in folders.now()
    rules.clear()
    assert home / "code/sib" not in folders.now()


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("code/sib/src/a.py", "code/sib"),
        ("code/sib/src", "code/sib"),
        ("code/sib", "code/sib"),
        ("notes", "notes"),
        ("notes/missing.md", "notes"),
        (".ssh/config", ".ssh"),  # which the caller refuses by its name
        (".bashrc", ""),
        ("code", ""),
        ("code/x.md", ""),
        (".config/a", ""),
        ("..", ""),
        ("/etc/hosts", ""),
        ("/", ""),
    ],
)
def test_a_rule_names_the_repository_or_the_folder_around_a_path(home: Path, path: str, folder: str) -> None:
    found = FoundReadableFolders({}, home, home / "code/ws", [], lambda: ()).around(
        str(home / path), ("gcloud", ".ssh")
    )
    assert found == (str(home / folder) if folder else "")


def test_a_repository_that_holds_the_home_or_the_workspace_is_never_named(home: Path) -> None:
    (home / ".git").mkdir()
    (home / "code/.git").mkdir()
    found = FoundReadableFolders({}, home, home / "code/ws", [], lambda: ())
    assert found.around(str(home / "notes/x"), ()) == str(home / "notes")
