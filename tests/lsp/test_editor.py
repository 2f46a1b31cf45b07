"""The editor port against a client in another process, which behaves, lies, refuses, is late, or never answers."""

import asyncio
import functools
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor_client import BROKEN, Applied, Edit, EditorClient, capable, editor_client, failure, replace

pytestmark = pytest.mark.asyncio(loop_scope="module")


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# --- who changes what


async def test_an_open_file_is_changed_in_the_editor_and_a_closed_one_on_disk(client: EditorClient, root: Path) -> None:
    uri = client.show("a.txt")
    await client.run("probe.look", paths=["a.txt", "b.txt"])
    changed = await client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE"), replace("b.txt", 0, 3, "BEE")])
    assert client.texts[uri] == "ONE\ntwo\n"
    assert [(root / name).read_text() for name in ("a.txt", "b.txt")] == ["one\ntwo\n", "BEE\n"]
    assert changed == [
        {"path": "a.txt", "before": sha("one\ntwo\n"), "after": sha("ONE\ntwo\n")},
        {"path": "b.txt", "before": sha("bee\n"), "after": sha("BEE\n")},
    ]


async def test_all_open_files_go_in_one_request_with_their_real_versions(client: EditorClient) -> None:
    first, second = client.show("a.txt"), client.show("b.txt")
    client.type(first, "one\ntwo\nthree\n")
    await client.run("probe.look", paths=["a.txt", "b.txt"])
    steps = [replace("a.txt", 8, 13, "3"), replace("b.txt", 0, 0, "a ")]
    await client.run("probe.apply", steps=steps, label="Count")
    [edit] = client.edits
    assert edit.label == "Count"
    assert edit.edit.document_changes is not None
    sent = [(change.text_document.uri, change.text_document.version) for change in edit.edit.document_changes]
    assert sent == [(first, 2), (second, 1)]
    assert [client.texts[uri] for uri in (first, second)] == ["one\ntwo\n3\n", "a bee\n"]


async def test_a_buffer_is_read_with_what_the_disk_has_of_it(client: EditorClient, root: Path) -> None:
    (root / "bom.txt").write_bytes(b"\xef\xbb\xbfx")
    client.show("a.txt", "dirty")
    client.show("bom.txt", "x")
    client.show("new.txt", "unsaved")
    seen = await client.run("probe.look", paths=["a.txt", "bom.txt", "new.txt"])
    bom = hashlib.sha256(b"\xef\xbb\xbfx").hexdigest()
    assert seen == [["dirty", 1, sha("one\ntwo\n"), False], ["x", 1, bom, True], ["unsaved", 1, "", False]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize(
    "text",
    ["ä😀b\n😀😀 end\nlast", "ä😀b\r\n😀😀 end\r\nlast", "a\x0cb\u2028c\u0085d\n😀x\x0b\ny"],
    ids=["lf", "crlf", "odd"],
)
async def test_edits_land_at_the_same_place_in_every_encoding(root: Path, encoding: str, text: str) -> None:
    (root / "wide.txt").write_bytes(text.encode())
    async with editor_client(root, capable(encoding)) as client:
        uri = client.show("wide.txt")
        await client.run("probe.look", paths=["wide.txt"])
        places = sorted({1, 2, text.index("😀") + 1, text.rindex("😀") + 1, len(text)})
        edits = [{"start": at, "end": at, "text": "<é𝄞>"} for at in places]
        await client.run("probe.apply", steps=[{"path": "wide.txt", "edits": edits}])
        expected = text
        for at in reversed(places):
            expected = expected[:at] + "<é𝄞>" + expected[at:]
        assert client.texts[uri] == expected
        # The server's own copy went the same way, through increments in the client's encoding.
        [[seen, *_]] = await client.run("probe.look", paths=["wide.txt"])
        assert seen == expected


@pytest.mark.parametrize(
    ("text", "edits", "sent"),
    [
        ("one\ntwo\n", [(8, 8, "three\n")], [(1, 3, 2, 0, "\nthree\n")]),
        ("one\r\ntwo\r\n", [(10, 10, "three\r\n")], [(1, 3, 2, 0, "\r\nthree\r\n")]),
        ("one\ntwo\n", [(7, 7, "!"), (8, 8, "a\n"), (8, 8, "b\n")], [(1, 3, 1, 3, "!"), (1, 3, 2, 0, "\na\nb\n")]),
        ("one\ntwo\n", [(4, 8, ""), (8, 8, "three\n")], [(1, 0, 2, 0, ""), (2, 0, 2, 0, "three\n")]),
        ("one", [(3, 3, "\ntwo\n")], [(0, 3, 0, 3, "\ntwo\n")]),
    ],
)
async def test_nothing_is_inserted_behind_the_last_line_if_that_can_be_helped(
    client: EditorClient, text: str, edits: list[tuple[int, int, str]], sent: list[tuple[int, int, int, int, str]]
) -> None:
    """Neovim would add a line end of its own."""
    uri = client.show("a.txt", text)
    await client.run("probe.look", paths=["a.txt"])
    steps = [{"start": start, "end": end, "text": new} for start, end, new in edits]
    await client.run("probe.apply", steps=[{"path": "a.txt", "edits": steps}])
    [edit] = client.edits
    [change] = edit.edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    ranges = [
        (each.range.start, each.range.end, each.new_text) for each in change.edits if isinstance(each, types.TextEdit)
    ]
    assert [(a.line, a.character, b.line, b.character, new) for a, b, new in ranges] == sent
    expected = text
    for start, end, new in reversed(edits):
        expected = expected[:start] + new + expected[end:]
    assert client.texts[uri] == expected


async def test_a_file_opened_through_a_link_is_the_same_file(client: EditorClient, root: Path) -> None:
    (root / "real").mkdir()
    (root / "real" / "x y#é.txt").write_text("text")
    (root / "link").symlink_to(root / "real")
    uri = client.show("link/x y#é.txt", uri=(root / "link" / "x y#é.txt").as_uri())
    await client.run("probe.look", paths=["real/x y#é.txt"])
    await client.run("probe.apply", steps=[replace("real/x y#é.txt", 0, 1, "T")])
    assert client.texts[uri] == "Text"


async def test_what_is_no_file_is_open_but_belongs_to_no_place(client: EditorClient) -> None:
    client.show("a.txt", "scratch", uri="untitled:a.txt")
    client.show("a.txt", "old", uri="git:/a.txt")
    [[text, *_]] = await client.run("probe.look", paths=["a.txt"])
    assert text == "one\ntwo\n"
    assert (await client.run("probe.state"))["documents"] == ["untitled:a.txt", "git:/a.txt"]


async def test_a_client_without_versions_gets_plain_changes(root: Path) -> None:
    plain = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(apply_edit=True))
    async with editor_client(root, plain) as client:
        uri = client.show("a.txt")
        await client.run("probe.look", paths=["a.txt"])
        await client.run("probe.apply", steps=[replace("a.txt", 0, 3, "1")])
        assert client.edits[0].edit.document_changes is None
        assert client.texts[uri] == "1\ntwo\n"


