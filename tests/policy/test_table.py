"""The one table: mode over role over the user's settings and rules, for every kind of effect."""

from dataclasses import replace
from pathlib import PurePosixPath
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.model.rights.jail import Confinement
from planact.model.rights.permission import AskEffect, Mode, Permission, PlanEffect, SpawnEffect
from planact.model.rights.rule import Allowed, AllowedCommand, AllowedPath
from planact.policy.context import Allow, Ask, Contain, Deny, PlacedEffect, PolicyContext, Request, Verdict
from planact.policy.decide import decide, rules_for
from tests.policy.touches import command, path, unlisted

PLANNER, ACTOR = unlisted("planner"), unlisted("actor")
READER = replace(unlisted("actor", frozenset({Permission.READ_FILES})), name="reader")
ALL = frozenset(Permission)
HELD: frozenset[Confinement] = frozenset(get_args(Confinement))
APPROVALS = ("review", "ask", "acceptEdits", "acceptAll")

# Each with what the tool requires: reading, and for those that change something the permission for it.
EFFECTS: dict[str, tuple[PlacedEffect, Permission]] = {
    "read": (path("read", "src/app.py"), Permission.READ_FILES),
    "read credentials": (path("read", ".env"), Permission.READ_FILES),
    "read outside": (path("read", "/etc/passwd"), Permission.READ_FILES),
    "write": (path("write", "src/app.py"), Permission.WRITE_FILES),
    "write planned": (path("write", "src/planned.py"), Permission.WRITE_FILES),
    "write plan": (path("write", "a.plan"), Permission.WRITE_FILES),
    "write git": (path("write", ".git/config"), Permission.WRITE_FILES),
    "delete": (path("delete", "src/app.py"), Permission.DELETE_FILES),
    "local-read": (command("ls", "local-read"), Permission.EXECUTE_COMMANDS),
    "outside": (command("ls /", "local-read", "outside"), Permission.EXECUTE_COMMANDS),
    "fetches": (command("curl x", "net-read", "fetches"), Permission.EXECUTE_COMMANDS),
    "loopback": (command("curl localhost", "net-read", "loopback"), Permission.EXECUTE_COMMANDS),
    "secret": (command("env", "local-read", "secret"), Permission.EXECUTE_COMMANDS),
    "unknown": (command("make", "unknown"), Permission.EXECUTE_COMMANDS),
    "unknown below": (command("make", "unknown", directory="sub"), Permission.EXECUTE_COMMANDS),
    "unknown beyond": (command("kubectl foo", "unknown"), Permission.EXECUTE_COMMANDS),
    "mutating": (command("rm x", "mutating"), Permission.EXECUTE_COMMANDS),
    "mutating beyond": (command("git -C . push", "mutating"), Permission.EXECUTE_COMMANDS),
    "denied": (command("shutdown now", "mutating"), Permission.EXECUTE_COMMANDS),
    "delegate reading": (PlacedEffect(SpawnEffect("reviewer"), spawns=Mode.PLAN), Permission.READ_FILES),
    "delegate acting": (PlacedEffect(SpawnEffect("tester"), spawns=Mode.ACT), Permission.READ_FILES),
    "plan": (PlacedEffect(PlanEffect()), Permission.READ_FILES),
    "question": (PlacedEffect(AskEffect()), Permission.READ_FILES),
}

