"""Find the runs in which what commands on trial changed waits to be judged."""

from collections.abc import Sequence

from planact.workflows.workspace import Workspace

STARTED, DISCARDING, JUDGED = "trial_started", "outcomes_discarding", "outcomes_judged"
"""Entries of a run: a command on trial is started, what some of them changed is about to be put back, and what all of
them until then changed is judged.
"""

_LOOKED_BACK = 20
"""Runs."""


def runs_that_wait(ws: Workspace) -> Sequence[str]:
    """Return the ids of those among the last runs; what waited in older ones was judged when later ones began."""
    return [run_id for run_id in ws.ports.journal.run_ids()[:_LOOKED_BACK] if waits(ws, run_id)]


def waits(ws: Workspace, execution_id: str) -> bool:
    """Return whether a command on trial was started in a run since the last judgement."""
    entries = ws.ports.journal.read(execution_id, (STARTED, JUDGED))
    return bool(entries) and entries[-1].kind == STARTED
