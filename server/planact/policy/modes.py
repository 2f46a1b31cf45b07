"""What each mode is, in one place for the gate, the prompts and the user's hover text."""

from planact.model.permission import Mode, Permission

MODE_PERMISSIONS: dict[Mode, frozenset[Permission]] = {
    Mode.PLAN: frozenset({Permission.READ_FILES}),
    Mode.ACT: frozenset(Permission),
}
"""What a mode allows at all. In Plan, `*.plan` documents may be written besides: `policy.rules.mode` says where."""

MODE_TITLES = {Mode.PLAN: "Plan", Mode.ACT: "Act"}

MODE_MEANINGS = {
    Mode.PLAN: "The agent reads and plans. Nothing can change but plan documents.",
    Mode.ACT: "The agent carries out the approved plan and asks before anything that the plan doesn't name.",
}

DEFAULT_ROLES = {Mode.PLAN: "planner", Mode.ACT: "actor"}
