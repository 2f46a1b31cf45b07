"""Errors, with a stable code for programs and a next step for people.

    PlanactError            code, message (subject and cause), hint (next step)
    ├── InvalidInput        the request makes no sense
    │   └── NotFound        the request is well-formed, and its subject is missing
    ├── Conflict            the request makes sense, and not now
    ├── ModelFailure        the model can't be reached or can't be understood
    ├── EditFailure         a text could not be changed as intended
    ├── StorageFailure      planact's own records can't be read or written
    ├── CommandFailure      a command could not be run at all
    ├── McpFailure          an MCP server did not do what was asked
    └── PageFailure         a page of the web could not be fetched

Expected outcomes are values (`policy.context.Deny`, `tools.tool_result.Refused`); these are for what ends an operation.
"""

from typing import Literal

ErrorCode = Literal[
    "ANSWER_INVALID",
    "BUSY",
    "COMMAND_FAILED_TO_START",
    "COMMAND_NOT_FOUND",
    "CONFIG_INVALID",
    "EDITOR_NO_ANSWER",
    "EDIT_AMBIGUOUS",
    "EDIT_CONFLICT",
    "EDIT_NOT_FOUND",
    "EDIT_REFUSED",
    "EXECUTION_NOT_FOUND",
    "FILE_MOVED_ON",
    "FILE_BINARY",
    "FILE_EXISTS",
    "FILE_NOT_FOUND",
    "FILE_TOO_LARGE",
    "FILE_UNREADABLE",
    "FOLDER_UNTRUSTED",
    "HOOK_FAILED",
    "INTERNAL_ERROR",
    "INVALID_ARGUMENTS",
    "LANGUAGE_SERVER_UNUSABLE",
    "MCP_COMMAND_REFUSED",
    "MCP_FAILED",
    "MESSAGE_NOT_FOUND",
    "MODEL_BAD_REQUEST",
    "MODEL_CONTEXT_FULL",
    "MODEL_EMPTY_ANSWER",
    "MODEL_KEY_MISSING",
    "MODEL_KEY_REFUSED",
    "MODEL_NOT_CHOSEN",
    "MODEL_NO_CREDIT",
    "MODEL_OVERLOADED",
    "MODEL_RATE_LIMITED",
    "MODEL_REFUSED",
    "MODEL_SCRIPT_MISMATCH",
    "MODEL_STREAM_BROKEN",
    "MODEL_UNAVAILABLE",
    "MODEL_UNKNOWN",
    "MODE_CONFLICT",
    "NOTHING_TO_ROLL_BACK",
    "NOT_CONFIRMED",
    "NO_WORKSPACE",
    "OUTPUT_NOT_FOUND",
    "OUT_OF_MEMORY",
    "PAGE_NOT_FETCHED",
    "PATH_OUTSIDE_WORKSPACE",
    "PLAN_CHANGED_SINCE_APPROVAL",
    "PLAN_FOREIGN",
    "PLAN_HAS_COMMENTS",
    "PLAN_INVALID",
    "PLAN_NOT_FOUND",
    "PLAN_STALE",
    "QUESTION_NOT_OPEN",
    "REVISION_NOT_FOUND",
    "ROLE_INVALID",
    "ROLE_NOT_FOUND",
    "RULE_NOT_FOUND",
    "SANDBOX_UNAVAILABLE",
    "SESSION_NOT_FOUND",
    "STEP_NOT_FOUND",
    "STORAGE_BUSY",
    "STORAGE_DAMAGED",
    "STORAGE_UNWRITABLE",
    "TEMPLATE_INVALID",
    "TEMPLATE_NOT_FOUND",
    "TRUST_OUTDATED",
    "WORKSPACE_UNTRUSTED",
]
"""Every code an error can carry. Codes of refused tool calls are `policy.context.DenyCode`."""


class PlanactError(Exception):
    """An operation ended: `message` names the subject and the cause, `hint` the next step."""

    def __init__(self, code: ErrorCode, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        if not self.hint:
            return f"{self.message} [{self.code}]"
        sentence = self.message if self.message.endswith("?") else f"{self.message.rstrip('.')}."
        return f"{sentence} {self.hint} [{self.code}]"


class InvalidInput(PlanactError):
    """The request makes no sense."""


class NotFound(InvalidInput):
    """The subject of the request doesn't exist."""


class Conflict(PlanactError):
    """The request can't be fulfilled now."""


class ModelFailure(PlanactError):
    """The model can't be reached or understood.

    `retry_after` is the wait in seconds that the provider asks for; `is_transient` says that a retry may help, and
    `reason` says in a few words for people why there is one. `title` is that in two or three words, `status` the
    answer's HTTP status, 0 = unknown; `attempts` is the number of requests that failed before it was given up, in
    `seconds`.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        hint: str = "",
        *,
        reason: str = "",
        is_transient: bool = False,
        retry_after: float | None = None,
        title: str = "",
        status: int = 0,
        attempts: int = 1,
        seconds: float = 0.0,
    ) -> None:
        super().__init__(code, message, hint)
        self.reason = reason or message
        self.title = title or self.reason
        self.status = status
        self.attempts = attempts
        self.seconds = seconds
        self.is_transient = is_transient
        self.retry_after = retry_after


class EditFailure(PlanactError):
    """A text could not be changed as intended; all texts of the call are unchanged."""


class StorageFailure(PlanactError):
    """planact's own records can't be read or written."""


class CommandFailure(PlanactError):
    """A command could not be run at all."""


class McpFailure(PlanactError):
    """An MCP server can't be reached, or did not do the task."""


class PageFailure(PlanactError):
    """A page of the web can't be fetched, or holds no text."""
