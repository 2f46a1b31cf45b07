"""Which words of a line may name programs that it starts, held against what bash starts: programs that tell of it."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.shell.parse.bash import BashParser
from planact.shell.started_programs import started_programs

PARSER = BashParser()
Started = Callable[[str], set[str]]

NAMES = ("docker", "curl", "at", "http", "mail", "psql")
STARTING = (
    *("{p} x", "X=1 {p}", "true; {p} x", "true && {p} x", "false || {p}", "! {p}", "({p} x)", "{{ {p} x; }}"),
    *("echo $({p} x)", 'echo "a `{p}` b"', "cat <({p} x)", "x=$({p}) true", "cat <<E\n$({p} x)\nE"),
    *("if {p}; then true; fi", "for i in 1; do {p} $i; done", "while {p}; do break; done", "f() {{ {p} x; }}; f"),
    *("case a in a) {p} x;; esac", "[[ -n a ]] && {p}", "{p} x | cat", "echo x | {p}", "{p} x &\nwait"),
    *("'{p}' x", '"{p}" x', "P={p}; $P x", "P='{p} x'; $P", "''{p} x", "env {p} x", 'env -i PATH="$PATH" {p} x'),
    *("timeout 5 {p} x", "nice -n 1 {p} x", "nohup {p} x", "command {p} x", "exec {p} x", "time {p} x"),
    *("eval {p} x", "eval '{p} x'", "bash -c '{p} x'", 'sh -c "{p} x"', "timeout 5 bash -c 'true; {p} x'"),
    *("echo x | xargs {p}", "echo x | xargs -I% sh -c '{p} %'", r"find . -maxdepth 0 -exec {p} x \;"),
    *("bash <<'E'\n{p} x\nE", "cat <<'E' | sh\n{p} x\nE", "bash <<< '{p} x'", "printf '{p} x\\n' | sh"),
    *(
        "cat > s <<'E'\n{p} x\nE\nsh s",
        "cat > s <<'E'\n#!/bin/sh\n{p} x\nE\nchmod +x s && ./s",
        "echo '{p} x' > s; . ./s",
    ),
    *("trap '{p} x' EXIT", "{{{p},x}}", "$'{p}' x", 'set -- {p} x; "$@"', "a=({p} x); ${{a[@]}}"),
    *(
        "env bash -c '{p} x'",
        "env -S '{p} x'",
        "time -p {p} x",
        "source <(echo {p} x)",
        "mapfile -C '{p}' -c 1 < /dev/null",
    ),
    *(
        f"printf '{{p}} x\\n' > s; {way} ./s"
        for way in ("command .", "X=1 builtin source", "time -p .", "! .", "> n source", "command -p source")
    ),
)
"""Each lets the shell, or a program that is known to start another one, start a program."""

NAMING = (
    *(
        "cat > f.py <<'E'\n# look {p} it, and use `{p}`\nE",
        "cat > f.md <<E\nuse {p} x here\nE",
        "tee f <<'E'\n{p} x\nE",
    ),
    *("cat > t.py <<'E'\nprint('{p} x')\nE\npython3 t.py", "python3 - <<'E'\nprint('{p}', ' {p} x')\nE"),
    *(
        "python3 -c \"print('{p} x')\"",
        "python3 -c '\n{p} = 1\nprint({p})\n'",
        "timeout 9 python3 -c \"print(' {p} ')\"",
    ),
    *(
        "echo 'use {p} x' > notes",
        'echo "{p} x" >> notes',
        "printf 'the {p} x\\n' > f",
        "touch f; sed -i 's/a/{p} b/' f",
    ),
    *(
        "rm -rf {p}",
        "mkdir -p {p} scripts/{p}",
        "touch {p} && mv {p} x-{p}",
        "touch a && cp a {p}",
        "mkdir {p} && cd {p}",
    ),
    *("ls {p} > out", "true # {p} x", "X='{p} x' true", "[ {p} = x ] || true", "python3 -m this ./{p} src/{p}"),
    *("./t.sh a; touch {p}", "bash t.sh x && echo 'use {p} x'", "source ./x.sh; cat > f <<'E'\nuse {p} x\nE"),
    *("set -euo pipefail\nmkdir -p {p}\ncat > {p}/f <<'E'\n{p} x\nE\nls {p}", "grep -c '{p} x' f > n; wc -l < n"),
    *("grep -rn {p} . > n", "find . -name '*{p}*' > n", "python3 -m this . > n; ls {p}", "timeout 9 ls . > {p}"),
    *("mkdir source && cp -r source {p}", "grep -rl bash . > n; ls sh {p} > n", "tar cf n . && mv n {p}"),
)
"""None starts the program that it names."""


@pytest.fixture
def started(tmp_path: Path) -> Started:
    """Return the programs that bash starts for a line."""
    folder, log = tmp_path / "programs", tmp_path / "log"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_text(f'#!/bin/sh\necho {name} >> "{log}"\n')
        (folder / name).chmod(0o755)

    def run(line: str) -> set[str]:
        log.write_text("")
        work = tmp_path / "work"
        subprocess.run(["rm", "-rf", str(work)], check=True)
        work.mkdir()
        environment = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(work)}
        null = subprocess.DEVNULL
        bash = ["bash", "-c", line]
        subprocess.run(bash, cwd=work, env=environment, stdin=null, stdout=null, stderr=null, check=False, timeout=20)
        return set(log.read_text().split())

    return run


@pytest.mark.skipif(os.name != "posix", reason="runs bash")
@pytest.mark.parametrize("template", STARTING)
def test_what_the_shell_starts_is_among_the_words(started: Started, template: str) -> None:
    line = template.format(p="docker")
    assert started(line) <= set(started_programs(line, PARSER)), line
    assert "docker" in started_programs(line, PARSER)


@pytest.mark.skipif(os.name != "posix", reason="runs bash")
@pytest.mark.parametrize("template", NAMING)
@pytest.mark.parametrize("name", NAMES[:3])
def test_text_files_and_folders_are_not_among_the_words(started: Started, template: str, name: str) -> None:
    line = template.replace("{p}", name)
    assert not started(line)
    assert name not in started_programs(line, PARSER)


@pytest.mark.parametrize(
    ("line", "is_started"),
    [
        ("python3 app.py & sleep 2; curl -s http://localhost:8000/a", False),
        (
            'npm run dev > log 2>&1 &\nsleep 5\ncurl -sf 127.0.0.1:3000 | head -5\ncurl -s "http://[::1]:3000/?q=$X"',
            False,
        ),
        ("python3 app.py & curl -s -X POST localhost:8000/a -H 'Accept: a/b' -d @files/item.json; kill $!", False),
        ('python3 app.py & curl -s localhost:8000/a --data-raw \'{"to": "a@b.de"}\' -o out.html', False),
        ("python3 app.py & curl -sb jar.txt -c jar.txt -F user=$X http://localhost:8000/a", False),
        ("python3 app.py & curl -d x.y https://example.com", True),
        ("python3 app.py & curl -db https://example.com http://localhost:8000/a", True),
        ("python3 app.py & curl -s http://localhost:8000/a -d x https://example.com", True),
        ("python3 app.py & curl -s -d @a.json -s example.com http://localhost:8000/a", True),
        ("curl -s http://localhost:8000/a", True),
        ("python3 app.py & curl -s https://example.com", True),
        ("python3 app.py & curl -s localhost.example.com", True),
        ("python3 app.py & curl -s http://localhost:80@example.com/", True),
        ("python3 app.py & curl -s http://localhost:8000 https://example.com", True),
        ("python3 app.py & curl -s http://localhost:8000 -x proxy.example.com", True),
        ('python3 app.py & curl -s "$ADDRESS"', True),
        ("./gradlew run & sleep 9\nfor i in 1 2; do curl -s http://localhost:8000/a && break; sleep 1; done", False),
        ("bash scripts/serve.sh > log & sleep 1; curl -s http://localhost:8000/a", False),
        ("source .venv/bin/activate && flask run & sleep 1; wget -qO- localhost:5000", False),
        ("python3 app.py && curl -s http://localhost:8000/a", True),
    ],
)
def test_a_fetch_from_what_the_line_starts_itself_is_not_among_the_words(line: str, *, is_started: bool) -> None:
    assert ("curl" in started_programs(line, PARSER)) == is_started


@pytest.mark.parametrize(
    ("line", "is_started"),
    [
        ("python3 app.py & sleep 2; kill $!", False),
        ("pkill -f app.py || true; python3 app.py & sleep 2; kill %1", False),
        ("trap 'kill 0' EXIT; python3 app.py &\nwait", False),
        ("kill 123", True),
        ("pkill -f app.py; python3 app.py", True),
    ],
)
def test_an_end_of_what_the_line_starts_itself_is_not_among_the_words(line: str, *, is_started: bool) -> None:
    assert bool({"kill", "pkill"} & {*started_programs(line, PARSER)}) == is_started


@pytest.mark.parametrize(
    ("line", "program", "is_started"),
    [
        ("rsync -a --exclude .git /tmp/new/ app/", "rsync", False),
        ("rsync -a --delete src/ ../copy", "rsync", False),
        ("rsync -a src/ me@example.com:src", "rsync", True),
        ("rsync -a rsync://example.com/src .", "rsync", True),
        ('rsync -a src/ "$TARGET"', "rsync", True),
        ("rsync -a src/ `cat target`", "rsync", True),
        ("rsync -a a b; rsync -a a example.com:b", "rsync", True),
        ("terraform validate -no-color > log", "terraform", False),
        ("terraform init && terraform validate", "terraform", True),
        ("terraform -chdir=x plan", "terraform", True),
        ("kubectl kustomize overlays/dev > all.yaml", "kubectl", False),
        ("kubectl kustomize base | kubectl apply -f -", "kubectl", True),
        ("sh -c 'kubectl kustomize base; kubectl delete pod x'", "kubectl", True),
    ],
)
def test_what_works_on_files_of_this_machine_alone_is_not_among_the_words(
    line: str, program: str, *, is_started: bool
) -> None:
    assert (program in started_programs(line, PARSER)) == is_started


def test_a_line_that_no_parser_gets_has_all_its_words() -> None:
    assert "docker" in started_programs("echo 'docker", PARSER)
    assert "docker" in started_programs(f"echo {'a' * 300_000} docker", PARSER)
