"""The editor port on whole files: renamed, deleted, created and saved, open or not."""

import asyncio
import functools
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.model.runs.execution import FileChange
from tests.lsp.editor_client import BROKEN, Applied, Edit, EditorClient, capable, editor_client, failure, replace

pytestmark = pytest.mark.asyncio(loop_scope="module")


def names(root: Path) -> list[str]:
    return sorted(path.name for path in root.glob("*.txt"))


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"kind": "delete", "path": "a.txt"}, "EDIT_REFUSED"),
        ({"kind": "rename", "path": "a.txt", "target": "d.txt"}, "EDIT_REFUSED"),
        ({"kind": "rename", "path": "b.txt", "target": "a.txt"}, "FILE_EXISTS"),
        ({"kind": "create", "path": "new.txt", "text": "x"}, "FILE_EXISTS"),
    ],
)
async def test_a_file_with_unsaved_text_is_neither_moved_nor_deleted_nor_created_over(
    client: EditorClient, root: Path, step: dict[str, Any], code: str
) -> None:
    client.show("a.txt", "unsaved")
    client.show("new.txt", "unsaved")
    found, _, hint = await failure(client.run("probe.apply", steps=[step]))
    assert (found, hint) == (code, "Save and close it in the editor, then try again.")
    assert names(root) == ["a.txt", "b.txt", "c.txt"]


async def test_an_open_saved_file_is_renamed_by_the_editor_and_deleted_on_disk(
    client: EditorClient, root: Path
) -> None:
    client.show("a.txt")
    client.show("b.txt")
    steps = [{"kind": "rename", "path": "a.txt", "target": "d.txt"}, {"kind": "delete", "path": "b.txt"}]
    changed = await client.run("probe.apply", steps=steps)
    assert client.texts.keys() == {client.uri("d.txt"), client.uri("b.txt")}
    assert names(root) == ["c.txt", "d.txt"]
    assert list(map(FileChange.model_validate, changed[:2])) == [
        FileChange(path="a.txt", before=sha("one\ntwo\n")),
        FileChange(path="d.txt", after=sha("one\ntwo\n")),
    ]


async def test_a_rename_that_did_not_happen_is_a_refusal(client: EditorClient, root: Path) -> None:
    async def lie(_: Edit) -> Applied:
        return Applied(applied=True)

    client.show("a.txt")
    client.on_edit = lie
    step = {"kind": "rename", "path": "a.txt", "target": "d.txt"}
    code, message, _ = await failure(client.run("probe.apply", steps=[step]))
    assert code == "EDIT_REFUSED"
    assert "did not rename a.txt" in message


async def test_without_resource_operations_an_open_file_stays_where_it_is(root: Path) -> None:
    plain = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(apply_edit=True))
    async with editor_client(root, plain) as client:
        client.show("a.txt")
        rename = {"kind": "rename", "path": "a.txt", "target": "d.txt"}
        assert (await failure(client.run("probe.apply", steps=[rename])))[0] == "EDIT_REFUSED"
        await client.run("probe.apply", steps=[{"kind": "rename", "path": "b.txt", "target": "d.txt"}])
        assert (root / "d.txt").read_text() == "bee\n"


async def test_when_the_disk_fails_a_rename_is_taken_back(client: EditorClient, root: Path) -> None:
    client.show("a.txt")
    await client.run("probe.look", paths=["b.txt"])
    (root / "b.txt").write_text("changed")
    steps = [{"kind": "rename", "path": "a.txt", "target": "d.txt"}, replace("b.txt", 0, 1, "x")]
    assert (await failure(client.run("probe.apply", steps=steps)))[0] == "EDIT_CONFLICT"
    assert names(root) == ["a.txt", "b.txt", "c.txt"]


# --- saving


async def test_a_client_that_saves_is_asked_for_what_differs_from_the_disk(root: Path) -> None:
    async with editor_client(root, capable(experimental={"planact": {"save": True}})) as client:
        uri = client.show("a.txt", "new")
        client.show("b.txt")
        assert await client.run("probe.save", paths=["a.txt", "b.txt", "c.txt"]) == []
        assert client.saves == [[uri]]
        assert (root / "a.txt").read_text() == "new"


NO = {"line": 2, "severity": "error", "message": "no", "source": "ruff", "code": "E1"}
NOT_YET = "its language servers have said nothing of the present text yet"


