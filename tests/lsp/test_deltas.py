"""However fast a model speaks, a client gets one message a frame, and everything in order."""

from collections.abc import Callable

from planact.lsp.documents.deltas import Deltas
from planact.model.notice import MessageDelta, Notice, WorkNotice

END = WorkNotice(session_id="s", is_running=False)


class Wire:
    """What was sent, and the frames, which end by hand."""

    def __init__(self) -> None:
        self.sent: list[Notice] = []
        self.timers: list[Callable[[], None]] = []
        self.deltas = Deltas(self.sent.append, lambda _, call: self.timers.append(call))

    def speak(self, count: int, text: str = "a ", session: str = "s", message: str = "m", thinks: bool = False) -> None:
        for _ in range(count):
            self.deltas.add(MessageDelta(session_id=session, message_id=message, text=text, is_reasoning=thinks))

    def end_frame(self) -> None:
        self.timers.pop(0)()


def said(text: str, session: str = "s", message: str = "m", thinks: bool = False) -> MessageDelta:
    return MessageDelta(session_id=session, message_id=message, text=text, is_reasoning=thinks)


def test_the_first_piece_goes_at_once_and_the_others_together_once_a_frame() -> None:
    wire = Wire()
    for _ in range(10):
        wire.speak(1_000)
        assert len(wire.timers) == 1
        wire.end_frame()
    assert wire.sent == [said("a "), said("a " * 999), *[said("a " * 1_000)] * 9]


def test_a_pause_ends_the_frames_and_the_next_piece_goes_at_once() -> None:
    wire = Wire()
    wire.speak(2)
    wire.end_frame()
    wire.end_frame()
    assert wire.timers == []
    wire.speak(1, "b")
    assert wire.sent == [said("a "), said("a "), said("b")]


def test_what_waits_goes_before_anything_else() -> None:
    wire = Wire()
    wire.speak(3)
    wire.deltas.add(END)
    wire.end_frame()
    assert wire.sent == [said("a "), said("a a "), END]
    assert wire.timers == []


def test_thoughts_answers_and_sessions_are_kept_apart() -> None:
    wire = Wire()
    wire.speak(1, "x")
    for number in range(3):
        wire.speak(1, "h", thinks=number == 0)
        wire.speak(1, "o", session="other")
    wire.speak(2, "n", message="next")
    wire.end_frame()
    other = said("ooo", session="other")
    assert wire.sent == [said("x"), said("h", thinks=True), other, said("hh"), said("nn", message="next")]
