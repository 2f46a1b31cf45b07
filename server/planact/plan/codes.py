"""Every code of the linter explained, for the page of rules and for whoever hovers over a fault."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planact.plan.examples import EXAMPLES

PAGE = "codes.md"
"""The file beside this one that holds the page of rules."""

_RULES = """
PLAN001 | error | The goal is missing
The first heading of the first level, `# …`, says what the plan is for. It is what you are asked to approve.

PLAN002 | error | There are no steps
`## Steps` is there, and nothing below it is a step. A step is a list item with a box: `- [ ] 1. What to do`.

PLAN003 | error, warning | Steps are out of order, or two have the same number
You, the lenses and the record of a run name a step by its number, so two with the same are an error. Numbers that fall
are only confusing. *Renumber the steps* puts it right.

PLAN004 | error | A mark means nothing
Between a step's brackets stands how far it is: `[ ]` pending, `[~]` running, `[x]` done, `[-]` skipped, `[!]` failed.

PLAN005 | error | The front matter can't be read
The lines between the two `---` are plain YAML: `key: value`. Anchors, aliases, tags and deep nesting are not read.

PLAN006 | warning | A front-matter key means nothing
It is kept, and planact takes no notice of it. Mostly it is a slip of the pen.

PLAN007 | error | The `format_version` is not supported
A plan of a later format may mean what this version can't know, so it isn't carried out.

PLAN008 | warning | A tool doesn't exist
`tools:` tells what a step will use. A name grants nothing, so a wrong one stops nothing.

PLAN009 | hint | A step gives no reason
The reason lets you judge a step, and lets the agent adapt it when things are not as expected.

PLAN010 | error | A step says nothing
Nobody can carry it out.

PLAN011 | error | A list item among the steps is not a step
What you meant to be done must not be left out silently. Give it a box, or indent it to make it part of the step above.

PLAN012 | warning | A box below a step
Steps are one level deep: nobody ticks this box, and it isn't carried out by itself.

PLAN013 | error, warning | A key or a section is given twice
Only the first counts. A second `## Steps` is an error, since its steps would be left out.

PLAN014 | error | A fence is never closed
All below it counts as code, steps too.

PLAN015 | warning | A front-matter value makes no sense
It is ignored rather than guessed at.

PLAN016 | warning, hint | A file is not there
The step names a file that doesn't exist, and no step up to this one has a tool that could make it. It is a hint when
the step names no tools at all: then it may be the one that creates the file, which `tools: create_file` would say.

PLAN017 | warning | A check can't be read
bash finds a syntax error in it, so the check would fail however well the step went.

PLAN018 | error | A check is denied by your settings
`commands.deny` names it (in the example, it has "curl"), so it would be refused and its step could never be done.

PLAN019 | warning | What is destroyed has no risk named
The step deletes something, and the plan has nothing under `## Risks`. Say there what could be lost, and
how it comes back.

PLAN020 | warning | A `{{parameter}}` is unresolved
In a plan, a value of the template it came from is missing. In a template, no parameter of that name is declared.

PLAN021 | warning, hint | A question is not answered
The planner would like to know. Tick a box, or write behind `answer:`.

PLAN022 | error | A merge conflict is unresolved
The plan holds two versions at once.

PLAN023 | warning | A word is nearly one of the language
`checks:` or `## Risk` is kept as your own word and means nothing, so what stands there would not be done or shown.

PLAN024 | hint | A request reads like a list of steps
Numbered lists, boxes and headings such as `### Step 1: …` can become the steps of a plan with every word kept. It is
offered, and never done by itself: *Generate plan* takes the same text as what you wish for.

PLAN025 | warning | A file changed since planning
The plan rests on it, by its fingerprint under `context`, and a step that names it may not fit any more. *Re-plan*, look
at what changed, or accept the file as it is now, which leaves your approval as it is. What the plan's own runs change
doesn't count; text in an editor that isn't saved does.
"""


@dataclass(frozen=True, slots=True)
class Code:
    """One code: how serious its problems are, and Markdown that says what it is about."""

    name: str
    severities: str
    title: str
    text: str


def _read(rules: str) -> Mapping[str, Code]:
    codes: dict[str, Code] = {}
    for paragraph in rules.strip().split("\n\n"):
        head, _, text = paragraph.partition("\n")
        name, severities, title = head.split(" | ")
        codes[name] = Code(name, severities, title, text)
    return MappingProxyType(codes)


CODES = _read(_RULES)


def page() -> str:
    """The page of rules, in Markdown. Each has its code as heading, so that a link can lead to it."""
    lines = [
        "<!-- Generated by `python -m planact.lsp.generate` from plan/codes.py. -->",
        "",
        "# What the linter of plans says",
        "",
    ]
    lines += [
        "What each code means, a plan that has it, and the same plan mended. Errors keep a plan from being carried",
        "out; warnings and hints don't. Where there is a quick fix, it is among the code actions at the place.",
        "",
    ]
    for code in CODES.values():
        example = EXAMPLES[code.name]
        lines += [
            f"## {code.name}",
            "",
            f"**{code.title}** ({code.severities.replace(', ', ' or ')})",
            "",
            code.text,
            "",
            *_fenced(example.faulty),
            "Mended:",
            "",
            *_fenced(example.mended),
        ]
    return "\n".join(lines).rstrip("\n") + "\n"


def lines() -> Mapping[str, int]:
    """By code, the line of the page that its heading is on, from 1."""
    found = {line.removeprefix("## "): number for number, line in enumerate(page().splitlines(), 1)}
    return MappingProxyType({name: found[name] for name in CODES})


def _fenced(text: str) -> list[str]:
    """As code, in a fence longer than any in it."""
    return ["````plan", *text.rstrip("\n").splitlines(), "````", ""]
