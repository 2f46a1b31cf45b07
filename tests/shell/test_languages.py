"""The small languages inside command lines: what is read as harmless, and what each of them hides."""

import pytest

from tests.shell.judged import READS, classify


def allowed(line: str) -> bool:
    return classify(line).cls in READS


@pytest.mark.parametrize(
    "script",
    [
        "p",
        "10,20p",
        "$p",
        "/a/,/b/p",
        "1~2p",
        "5q",
        "/x/!d",
        "s/a/b/g",
        "s|/usr|/opt|2",
        "s/a\\/b/c/",
        "y/abc/xyz/",
        "/x/{p;q}",
        "/x/{s/a/b/;p}",
        "N;P;D",
        ":a;s/x/y/;ta",
        "a text; w out",
        "i\\\ntext",
        "# w out",
        "s/w out/e/",
        "\\,a,p",
        "1!G;h;$!d",
    ],
)
def test_scripts_of_sed_that_only_print(script: str) -> None:
    assert allowed(f"sed -n '{script}' f")


@pytest.mark.parametrize(
    "script",
    [
        "w out",
        "1w out",
        "/x/w out",
        "$!w out",
        "p;w out",
        "p\nw out",
        "{w out\n}",
        "/x/{p;w out\n}",
        "s/a/b/w out",
        "s/a/b/gw out",
        "s/a/b/e",
        "s/a/b/ge",
        "s,a,b,e",
        "e",
        "1e touch x",
        "W out",
        "r f",
        "R f",
        "i\\\ntext\nw out",
        "a\\\ntext\\\nmore\nw out",
        ":a;w out",
        "ba;w out",
        "y/a/b/;w out",
        "s/\n/x/",
        "s/a",
        "v",
        "# x\nw out",
        "}w out",
        "5q;w out",
        "l 1;w out",
    ],
)
def test_scripts_of_sed_that_do_more(script: str) -> None:
    assert not allowed(f"sed -n '{script}' f")


@pytest.mark.parametrize(
    "program",
    [
        "{print $1}",
        "NR==10",
        "/foo|bar/",
        '/a"b/ {print}',
        "$3 > 100",
        "{print ($1 > 2)}",
        '{printf "%s\\n", $1}',
        '{if ($1 > 2) print "big"; else print}',
        "{s += $1} END {print s / NR}",
        '{split($0, a, /[,"]/); print a[1]}',
        '{gsub(/"/, ""); print}',
        "!seen[$0]++",
        "BEGIN {while (i < 3) print i++}",
        "{x = $1 > 2; print x}",
        '{print "a > b"}',
        "/system/",
        '{print $1 | "sort -rn"}',
        "{a[$1]++} END {for (k in a) print k, a[k]}",
        "# print > f\n{print}",
    ],
)
def test_programs_of_awk_that_only_print(program: str) -> None:
    assert allowed(f"awk '{program}' f")


@pytest.mark.parametrize(
    "program",
    [
        '{print > "f"}',
        '{print >> "f"}',
        "{print $1 > $2}",
        '{print a, b > "f"}',
        '{print a,\nb > "f"}',
        '{print (1) > "f"}',
        '{printf("x") > "f"}',
        '{if (1) print "x" > "f"}',
        '{print /x/ > "f"}',
        '{print "a" "b" > "f"}',
        '{print 1 / 2 > "f"}',
        '{print | "sh"}',
        '{print | "sort" " ; sh"}',
        '{print | "sort -o f"}',
        '{print |& "sh"}',
        '{system("x")}',
        '{system ("x")}',
        '{"x" | getline}',
        '{getline < "f"}',
        '{f = "system"; @f("x")}',
        '@load "x"; {print}',
        '@include "x"; {print}',
        '{print (x) /"/; print > "f" #"/ }',
        '{print length /"/; print > "f" #"/ }',
        '{print "unterminated}',
        "{print `x`}",
    ],
)
def test_programs_of_awk_that_do_more(program: str) -> None:
    assert not allowed(f"awk '{program}' f")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (". -name x", True),
        ("-L src -type f", True),
        (". '(' -name a -o -name b ')' -print0", True),
        (r". \! -path './x/*' -prune", True),
        (". -name x -exec cat {} ';' -exec wc -l {} +", True),
        (". -name *.py", False),
        (". -name '*.py'", True),
        (". -newerXY x", False),
        (". -exec cat", False),
        (". -ok cat {} ';'", False),
        (". -fprintf f x", False),
        (". -exec {} ';'", False),
        (". -exec sh -c x ';'", False),
        (". -exec grep x {} ';' -delete", False),
        ("-files0-from f", False),
        ("$x", False),
        ("./$x -print", False),
        ('"./$x" -print', True),
    ],
)
def test_expressions_of_find(arguments: str, expected: bool) -> None:
    assert allowed(f"find {arguments}") == expected


@pytest.mark.parametrize(
    "line",
    [
        "echo x | zsh -V",
        "echo x | zsh -version",
        "echo x | bash -version",
        "echo x | ipython --version",
        "tmux -version",
        "gzip -v f",
        "bzip2 f",
        "bzip2 --test --decompress f",
        "zstd -l -d f",
        "git describe --dirty",
        "git reflog drop x",
        "brew cleanup",
        "pulumi config set a b",
        "terraform providers lock",
        "ptx -G a b",
        "less '-px$oout' f",
        'gh -R "$(cat f)" pr list',
        "gh api -H 'X-HTTP-Method-Override: DELETE' repos/o/r",
        "uv pip list --python ./x",
        "read 'a[$(x)]'",
        "xargs awk",
        "xargs env",
        "xargs xargs",
        "xargs find",
        "xargs git show",
    ],
)
def test_what_hides_in_calls_that_look_harmless(line: str) -> None:
    assert not allowed(line)


@pytest.mark.parametrize("program", ["sqlite3 -version", "sqlite3 --version", "tar --version"])
def test_an_option_that_tells_the_version_lets_nothing_else_in(program: str) -> None:
    assert allowed(program)
    assert not allowed(f"{program} a.db 'insert into t values (1)'")


@pytest.mark.parametrize(
    ("line", "cls"),
    [
        ("git apply --check x.patch", "local-read"),
        ("git apply --stat --summary -p1 x.patch", "local-read"),
        ("git apply --check --index x.patch", "local-read"),
        ("patch -p1 --dry-run < x.patch", "unknown"),
        ("patch --dry-run -i x.patch", "unknown"),
        *((f"git apply{options} x.patch", "mutating") for options in ("", " --stat --apply", " --3way", " -R")),
        *(
            (f"git apply --check {option} x.patch", "mutating")
            for option in ("--build-fake-ancestor=f", "--3way", "-3", "--reject", "--unsafe-paths")
        ),
        *((f"patch{options} < x.patch", "mutating") for options in ("", " -p1", " --dry-run -o new", " -r no")),
    ],
)
def test_a_patch_is_a_change_unless_it_is_only_tried(line: str, cls: str) -> None:
    assert classify(line).cls == cls
