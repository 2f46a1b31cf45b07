"""`planact completion SHELL`, with people who press Tab in real shells."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.terminal import Terminal, start_at

BIN = Path(__file__).parents[2] / ".venv/bin"
SHELLS = {
    "bash": (("bash", "--norc", "--noprofile", "-i"), 'eval "$(planact completion bash)"'),
    "zsh": (("zsh", "-f", "-i"), 'autoload -U compinit && compinit -u -D && eval "$(planact completion zsh)"'),
    "fish": (("fish", "--no-config", "-i"), "planact completion fish | source"),
}


class Shell(Program):
    """A shell instead of planact's own program, in which `planact` is on PATH."""

    def start_at(self, terminal: int, *words: str) -> "subprocess.Popen[str]":
        environment = {**os.environ, "HOME": str(self.home), "TERM": "xterm", "PS1": "$ "}
        environment["PATH"] = os.pathsep.join((str(BIN), environment["PATH"]))
        environment.pop("XDG_STATE_HOME", None)
        return start_at(terminal, words, self.folder, environment)


@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_completes_commands_options_and_plans(planact: Program, name: str) -> None:
    words, setup = SHELLS[name]
    plan_id = planact.run("plan", "--json", "Greet again").json["plan"]["id"]
    shell = Terminal(Shell(planact.folder, planact.home), *words, size=(40, 200))
    try:
        shell.types(f"{setup}; echo rea''dy\n")
        shell.until("ready")
        for typed, completed in (
            ("planact execu\t", "tions"),
            ("planact plan sh\t", "ow"),
            ("planact act --plan-i\t", "d"),
            ("planact plan show plan_\t", plan_id.removeprefix("plan_")),
        ):
            shell.types(typed)
            shell.until(completed)
            shell.types("\x15")  # Ctrl+U empties the line
    finally:
        shell.close()


def test_a_shell_that_planact_does_not_know_is_named(planact: Program) -> None:
    ran = planact.run("completion", "tcsh")
    assert ran.code == 2
    assert "tcsh" in ran.err
    assert "bash" in ran.err
