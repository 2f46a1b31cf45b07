"""`planact doctor` and `planact state delete`: check, repair, measure and delete the state that planact keeps."""

import argparse

from planact.cli.arguments import add_confirmation
from planact.cli.command import CliCommand, Exit, Invocation, Result

# --- doctor


def _add_doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", action="store_true", help="say how much planact keeps, by workspace and kind")
    parser.add_argument("--repair", action="store_true", help="put right what is amiss in planact's own files")


def _doctor(invocation: Invocation) -> Result:
    if invocation.options.size:
        from planact.app.state import state_home, state_of_all
        from planact.cli.output.storage_usage import storage_data, storage_text

        held, home = state_of_all(), str(state_home())
        return Result(Exit.DONE, storage_data(held, home), storage_text(held, home))
    from planact.cli.doctor import run_doctor

    return run_doctor(invocation, is_repairing=invocation.options.repair)


# --- state delete


def _add_delete_arguments(parser: argparse.ArgumentParser) -> None:
    add_confirmation(parser, "delete it without a question")


def _delete_state(invocation: Invocation) -> Result:
    """Delete planact's state of all workspaces: print what goes and what stays, ask, then delete.

    Raises:
        Conflict: BUSY.
        StorageFailure: STORAGE_UNWRITABLE.
    """
    from planact.app.state import remove_state, state_home, state_of_all
    from planact.cli.output.prompt import is_interactive
    from planact.cli.output.storage_usage import STAYS, deletion_text, storage_data

    held, home = state_of_all(), str(state_home())
    data = {**storage_data(held, home), "stays": list(STAYS)}
    if not held:
        return Result(Exit.FAILED, {**data, "deleted": False}, "There is nothing to delete: planact keeps nothing.")
    overview = deletion_text(held, home)
    if not invocation.options.yes and not _is_deletion_confirmed(invocation, overview):
        next_step = "Nothing was deleted. To delete it: planact state delete --yes"
        return Result(Exit.FAILED, {**data, "deleted": False}, overview, next_step, is_seen=is_interactive())
    remove_state(held)
    text = f"{overview}\n\nDeleted. Servers that run in editors begin anew."
    return Result(Exit.DONE, {**data, "deleted": True}, text)


def _is_deletion_confirmed(invocation: Invocation, overview: str) -> bool:
    from planact.cli.engine import Engine
    from planact.cli.output.prompt import ask, is_interactive
    from planact.model.question import Answered, Option, Question, QuestionSet
    from planact.workflows.history.review_edits import edit_difference

    if not is_interactive():
        return False
    engine = Engine(invocation, warms_up=False)
    engine.screen.line(overview)
    options = (Option(label="Keep it", value=False), Option(label="Delete it", value=True, variant="danger"))
    question = Question(question="Delete all of it? It can't be brought back.", options=options)
    asked = QuestionSet(id="state", session_id="", questions=(question,), created_at="", purpose="confirm")
    answer = engine.do(ask(engine.screen, asked, "", lambda edit: edit_difference(engine.ws, edit)))
    return isinstance(answer, Answered) and answer.answers[question.name] is True


COMMANDS = (
    CliCommand("doctor", "say what is found on this machine, and the next step", _add_doctor_arguments, _doctor),
    CliCommand(
        "state delete",
        "delete all that planact keeps, of every workspace, but no plan",
        _add_delete_arguments,
        _delete_state,
    ),
)
