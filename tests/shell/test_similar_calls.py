"""Which calls one rule may cover: those that differ in options of a closed list, and in files of the workspace."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.policy.commands import names_program_beyond
from planact.shell.compare import similar_calls as module
from planact.shell.compare.similar_calls import similar_calls

TABLE = module._table()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pytest", "pytest"),
        ("pytest -q 'tests/a.py::test_b[1-x]' -k 'a or b' --maxfail=1", "pytest"),
        ("npm run test:unit --silent", "npm run test:unit"),
        ("npm test", "npm test"),
        ("make check -k", "make check"),
        ("go test -run TestA -v ./...", "go test"),
        ("cargo test --workspace some_name", "cargo test"),
        ("ruff format --check src", "ruff format --check"),
    ],
)
def test_calls_alike_begin_alike(line: str, expected: str) -> None:
    assert similar_calls(line)[-1] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("make deploy -n", ("make deploy -n", "make deploy")),
        ("make deploy", ("make deploy",)),
        ("tsc --pretty --noEmit", ("tsc --noEmit", "tsc")),
        (
            "cargo test --offline -q --locked",
            ("cargo test --locked --offline", "cargo test --locked", "cargo test --offline", "cargo test"),
        ),
    ],
)
def test_an_option_without_which_a_call_does_more_belongs_to_how_calls_alike_begin(
    line: str, expected: tuple[str, ...]
) -> None:
    assert similar_calls(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        *(
            "pytest -p evil",
            "pytest -c x.ini",
            "pytest --rootdir=/",
            "pytest -o x=y",
            "pytest --pdbcls=a:b",
            "pytest @args",
        ),
        *(
            "pytest /etc/x.py",
            "pytest ../x",
            "pytest a/../../x",
            "pytest ~/x",
            "pytest *.py",
            "pytest {a,b}",
            "pytest $X",
        ),
        *("pytest; rm x", "pytest && rm x", "pytest | sh", "pytest > out", "A=1 pytest", "pytest\nrm x", "pytest -k"),
        *("python -m pytest", "python x.py", "sh x.sh", "bash -c pytest", "env pytest", "sudo pytest", "xargs pytest"),
        *("npm run", "npm run test -- --watch", "npm run test publish", "npm publish", "npm install x", "npm exec x"),
        *("tsc --noEmit false", "tsc a.ts", "dotnet test -c 'Debug;OutDir=x'", "dotnet test -c=Debug,OutDir=x"),
        *("make", "make test deploy", "make test CC=evil", "make -f other test", "make -C sub test"),
        *(
            "mvn test deploy",
            "gradle test publish",
            "go test -exec ./x",
            "go test -toolexec x",
            "go run x",
            "go build -o x",
        ),
        *("cargo run", "cargo test --config x=y", "cargo test --manifest-path x", "eslint --fix", "eslint -c x.js"),
        *("eslint --format ./x.js", "ruff check --fix", "ruff check --config x", "tsc -p other", "git push", ""),
    ],
)
def test_no_others_have_calls_alike(line: str) -> None:
    assert similar_calls(line) == ()


def test_no_option_or_command_of_the_table_names_what_a_rule_must_not_cover() -> None:
    bad = re.compile(
        r"--?(?:c|conf(?:ig)?(?:file)?|p|plugins?|rootdir|o|out(?:put)?(?:-file|dir)?|exec|toolexec|fix|write|target-dir|f|file"
        r"|manifest-path|C|directory|host|url|registry|init|setup)"
    )
    fine = {
        ("cargo test", "-p"),
        ("cargo check", "-p"),
        ("cargo build", "-p"),
        ("cargo clippy", "-p"),
        ("mvn test", "-o"),
    }
    fine |= {("dotnet test", "-c")}  # packages, offline, the configuration's name
    for start, row in TABLE.items():
        assert not names_program_beyond(start), start
        for option in row.flags | row.limits | row.values | row.patterns:
            assert (start, option) in fine or not bad.fullmatch(option), (start, option)


WORDS = st.lists(
    st.sampled_from(
        ["-q", "-x", "-k", "a.py", "x", "--maxfail=2", "-p", "..", "a/b", "-c", "test", "--", "-", "@a", "-v"]
    ),
    max_size=5,
)


@given(st.sampled_from(sorted(TABLE)), WORDS)
def test_what_is_covered_has_known_options_alone(start: str, words: list[str]) -> None:
    row = TABLE[start]
    if not (covered := similar_calls(" ".join((start, *words)))):
        return
    assert all(each.startswith(start) for each in covered)
    is_value = False
    for word in words[1 if row.named else 0 :]:
        known = word in row.flags | row.limits or word.partition("=")[0] in row.values | row.patterns
        assert known or is_value or (row.files and not word.startswith(("-", "@", ".."))), (start, words)
        is_value = word in row.values | row.patterns
