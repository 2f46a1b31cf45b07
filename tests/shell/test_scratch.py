"""The scratch folder of a session and a home in command lines: what may be written there, and what is known of them."""

import pytest

from planact.model.rights.classification import Classification
from planact.shell.judge import LineContext
from tests.shell.judged import CLASSIFIER, SHFMT

SCRATCH = "/tmp/planact-scratch-a/s1"
CONTEXT = LineContext("/ws", ("/ws", "/home/u/go/pkg/mod", "/usr/lib"), SCRATCH, "/home/u")


def classify(line: str, context: LineContext = CONTEXT) -> Classification:
    return CLASSIFIER.classify(line, second=SHFMT, context=context)


@pytest.mark.parametrize(
    "line",
    [
        'git log > "$TMPDIR/log"',
        "git log >> $TMPDIR/log 2>&1",
        "rg foo &> ${TMPDIR}/found",
        f"ls > {SCRATCH}/a/b",
        "cat > $TMPDIR/x.py <<'E'\nprint(1)\nE",
        "ls | tee $TMPDIR/list | wc -l",
        "ls | tee -a $TMP/list $TEMP/other",
        "for f in a b; do cat $f >> $TMPDIR/all; done",
        "{ ls; pwd; } > $TMPDIR/both",
        "cat $TMPDIR/log",
        "wc -l < $TMPDIR/log",
        "sort $TMPDIR/*.txt",
        "ls > $TMPDIR/--help",
        "cd $TMPDIR && ls > x",
        "cd $TMPDIR/a && cd b && ls | tee x.txt",
    ],
)
def test_a_line_that_writes_the_scratch_folder_alone_only_reads(line: str) -> None:
    found = classify(line)
    assert (found.cls, found.traits & {"outside"}) == ("local-read", frozenset()), found


@pytest.mark.parametrize(
    "line",
    [
        "ls > $TMPDIR",
        "ls > $TMPDIR/../x",
        "ls > $TMPDIR/a/../../x",
        "ls > $TMPDIR/a/../x",
        "ls > ${TMPDIR}x",
        f"ls > {SCRATCH}x/y",
        "ls > /tmp/x",
        "ls > x",
        "cd $TMPDIR && ls > ../x",
        "cd $TMPDIR && ls > $x",
        "cd $TMPDIR && ls > .",
        "cd $TMPDIR && cd /ws && ls > x",
        "cd $TMPDIR/..; ls > x",
        "[ -d a ] && cd $TMPDIR; ls > x",
        "ls > $TMPDIR/$x",
        "ls > $TMPDIR/*",
        "ls > ${TMPDIR:-/tmp}/x",
        "ls > ${TMPDIR#/tmp}/x",
        "ls > '$TMPDIR/x'",
        "ls > $tmpdir/x",
        "ls | tee $TMPDIR/x /ws/y",
        "ls | tee --output-error $TMPDIR/x",
        "ls | tee",
        "TMPDIR=/ws; cat > $TMPDIR/x <<'E'\nE",
        "TMPDIR=/ws cat a > $TMPDIR/x",
        "export TMPDIR=/ws; ls > $TMPDIR/x",
        "read TMPDIR < a; ls > $TMPDIR/x",
        "for TMPDIR in /ws; do ls > $TMPDIR/x; done",
        "ls > $TMPDIR/x; TMPDIR=/ws",
        "cp $TMPDIR/x /ws/y",
        "mv /ws/x",
        "rm $TMPDIR/x /ws/y",
        "rm $TMPDIR*",
        "rm /ws$TMPDIR{a,b}/c",
        "rm $TMPDIR/$x{a,b}/../c",
        "rm {$TMPDIR,/ws}/x",
        "chmod +x",
        "chmod --reference=$TMPDIR/x y",
        "sed -i s/a/b/",
        "sed -i s/a/b/ $TMPDIR/x y",
        "mkdir",
        "ln -s /ws/x",
    ],
)
def test_what_may_be_written_elsewhere_is_no_reading(line: str) -> None:
    assert classify(line).cls in ("mutating", "unknown")
    assert classify(line.replace("> $TMPDIR/x", "> /ws/x")).cls in ("mutating", "unknown")


