"""A lock of a folder or a session, in memory."""

Log = list[tuple[str, str]]


class MemoryLock:
    """Several made with the same `holders` contend for one lock."""

    def __init__(self, log: Log, holders: list[str] | None = None) -> None:
        self._log = log
        self._holders: list[str] = [] if holders is None else holders
        self._is_mine = False

    def acquire(self, holder: str) -> str:
        if self._holders:
            return self._holders[0]
        self._log.append(("lock.acquire", holder))
        self._holders.append(holder)
        self._is_mine = True
        return ""

    def holder(self) -> str:
        return self._holders[0] if self._holders else ""

    def is_own(self) -> bool:
        return self._is_mine

    def release(self) -> None:
        if self._is_mine:
            self._log.append(("lock.release", self._holders.pop()))
        self._is_mine = False
