"""pydantic's models, built once for all forks of a process, which saves each one a tenth of a second of the processor.

That a process builds them at their first use is tested by the command itself (`tests.cli.program.Program.start`).
"""

from pydantic import BaseModel

from planact.tools.registry import TOOLS


def build_models() -> None:
    """Build the models of all modules that are loaded, and the schemas of the tools."""
    waiting = [BaseModel]
    while waiting:
        for model in waiting.pop().__subclasses__():
            waiting.append(model)
            if model.__module__.startswith("planact."):
                model.model_rebuild()
    for tool in TOOLS:
        tool.schema()
