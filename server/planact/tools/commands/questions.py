"""Questions to the user around a command."""

from collections.abc import Collection, Iterable

from planact.base.text import visible
from planact.model.question import Option, Question
from planact.plan.syntax.code_span import fenced, path_in_text


def please_save(paths: Iterable[str], command: str) -> Question:
    """Return the request to save, for an editor that can't be told to."""
    return Question(
        name="save",
        question=f"Please save {_listed(paths)}, so that the command sees what the editor shows.",
        context=fenced(visible(command)),
        options=(
            Option(label="I saved", value="saved", variant="primary"),
            Option(label="Don't run it", value="no"),
        ),
    )


def keep_protected(command: str, paths: Iterable[str], stays: Collection[str]) -> Question:
    """Return the question whether changes of protected files may stay; those of the files `stays` couldn't be undone
    meanwhile.
    """
    warning = f" {_listed(stays)} couldn't be put back: look at {'it' if len(stays) == 1 else 'them'}." if stays else ""
    return Question(
        name="protected",
        question=f"A command changed {_listed(paths)}, which git or planact act on by themselves.{warning}"
        " Let that stand?",
        context=fenced(visible(command)),
        severity="critical",
        options=(
            Option(label="Keep it as it was", value="undo", variant="primary"),
            Option(label="Let the change stand", value="keep", variant="danger"),
        ),
    )


def _listed(paths: Iterable[str]) -> str:
    """List paths so that none can pass for words of the question."""
    return ", ".join(map(path_in_text, paths))
