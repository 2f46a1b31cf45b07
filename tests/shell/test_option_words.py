"""Words that a program could take for options, though by the tables they are values or arguments."""

import pytest

from tests.shell.judged import classify


@pytest.mark.parametrize(
    "line",
    [
        "git log --unified --output=x",
        "git diff -U --output=x",
        "objdump -t --plugin=./x a.o",
        "nm -f -- --plugin=./x a.o",
        "journalctl -n --vacuum-time=1s",
        'git log --author "$NAME"',
        "sort -- *",
        "git clean -n -e -f",
    ],
)
def test_a_word_that_another_version_of_the_program_takes_for_an_option_is_no_value(line: str) -> None:
    assert classify(line).cls == "unknown"


@pytest.mark.parametrize(
    "line",
    ["grep -e --output a", "grep -- -x a", "head -n -5 a", "git log -n 3 -- src", "cut -d - -f 1 a", "cat -- -x"],
)
def test_where_no_word_does_harm_each_is_taken_as_it_is(line: str) -> None:
    assert classify(line).cls == "local-read"


@pytest.mark.parametrize("line", ["pip check --local", "pip check --local -q", "pip3 check -q --local=log"])
def test_an_option_that_is_short_for_one_that_writes_is_none_of_a_reader(line: str) -> None:
    """`--local` is one of other calls of pip; of this one it is the beginning of `--local-log`."""
    assert classify(line).cls == "unknown"


@pytest.mark.parametrize(
    "line",
    [
        "nm @args",
        "nm '@args' a.o",
        "nm -- @args",
        "nm -t @args a.o",
        "objdump -d @args",
        "size @args",
        "readelf -a @args",
        "c++filt @args",
        "addr2line -e a.o @args",
        "strings @args",
        "javap @args",
        "jar @args",
        "jar tf a.jar @args",
        "7z l @args",
        "otool -L @args",
        "ruff rule @args",
        "find @args -type f -exec nm {} +",
        r"find . @args -exec objdump -t {} \;",
        r"find '+!id' -exec less {} \;",
    ],
)
def test_a_file_whose_words_the_program_takes_for_its_own_is_not_read_unseen(line: str) -> None:
    """`nm` loads a plugin that such a file names, and each reads the files that it names."""
    assert classify(line).cls == "unknown"


@pytest.mark.parametrize(
    "line",
    ["nm ./@args a@b.o", "find ./@args src -exec nm {} +", "find @args -execdir nm {} +", "find _a .b -exec nm {} +"],
)
def test_a_file_with_an_at_in_its_name_can_be_named(line: str) -> None:
    assert classify(line).cls == "local-read"
