"""Clients that lie, refuse, stop midway, are late, or never answer; and a user who types at that moment."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor_client import BROKEN, Applied, Edit, EditorClient, failure, replace

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def edit_a(client: EditorClient) -> tuple[str, str, str]:
    await client.run("probe.look", paths=["a.txt"])
    return await failure(client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")]))


async def test_a_client_that_lies_is_not_believed(client: EditorClient) -> None:
    async def lie(_: Edit) -> Applied:
        return Applied(applied=True)

    uri, client.on_edit = client.show("a.txt"), lie
    code, message, hint = await edit_a(client)
    assert (code, message) == ("EDIT_REFUSED", "the editor said that it changed a.txt, and did not")
    assert hint == "No file was changed. The user may be typing there. Read the file again before trying again."
    assert client.texts[uri] == "one\ntwo\n"


@pytest.mark.parametrize(
    ("answer", "reason"), [("refuse", "read-only"), ("refuse silently", "it gave no reason"), ("fail", BROKEN)]
)
async def test_a_refusal_is_passed_on_with_its_reason(client: EditorClient, answer: str, reason: str) -> None:
    async def refuse(_: Edit) -> Applied:
        if answer == "fail":
            raise ValueError(BROKEN)
        return Applied(applied=False, failure_reason="read-only" if answer == "refuse" else None)

    client.show("a.txt")
    client.on_edit = refuse
    code, message, _ = await edit_a(client)
    assert code == "EDIT_REFUSED"
    assert reason in message


async def test_a_text_that_comes_after_the_answer_is_waited_for(client: EditorClient) -> None:
    async def answer_first(params: Edit) -> Applied:
        asyncio.get_running_loop().call_later(0.3, lambda: asyncio.ensure_future(client.make(params)))
        return Applied(applied=True)

    uri, client.on_edit = client.show("a.txt"), answer_first
    await client.run("probe.look", paths=["a.txt"])
    await client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")])
    assert client.texts[uri] == "ONE\ntwo\n"


async def test_an_edit_that_is_never_answered_ends_and_is_noticed_when_it_comes_late(client: EditorClient) -> None:
    answer = asyncio.Event()

    async def hesitate(params: Edit) -> Applied:
        await answer.wait()
        return await client.make(params)

    uri, client.on_edit = client.show("a.txt"), hesitate
    code, message, hint = await edit_a(client)
    assert (code, message) == ("EDITOR_NO_ANSWER", "the editor did not answer to the edit of a.txt within 3 s")
    assert "may still make the edit" in hint
    assert client.messages == []
    # What it was asked to take back it does all the same.
    client.change(uri, client.edits[0].edit.document_changes[0].edits)
    await client.run("probe.state")
    assert [message.message for message in client.messages] == [
        "The editor made an edit of a.txt that planact had given up: probe"
    ]
    answer.set()
    assert (await client.run("probe.state"))["requests"] == 1


@pytest.mark.parametrize("is_applied", [False, True])
async def test_an_edit_that_comes_after_it_was_refused_or_given_up_is_noticed(
    client: EditorClient, *, is_applied: bool
) -> None:
    async def lie(_: Edit) -> Applied:
        return Applied(applied=is_applied)

    uri, client.on_edit = client.show("a.txt"), lie
    assert (await edit_a(client))[0] == "EDIT_REFUSED"
    client.change(uri, client.edits[0].edit.document_changes[0].edits)
    await client.run("probe.state")
    told = [message.message for message in client.messages]
    assert told == ["The editor made an edit of a.txt that planact had given up: probe"]


async def test_an_answer_is_not_needed_when_the_text_is_there(client: EditorClient) -> None:
    async def work_silently(params: Edit) -> Applied:
        await client.make(params)
        await asyncio.sleep(600)
        raise AssertionError

    uri, client.on_edit = client.show("a.txt"), work_silently
    await client.run("probe.look", paths=["a.txt"])
    await client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")])
    assert client.texts[uri] == "ONE\ntwo\n"


async def test_what_the_user_types_meanwhile_is_left_alone(client: EditorClient) -> None:
    async def type_first(params: Edit) -> Applied:
        client.type(uri, "mine\n")
        return await client.make(params)

    uri, client.on_edit = client.show("a.txt"), type_first
    code, message, hint = await edit_a(client)
    assert (code, message) == ("EDIT_CONFLICT", "a.txt was changed by another program while it was edited")
    assert hint.startswith("Nothing was changed.")
    assert client.texts[uri] == "mine\n"


async def test_what_the_user_types_right_after_does_not_hide_the_edit(client: EditorClient) -> None:
    async def type_after(params: Edit) -> Applied:
        await client.make(params)
        client.type(uri, "ONE\ntwo\nthree\n")
        return Applied(applied=True)

    uri, client.on_edit = client.show("a.txt"), type_after
    await client.run("probe.look", paths=["a.txt"])
    await client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")])
    assert client.texts[uri] == "ONE\ntwo\nthree\n"


async def test_line_ends_that_the_editor_makes_its_own_are_the_same_text(client: EditorClient) -> None:
    async def adapt(params: Edit) -> Applied:
        client.type(uri, "one\r\nnew\r\ntwo\r\n")
        return Applied(applied=True)

    uri, client.on_edit = client.show("a.txt", "one\r\ntwo\r\n"), adapt
    await client.run("probe.look", paths=["a.txt"])
    assert await client.run("probe.apply", steps=[replace("a.txt", 5, 5, "new\n")])


async def test_a_client_that_stops_midway_is_put_back(client: EditorClient) -> None:
    async def stop_midway(params: Edit) -> Applied:
        client.on_edit = client.make
        assert params.edit.document_changes is not None
        params.edit.document_changes = params.edit.document_changes[:1]
        await client.make(params)
        return Applied(applied=False, failure_reason="no such file")

    first, second = client.show("a.txt"), client.show("b.txt")
    client.on_edit = stop_midway
    await client.run("probe.look", paths=["a.txt", "b.txt"])
    steps = [{"path": "a.txt", "edits": [{"start": 0, "end": 3, "text": ""}, {"start": 4, "end": 4, "text": "😀\n"}]}]
    code, message, hint = await failure(client.run("probe.apply", steps=[*steps, replace("b.txt", 0, 3, "x")]))
    assert (code, message) == ("EDIT_REFUSED", "the editor refused to change b.txt: no such file")
    assert hint.startswith("Nothing was changed.")
    assert [client.texts[first], client.texts[second]] == ["one\ntwo\n", "bee\n"]


async def says_no_and_does_it(client: EditorClient, params: Edit) -> Any:
    await client.make(params)
    return Applied(applied=False, failure_reason="not now")


async def does_it_in_pieces(client: EditorClient, params: Edit) -> Any:
    for text in ("two\n", "O\ntwo\n", "ON\ntwo\n", "ONE\ntwo\n"):
        client.type(client.uri("a.txt"), text)
    return Applied(applied=True)


async def does_it_and_the_user_undoes_it(client: EditorClient, params: Edit) -> Any:
    await client.make(params)
    client.type(client.uri("a.txt"), "one\ntwo\n")
    return Applied(applied=True)


async def answers_nothing(client: EditorClient, params: Edit) -> Any:
    await client.make(params)


async def does_something_else(client: EditorClient, params: Edit) -> Any:
    client.type(client.uri("a.txt"), "one\nONE\n")
    return Applied(applied=True)


async def does_it_over_what_was_typed(client: EditorClient, params: Edit) -> Any:
    client.type(client.uri("a.txt"), "my one\ntwo\n")
    client.type(client.uri("a.txt"), "ONEone\ntwo\n")
    return Applied(applied=True)


async def closes_the_file(client: EditorClient, params: Edit) -> Any:
    client.close(client.uri("a.txt"))
    return Applied(applied=False)


async def closes_the_file_and_says_yes(client: EditorClient, params: Edit) -> Any:
    client.close(client.uri("a.txt"))
    return Applied(applied=True)


LOOK = "The editor says that it made the edit: check the file."


@pytest.mark.parametrize(
    ("behaviour", "text", "failed"),
    [
        (says_no_and_does_it, "ONE\ntwo\n", None),
        (does_it_in_pieces, "ONE\ntwo\n", None),
        (does_it_and_the_user_undoes_it, "one\ntwo\n", None),
        (answers_nothing, "ONE\ntwo\n", None),
        (does_something_else, "one\nONE\n", ("EDIT_CONFLICT", LOOK)),
        (does_it_over_what_was_typed, "ONEone\ntwo\n", ("EDIT_CONFLICT", LOOK)),
        (closes_the_file, None, ("EDIT_CONFLICT", "Nothing was changed.")),
        (closes_the_file_and_says_yes, None, ("EDIT_CONFLICT", LOOK)),
    ],
)
async def test_only_the_text_says_what_an_editor_did(
    client: EditorClient,
    behaviour: Callable[[EditorClient, Edit], Awaitable[Any]],
    text: str | None,
    failed: tuple[str, str] | None,
) -> None:
    uri = client.show("a.txt")
    client.on_edit = functools.partial(behaviour, client)
    await client.run("probe.look", paths=["a.txt"])
    asking = client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")])
    if failed is None:
        await asking
    else:
        code, _, hint = await failure(asking)
        assert (code, hint.removesuffix(" Read the file again before trying again.")) == failed
    assert client.texts.get(uri) == text


async def test_when_it_cannot_be_put_back_the_error_says_so(client: EditorClient) -> None:
    async def stop_midway(params: Edit) -> Applied:
        assert params.edit.document_changes is not None
        params.edit.document_changes = params.edit.document_changes[:1]
        if len(client.edits) == 1:
            await client.make(params)
        return Applied(applied=False)

    client.show("a.txt")
    client.show("b.txt")
    client.on_edit = stop_midway
    await client.run("probe.look", paths=["a.txt", "b.txt"])
    steps = [replace("a.txt", 0, 3, "ONE"), replace("b.txt", 0, 3, "x")]
    _, _, hint = await failure(client.run("probe.apply", steps=steps))
    assert hint.startswith("a.txt was changed and stays so.")


async def test_when_the_disk_fails_the_open_files_are_put_back(client: EditorClient, root: Path) -> None:
    uri = client.show("a.txt")
    await client.run("probe.look", paths=["a.txt", "b.txt"])
    (root / "b.txt").write_text("changed")
    steps = [replace("a.txt", 0, 3, "ONE"), replace("b.txt", 0, 3, "x")]
    code, message, _ = await failure(client.run("probe.apply", steps=steps))
    assert (code, message) == ("EDIT_CONFLICT", "b.txt was changed on disk")
    assert (client.texts[uri], (root / "b.txt").read_text()) == ("one\ntwo\n", "changed")


async def test_when_the_disk_fails_and_the_user_typed_on_the_error_says_what_stays(
    client: EditorClient, root: Path
) -> None:
    async def type_after(params: Edit) -> Applied:
        await client.make(params)
        client.type(uri, "ONE\nmine\n")
        return Applied(applied=True)

    uri, client.on_edit = client.show("a.txt"), type_after
    await client.run("probe.look", paths=["a.txt", "b.txt"])
    (root / "b.txt").write_text("changed")
    steps = [replace("a.txt", 0, 3, "ONE"), replace("b.txt", 0, 3, "x")]
    code, message, _ = await failure(client.run("probe.apply", steps=steps))
    assert code == "EDIT_CONFLICT"
    assert "a.txt was changed in the editor, and stays so" in message
    assert client.texts[uri] == "ONE\nmine\n"


@pytest.mark.parametrize(
    "change",
    [
        {"range": None},
        {"range": {"start": {"line": -1, "character": 0}, "end": None}, "text": "😀"},
        {"text": None},
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": ["😀"]},
    ],
)
async def test_a_file_is_left_alone_whose_change_can_not_be_read_until_its_text_is_known_again(
    client: EditorClient, change: dict[str, Any]
) -> None:
    uri = client.show("a.txt")
    await client.run("probe.look", paths=["a.txt"])
    client.texts[uri] = "😀" + client.texts[uri]
    params = {"textDocument": {"uri": uri, "version": 1}, "contentChanges": [change]}
    client.protocol._send_data({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params})
    start = types.Position(1, 0)
    more = types.TextDocumentContentChangePartial(types.Range(start, start), "")
    identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=1)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [more]))
    why = "a.txt is open in the editor, which sent a change of it that can't be read"
    again = "Close it in the editor and open it again."
    asked = client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")])
    assert await failure(asked) == ("EDIT_REFUSED", why, again)
    assert await failure(client.run("probe.look", paths=["a.txt"])) == ("FILE_UNREADABLE", why, again)
    assert (client.edits, client.texts[uri]) == ([], "😀one\ntwo\n")
    client.type(uri, "three\n")
    await client.run("probe.look", paths=["a.txt"])
    await client.run("probe.apply", steps=[replace("a.txt", 0, 5, "THREE")])
    assert client.texts[uri] == "THREE\n"
