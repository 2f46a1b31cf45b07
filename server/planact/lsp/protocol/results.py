"""Results that several commands share, beside the nouns of `model`."""

from pathlib import Path
from typing import Literal

from planact.base.frozen_model import FrozenModel
from planact.lsp.documents.convert import content_uri, uri_of
from planact.model.question import (
    QUESTION_FORMAT_VERSION,
    AskedInStep,
    Question,
    QuestionAbout,
    QuestionPurpose,
    QuestionSet,
    QuestionStatus,
)


class PlanMade(FrozenModel):
    """Place of a plan: `path` is relative to its workspace folder. `plan_id` is empty when no plan was made; `reason`
    then says why, where the agent ended its work without one.
    """

    session_id: str
    plan_id: str
    path: str
    uri: str
    reason: str = ""


class FileCompared(FrozenModel):
    """A file before and after, as read-only documents; their URIs are empty in clients that can't show such documents,
    and where a text isn't known.
    """

    path: str
    what: Literal["changed", "deleted", "created"]
    before_uri: str
    after_uri: str

    @classmethod
    def of(cls, path: str, before: str, after: str) -> "FileCompared":
        """Return the comparison by the SHA-256 (hex) of both contents; empty = there was no file."""
        what: Literal["changed", "deleted", "created"] = "changed" if before and after else "created"
        what = what if after else "deleted"
        return cls(path=path, what=what, before_uri=content_uri(path, before), after_uri=content_uri(path, after))


class QuestionPending(FrozenModel):
    """Questions that wait for an answer, given together: also a row of `planact.listQuestions`. `folder` is the URI of
    the workspace folder in which they are asked.

    `edits`: the proposed changes of files, where a call asks for permission; each can be rejected by itself. `step`:
    the step of a plan whose work asks. `plan_hash`: of the plan's text that is to be confirmed. `about`: the matter.
    """

    folder: str
    question_id: str
    session_id: str
    questions: tuple[Question, ...]
    created_at: str
    purpose: QuestionPurpose = "agent"
    edits: tuple[FileCompared, ...] = ()
    step: AskedInStep | None = None
    plan_hash: str = ""
    about: QuestionAbout = "agent"
    format_version: str = QUESTION_FORMAT_VERSION

    @classmethod
    def of(cls, question: QuestionSet, root: Path) -> "QuestionPending":
        """Return the message for a question; `root` is the workspace folder."""
        return cls(
            folder=uri_of(root),
            question_id=question.id,
            session_id=question.session_id,
            questions=question.questions,
            created_at=question.created_at,
            purpose=question.purpose,
            edits=tuple(FileCompared.of(edit.path, edit.before, edit.after) for edit in question.edits),
            step=question.step,
            plan_hash=question.plan_hash,
            about=question.about,
            format_version=question.format_version,
        )


class QuestionResolved(FrozenModel):
    """A question ended, by the first answer of any client, timeout or cancellation."""

    question_id: str
    session_id: str
    status: QuestionStatus

    @classmethod
    def of(cls, question: QuestionSet) -> "QuestionResolved":
        """Return the message for a question."""
        return cls(question_id=question.id, session_id=question.session_id, status=question.status)
