"""Tells what a command line would do, off the event loop and one at a time: a parser isn't shared between threads.

The parsers are loaded with the first line. Of Windows' shell only whole lines are known.
"""

import asyncio
from collections.abc import Callable

from planact.base.paths import Place
from planact.model.classification import Classification
from planact.shell.second_parser import SecondParser


class LineReader:
    """`ports.CommandReader` for the workspace folder `root`; `second` confirms what one parser found."""

    def __init__(self, root: str, second: SecondParser | None, *, is_windows: bool) -> None:
        self._root = root
        self._second = second
        self._is_windows = is_windows
        self._classify: Callable[[str, str], Classification] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def read(self, command: str, directory: Place) -> Classification:
        """The judgement of `command`, were it run in `directory`; never raises."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(self.read_now, command, str(directory.real))

    def read_now(self, command: str, directory: str) -> Classification:
        """The same, here and now; a few milliseconds."""
        if self._classify is None:
            self._classify = self._load()
        return self._classify(command, directory)

    def _load(self) -> Callable[[str, str], Classification]:
        if self._is_windows:
            from planact.shell.static import classify_static

            return lambda command, _: classify_static(command, "cmd")
        from planact.shell.classify import Classifier
        from planact.shell.judge import Context

        classifier = Classifier()
        return lambda command, directory: classifier.classify(
            command, second=self._second, context=Context(directory, (self._root,))
        )
