"""`planact questions` and `planact answer`: list open questions, and answer or decline one."""

import argparse

from planact.base.errors import InvalidInput
from planact.cli.arguments import full_id
from planact.cli.command import CliCommand, Exit, Invocation, Result, no_arguments

# --- questions


def _list(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import question_data, question_text

    asked = Engine(invocation, warms_up=False).ws.questions.open()
    data = {"questions": [question_data(question) for question in asked]}
    if not asked:
        return Result(Exit.DONE, data, next_step="No question waits for an answer.")
    return Result(Exit.DONE, data, "\n".join(map(question_text, asked)), "Answer with: planact answer ID VALUE")


# --- answer


def _add_answer_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="ID", help="id of the question")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "value", metavar="VALUE", nargs="?", help="the answer: a choice by number, label or value, JSON, or text"
    )
    how.add_argument("--value", dest="values", metavar="NAME=VALUE", action="append", help="the same, by name")
    how.add_argument("--decline", action="store_true", help="say that you won't answer")
    parser.add_argument(
        "--reject", metavar="PATH", action="append", default=[], help="of the files that would change, leave this one"
    )
    parser.add_argument("--comment", metavar="TEXT", default="", help="what the agent hears of it")


def _answer(invocation: Invocation) -> Result:
    """Answer a question by a value or by values with names, decline it, or else ask it at the terminal."""
    options = invocation.options
    for pair in options.values or ():
        if "=" not in pair:
            raise InvalidInput("INVALID_ARGUMENTS", f"{pair!r} is not NAME=VALUE", "See: planact answer --help")
    from planact.cli.engine import Engine
    from planact.cli.results import answer_result, run_action
    from planact.model.answer import value_of
    from planact.workflows.chat.go_on import apply_answer

    is_alone = options.value is None and not options.values
    if is_alone and (options.reject or options.comment):
        message = "--reject and --comment go with an answer"
        raise InvalidInput("INVALID_ARGUMENTS", message, 'Such as: planact answer ID "Allow once" --reject src/app.py')
    engine = Engine(invocation, warms_up=False)
    questions = engine.ws.ports.questions
    asked = questions.get(full_id(options.question, [each.id for each in questions.open()]))
    if options.decline:
        return answer_result(engine, engine.ws.questions.decline(asked.id))
    if not is_alone:
        by_name = {question.name: question for question in asked.questions}
        pairs = [pair.split("=", 1) for pair in options.values or ()] or [(asked.questions[0].name, options.value)]
        answers = {
            name: value_of(by_name[name], text, is_numbered=True) if name in by_name else text
            for name, text in dict(pairs).items()
        }
        given = engine.ws.questions.answer(asked.id, answers, rejected=options.reject, comment=options.comment)
        engine.do(apply_answer(engine.ws, given))
        return answer_result(engine, given)

    async def ask_again() -> Result:
        given = await engine.ws.questions.show_again(asked)
        await apply_answer(engine.ws, given)
        return answer_result(engine, given)

    return run_action(engine, asked.session_id, ask_again)


COMMANDS = (
    CliCommand("questions", "list the questions that wait for an answer", no_arguments, _list),
    CliCommand("answer", "answer a question", _add_answer_arguments, _answer),
)
