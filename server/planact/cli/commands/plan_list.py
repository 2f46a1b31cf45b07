"""`planact plan list`: the plans of the folder."""

from planact.cli.call import Call, Command, Exit, Result, no_arguments


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import plans_text
    from planact.workflows.library import list_plans

    plans = list_plans(Engine(call, warms_up=False).ws)
    data = {"plans": [plan.model_dump(mode="json") for plan in plans]}
    if not plans:
        return Result(
            Exit.DONE, data, next_step='There are no plans in this folder. Make one: planact plan "what to do"'
        )
    return Result(Exit.DONE, data, plans_text(plans))


COMMAND = Command("plan list", "list the plans of the folder, the newest first", no_arguments, _run)