async def test_a_client_that_takes_no_edits_is_told_what_to_do(root: Path) -> None:
    async with editor_client(root, types.ClientCapabilities()) as client:
        client.show("a.txt")
        await client.run("probe.look", paths=["a.txt", "b.txt"])
        code, message, hint = await failure(client.run("probe.apply", steps=[replace("a.txt", 0, 3, "1")]))
        assert (code, hint) == ("EDIT_REFUSED", "Save and close the file, then try again.")
        assert "a.txt is open" in message
        await client.run("probe.apply", steps=[replace("b.txt", 0, 3, "1")])
        assert (root / "b.txt").read_text() == "1\n"


# --- clients that don't do what they say


async def edit_a(client: EditorClient) -> tuple[str, str, str]:
    await client.run("probe.look", paths=["a.txt"])
    return await failure(client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")]))


async def test_a_client_that_lies_is_not_believed(client: EditorClient) -> None:
    async def lie(_: Edit) -> Applied:
        return Applied(applied=True)

    uri, client.on_edit = client.show("a.txt"), lie
    code, message, hint = await edit_a(client)
    assert (code, message) == ("EDIT_REFUSED", "the editor said that it changed a.txt, and did not")
    assert hint.startswith("Nothing was changed.")
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
    assert (code, message) == ("EDITOR_NO_ANSWER", "the editor did not answer to the edit of a.txt within 1 s")
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


async def test_an_answer_is_not_needed_when_the_text_is_there(client: EditorClient) -> None:
    async def work_silently(params: Edit) -> Applied:
        await client.make(params)
        await asyncio.sleep(60)
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
    assert (code, message) == ("EDIT_CONFLICT", "a.txt was changed by someone else while it was edited")
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


LOOK = "The editor says that it made the edit all the same: look."


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


# --- what the agent saw


@pytest.mark.parametrize("what", ["typed", "typed and undone", "closed", "reopened"])
async def test_a_file_that_moved_on_since_it_was_read_is_a_conflict(client: EditorClient, what: str) -> None:
    uri = client.show("a.txt")
    client.type(uri, "one\ntwo\n")
    await client.run("probe.look", paths=["a.txt"])
    match what:
        case "typed":
            client.type(uri, "one\n")
        case "typed and undone":
            client.type(uri, "one\n")
            client.type(uri, "one\ntwo\n")
        case "closed":
            client.close(uri)
        case _:
            client.close(uri)
            client.show("a.txt")
    code, _, _ = await failure(client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")]))
    assert (code, client.edits) == ("EDIT_CONFLICT", [])


async def test_a_file_opened_since_it_was_read_from_disk_is_changed_in_the_editor(
    client: EditorClient, root: Path
) -> None:
    await client.run("probe.look", paths=["a.txt"])
    uri = client.show("a.txt")
    await client.run("probe.apply", steps=[replace("a.txt", 0, 3, "ONE")])
    assert (client.texts[uri], (root / "a.txt").read_text()) == ("ONE\ntwo\n", "one\ntwo\n")


async def test_a_file_can_be_named_once(client: EditorClient) -> None:
    await client.run("probe.look", paths=["a.txt"])
    steps = [replace("a.txt", 0, 1, "x"), replace("a.txt", 1, 2, "y")]
    assert (await failure(client.run("probe.apply", steps=steps)))[:2] == ("EDIT_REFUSED", "a.txt is named twice")
