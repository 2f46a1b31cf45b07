"""Folders of git and planact are known however a disk that forgives spellings takes them."""

from pathlib import PurePosixPath

import pytest

from planact.policy.protected import is_git_internal, is_planact_internal

SPELLINGS = ("{}", "{} .", "{}::$INDEX_ALLOCATION", *(f".{chr(code)}{{}}" for code in (0x200C, 0x202A, 0x206F, 0xFEFF)))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_disguised_names_are_known(spelling: str) -> None:
    def disguised(name: str) -> PurePosixPath:
        text = spelling.format(name[1:] if spelling.startswith(".") else name)
        return PurePosixPath("sub", text, "x")

    assert is_git_internal(disguised(".Git"))
    assert is_planact_internal(disguised(".planact"))
    assert not is_git_internal(disguised(".github"))
