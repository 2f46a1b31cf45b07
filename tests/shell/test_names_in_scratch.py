"""Temporary files whose names only running can tell: made by `mktemp`, numbered by a loop, or with the time in them."""

import pytest

from planact.model.rights.classification import Classification
from planact.shell.judge import LineContext
from tests.shell.judged import CLASSIFIER, SHFMT

CONTEXT = LineContext("/ws", ("/ws",), "/tmp/planact-scratch-a/s1", "/home/u")


def classify(line: str) -> Classification:
    return CLASSIFIER.classify(line, second=SHFMT, context=CONTEXT)


@pytest.mark.parametrize(
    "line",
    [
        'out=$(mktemp); python3 a.py > "$out"; wc -l "$out"',
        "out=$(mktemp -q) && make > $out 2>&1",
        "out=`mktemp`; make >> $out",
        "out=$(mktemp -t logXXXXXX); make > $out",
        'work=$(mktemp -d); cp -r src "$work/"; cd "$work/src" && touch new',
        'work=$(mktemp --directory); mkdir "$work/a"; rm -rf "$work"',
        "f=$(mktemp); sed -i s/a/b/ $f",
        "for i in 1 2 3; do make > $TMPDIR/log$i; done",
        "for i in {1..4}; do make > $TMPDIR/log$i.txt 2>&1; done",
        "for i in $(seq 1 4); do make > $TMPDIR/log$i; done",
        "for name in unit lint; do npm run $name > $TMPDIR/$name.log; done",
        "make > $TMPDIR/log-$(date +%Y%m%d-%H%M%S)",
        'log=$TMPDIR/$(date +%s).log; make > "$log"',
        "for i in 1 2; do touch $TMPDIR/x$i; done",
    ],
)
def test_what_is_written_there_is_unknown_and_so_contained(line: str) -> None:
    found = classify(line)
    assert (found.cls, found.traits & {"outside", "repository"}) == ("unknown", frozenset()), found


@pytest.mark.parametrize(
    "line",
    [
        "out=$(mktemp /ws/x.XXXX); make > $out",
        "out=$(mktemp x.XXXX); make > $out",
        "out=$(mktemp -p /ws); make > $out",
        "out=$(mktemp -t ../../x.XXXX); make > $out",
        "out=$(TMPDIR=/ws mktemp); make > $out",
        "TMPDIR=/ws; out=$(mktemp); make > $out",
        "out=$(mktemp; echo /ws/x); make > $out",
        "out=$(mktemp); out=a; make > $out",
        "out=$(mktemp); make > ${out%/*}/../x",
        "out=$(mktemp); make > $out/../../x",
        'make > "$TMPDIR/$NAME"',
        "for i in ../../ws/a b; do make > $TMPDIR/$i; done",
        "for i in a *; do make > $TMPDIR/$i; done",
        "for i in 'a b' c; do make > $TMPDIR/$i; done",
        "for i in 1 2; do make > log$i; done",
        "make > $TMPDIR/$(date +../../../ws/x)",
        "make > $TMPDIR/$(cat name)",
        "cp a $(mktemp) b",
    ],
)
def test_what_may_be_written_elsewhere_is_a_change(line: str) -> None:
    assert classify(line).cls == "mutating"


@pytest.mark.parametrize(
    "line",
    [
        'repo=$(mktemp -d) && cd "$repo" && git init -q && git commit -q --allow-empty -m first',
        "repo=$(mktemp -d)\n(\nset -e\ncd $repo\ngit init\ngit config user.name me\ngit add .\n)",
        'repo=$(mktemp -d); git init "$repo" && git -C "$repo" tag v1',
        "git init $TMPDIR/a && cd $TMPDIR/a && git checkout -b side",
    ],
)
def test_a_repository_that_lies_there_is_not_the_workspaces(line: str) -> None:
    found = classify(line)
    assert (found.cls, "repository" in found.traits) == ("unknown", False)


@pytest.mark.parametrize(
    "line",
    [
        "repo=$(mktemp -d); git init",
        'repo=$(mktemp -d); cd "$repo"; cd /ws; git commit -m x',
        'repo=$(mktemp -d); (cd "$repo"); git commit -m x',
        'repo=$(mktemp -d); cd "$repo"; git -C /ws commit -m x',
        'repo=$(mktemp -d); cd "$repo"; git init /ws/sub',
        '[ -d a ] && cd "$TMPDIR"; git commit -m x',
        'cd "$TMPDIR/a"; git push',
        'cd "$TMPDIR/a"; git fetch',
        'cd "$TMPDIR/a"; git worktree add /ws/b',
        'f=$(mktemp); git commit -F "$f"',
    ],
)
def test_another_repository_is(line: str) -> None:
    assert "repository" in classify(line).traits


@pytest.mark.parametrize("line", ["cd src; ls; cd -; wc -l a", "cd src && ls && cd - && cat a", "cd a; cd b; cd -; ls"])
def test_going_back_stays_in_the_workspace_and_needs_a_jail(line: str) -> None:
    found = classify(line)
    assert (found.cls, found.traits) == ("local-read", frozenset())


@pytest.mark.parametrize(
    "line", ["cd -", "(cd src); cd -", "cd - && ls", "[ -d a ] && cd a; cd -", "cd /etc; cd src; cd -; ls"]
)
def test_where_the_shell_was_before_is_outside(line: str) -> None:
    assert "outside" in classify(line).traits


def test_what_runs_after_going_back_is_judged_there() -> None:
    assert classify("cd $TMPDIR; touch x; cd -; touch x").cls == "mutating"
