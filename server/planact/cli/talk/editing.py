"""The user's own editor on a file of the workspace, for as long as they like."""

import asyncio
import shlex
from collections.abc import Mapping
from pathlib import Path


async def edit(environment: Mapping[str, str], root: Path, path: str) -> str:
    """Have the user edit the file; what to tell them afterwards. The terminal is to be the editor's meanwhile."""
    editor = environment.get("VISUAL") or environment.get("EDITOR") or ""
    if not editor:
        return f"Set EDITOR to open it here. It is {path}"
    try:
        process = await asyncio.create_subprocess_exec(*shlex.split(editor), str(root / path), cwd=root)
        code = await process.wait()
    except (OSError, ValueError) as error:
        return f"! {editor} can't be started: {error}"
    return f"! {editor} ended with {code}." if code else ""
