"""Questions to the user around a command."""

from planact.model.question import Option, Question


def please_save(names: str, command: str) -> Question:
    """Return the request to save, for an editor that can't be told to."""
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
    """Return the question whether changes of protected files may stay."""
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
