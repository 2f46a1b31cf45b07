"""The meaning of each word of the language, in a sentence or two, for hover and completion."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

KEY_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "format_version": "The format that this plan is written in.",
        "id": "By this the plan is found, whatever its file is called.",
        "status": "How far the plan is. It shows; it grants nothing: approval is kept outside the workspace.",
        "created": "When the plan was made.",
        "role": "The role that made the plan.",
        "model": "The model that made the plan.",
        "infrastructure": "Whether the plan changes things outside the workspace. Such a plan never starts by itself.",
        "context": "The files that the plan rests on, with their SHA-256: so it shows when they have changed since.",
        "parameters": "Makes a template of the document: `{{name}}` in its text stands for the parameter of that name.",
        "description": "What the template is for, in a line.",
        "category": "Where the template stands among the others.",
        "applies": "`{glob: …}` or `{command: …}`: where the template fits, by a file or a command that only reads.",
    }
)

SECTION_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "analysis": "Why it is done this way.",
        "assumptions": "What is taken for granted. If it turns out to be wrong, so may be the plan.",
        "prerequisites": "What has to be so before the first step.",
        "steps": "What is done, in this order. Each item has a box: `- [ ] 1. What to do`.",
        "risks": "What could go wrong or be lost, and what then.",
        "validation": "How to tell that the goal is reached. Items that are only code are run with the last step.",
        "estimated_total_time": "How long all of it may take.",
    }
)

DETAIL_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "reason": "Why the step is needed.",
        "tools": "The tools that the step will use. A name grants nothing.",
        "files": "The files that the step may change without asking once the plan is approved; a folder ends with `/`.",
        "time": "How long the step may take.",
        "expect": "What is so after the step.",
        "check": "A command that shows that the step is done. It may run in Act once the plan is approved.",
    }
)

WORD_MEANINGS: Mapping[Literal["front matter", "section", "detail"], Mapping[str, str]] = MappingProxyType(
    {"front matter": KEY_MEANINGS, "section": SECTION_MEANINGS, "detail": DETAIL_MEANINGS}
)
