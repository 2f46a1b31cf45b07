"""The git commands of the table are git's own: for any other name, git runs the repository's alias of that name."""

import subprocess

from planact.shell.catalogue import CATALOGUE


def test_each_git_command_is_built_in() -> None:
    listed = subprocess.run(["git", "--list-cmds=main"], capture_output=True, text=True, check=True).stdout.split()
    rows = (row for row in CATALOGUE.commands.values() if row.name.startswith("git ") and row.cls != "mutating")
    named = {row.name.split()[1] for row in rows}
    unknown = sorted(name for name in named - set(listed) if not name.startswith("-"))
    assert not unknown, f"not git's own, so a repository may define them: {', '.join(unknown)}"
