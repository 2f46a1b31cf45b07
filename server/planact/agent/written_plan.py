"""A plan that a model wrote in Markdown instead of submitting it: in the format of plan documents, or close to it.

The text is put into that format, and read by its parser. Without a goal and without a list of steps below a heading of
theirs it is no plan: nothing is made up.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from planact.plan.syntax.lower import lower, plan_json
from planact.plan.syntax.parser import parse

_FENCED = re.compile(
    r"(?:\A|\n)(`{3,})(?:markdown|md|plan)?[ \t]*\n(?P<text>(?:---|#).*?)\n\1[ \t]*(?=\n|\Z)", re.DOTALL
)
_HEADING = re.compile(r"(?:(?P<level>#{1,6})[ \t]+(?P<text>\S.*?)|\*\*(?P<bold>[^*\n]{1,80})\*\*)[ \t:#]*")
_GOAL = re.compile(r"(?:\*\*)?(?:plan|goal)(?:\*\*)?[ \t]*[:–—-](?:\*\*)?[ \t]*(?P<text>\S.*)", re.IGNORECASE)
_NUMBERED = re.compile(
    r"[ ]{0,3}(?:[-*+][ \t]+)?(?:\[[ ]\][ \t]+)?(?:step[ \t]+)?\d{1,3}[.):][ \t]+(?:\[[ ]\][ \t]+)?(?P<text>\S.*)",
    re.IGNORECASE,
)
_BOX = re.compile(r"[ ]{0,3}[-*+][ \t]+\[[ ]\][ \t]+(?P<text>\S.*)")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(?P<text>\S.*)")
_DETAIL = re.compile(r"[*_`]*(?P<key>[A-Za-z]{3,12}(?: [A-Za-z]{3,12})?)[*_`]*:[*_`]*[ \t]*(?P<text>\S.*)")

_SECTIONS = {
    "Validation": "validation verification testing tests test checks",
    "Risks": "risks",
    "Assumptions": "assumptions",
    "Prerequisites": "prerequisites",
    "Analysis": "analysis findings background context",
    "Steps": "steps plan tasks implementation",
}
"""Sections of a plan document by the words of headings, those first that say more."""

_DETAILS = {
    **dict.fromkeys(("reason", "why", "rationale"), "reason"),
    **dict.fromkeys(("tools", "tool", "tools needed"), "tools"),
    **dict.fromkeys(("files", "file"), "files"),
    **dict.fromkeys(("expect", "expected", "expected outcome", "outcome", "result"), "expect"),
    **dict.fromkeys(("check", "checks", "validation", "verify"), "check"),
}


def written_plan(text: str) -> dict[str, Any] | None:
    """Return the plan in `text` as data; None = it holds none."""
    fenced = _FENCED.search(text)
    reader = _Reader()
    for line in (fenced["text"] if fenced else text).split("\n"):
        reader.read(line)
    plan = lower(parse("\n".join(reader.lines())))
    return plan_json(plan) if plan else None


@dataclass(slots=True)
class _Step:
    action: str
    more: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

    def lines(self, number: int) -> list[str]:
        more = f" ({'; '.join(self.more)})" if self.more else ""
        return [f"- [ ] {number}. {self.action}{more}", *(f"  - {detail}" for detail in self.details)]


@dataclass(slots=True)
class _Reader:
    """The parts of a plan, as lines are read."""

    goal: str = ""
    section: str = ""
    is_goal_next: bool = False
    is_after_blank: bool = False
    texts: dict[str, list[str]] = field(default_factory=dict)
    steps: list[_Step] = field(default_factory=list)

    def read(self, line: str) -> None:
        heading = _HEADING.fullmatch(line.rstrip())
        goal = _GOAL.fullmatch((heading and (heading["text"] or heading["bold"])) or line.strip())
        if goal is not None and not self.goal:
            self.goal = goal["text"].strip("* ")
        elif heading is not None and not (self.section == "Steps" and self._is_step(heading["text"] or "")):
            self._enter(heading)
        elif self.is_goal_next and line.strip():
            self.goal, self.is_goal_next = line.strip(), False
        elif self.section == "Steps":
            self._read_step((heading and heading["text"]) or line)
        elif self.goal:
            self.texts.setdefault(self.section, []).append(line)

    def lines(self) -> list[str]:
        """Return the plan as a document."""
        steps = [line for number, step in enumerate(self.steps, 1) for line in step.lines(number)]
        sections = [line for name, lines in self.texts.items() if name for line in (f"## {name}", *lines)]
        return [f"# {self.goal}", "", *self.texts.get("", ()), "## Steps", *steps, "", *sections]

    def _enter(self, heading: re.Match[str]) -> None:
        text = heading["text"] or heading["bold"]
        words = re.findall(r"[a-z]+", text.lower())
        self.section = next((name for name, own in _SECTIONS.items() if {*own.split()} & {*words}), "")
        is_named = bool(self.section) and len(words) <= 4
        self.is_goal_next = words == ["goal"] and not self.goal
        if heading["level"] == "#" and not self.goal and not is_named and not self.is_goal_next:
            self.goal, self.section = text, ""

    @staticmethod
    def _is_step(text: str) -> bool:
        return _NUMBERED.fullmatch(text) is not None

    def _read_step(self, line: str) -> None:
        begins = _NUMBERED.fullmatch(line.rstrip()) or _BOX.fullmatch(line.rstrip())
        if begins is not None:
            self.steps.append(_Step(_plain(begins["text"])))
            self.is_after_blank = False
        elif not line.strip():
            self.is_after_blank = True
        elif self.steps and (line[0] in " \t-*+" or not self.is_after_blank):
            item = _ITEM.fullmatch(line.rstrip())
            text = item["text"] if item else line.strip()
            detail = _DETAIL.fullmatch(text)
            key = _DETAILS.get(detail["key"].lower()) if detail else None
            if detail is not None and key is not None:
                self.steps[-1].details.append(f"{key}: {detail['text'].strip('* ')}")
            else:
                self.steps[-1].more.append(text)


def _plain(text: str) -> str:
    """Return a step's text without the stars that only set it off."""
    return re.sub(r"\*\*([^*\n]+)\*\*", r"\1", text).strip()
