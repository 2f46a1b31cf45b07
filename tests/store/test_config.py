import os
from pathlib import Path

import pytest
from pydantic import BaseModel

from planact.adapters.store.config import (
    _parsed,
    editor_layer,
    read_environment,
    read_repository,
    read_user,
    user_config_path,
)
from planact.model.layer import KNOWN_SETTINGS, KnownSetting, Layer, SettingProblem


@pytest.mark.parametrize(
    ("xdg", "expected"),
    [("", "/h/.config/planact/config.toml"), ("/x", "/x/planact/config.toml"), ("x", "/h/.config/planact/config.toml")],
)
def test_the_users_file_is_where_the_user_keeps_such_files(xdg: str, expected: str) -> None:
    environment = {"XDG_CONFIG_HOME": xdg} if xdg else {}
    assert user_config_path(environment, Path("/h")) == Path(expected)


def write(folder: Path, content: bytes) -> Path:
    (folder / ".planact").mkdir()
    (folder / ".planact" / "config.toml").write_bytes(content)
    return folder


def test_files_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / ".config" / "planact" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(b'\xef\xbb\xbfmodel = "m"\r\n[limits]\r\nmaxTurns = 5\r\n')
    assert read_user({}, tmp_path) == Layer("user", str(path), {"model": "m", "limits": {"maxTurns": 5}})


def test_a_file_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / ".planact" / "config.toml")
    assert read_repository(tmp_path, is_trusted=False) == Layer("repository", path, {}, is_trusted=False)
    (tmp_path / ".planact").write_text("not a folder")
    assert read_repository(tmp_path, is_trusted=True) == Layer("repository", path, {})


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"model = ", "Invalid value (at end of document)"),
        (b"model = '\xff'", "can't decode byte 0xff"),
        (b"a = " + b"[" * 100_000, "recursion"),
        (b"#" * 1_000_001, "larger than 1,000,000 bytes"),
    ],
)
def test_a_broken_file_is_reported_and_says_nothing(tmp_path: Path, content: bytes, cause: str) -> None:
    layer = read_repository(write(tmp_path, content), is_trusted=True)
    assert layer.values == {}
    (problem,) = layer.problems
    assert problem.source == "repository"
    assert problem.message.startswith(f"{tmp_path}/.planact/config.toml is not used: ")
    assert cause in problem.message
    assert len(problem.message) < 500


def test_a_fifo_or_a_folder_in_place_of_the_file_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / ".planact").mkdir()
    os.mkfifo(tmp_path / ".planact" / "config.toml")
    assert "plain file" in read_repository(tmp_path, is_trusted=False).problems[0].message


def test_a_linked_file_of_a_repository_is_still_the_repositorys(tmp_path: Path) -> None:
    (tmp_path / "users.toml").write_text('approval = "acceptAll"')
    (tmp_path / "app" / ".planact").mkdir(parents=True)
    (tmp_path / "app" / ".planact" / "config.toml").symlink_to(tmp_path / "users.toml")
    layer = read_repository(tmp_path / "app", is_trusted=False)
    assert (layer.source, layer.is_trusted, layer.values) == ("repository", False, {"approval": "acceptAll"})


def test_variables_become_values_of_the_right_type() -> None:
    layer = read_environment(
        {
            "PLANACT_MODEL": "m",
            "PLANACT_PLANNER_MODEL": "7",
            "PLANACT_LIMITS_MAX_TURNS": "5",
            "PLANACT_LIMITS_MAX_COST": "0.5",
            "PLANACT_LIMITS_MAX_TOKENS": "many",
            "PLANACT_COMMANDS_ALLOW": '["make test", "a, b"]',
            "PLANACT_COMMANDS_DENY": "rm, git push,",
            "PLANACT_IGNORE": "[*.py",
            "PLANACT_MODEL_PARAMETERS": '{"temperature": 0}',
            "MODEL": "ignored",
        }
    )
    assert layer.values == {
        "model": "m",
        "plannerModel": "7",
        "limits.maxTurns": 5,
        "limits.maxCost": 0.5,
        "limits.maxTokens": "many",
        "commands.allow": ["make test", "a, b"],
        "commands.deny": ["rm", "git push"],
        "ignore": "[*.py",
        "modelParameters": {"temperature": 0},
    }
    assert layer.problems == ()


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False), ("yes", "yes")])
def test_a_variable_can_be_true_or_false(text: str, value: object) -> None:
    setting = KnownSetting("value", "PLANACT_VALUE", ("value",), BaseModel, "never", bool)
    assert _parsed(setting, text) == value


def test_a_mistyped_variable_is_reported_with_the_nearest() -> None:
    message = "no setting has the variable PLANACT_MAX_TURNS; did you mean PLANACT_LIMITS_MAX_TURNS?"
    assert read_environment({"PLANACT_MAX_TURNS": "5"}) == Layer(
        "environment", "the environment", {}, problems=(SettingProblem("environment", "PLANACT_MAX_TURNS", message),)
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "m", "limits": {"maxTurns": 5}},
        {"planact": {"model": "m", "limits": {"maxTurns": 5}}},
        {"planact.model": "m", "planact.limits": {"maxTurns": 5}},
    ],
)
def test_editors_may_nest_settings_as_they_like(settings: dict[str, object]) -> None:
    values = {"model": "m", "limits": {"maxTurns": 5}}
    assert editor_layer(settings) == Layer("editor", "the editor's settings", values)


def test_every_setting_has_one_key_and_one_variable() -> None:
    names = {setting.key: setting.variable for setting in KNOWN_SETTINGS}
    assert len(set(names.values())) == len(KNOWN_SETTINGS)
    assert names["limits.commandSeconds"] == "PLANACT_LIMITS_COMMAND_SECONDS"
    assert names["modelEndpoint"] == "PLANACT_MODEL_ENDPOINT"