# What happens in Plan, whatever the user's settings; and in Act with `ask`, with the rule for it, with `acceptEdits`,
# and with `acceptAll`. `-` = no rule can be made for it. No command is tried.
TABLE = """
                  plan     act     rule    edits   all
read              allow    allow   -       allow   allow
read credentials  deny     ask     -       ask     allow
read outside      deny     deny    -       deny    deny
write             deny     ask     allow   allow   allow
write planned     deny     allow   -       allow   allow
write plan        allow    ask     allow   allow   allow
write git         deny     deny    -       deny    deny
delete            deny     ask     allow   ask     allow
local-read        allow    allow   -       allow   allow
outside           ask      ask     allow   ask     ask
fetches           ask      ask     allow   ask     ask
loopback          ask      ask     allow   ask     ask
secret            deny     ask     -       ask     ask
unknown           contain  contain -       contain allow
unknown below     contain  contain -       contain allow
unknown beyond    contain  ask     allow   ask     ask
mutating          deny     ask     allow   ask     allow
mutating beyond   deny     ask     allow   ask     ask
denied            deny     deny    -       deny    deny
delegate reading  allow    allow   -       allow   allow
delegate acting   deny     allow   -       allow   allow
plan              allow    deny    -       deny    deny
question          allow    allow   -       allow   allow
"""
ROWS = {line[:18].strip(): tuple(line[18:].split()) for line in TABLE.splitlines()[2:]}


def standing(mode: Mode, approval: str = "ask", rules: frozenset[Allowed] = frozenset()) -> PolicyContext:
    return PolicyContext(
        mode,
        PLANNER if mode is Mode.PLAN else ACTOR,
        PurePosixPath(".planact/plans"),
        planned_files=frozenset({"src/planned.py"}),
        approval=approval,
        commands_deny=frozenset({"shutdown"}),
        held=HELD,
        rules=rules,
    )


def judged(effect: str, now: PolicyContext) -> Verdict:
    touch, needs = EFFECTS[effect]
    return decide(Request("a_tool", frozenset({Permission.READ_FILES, needs}), False, (touch,)), now)


def word(effect: str, now: PolicyContext) -> str:
    return {Allow: "allow", Contain: "contain", Ask: "ask", Deny: "deny"}[type(judged(effect, now))]


def possible_rules() -> frozenset[Allowed]:
    """A rule for each effect that has a path or a command, whether or not the user could be offered it."""
    paths = [
        AllowedPath(action=a, path=p) for a in ("read", "write", "delete") for p in ("src/app.py", ".env", "a.plan")
    ]
    commands = [
        AllowedCommand(command=touch.effect.command, directory=touch.effect.directory)
        for touch, needs in EFFECTS.values()
        if needs is Permission.EXECUTE_COMMANDS
    ]
    return frozenset([*paths, *commands, AllowedPath(action="write", path=".git/config")])


RULES = possible_rules()


def test_the_table_has_a_row_for_every_effect() -> None:
    assert ROWS.keys() == EFFECTS.keys()


@pytest.mark.parametrize("effect", EFFECTS)
def test_mode_approval_and_rules_decide_as_the_table_says(effect: str) -> None:
    in_act = standing(Mode.ACT)
    verdict = judged(effect, in_act)
    rules = rules_for(verdict, in_act) if isinstance(verdict, Ask) else frozenset()
    found = (
        word(effect, standing(Mode.PLAN)),
        word(effect, in_act),
        word(effect, standing(Mode.ACT, rules=rules)) if rules else "-",
        word(effect, standing(Mode.ACT, "acceptEdits")),
        word(effect, standing(Mode.ACT, "acceptAll")),
    )
    assert found == ROWS[effect]


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("approval", APPROVALS)
@pytest.mark.parametrize("role", [PLANNER, ACTOR, READER], ids=lambda role: role.name)
def test_a_role_only_narrows_and_neither_role_nor_setting_nor_rule_loosens_plan(
    effect: str, approval: str, role: object
) -> None:
    for rules in (frozenset(), RULES):
        in_plan = replace(standing(Mode.PLAN, approval, rules), role=role)
        as_planner = word(effect, standing(Mode.PLAN, approval, rules))
        assert strictness(word(effect, in_plan)) >= strictness(as_planner)
        assert (as_planner == "deny") == (ROWS[effect][0] == "deny")
        in_act = replace(standing(Mode.ACT, approval, rules), role=role)
        assert strictness(word(effect, in_act)) >= strictness(word(effect, standing(Mode.ACT, approval, rules)))


