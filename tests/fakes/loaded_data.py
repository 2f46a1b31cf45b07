"""What a process makes of planact's own data at its first use, made once for all forks of a process, which saves them
a part of their processor time: models of pydantic, schemas of tools, roles, and what jails hide of the system's
folders, which no test changes.

That a process makes it at its first use is tested by the command itself (`tests.cli.program.Program.start`).
"""

import os
from pathlib import Path

from pydantic import BaseModel

from planact.adapters.sandbox.limits import find_credentials
from planact.adapters.sandbox.limits.public_files import ADMINISTERED
from planact.policy.roles import BUILT_IN, built_in_role
from planact.tools.registry import TOOLS
from planact.workflows.sessions.surroundings import _table


def load_data() -> None:
    """Build the models of all modules that are loaded, and read roles and tables."""
    waiting = [BaseModel]
    while waiting:
        for model in waiting.pop().__subclasses__():
            waiting.append(model)
            if model.__module__.startswith("planact."):
                model.model_rebuild()
    for tool in TOOLS:
        tool.schema()
    for role in BUILT_IN:
        built_in_role(role)
    _table()
    look_at_system()


def look_at_system() -> None:
    """Find what jails hide of the system's folders, once for all finders of this process and its forks."""
    find_credentials._SYSTEM_SECONDS = 24 * 3_600
    folders = map(Path, map(os.path.realpath, ADMINISTERED))
    find_credentials.CredentialFinder().find(filter(Path.is_dir, folders))
