"""What a part of planact that can't be imported lacks: one sentence, where each test module would show a traceback."""

import re
import traceback
from pathlib import Path

SERVER = Path(__file__).parents[1] / "server"


def told(error: BaseException, server: Path = SERVER) -> str:
    """The file and what to add to it, where a module below `server` raised this while it was imported; else nothing."""
    while error.__cause__ is not None:
        error = error.__cause__
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(server) and frame.name in ("<module>", "<genexpr>")
    ]
    if not frames:
        return ""
    place = f"{Path(frames[-1].filename).relative_to(server.parent)}:{frames[-1].lineno}"
    return f"planact can't be imported. {_lacks(error, place, server)} CONTRIBUTING.md says what a new part needs."


def _lacks(error: BaseException, place: str, server: Path) -> str:
    match error:
        case ModuleNotFoundError(name=str(name)) if name.startswith("planact."):
            return f"Add server/{name.replace('.', '/')}.py, or drop it from {place}."
        case ImportError(name=str(name)) if missing := re.match(r"cannot import name '(\w+)' from", str(error)):
            file = _file_of(name, server)
            part = file.removesuffix("__init__.py") + f"{missing[1]}.py" if file.endswith("__init__.py") else ""
            return f"Add {part or f'`{missing[1]}` to {file}'}, or drop it from {place}."
        case AttributeError(name=str(name), obj=module) if hasattr(module, "__path__") or hasattr(module, "__spec__"):
            return f"Add `{name}` to {_file_of(module.__name__, server)}, which {place} reads."
    return f"{place}: {type(error).__name__}: {error}."


def _file_of(module: str, server: Path) -> str:
    path = server.joinpath(*module.split("."))
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).relative_to(server.parent).as_posix()