@pytest.mark.parametrize(
    "line",
    [
        "mkdir -p $TMPDIR/a/b",
        "rm -rf $TMPDIR/a",
        "cp -r /ws/src $TMPDIR/src",
        "touch $TMPDIR/x",
        "mkdir -p $TMPDIR/{src,tests}",
        "rm -rf $TMPDIR/a/*",
        "cd $TMPDIR && mkdir -p a && cd a && touch x.py {y,z}.py",
        "chmod -R +x $TMPDIR/a",
        "sed -i s/a/b/ $TMPDIR/x",
        "cd $TMPDIR && sed -i.bak -e s/a/b/ -e 's/c/d/w y' x *.py",
        "mktemp -d",
        "$TMPDIR/tool --version",
        "python3 $TMPDIR/x.py",
        "sh $TMPDIR/x.sh",
        ". $TMPDIR/x.sh",
        "PATH=$TMPDIR:$PATH ls",
        "TMPDIR=$TMPDIR/a sort x",
    ],
)
def test_what_changes_or_runs_files_there_is_unknown_and_so_contained(line: str) -> None:
    assert classify(line).cls == "unknown"


@pytest.mark.parametrize(
    "line", ["cp -t . $TMPDIR/x", "mv -ft/ws $TMPDIR/x", "ln -s --target-directory=. $TMPDIR/x", "cp --ta . $TMPDIR/x"]
)
def test_an_option_that_names_the_target_makes_the_last_word_a_source(line: str) -> None:
    assert classify(line).cls == "mutating"


@pytest.mark.parametrize(
    ("line", "cls"),
    [
        ("gh pr view 3 > $TMPDIR/pr.txt", "net-read"),
        ("gh pr view 3 | tee $TMPDIR/pr.txt", "net-read"),
        ("gh pr view 3 > $TMPDIR/$x", "mutating"),
        ("cat $TMPDIR/x; gh pr view 3", "unknown"),
        ("cd $TMPDIR/r && git ls-remote origin", "unknown"),
        ("git -C $TMPDIR/r ls-remote origin", "unknown"),
        (f"git -C {SCRATCH}/r ls-remote origin", "unknown"),
        ("gh pr view 3 < $TMPDIR/x", "unknown"),
        ("docker ps; ls $TMPDIR", "unknown"),
    ],
)
def test_nothing_of_it_is_read_where_others_can_be_reached(line: str, cls: str) -> None:
    assert (classify(line).cls, line) == (cls, line)


def test_writing_there_needs_a_jail_that_holds_the_line_to_it() -> None:
    assert "plain" in classify("cat a").traits
    for line in ("cat a > $TMPDIR/x", "cat a | tee $TMPDIR/x"):
        assert "plain" not in classify(line).traits


def test_a_repository_there_may_steer_git_as_one_of_the_workspace_does() -> None:
    here, there = classify("git diff"), classify("cd $TMPDIR/r && git diff")
    assert (there.cls, there.traits - {"plain"}) == (here.cls, here.traits - {"plain"})


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("ls > /tmp/list.txt", '`> "$TMPDIR/list.txt"`'),
        ("ls >> /var/tmp/a/b.log", '`> "$TMPDIR/b.log"`'),
        ("ls > /tmp/$x", '`> "$TMPDIR/x"`'),
        ("ls > '/tmp/a`b'", '`> "$TMPDIR/x"`'),
    ],
)
def test_a_refused_redirection_to_a_temporary_folder_names_the_scratch_folder(line: str, hint: str) -> None:
    assert hint in classify(line).reason
    assert "$TMPDIR" not in classify(line, LineContext("/ws", ("/ws",))).reason
    assert "$TMPDIR" not in classify("ls > out.txt").reason


def test_without_a_scratch_folder_the_variable_may_be_anything() -> None:
    for line in ("ls > $TMPDIR/x", "ls > /x", "ls | tee $TMPDIR/x"):
        assert classify(line, LineContext("/ws", ("/ws",))).cls in ("mutating", "unknown")


@pytest.mark.parametrize(
    ("line", "outside"),
    [
        ("cat ~/go/pkg/mod/x@v1/a.go", ()),
        ("rg foo ~/go/pkg/mod/x*", ()),
        ("ls /usr/lib/python3", ()),
        ("cat ~/.bashrc", ("/home/u/.bashrc",)),
        ("cat ~/go/pkg/mod/../../../x", ("/home/u/x",)),
        ("cat '~/go/pkg/mod/x'", ()),
        ("ls ../sib/*", ("/sib",)),
        ("ls ../sib /usr/lib/a", ("/sib",)),
        ("ls ~", ("/",)),
        ("ls ~other/go", ("/",)),
    ],
)
def test_what_lies_in_a_readable_folder_is_not_outside(line: str, outside: tuple[str, ...]) -> None:
    found = classify(line)
    assert (found.cls, found.outside, "outside" in found.traits) == ("local-read", outside, bool(outside)), line


def test_a_home_that_the_line_sets_is_not_known() -> None:
    assert classify("HOME=/ws/evil; cat ~/go/pkg/mod/x").traits >= {"outside"}
    assert classify("HOME=/ws/evil cat ~/go/pkg/mod/x").cls == "unknown"
