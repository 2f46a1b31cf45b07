"""A plan for elsewhere: as Markdown, which every forge shows as a check list, or as JSON for programs."""

import json
from typing import Literal

from planact.plan.lower import plan_json
from planact.workflows.library import PlanDocument

Format = Literal["markdown", "json"]


def export_plan(document: PlanDocument, form: Format) -> str:
    """The plan as text, without a line end at its end.

    Raises:
        InvalidInput: PLAN_INVALID, when it lacks a goal or steps.
    """
    plan = document.complete()
    if form == "json":
        return json.dumps(plan_json(plan), ensure_ascii=False, indent=2)
    return document.file.text[document.tree.body_start :].strip("\n")
