"""Names by an editor that passes questions on to its language servers; what it proposes is checked and judged."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.planact_client import EXTRAS, PlanactClient, call, calls, full, planact_client, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")

STORE = "x = '🌍'; load = 1\n"
APP = "from store import load\nprint(load)\n"
NAMED = {"path": "store.py", "line": 1, "name": "load"}


def edit(line: int, start: int, end: int, text: str = "fetch") -> Mapping[str, Any]:
    place = {"start_line": line, "start_character": start, "end_line": line, "end_character": end}
    return {**place, "new_text": text}


def write_workspace(root: Path) -> None:
    root.mkdir(exist_ok=True)
    (root / "store.py").write_text(STORE)
    (root / "app.py").write_text(APP)


async def told(root: Path, answers: Mapping[str, Any], *wanted: Mapping[str, Any]) -> list[str]:
    """The results of these calls, in an editor with these answers and `store.py` open."""
    write_workspace(root)
    extras = {**EXTRAS, "references": True, "symbols": True}
    async with planact_client(root, full(extras=extras), settings={"approval": "acceptAll"}) as client:
        register(client, answers)
        client.show("store.py")
        client.script(scene("go", *(calls(each) for each in wanted), say("Done."), mode="act"))
        await client.do("newSession", mode="act")
        await client.do("sendMessage", text="go")
        found = [message.content for message in client.heard(messages.MESSAGE) if message.role == "tool"]
        (root / "shown").write_text(client.text("store.py"))
    return found


def register(client: PlanactClient, answers: Mapping[str, Any]) -> None:
    def add(method: str, answer: Any) -> None:
        async def reply(params: Any) -> Any:
            return answer(params) if callable(answer) else answer

        client.feature(method)(reply)

    for method, answer in answers.items():
        add(method, answer)


def proposed(root: Path, version: int = 1, **more: Any) -> Mapping[str, Any]:
    store = {"uri": (root / "store.py").as_uri(), "version": version, "edits": [edit(0, 10, 14)]}
    app = {"uri": (root / "app.py").as_uri(), "edits": [edit(0, 18, 22), edit(1, 6, 10)]}
    return {"documents": [store, app], **more}


async def test_uses_definitions_and_renames_come_from_the_editor(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    asked: list[Any] = []

    def renames(params: Any) -> Any:
        asked.append(params)
        return proposed(root)

    uses = [{"uri": (root / "app.py").as_uri(), "line": 1}, {"uri": "file:///etc/x.py", "line": 3}]
    found, defined, renamed = await told(
        root,
        {
            "planact/references": {"references": [*uses, {"uri": "untitled:x", "line": 0}]},
            "planact/definitions": {"references": [{"uri": (root / "store.py").as_uri(), "line": 0}]},
            "planact/renameEdits": renames,
        },
        call("find_references", **NAMED),
        call("find_definition", path="app.py", line=2, name="load"),
        call("rename_symbol", **NAMED, new_name="fetch"),
    )
    whose = "by the editor's language server"
    assert found.splitlines() == [
        f"load: 1 place where it is used or defined, {whose}",
        "app.py:2: print(load)",
        "outside the workspace, not read: /etc/x.py:4",
    ]
    assert defined.splitlines() == [f"load: 1 place where it is defined, {whose}", "store.py:1: x = '🌍'; load = 1"]
    assert renamed.startswith(f"renamed load to fetch in 3 places in 2 files, {whose}: store.py (1), app.py (2)")
    assert (root / "shown").read_text() == STORE.replace("load", "fetch")
    assert (root / "app.py").read_text() == APP.replace("load", "fetch")
    [about] = asked
    assert (about["line"], about["name"], about["occurrence"], about["new_name"]) == (0, "load", 0, "fetch")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"version": 7}, "has changed meanwhile"),
        ({"problem": "You cannot rename this element."}, "You cannot rename this element."),
    ],
)
async def test_what_an_editor_proposes_is_checked(tmp_path: Path, more: Mapping[str, Any], words: str) -> None:
    root = tmp_path / "ws"
    answers = {"planact/renameEdits": proposed(root, **more)}
    [refused] = await told(root, answers, call("rename_symbol", **NAMED, new_name="fetch"))
    assert "EDIT_REFUSED" in refused
    assert words in refused
    assert (root / "app.py").read_text() == APP
    assert (root / "store.py").read_text() == STORE


async def test_quick_fixes_come_from_the_editor_and_are_made_by_title(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    fix = {"documents": [{"uri": (root / "app.py").as_uri(), "edits": [edit(1, 0, 11, "")]}]}
    outside = {"documents": [{"uri": "file:///etc/hosts", "edits": [edit(0, 0, 0)]}]}
    actions = {"actions": [{"title": "Remove it", "edits": fix}, {"title": "Harm", "edits": outside}]}
    line = {"path": "app.py", "line": 2}
    listed, refused, made = await told(
        root,
        {"planact/codeActions": actions},
        call("code_action", **line),
        call("code_action", **line, title="Harm"),
        call("code_action", **line, title="Remove it"),
    )
    assert listed == "For line 2 of app.py there are:\n- Remove it\n- Harm"
    assert "PATH_OUTSIDE_WORKSPACE" in refused
    assert made.startswith("Remove it: 1 place in 1 file, by the editor's language server: app.py (1)")
    assert (root / "app.py").read_text() == "from store import load\n\n"


async def test_an_editor_without_a_server_for_the_file_leaves_it_to_the_texts(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    answers = {"planact/references": {"references": []}, "planact/renameEdits": {}, "planact/codeActions": {"x": 1}}
    found, renamed, fixed = await told(
        root,
        answers,
        call("find_references", **NAMED),
        call("rename_symbol", **NAMED, new_name="fetch"),
        call("code_action", path="store.py", line=1),
    )
    assert found.startswith("load: 3 places by text, may miss: no language server here knows the names in store.py")
    assert "LANGUAGE_SERVER_UNUSABLE" in renamed
    assert "LANGUAGE_SERVER_UNUSABLE" in fixed
