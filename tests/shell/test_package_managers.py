"""Which calls of package managers fetch packages, so that the user is asked before them."""

import pytest

from planact.shell.package_managers import fetches_packages


@pytest.mark.parametrize(
    "line",
    [
        *("pip install x", "python3 -m pip wheel .", "npm ci", "pnpm install --frozen-lockfile", "yarn", "uvx ruff"),
        *("cargo add serde", "go mod tidy", "uv sync --frozen", "cd web && npm ci", "npm init x -- --offline"),
        *("uv tool run x --offline", "pip install --no-index-url x", "npm ci --offline=false"),
        *("npm init vite", "npm i -y", "npm ci --offline && npm ci", "npm install --local", "'npm' ci"),
    ],
)
def test_what_fetches_by_its_words(line: str) -> None:
    assert fetches_packages(line)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "npx tsc",
            "bunx tsc --noEmit",
            "bun x tsc",
            "npm test",
            "cargo build",
            "go build ./...",
            "make install",
            "echo npm ci",
            "pip --version",
        ),
        *(
            "pip wheel --no-index -w dist .",
            "python -m pip install --no-index --find-links wheels x",
            "npm ci --offline",
            "npm init -y",
            "cd web && npm init --yes",
        ),
        *("cargo add --offline serde", "cargo --offline fetch", "cargo update --frozen", "pnpm install --offline"),
        *(
            "pnpm --offline i",
            "yarn install --offline",
            "yarn --offline",
            "uv sync --offline",
            "bundle install --local",
        ),
        *(
            "uv pip install --no-index x",
            "uv add --offline x",
            "cd web && npm ci --offline",
            "gem install --local x.gem",
        ),
    ],
)
def test_what_fetches_nothing(line: str) -> None:
    assert not fetches_packages(line)
