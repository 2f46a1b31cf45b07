"""In Neovim, too, what the user types into the file that the agent edits stays, and the model is told of it."""

from pathlib import Path

from tests.editors.test_neovim import WORDS, run_scenario

TYPING = WORDS["typing"]


def test_what_the_user_types_before_and_while_a_file_is_edited_stays(
    workspace: Path, environment: dict[str, str]
) -> None:
    (workspace / "request.plan").write_text(TYPING["request"], "utf-8")
    (workspace / TYPING["file"]).write_text(TYPING["text"], "utf-8")
    run_scenario("typing.lua", workspace, environment)
