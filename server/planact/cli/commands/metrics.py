"""`planact metrics`: what the events of the folder add up to."""

from planact.cli.call import Call, Command, Exit, Result, no_arguments


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import metrics_text
    from planact.workflows.measure import measure

    metrics = measure(Engine(call, warms_up=False).ws)
    return Result(Exit.DONE, metrics.model_dump(mode="json"), metrics_text(metrics))


COMMAND = Command("metrics", "add up refusals, questions, cost and time", no_arguments, _run)
