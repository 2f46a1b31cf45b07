"""`planact template list`: the templates there are, planact's and the workspace's own."""

from planact.cli.call import Call, Command, Exit, Result, no_arguments


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import template_data, templates_text
    from planact.workflows.templates import list_templates

    known, problems = list_templates(Engine(call, warms_up=False).ws)
    data = {"templates": [template_data(each) for each in known], "problems": [str(each) for each in problems]}
    next_step = "\n".join([*map(str, problems), "To use one: planact template use NAME"])
    return Result(Exit.DONE, data, templates_text(known), next_step)


COMMAND = Command("template list", "list the templates", no_arguments, _run)
