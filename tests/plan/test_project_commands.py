"""The commands that a project's manifests name, whatever is in them."""

import pytest

from planact.plan.project_commands import MAX_COMMANDS, project_commands

MAKE = """.PHONY: all
VERSION := 1
all: build test ## everything
build test: src/a.c
\tcc -o x: $<
%.o: %.c
clean ::
$(OUT)/x: y
"""
PYPROJECT = """[tool.pytest.ini_options]
addopts = "-q"
[tool.mypy]
strict = true
[tool.poe.tasks]
lint = "ruff check"
"bad name; rm" = "x"
"""
SCRIPTS = '{"scripts": {"test": "x", "lint": "y", "prelint": "z", "post it": "w", "build:all": "v"}}'


@pytest.mark.parametrize(
    ("texts", "beside", "commands"),
    [
        ({"Makefile": MAKE}, (), ("make all", "make build", "make clean")),
        ({"package.json": SCRIPTS}, (), ("npm test", "npm run lint", "npm run build:all")),
        ({"package.json": SCRIPTS}, ("yarn.lock",), ("yarn test", "yarn run lint", "yarn run build:all")),
        ({"pyproject.toml": PYPROJECT}, (), ("python -m pytest -q", "mypy .", "poe lint")),
        ({"pyproject.toml": ""}, ("noxfile.py",), ("nox",)),
        ({"go.mod": "module x"}, (), ("go test ./...", "go vet ./...")),
        ({"Cargo.toml": ""}, (), ("cargo test", "cargo check", "cargo clippy")),
        ({"package.json": "[" * 100_000}, (), ()),
        ({"package.json": '{"scripts": ["a"]}'}, (), ()),
        ({"package.json": "{"}, (), ()),
        ({"pyproject.toml": "tool = 1"}, (), ()),
        ({"pyproject.toml": "[tool"}, (), ()),
        ({"README.md": "make all:"}, (), ()),
    ],
)
def test_manifests_name_commands(texts: dict[str, str], beside: tuple[str, ...], commands: tuple[str, ...]) -> None:
    assert project_commands(texts, beside) == commands


def test_of_very_many_the_first_are_told() -> None:
    assert len(project_commands({"Makefile": "".join(f"t{number}:\n" for number in range(1_000))}, ())) == MAX_COMMANDS
