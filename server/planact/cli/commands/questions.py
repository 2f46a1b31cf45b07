"""`planact questions`: what waits for an answer."""

from planact.cli.call import Call, Command, Exit, Result, no_arguments


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import question_data, question_text

    asked = Engine(call, warms_up=False).ws.desk.open()
    data = {"questions": [question_data(question) for question in asked]}
    if not asked:
        return Result(Exit.DONE, data, next_step="No question waits for an answer.")
    return Result(Exit.DONE, data, "\n".join(map(question_text, asked)), "Answer with: planact answer ID VALUE")


COMMAND = Command("questions", "list the questions that wait for an answer", no_arguments, _run)
