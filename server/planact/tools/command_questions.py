"""What the user is asked around a command that they have let run."""

from planact.model.question import Option, Question


def please_save(names: str, command: str) -> Question:
    """The question for an editor that can't be told to save."""
    return Question(
        name="save",
        question=f"Please save {names}, so that the command sees what the editor shows.",
        context=f"`{command}`",
        options=(
            Option(label="I saved", value="saved", variant="primary"),
            Option(label="Don't run it", value="no"),
        ),
    )


def keep_protected(command: str, names: str) -> Question:
    """The question about what a command did to files that git and planact act on."""
    return Question(
        name="protected",
        question=f"A command changed {names}, which git or planact act on by themselves. Let that stand?",
        context=f"`{command}`",
        severity="critical",
        options=(
            Option(label="Keep it as it was", value="undo", variant="primary"),
            Option(label="Let the change stand", value="keep", variant="danger"),
        ),
    )
