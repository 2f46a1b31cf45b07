"""What the user typed is found again, for the user alone, and without secrets."""

import stat
from pathlib import Path

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.typed import MAX_TYPED_TEXTS, TypedTexts


def typed_in(folder: Path) -> TypedTexts:
    return TypedTexts(folder / "state" / "typed.jsonl", Redactor({"SOME_API_KEY": "the-value-of-it"}).text)


def test_texts_are_kept_in_order_each_where_it_was_typed_last(tmp_path: Path) -> None:
    typed = typed_in(tmp_path)
    assert typed.list() == ()
    for text in ("first", "second\nline", "first", "zuletzt ü"):
        typed.add(text)
    assert typed_in(tmp_path).list() == ["second\nline", "first", "zuletzt ü"]


def test_only_the_user_can_read_them(tmp_path: Path) -> None:
    typed_in(tmp_path).add("x")
    path = tmp_path / "state" / "typed.jsonl"
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path.parent, path)] == [0o700, 0o600]


def test_secrets_are_left_out(tmp_path: Path) -> None:
    typed_in(tmp_path).add("use the-value-of-it and password=hunter2hunter2")
    kept = (tmp_path / "state" / "typed.jsonl").read_text()
    assert ("the-value-of-it" in kept, "hunter2" in kept) == (False, False)


def test_so_many_are_given_and_the_newest(tmp_path: Path) -> None:
    typed = typed_in(tmp_path)
    for number in range(MAX_TYPED_TEXTS + 5):
        typed.add(f"text {number}")
    assert (len(typed.list()), typed.list()[-1]) == (MAX_TYPED_TEXTS, f"text {MAX_TYPED_TEXTS + 4}")


def test_damage_and_a_folder_that_cannot_be_written_stop_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state" / "typed.jsonl"
    path.parent.mkdir()
    path.write_bytes(b'"good"\n{"no": "text"}\n\xff\xfe\n"cut of')
    assert typed_in(tmp_path).list() == ["good"]
    (tmp_path / "file").write_text("")
    typed_in(tmp_path / "file").add("x")
    assert typed_in(tmp_path / "file").list() == ()
