"""The fake of the store of approvals, trust and own plans."""

from planact.model.plan_records import Approval, OwnPlan

Log = list[tuple[str, str]]


class MemoryApprovals:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._approvals: dict[str, Approval] = {}
        self._own: dict[str, OwnPlan] = {}
        self._trusted = ""
        self._programs: bool | None = None

    def approve(self, approval: Approval) -> None:
        self._log.append(("approvals.approve", approval.path))
        self._approvals[approval.path] = approval

    def find(self, path: str) -> Approval | None:
        return self._approvals.get(path)

    def paths(self) -> frozenset[str]:
        return frozenset(self._approvals)

    def withdraw(self, path: str) -> None:
        self._log.append(("approvals.withdraw", path))
        self._approvals.pop(path, None)

    def keep_own(self, own: OwnPlan) -> None:
        self._own[own.path] = own

    def own(self, path: str) -> OwnPlan | None:
        return self._own.get(path)

    def forget_own(self, path: str) -> None:
        self._own.pop(path, None)

    def trust(self, fingerprint: str) -> None:
        self._log.append(("approvals.trust", fingerprint))
        self._trusted = fingerprint

    def trusted(self) -> str:
        return self._trusted

    def trust_programs(self, *, is_trusted: bool) -> None:
        self._log.append(("approvals.trust_programs", is_trusted))
        self._programs = is_trusted

    def programs_trusted(self) -> bool | None:
        return self._programs
