"""`planact answer ID`: answer an open question with a value, with values by name, or at the terminal; or decline it."""

import argparse

from planact.base.errors import InvalidInput
from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="ID", help="id of the question")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("value", metavar="VALUE", nargs="?", help="the answer: a choice by label or value, JSON, or text")
    how.add_argument("--value", dest="values", metavar="NAME=VALUE", action="append", help="the same, by name")
    how.add_argument("--decline", action="store_true", help="say that you won't answer")
    parser.add_argument(
        "--reject", metavar="PATH", action="append", default=[], help="of the files that would change, leave this one"
    )
    parser.add_argument("--comment", metavar="TEXT", default="", help="what the agent hears of it")


def _run(call: Call) -> Result:
    options = call.options
    for pair in options.values or ():
        if "=" not in pair:
            raise InvalidInput("INVALID_ARGUMENTS", f"{pair!r} is not NAME=VALUE", "See: planact answer --help")
    from planact.cli.engine import Engine
    from planact.cli.trips import answer, ask_again, decline

    is_alone = options.value is None and not options.values
    if is_alone and (options.reject or options.comment):
        message = "--reject and --comment go with an answer"
        raise InvalidInput("INVALID_ARGUMENTS", message, 'Such as: planact answer ID "Allow once" --reject src/app.py')
    engine = Engine(call, warms_up=False)
    asked = engine.ws.ports.questions.get(options.question)
    if options.decline:
        return decline(engine, asked)
    if options.values:
        values = dict(pair.split("=", 1) for pair in options.values)
        return answer(engine, asked, values, options.reject, options.comment)
    if options.value is not None:
        return answer(engine, asked, {asked.questions[0].name: options.value}, options.reject, options.comment)
    return ask_again(engine, asked)


COMMAND = Command("answer", "answer a question", _add_arguments, _run)
