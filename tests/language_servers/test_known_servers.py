"""The file of known servers, and what the user's settings make of it."""

from pathlib import Path

import pytest

from planact.adapters.language_servers.server import choose_servers, find_server, load_known_servers, parts_of
from planact.model.settings import LanguageServer, Settings


def test_each_known_server_says_how_it_is_started_and_for_what() -> None:
    known = load_known_servers()
    assert {"ty", "basedpyright", "pyright", "typescript-language-server", "gopls", "rust-analyzer", "clangd"} <= {
        *known
    }
    for name, server in known.items():
        assert Path(server.command[0]).name == server.command[0], f"{name}: PATH alone says where a program is"
        assert all(suffix.startswith(".") and language for suffix, language in server.files.items()), name


def test_what_the_user_names_comes_first_and_changes_what_is_known() -> None:
    chosen = choose_servers(
        {
            "own": LanguageServer(command=["own", "--lsp"], files={".x": "x"}),
            "pyright": LanguageServer(settings={"python": {"pythonPath": "/usr/bin/python3"}}),
            "ty": LanguageServer(disabled=True),
            "half": LanguageServer(command=["half"]),
        }
    )
    assert list(chosen)[:3] == ["own", "pyright", "basedpyright"]
    assert chosen["pyright"].command == load_known_servers()["pyright"].command
    assert chosen["pyright"].settings["python"] == {"pythonPath": "/usr/bin/python3"}
    assert not {"ty", "half"} & {*chosen}


def test_a_setting_that_names_a_missing_file_of_the_folder_is_left_out(tmp_path: Path) -> None:
    server = load_known_servers()["pyright"]
    assert "pythonPath" not in server.setting("python", tmp_path)
    assert server.setting("python.analysis", tmp_path) == {"diagnosticMode": "openFilesOnly"}
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert server.setting("python", tmp_path)["pythonPath"] == str(python)
    assert server.setting("python.analysis.none.at.all", tmp_path) is None


@pytest.fixture
def program(tmp_path: Path) -> Path:
    made = tmp_path / "bin" / "gopls"
    made.parent.mkdir()
    made.write_text("#!/bin/sh\n")
    made.chmod(0o755)
    return made


def test_programs_of_the_workspace_are_not_found_on_path_nor_by_a_link_to_it(program: Path, tmp_path: Path) -> None:
    assert find_server("gopls", str(program.parent), tmp_path / "elsewhere") == str(program)
    assert find_server("gopls", str(program.parent), tmp_path) == ""
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "gopls").symlink_to(program)
    assert find_server("gopls", str(outside), tmp_path) == ""
    (program.parent / "pylsp").symlink_to("/bin/sh")
    assert find_server("pylsp", str(program.parent), tmp_path) == ""
    assert find_server("gopls", "bin:.", tmp_path) == ""
    assert find_server("bin/gopls", str(tmp_path), tmp_path.parent) == ""
    assert find_server(str(program), "", tmp_path) == str(program)


def test_a_program_may_read_its_package_and_never_the_home_or_the_workspace(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "home" / "ws"
    package = home / "lib/node_modules/x/bin/x.js"
    assert parts_of(str(package), home, root) == [str(home / "lib/node_modules")]
    (home / "venv/bin").mkdir(parents=True)
    (home / "venv/pyvenv.cfg").touch()
    assert parts_of(str(home / "venv/bin/ty"), home, root) == [str(home / "venv")]
    assert parts_of(str(home / "ty"), home, root) == [str(home / "ty")]
    (home / "pyvenv.cfg").touch()
    assert parts_of(str(home / "bin/ty"), home, root) == []


def test_a_repository_can_name_none(tmp_path: Path) -> None:
    field = Settings.model_fields["language_servers"]
    assert isinstance(field.json_schema_extra, dict)
    assert field.json_schema_extra["fromRepository"] == "user"
