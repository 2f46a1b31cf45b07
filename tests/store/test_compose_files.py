"""A project of `docker compose` that names files outside the workspace isn't asked where the home can be read."""

from pathlib import Path

import pytest

from planact.adapters.store.compose_files import composes_within
from planact.tools.tool_result import Done
from tests.fakes.bench import PLAN
from tests.tools.test_readable import Beside

USUAL = """
x-common: &common
  env_file: [.env, {path: web/web.env, required: false}]
services:
  web:
    <<: *common
    image: "web:${TAG:-latest}"
    extends: {file: base.yaml, service: web}
    volumes: ["~/.cache:/cache", /var/run/docker.sock:/var/run/docker.sock]
  db:
    extends: web
    label_file: ./labels
include: [more/compose.yaml]
secrets:
  key: {file: ~/.ssh/id_rsa}
"""


def workspace(folder: Path, text: str, name: str = "compose.yaml") -> Path:
    root = folder / "ws"
    for path in ("web", "more"):
        (root / path).mkdir(parents=True)
    for path in ("base.yaml", "more/compose.yaml"):
        (root / path).write_text("services: {web: {image: x}}\n")
    for path in (".env", "web/web.env", "labels"):
        (root / path).write_text("A=b: c\n")
    (folder / "secret.env").write_text("A=1\n")
    (root / name).write_text(text)
    return root


def test_a_usual_project_stays_within(tmp_path: Path) -> None:
    root = workspace(tmp_path, USUAL)
    for paths in (["."], [str(root)], [".", "web"], [".", "compose.yaml"], [".", "missing"]):
        assert composes_within(root, paths), paths
    assert composes_within(root / "web", ["."])


@pytest.mark.parametrize(
    "text",
    [
        "services: {a: {env_file: ../secret.env}}",
        "services: {a: {env_file: [.env, /home/u/.ssh/id_rsa]}}",
        "services: {a: {env_file: [{path: ../secret.env}]}}",
        'services: {a: {env_file: "${HOME}/.netrc"}}',
        "services: {a: {env_file: $HOME/.netrc}}",
        "services: {a: {env_file: out.env}}",
        "services: {a: {label_file: out/x}}",
        "services: {a: {extends: {file: ../x.yaml, service: b}}}",
        "include: /home/u/x.yaml",
        "include: [{path: [base.yaml, ../x.yaml]}]",
        "include: [{path: base.yaml, env_file: ../secret.env}]",
        "include: [{path: base.yaml, project_directory: ..}]",
        "include: other.yaml",
        "services: {}\n---\nservices: {a: {env_file: ../secret.env}}",
        "services: {a: {image: [}}",
        "services: {a: !reset {image: x}}",
        "x: &x {env_file: ../secret.env}\nservices: {a: {<<: *x}}",
    ],
)
@pytest.mark.parametrize("name", ["compose.yaml", "compose.yml", "docker-compose.yml", "compose.override.yaml"])
def test_a_project_that_names_a_file_outside_does_not(tmp_path: Path, text: str, name: str) -> None:
    root = workspace(tmp_path, text, name)
    (root / "out.env").symlink_to(tmp_path / "secret.env")
    (root / "out").symlink_to(tmp_path)
    (root / "other.yaml").write_text("services: {a: {env_file: ../secret.env}}\n")
    for paths in (["."], ["web", "."], [str(root / "web")]):
        assert not composes_within(root, paths), paths


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "a: {b: " * 20_000,
        "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 60)),
        "a0: &a0 [{path: b}]\n"
        + "".join(f"a{n}: &a{n} [{{path: *a{n - 1}}}, {{path: *a{n - 1}}}]\n" for n in range(1, 60))
        + "include: *a59\n",
        "include: &a [{path: *a}]\n",
    ],
    ids=["lists", "mappings", "merged", "repeated", "endless"],
)
def test_a_file_that_would_cost_the_process_does_not(tmp_path: Path, text: str) -> None:
    assert not composes_within(workspace(tmp_path, text), ["."])


def test_variables_that_name_further_files_do_not(tmp_path: Path) -> None:
    root = workspace(tmp_path, "services: {}")
    (root / ".env").write_text("COMPOSE_FILE=/home/u/x.yaml\n")
    assert not composes_within(root, ["."])
    (root / ".env").unlink()
    (root / ".env").symlink_to(tmp_path / "secret.env")
    assert not composes_within(root, ["."])


def test_a_project_that_is_a_link_to_a_file_outside_does_not(tmp_path: Path) -> None:
    root = workspace(tmp_path, "services: {}")
    (root / "compose.yaml").rename(tmp_path / "compose.yaml")
    (root / "compose.yaml").symlink_to(tmp_path / "compose.yaml")
    assert not composes_within(root, ["."])


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["docker compose ps", "docker compose logs web | tail -3", "cd web && docker compose top"]
)
def test_such_a_project_is_not_asked_without_a_question(tmp_path: Path, line: str) -> None:
    it = Beside(tmp_path, PLAN)
    (it.world.root / "web").mkdir()
    assert "contained" not in str(it.run("execute_command", command=line))
    it.world.write("compose.yaml", "services: {a: {env_file: ../secret.env}}\n")
    outcome = it.run("execute_command", command=line)
    assert not isinstance(outcome, Done) or "settings there lead docker to files outside" in outcome.text
