"""Arguments that several commands share: one object each. An unknown key is refused."""

from typing import Self

from pydantic import ConfigDict, model_validator

from planact.base.frozen_model import FrozenModel


class Arguments(FrozenModel):
    """The one object that a command takes; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class NoArguments(Arguments):
    """An empty object, or none at all."""


class OneFolder(Arguments):
    """`folder` is the URI of a workspace folder; empty = the first one."""

    folder: str = ""


class OneSession(OneFolder):
    """`session_id`; empty = the current session of the folder, which each has from its first command on.

    An id or a document implies its folder: a folder that is named besides is the only one to be searched.
    """

    session_id: str = ""


class PlanNamed(OneSession):
    """A plan, by the URI of its document or by its id."""

    uri: str = ""
    plan_id: str = ""


class OnePlan(PlanNamed):
    """A plan, by the URI of its document or by its id (one of them)."""

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if bool(self.uri) == bool(self.plan_id):
            raise ValueError("name the plan by uri or by plan_id")
        return self


class ApprovePlan(OnePlan):
    """`approve_hash`: hash of the text that the user saw, as `planact.showPlan` gives it; missing = the document as it
    is now.
    """

    approve_hash: str = ""