def told(root: Path, *files: tuple[str, str, list[Any]]) -> dict[str, Any]:
    """The answer of a client on files: path, state and diagnostics."""
    return {
        "files": [{"uri": (root / path).as_uri(), "state": each, "diagnostics": found} for path, each, found in files]
    }


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        ("a.txt", [("a.txt", "known", [NO]), ("b.txt", "known", [NO])], [("a.txt", 3, "error", "no", "ruff", "E1")]),
        (".", [("../x.txt", "known", [NO]), ("b.txt", "known", [NO, {**NO, "source": "", "code": ""}])],
         [("b.txt", 3, "error", "no", "ruff", "E1"), ("b.txt", 3, "error", "no", "", "")]),
        (".", [], []),
        (".", [("a.txt", "known", [{**NO, "severity": "odd"}])], None),
        (".", [("a.txt", "odd", [])], None),
        (".", "nonsense", None),
    ],
)  # fmt: skip
async def test_a_client_that_tells_its_diagnostics_is_believed_about_the_files_asked_for(
    root: Path, asked: str, answer: Any, expected: list[tuple[object, ...]] | None
) -> None:
    async def tell(params: Any) -> Any:
        uri = (root / asked).resolve().as_uri()
        assert params == {"uris": [uri if asked == "a.txt" else f"{uri}/"], "versions": [None], "wait_ms": 0}
        return {"files": answer} if isinstance(answer, str) else told(root, *answer)

    async with editor_client(root, capable(experimental={"planact": {"diagnostics": True}})) as client:
        client.on_diagnostics = tell
        found = await client.run("probe.problems", paths=[asked])
        keys = ("path", "line", "severity", "message", "source", "code")
        assert (found and [tuple(each[key] for key in keys) for each in found]) == expected or found == expected


async def test_a_client_is_asked_about_files_by_their_versions_and_what_it_does_not_know_is_not_none(
    root: Path,
) -> None:
    asked = []

    async def tell(params: Any) -> Any:
        asked.append(params)
        files = ("a.txt", "known", []), ("b.txt", "not_yet", [NO]), ("c.txt", "unserved", []), ("d.txt", "known", [NO])
        return told(root, *files)

    async with editor_client(root, capable(experimental={"planact": {"diagnostics": True}})) as client:
        client.on_diagnostics = tell
        client.type(client.show("a.txt"), "text")
        found = await client.run("probe.check", paths=["a.txt", "b.txt", "c.txt"])
        uris = [(root / path).as_uri() for path in ("a.txt", "b.txt", "c.txt")]
        assert asked == [{"uris": uris, "versions": [2, None, None], "wait_ms": 1500}]
        checks = [("a.txt", "the editor", [], ""), ("b.txt", "the editor", None, NOT_YET)]
        assert [(each["path"], each["server"], each["problems"], each["trouble"]) for each in found] == checks


async def test_a_client_that_does_not_tell_its_diagnostics_is_not_asked(client: EditorClient) -> None:
    assert await client.run("probe.problems", paths=["."]) is None


async def does_nothing(client: EditorClient, uri: str) -> None:
    pass


async def fails(client: EditorClient, uri: str) -> None:
    raise ValueError(BROKEN)


async def saves_and_fails(client: EditorClient, uri: str) -> None:
    client.save_to_disk(uri)
    raise ValueError(BROKEN)


async def saves_and_never_answers(client: EditorClient, uri: str) -> None:
    client.save_to_disk(uri)
    await asyncio.sleep(600)


async def never_answers(client: EditorClient, uri: str) -> None:
    await asyncio.sleep(600)


async def formats_and_saves(client: EditorClient, uri: str) -> None:
    client.type(uri, "new\n")
    client.save_to_disk(uri)


async def saves_while_the_user_types(client: EditorClient, uri: str) -> None:
    client.save_to_disk(uri)
    client.type(uri, "newer")


@pytest.mark.parametrize(
    ("behaviour", "unsaved", "on_disk"),
    [
        (does_nothing, ["a.txt"], "one\ntwo\n"),
        (fails, ["a.txt"], "one\ntwo\n"),
        (never_answers, ["a.txt"], "one\ntwo\n"),
        (saves_and_fails, [], "new"),
        (saves_and_never_answers, [], "new"),
        (formats_and_saves, [], "new\n"),
        (saves_while_the_user_types, ["a.txt"], "new"),
    ],
)
async def test_only_the_disk_says_what_an_editor_saved(
    root: Path,
    behaviour: Callable[[EditorClient, str], Awaitable[None]],
    unsaved: list[str],
    on_disk: str,
) -> None:
    async with editor_client(root, capable(experimental={"planact": {"save": True}})) as client:
        uri = client.show("a.txt", "new")
        client.on_save = functools.partial(behaviour, client)
        assert await client.run("probe.save", paths=["a.txt"]) == unsaved
        assert (client.saves, (root / "a.txt").read_text()) == ([[uri]], on_disk)


async def test_other_clients_are_not_asked_to_save(client: EditorClient) -> None:
    client.show("a.txt", "new")
    assert await client.run("probe.save", paths=["a.txt", "b.txt"]) == ["a.txt"]
    assert client.saves == []