def strictness(verdict: str) -> int:
    return ("allow", "contain", "ask", "deny").index(verdict)


def whole_table(now: PolicyContext) -> dict[tuple[str, str], Verdict]:
    roles = {Mode.PLAN: PLANNER, Mode.ACT: ACTOR}
    return {(mode, e): judged(e, replace(now, mode=mode, role=roles[mode])) for mode in Mode for e in EFFECTS}


def test_toggling_the_mode_a_thousand_times_leaves_the_same_table() -> None:
    for rules in (frozenset(), RULES):
        before = now = standing(Mode.PLAN, rules=rules)
        table = whole_table(before)
        for _ in range(1_000):
            mode = Mode.ACT if now.mode is Mode.PLAN else Mode.PLAN
            now = replace(now, mode=mode, role=ACTOR if mode is Mode.ACT else PLANNER)
            word("write", now)
        assert (now, whole_table(now)) == (before, table)


SOME_RULES = st.frozensets(st.sampled_from(sorted(RULES, key=repr)))


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(sorted(RULES, key=repr))), max_size=20), st.randoms())
def test_only_which_rules_there_are_counts_and_not_how_they_came_about(changes: list, random: object) -> None:
    kept: set[Allowed] = set()
    for is_new, rule in changes:
        kept.add(rule) if is_new else kept.discard(rule)
    shuffled = sorted(kept, key=repr)
    random.shuffle(shuffled)
    assert whole_table(standing(Mode.ACT, rules=frozenset(kept))) == whole_table(
        standing(Mode.ACT, rules=frozenset(shuffled))
    )


@given(
    st.lists(st.sampled_from(sorted(EFFECTS)), min_size=1, max_size=4),
    st.sampled_from(list(Mode)),
    st.frozensets(st.sampled_from(list(Permission))),
    st.booleans(),
    SOME_RULES,
    SOME_RULES,
    st.sampled_from(APPROVALS),
)
def test_what_is_denied_stays_denied_whatever_the_user_has_allowed(
    effects: list[str],
    mode: Mode,
    permissions: frozenset[Permission],
    needs_approval: bool,
    rules: frozenset[Allowed],
    more: frozenset[Allowed],
    approval: str,
) -> None:
    touches = tuple(EFFECTS[effect][0] for effect in effects)
    request = Request("a_tool", frozenset(EFFECTS[effect][1] for effect in effects), needs_approval, touches)
    role = unlisted("planner" if mode is Mode.PLAN else "actor", permissions)
    before = replace(standing(mode, rules=rules), role=role)
    after = replace(before, rules=rules | more, approval=approval)
    denied = isinstance(decide(request, before), Deny)
    assert isinstance(decide(request, after), Deny) is denied
    wider = replace(after, role=replace(role, rights=replace(role.rights, permissions=ALL)))
    if mode is Mode.PLAN and isinstance(decide(request, replace(before, role=PLANNER)), Deny):
        assert isinstance(decide(request, wider), Deny)


@given(st.lists(st.sampled_from(sorted(EFFECTS)), min_size=1, max_size=4), SOME_RULES, st.sampled_from(list(Mode)))
def test_a_question_about_several_effects_is_answered_only_when_each_is_covered(
    effects: list[str], rules: frozenset[Allowed], mode: Mode
) -> None:
    touches = tuple(EFFECTS[effect][0] for effect in effects)
    request = Request("a_tool", frozenset({Permission.READ_FILES}), False, touches)
    together = decide(request, standing(mode, rules=rules))
    alone = [decide(replace(request, touches=(touch,)), standing(mode, rules=rules)) for touch in touches]
    strictest = max((Allow, Contain, Ask, Deny).index(type(verdict)) for verdict in alone)
    assert type(together) is (Allow, Contain, Ask, Deny)[strictest]
