"""Conversion of exceptions to response errors, each with a stable `data.code`."""

import asyncio
import logging
from typing import Any, TypeVar

from lsprotocol import types
from pydantic import BaseModel, ValidationError
from pygls.exceptions import JsonRpcException

from planact.base.errors import InvalidInput, PlanactError
from planact.base.memory import unexpected_failure

log = logging.getLogger(__name__)

_Model = TypeVar("_Model", bound=BaseModel)


def response_error(error: BaseException) -> types.ResponseError:
    """Return the error of a response. An unexpected exception is logged with its traceback, which the client doesn't
    get.
    """
    match error:
        case asyncio.CancelledError():
            return types.ResponseError(types.LSPErrorCodes.RequestCancelled.value, "cancelled")
        case PlanactError(code=code, hint=hint):
            # Most clients show the message alone, so it contains the next step too.
            return types.ResponseError(_number(error), str(error), {"code": code, "hint": hint})
        case JsonRpcException():
            return error.to_response_error()
        case _:
            log.error("a request failed unexpectedly", exc_info=error)
            return response_error(unexpected_failure(error, "The server's log has the details."))


def _number(error: PlanactError) -> int:
    match error.code:
        case "INVALID_ARGUMENTS":
            return types.ErrorCodes.InvalidParams.value
        case "INTERNAL_ERROR":
            return types.ErrorCodes.InternalError.value
        case "NOT_CONFIRMED":  # which clients don't show as an error: the user knows
            return types.LSPErrorCodes.RequestCancelled.value
        case _:
            return types.LSPErrorCodes.RequestFailed.value


def invalid_arguments(what: str, why: str) -> InvalidInput:
    """Return the error for malformed arguments of a command or method."""
    return InvalidInput("INVALID_ARGUMENTS", f"{what}: {why}", "Send one object with the fields of its documentation.")


def validate(what: str, model: type[_Model], payload: Any) -> _Model:
    """Return `payload` as `model`.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, naming each field.
    """
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        fields = (".".join(str(part) for part in fault["loc"]) + ": " + fault["msg"] for fault in error.errors())
        raise invalid_arguments(what, "; ".join(field.removeprefix(": ") for field in fields)) from error
