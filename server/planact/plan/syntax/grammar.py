"""Every word and sign of the `*.plan` language, once.

Names of people's text on the left, fields of `model.plan` on the right; no other module of the package spells them.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from planact.model.plan import StepStatus

MARKS: Mapping[StepStatus, str] = MappingProxyType(
    {
        StepStatus.PENDING: " ",
        StepStatus.RUNNING: "~",
        StepStatus.DONE: "x",
        StepStatus.SKIPPED: "-",
        StepStatus.FAILED: "!",
    }
)
"""The mark between a step's brackets."""

STATUSES: Mapping[str, StepStatus] = MappingProxyType(
    {mark: status for status, mark in MARKS.items()} | {"X": StepStatus.DONE}
)
"""Marks back to statuses; Markdown's `[X]` counts as done."""

FRONT_MATTER_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "format_version": "format_version",
        "id": "id",
        "status": "status",
        "created": "created_at",
        "role": "role",
        "model": "model",
        "infrastructure": "has_infrastructure_changes",
        "context": "context",
        "parameters": "",  # makes a template of the document
        "description": "",
        "category": "",
        "applies": "",
    }
)
TEMPLATE_KEYS = frozenset({"parameters", "description", "category", "applies"})
"""Keys of templates, which a plan made from one doesn't carry."""

SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "Analysis": "analysis",
        "Assumptions": "assumptions",
        "Prerequisites": "prerequisites",
        "Steps": "steps",
        "Risks": "risks",
        "Validation": "validation",
        "Estimated time": "estimated_total_time",
    }
)
"""Headings of the second level, in the order in which they are written. They are read in any case."""

TEXT_SECTIONS = frozenset({"analysis", "estimated_total_time"})
LIST_SECTIONS = frozenset({"assumptions", "prerequisites", "risks", "validation"})

DETAILS: Mapping[str, str] = MappingProxyType(
    {
        "reason": "reason",
        "tools": "tools_needed",
        "files": "files",
        "time": "estimated_time",
        "expect": "expected_outcome",
        "check": "validation_checks",
    }
)
"""Keys of the list below a step, in the order in which they are written."""

TEXT_DETAILS = frozenset({"reason", "time", "expect"})

MAX_NUMBER = 999_999_999
"""Longer step numbers are text."""

HEADING = re.compile(r" {0,3}(#{1,2})(?=[ \t]|$)")
FENCE = re.compile(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,})")
LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
STEP = re.compile(r"[ \t]*[-*+][ \t]+\[(?P<mark>[^\]])\](?:[ \t]+|$)(?:(?P<number>[0-9]{1,9})[.)](?:[ \t]+|$))?")
BOX = re.compile(r"\[[^\]]\](?:[ \t]|$)")
DETAIL = re.compile(r"([A-Za-z][A-Za-z_-]{0,31}):[ \t]*")
QUOTE = re.compile(r"(?!>{7}(?: |$))[ \t]*>[ \t]?")
"""A line of a quote, but not the end of a merge conflict."""

ALERT = re.compile(r"[ \t]*>[ \t]*\[![A-Za-z]")
FRONT_MATTER_FENCE = re.compile(r"---[ \t]*$")
FRONT_MATTER_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)[ \t]*:(?=[ \t\r\n]|$)")
ESCAPED = re.compile(r"[ \t]*\\*(?=#{1,2}(?:[ \t]|$)|>|`{3}|~{3})")
"""Lines that would read as markup: `render` puts one more backslash into them, and `lower` takes one out."""

UNCOVERED_KEYS = ("status", "context")
"""Keys of the front matter whose first values the user's approval doesn't cover."""
