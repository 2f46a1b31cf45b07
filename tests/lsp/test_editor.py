"""The editor port against a client in another process, which behaves, lies, refuses, is late, or never answers."""

import hashlib
from pathlib import Path

import pytest
from lsprotocol import types

from planact.model.runs.execution import FileChange
from tests.lsp.editor_client import EditorClient, capable, editor_client, failure, replace

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
    assert list(map(FileChange.model_validate, changed)) == [
        FileChange(path="a.txt", before=sha("one\ntwo\n"), after=sha("ONE\ntwo\n")),
        FileChange(path="b.txt", before=sha("bee\n"), after=sha("BEE\n")),
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


async def test_a_client_that_takes_no_edits_is_told_to_save_and_sees_on_disk_what_changed(root: Path) -> None:
    async with editor_client(root, types.ClientCapabilities()) as client:
        uri = client.show("a.txt", "mine\n")
        await client.run("probe.look", paths=["a.txt"])
        code, message, hint = await failure(client.run("probe.apply", steps=[replace("a.txt", 0, 4, "1")]))
        assert (code, hint) == ("EDIT_REFUSED", "Save it as UTF-8 or close it, then try again.")
        assert "a.txt is open" in message
        client.save_to_disk(uri)
        # Twice, though the client hasn't sent anew what it shows: until it does, the disk holds the truth.
        for old, new in (("mine", "yours"), ("yours", "ours")):
            [[text, *_]] = await client.run("probe.look", paths=["a.txt"])
            assert text == f"{old}\n"
            await client.run("probe.apply", steps=[replace("a.txt", 0, len(old), new)])
        assert (client.texts[uri], (root / "a.txt").read_text()) == ("mine\n", "ours\n")
        client.type(uri, "mine again\n")
        [[text, *_]] = await client.run("probe.look", paths=["a.txt"])
        assert text == "mine again\n"
        assert (await failure(client.run("probe.apply", steps=[replace("a.txt", 0, 4, "1")])))[0] == "EDIT_REFUSED"


async def test_a_client_that_takes_no_edits_keeps_what_is_not_plainly_utf_8(root: Path) -> None:
    async with editor_client(root, types.ClientCapabilities()) as client:
        (root / "a.txt").write_bytes("é\n".encode("latin-1"))
        client.show("a.txt", "é\n")
        await client.run("probe.look", paths=["a.txt"])
        assert (await failure(client.run("probe.apply", steps=[replace("a.txt", 0, 1, "e")])))[0] == "EDIT_REFUSED"
        assert (root / "a.txt").read_bytes() == "é\n".encode("latin-1")


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


async def test_only_a_file_that_is_not_open_is_changed_and_moved_at_once(client: EditorClient, root: Path) -> None:
    steps = [replace("b.txt", 0, 3, "BEE"), {"kind": "rename", "path": "b.txt", "target": "c.txt"}]
    await client.run("probe.look", paths=["b.txt"])
    await client.run("probe.apply", steps=steps)
    assert ((root / "b.txt").exists(), (root / "c.txt").read_text()) == (False, "BEE\n")
    client.show("a.txt")
    await client.run("probe.look", paths=["a.txt"])
    steps = [replace("a.txt", 0, 3, "ONE"), {"kind": "rename", "path": "a.txt", "target": "d.txt"}]
    assert (await failure(client.run("probe.apply", steps=steps)))[:2] == ("EDIT_REFUSED", "a.txt is named twice")
    assert (root / "a.txt").read_text() == "one\ntwo\n"
