"""Streamed pieces of answers, joined for the client: a fast model causes no more messages than a person can see.

The first piece is sent at once. Pieces that come meanwhile are sent before any other notice.
"""

from collections.abc import Callable

from planact.lsp.wire.bursts import Later
from planact.model.notice import MessageDelta, Notice

FRAME = 0.04
"""Seconds between two messages while an answer comes."""


class Deltas:
    """Passes notices on, in order.

    Args:
        send: called with each notice, when it is to be sent.
        later: calls a function after some seconds.
    """

    def __init__(self, send: Callable[[Notice], None], later: Later) -> None:
        self._send = send
        self._later = later
        self._waiting: list[MessageDelta] = []
        self._is_paused = False

    def add(self, notice: Notice) -> None:
        """Send a notice; a piece of an answer may be sent up to `FRAME` seconds later."""
        if isinstance(notice, MessageDelta):
            self._join(notice)
            if not self._is_paused:
                self._is_paused = True
                self._later(FRAME, self._go_on)
                self._flush()
        else:
            self._flush()
            self._send(notice)

    def _join(self, delta: MessageDelta) -> None:
        """Join it with the last waiting piece of its session, if both belong to one message: sessions may stream side
        by side.
        """
        own = [at for at, each in enumerate(self._waiting) if each.session_id == delta.session_id]
        last = self._waiting[own[-1]] if own else None
        if last is not None and last.model_copy(update={"text": delta.text}) == delta:
            self._waiting[own[-1]] = last.model_copy(update={"text": last.text + delta.text})
        else:
            self._waiting.append(delta)

    def _go_on(self) -> None:
        self._is_paused = bool(self._waiting)
        if self._waiting:
            self._later(FRAME, self._go_on)
            self._flush()

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for delta in waiting:
            self._send(delta)
