"""Pieces of answers, put together for the client: a model that speaks fast makes no more messages than one can see.

The first piece goes at once, so that nobody waits for it. What comes meanwhile goes before anything else is told.
"""

from collections.abc import Callable
from dataclasses import replace

from planact.lsp.bursts import Later
from planact.model.notice import MessageDelta, Notice

FRAME = 0.04
"""Seconds between two messages while an answer comes."""


class Deltas:
    """Passes notices on, in order.

    Args:
        send: takes each notice that is to be sent now.
        later: how to wait.
    """

    def __init__(self, send: Callable[[Notice], None], later: Later) -> None:
        self._send = send
        self._later = later
        self._waiting: list[MessageDelta] = []
        self._is_paused = False

    def tell(self, notice: Notice) -> None:
        """Something is to be told; a piece of an answer may be told a moment later."""
        if isinstance(notice, MessageDelta):
            self._add(notice)
            if not self._is_paused:
                self._is_paused = True
                self._later(FRAME, self._go_on)
                self._flush()
        else:
            self._flush()
            self._send(notice)

    def _add(self, delta: MessageDelta) -> None:
        """Append it to what waits of the same session, if that goes on in it: sessions may speak side by side."""
        own = [at for at, each in enumerate(self._waiting) if each.session_id == delta.session_id]
        last = self._waiting[own[-1]] if own else None
        if last is not None and replace(last, text=delta.text) == delta:
            self._waiting[own[-1]] = replace(last, text=last.text + delta.text)
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
