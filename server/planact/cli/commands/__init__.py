"""Words of the command line, one module each, each with a `COMMAND` that is named here."""

from planact.cli.call import Command
from planact.cli.commands import (
    act,
    answer,
    chat,
    demo,
    doctor,
    events,
    metrics,
    plan,
    plan_delete,
    plan_list,
    plan_show,
    planandact,
    policy_intent,
    questions,
    sessions,
    trust,
)

COMMANDS: tuple[Command, ...] = (
    chat.COMMAND,
    plan.COMMAND,
    plan_list.COMMAND,
    plan_show.COMMAND,
    plan_delete.COMMAND,
    act.COMMAND,
    planandact.COMMAND,
    sessions.COMMAND,
    questions.COMMAND,
    answer.COMMAND,
    trust.COMMAND,
    events.COMMAND,
    metrics.COMMAND,
    policy_intent.COMMAND,
    doctor.COMMAND,
    demo.COMMAND,
)
