"""What clients hear when something fails: one response error with a stable `data.code`, whatever was raised."""

import asyncio
import logging
from typing import Any, TypeVar

from lsprotocol import types
from pydantic import BaseModel, ValidationError
from pygls.exceptions import JsonRpcException

from planact.base.errors import InvalidInput, PlanactError

logger = logging.getLogger(__name__)

Model = TypeVar("Model", bound=BaseModel)


def response_error(error: BaseException) -> types.ResponseError:
    """The error of a response. What nobody foresaw is logged with its traceback, which stays here."""
    match error:
        case asyncio.CancelledError():
            return types.ResponseError(types.LSPErrorCodes.RequestCancelled.value, "cancelled")
        case PlanactError(code=code, hint=hint):
            # Most clients show nothing but the message, so it says the next step too.
            return types.ResponseError(_number(error), str(error), {"code": code, "hint": hint})
        case JsonRpcException():
            return error.to_response_error()
        case _:
            logger.error("a request failed unexpectedly", exc_info=error)
            hint = "The server's log has the details."
            return response_error(PlanactError("INTERNAL_ERROR", f"{type(error).__name__}: {error}", hint))


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
    """What a command or method was sent makes no sense."""
    return InvalidInput("INVALID_ARGUMENTS", f"{what}: {why}", "Send one object with the fields of its documentation.")


def validate(what: str, model: type[Model], payload: Any) -> Model:
    """`payload` as `model`.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, naming each field.
    """
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        fields = (".".join(str(part) for part in fault["loc"]) + ": " + fault["msg"] for fault in error.errors())
        raise invalid_arguments(what, "; ".join(field.removeprefix(": ") for field in fields)) from error
