"""Loops over words that stand there are judged for each of them, so none is milder than the calls that it makes."""

import pytest

from tests.shell.judged import classify

CALLS = (
    *("cat {}", "rm {}", "gh workflow view {}", "gh pr {} 1", "gh pr list -R {}", "find . {}", "{} x", "git log {}"),
    *("curl -s {}", "curl -s localhost:{}", "sort -o {} x", "git -C {} status", "docker inspect {}", "grep -r {} ."),
    *("cd {} && cat x", "x={}; cat $x", "echo {} > {}", "aws ec2 describe-instances --region {}", "head -5 src/{}"),
)
WORDS = (
    *("a", "src/b.py", "view", "merge", "-delete", "--output=x", "ls", "rm", "/etc/shadow", "../x", "8000", "8001"),
    *("a.example/b/c", "https://a.example", "localhost:80", ".env", "~/.ssh/id_rsa", "*", "-rf", "eu-west-1"),
)
STRICTNESS = ("local-read", "net-read", "daemon-read", "unknown", "mutating")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("quote", ['"$w"', "$w"])
def test_a_loop_is_no_milder_than_its_calls(call: str, quote: str) -> None:
    for first, second in [*zip(WORDS, (*WORDS[1:], "a"), strict=True), *zip(WORDS[3:], WORDS, strict=False)]:
        loop = classify(f"for w in '{first}' '{second}'; do {call.replace('{}', quote)}; done")
        for word in (first, second):
            alone = classify(call.replace("{}", f"'{word}'"))
            assert STRICTNESS.index(loop.cls) >= STRICTNESS.index(alone.cls), (first, second)
            if loop.cls in STRICTNESS[:3]:
                assert alone.traits - {"plain"} <= loop.traits, (first, second)
                assert {*alone.servers, *alone.outside} <= {*loop.servers, *loop.outside}, (first, second)
                # What a word becomes that the shell splits or expands is left to the jail, here and anywhere.
                is_kept = quote != "$w" or not {"~", "*"}.intersection(word)
                assert not is_kept or all(map((*loop.reads, *loop.begins).__contains__, alone.reads)), (first, second)


@pytest.mark.parametrize(
    ("line", "cls"),
    [
        (
            'for w in "Sync Docs" Deploy; do echo "== $w"; gh workflow view "$w" --json name || echo no; done',
            "net-read",
        ),
        ("for n in 1 2 3; do gh pr view $n; done", "net-read"),
        ("for n in 1 2 3; do gh pr view $n; gh pr merge $n; done", "mutating"),
        ("for n in 1 2 3 4 5 6 7 8 9; do gh pr view $n; done", "unknown"),
        ("for n in 1 2; do for m in 1 2; do gh pr view $n; done; done", "unknown"),
        ("for n in $(cat f) 2; do gh pr view $n; done", "unknown"),
        ("for n in 1 2; do n=$TOKEN; gh pr view $n; done", "unknown"),
        ("for n in 1 2; do gh pr view $m; m=$(cat f); done", "unknown"),
        ("for n in 1 2; do gh pr view $n; done; gh pr view $n", "unknown"),
        ("for f in *.md a; do gh pr view $f; done", "unknown"),
        ("for f in 'a b' c; do gh pr view $f; done", "unknown"),
    ],
)
def test_words_that_stand_in_a_loop_are_known(line: str, cls: str) -> None:
    assert classify(line).cls == cls
