"""A small workspace with a plan, and the models that make, revise and carry it out."""

from typing import Any

from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene

PATH = "greet.plan"
PLAN_ID = "plan_20261120_k3v9"
GREETING = "🌍 good day\n"
HELLO = "🌍 hello\n"
FAREWELL = "bye 👋\n"

PLAN = f"""---
format_version: "1.0"
id: {PLAN_ID}
status: draft
---
# Greet the 🌍 politely

## Steps
- [ ] 1. 😀 Say hello in `greeting.txt`
  - reason: a good day is too formal
  - tools: read_file, update_file
  - files: greeting.txt
  - check: `grep -q hello greeting.txt`
- [ ] 2. 👋 Write `farewell.txt`
  - reason: it is polite
  - tools: create_file
  - files: farewell.txt
"""

SUBMITTED: dict[str, Any] = {
    "goal": "Greet the 🌍 politely",
    "steps": [
        {
            "action": "😀 Say hello in `greeting.txt`",
            "reason": "a good day is too formal",
            "tools_needed": ["read_file", "update_file"],
            "files": ["greeting.txt"],
            "validation_checks": ["grep -q hello greeting.txt"],
        },
        {
            "action": "👋 Write `farewell.txt`",
            "reason": "it is polite",
            "tools_needed": ["create_file"],
            "files": ["farewell.txt"],
        },
    ],
}

READ = calls(call("read_file", path="greeting.txt"))
UPDATE = calls(
    call("update_file", path="greeting.txt", edits=[{"old": "${old}", "new": "🌍 hello"}]),
    find=[{"name": "old", "in": "read_file", "pattern": "\\t(.* good day)$"}],
    expect=[{"in": "system", "text": "APPROVED EXECUTION PLAN"}],
)
WRITE = calls(call("create_file", path="farewell.txt", content=FAREWELL))

PLANNING = scene("greet", READ, calls(call("write_plan", **SUBMITTED)), say("The plan is ready."), mode="plan")
REVISING = scene(
    "^Revise the plan",
    calls(call("write_plan", **{**SUBMITTED, "goal": "Greet the 🌍 warmly"}), expect=[{"in": "user", "text": "warm"}]),
    say("Revised."),
    mode="plan",
)
FIRST = scene("Carry out step 1 ", READ, UPDATE, say("Said hello."), mode="act")
SECOND = scene("Carry out step 2 ", WRITE, say("Said goodbye."), mode="act")
HELPLESS = scene(r"Repair \d+ of \d+ of step", say("I can't repair that."), mode="act")
"""Leaves a check that failed as it is, so that the user is asked."""
SLOW = scene("Carry out step 1 ", say("a word now and then " * 200, delay=0.05), mode="act")
"""Works for 40 seconds, and must be stopped."""

ASKED: dict[str, Any] = {
    "name": "tone",
    "question": "Which 🎵 tone?",
    "severity": "major",
    "options": [{"label": "Warm", "value": "warm"}, {"label": "Cool", "value": "cool"}],
}
ASKING = scene(
    "Carry out step 1 ",
    calls(call("ask_user", questions=[ASKED])),
    calls(
        call("create_file", path="farewell.txt", content="${tone}\n"),
        find=[{"name": "tone", "in": "ask_user", "pattern": '"(?:tone|message)": "([^"]*)"'}],
    ),
    say("Done."),
    mode="act",
)
"""Writes what the user answered into a file."""

ASK_PLAN = f"""---
id: {PLAN_ID}
---
# Ask 🎵 and write

## Steps
- [ ] 1. Ask, then write `farewell.txt`
  - reason: only the user knows
  - files: farewell.txt
"""


def set_up(client: PlanactClient, *scenes: dict[str, Any], plan: str = PLAN) -> str:
    """Files, plan and script; the URI of the plan. Without scenes, the model does everything as planned."""
    client.write("greeting.txt", GREETING)
    client.script(*(scenes or (REVISING, PLANNING, FIRST, SECOND)), HELPLESS)
    return client.write(PATH, plan)


TEMPLATE = """---
parameters:
  - {name: who, description: Whom}
---
# Greet {{who}}

## Steps
- [ ] 1. Say hello 👋
"""


def set_up_template(client: PlanactClient) -> None:
    """A template of the workspace, called greet."""
    client.write(".planact/templates/greet.plan", TEMPLATE)
