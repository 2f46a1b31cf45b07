"""The workspaces of the folders of one process, each with its cached settings.

Loading one reads the disk, which may be slow: the language server does so beside the event loop.
"""

import asyncio
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from planact.policy.merge_settings import MergedSettings
from planact.workflows.workspace import Workspace


class Workspaces:
    """All that were asked for.

    Args:
        look: the real path of a folder, and its settings as they are now. From any thread.
        build: makes the workspace of a folder, from the one before if there is one. From any thread.
        begin: called on the event loop when a folder's settings are other ones from now on.
        said: what settings rest on beside the disk.
    """

    def __init__(
        self,
        look: Callable[[Path], tuple[Path, MergedSettings]],
        build: Callable[[Path, MergedSettings, Workspace | None], Workspace],
        begin: Callable[[Path, MergedSettings], None],
        said: Callable[[], object],
    ) -> None:
        self._look = look
        self._build = build
        self._begin = begin
        self._said = said
        self._known: dict[Path, tuple[MergedSettings, Workspace]] = {}
        self._reals: dict[Path, Path] = {}
        self._looks: Iterator[int] = itertools.count()
        self._last_looks: dict[Path, int] = {}
        self._building: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)

    def seen(self, root: Path) -> Workspace | None:
        """Return the cached workspace without touching the disk, or None."""
        known = self._known.get(self._reals.get(root, root))
        return None if known is None else known[1]

    def now(self, root: Path) -> Workspace:
        """With the settings as they are now; those of running work stay as they were."""
        if (running := self._running(root)) is not None:
            return running
        look = next(self._looks)
        self._reals[root], merged = self._look(root)
        known = self._known.get(self._reals[root])
        if not self._is_news(self._reals[root], look, merged):
            return self._known[self._reals[root]][1]
        return self._put(self._reals[root], merged, self._build(self._reals[root], merged, known and known[1]))

    async def found(self, root: Path) -> Workspace:
        """Load the workspace beside the event loop."""
        while True:
            if (running := self._running(root)) is not None:
                return running
            look, said = next(self._looks), self._said()
            real, merged = await asyncio.to_thread(self._look, root)
            self._reals[root] = real
            if said == self._said():  # else it can't be told which part came from which
                break
        async with self._building[real]:
            while self._is_news(real, look, merged):
                known = self._known.get(real)
                built = await asyncio.to_thread(self._build, real, merged, known and known[1])
                if self._known.get(real) is known and not (known and known[1].running):
                    return self._put(real, merged, built)
            return self._known[real][1]

    def _running(self, root: Path) -> Workspace | None:
        seen = self.seen(root)
        return seen if seen is not None and seen.running else None

    def _is_news(self, real: Path, look: int, merged: MergedSettings) -> bool:
        """A workspace has to be made anew. Of several concurrent loads, the last one counts: trust may have been
        revoked meanwhile.
        """
        known = self._known.get(real)
        if known is not None and (known[1].running or look < self._last_looks[real]):
            return False
        self._last_looks[real] = look
        return known is None or known[0] != merged

    def _put(self, real: Path, merged: MergedSettings, built: Workspace) -> Workspace:
        self._begin(real, merged)
        self._known[real] = merged, built
        return built
