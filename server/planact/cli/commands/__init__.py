"""Words of the command line, one module for each noun: a word's arguments, handler and result stand together.

Each module lists its words in `COMMANDS`; here stands their order, which is that of `planact --help`. A handler imports
what it needs itself: `--help` loads no engine.
"""

from planact.cli.command import CliCommand
from planact.cli.commands import (
    chat,
    completion,
    demo,
    doctor,
    events,
    executions,
    plans,
    policy,
    questions,
    rules,
    sessions,
    templates,
    trust,
)

COMMANDS: tuple[CliCommand, ...] = (
    *chat.COMMANDS,
    *plans.COMMANDS,
    *templates.COMMANDS,
    *executions.COMMANDS,
    *sessions.COMMANDS,
    *questions.COMMANDS,
    *rules.COMMANDS,
    *trust.COMMANDS,
    *events.COMMANDS,
    *policy.COMMANDS,
    *doctor.COMMANDS,
    *demo.COMMANDS,
    *completion.COMMANDS,
)
