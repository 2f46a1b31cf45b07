"""Station between two verdicts: has a tool find out the effects that its bare arguments don't tell."""

from dataclasses import replace

from planact.base.errors import PlanactError
from planact.ports import Ports
from planact.tools.calls.decode import DecodedCall
from planact.tools.calls.judged_call import JudgedCall
from planact.tools.read_access import ReadAccess
from planact.tools.tool_result import Failed
from planact.tools.turn import Turn


async def prepare_call(ports: Ports, judged: JudgedCall, turn: Turn) -> DecodedCall | Failed:
    """Return the call with what its tool finds out; the call itself for a tool without preparation, and for a call that
    is refused already. It reads what the verdict was about, and changes nothing.
    """
    decoded = judged.decoded
    if decoded.tool.prepare is None or judged.refusal is not None:
        return decoded
    access = ReadAccess(ports, judged.granted, turn.limits.file_bytes, {}, turn.trace.known)
    try:
        return replace(decoded, args=await decoded.tool.prepare(decoded.args, access))
    except PlanactError as error:
        return Failed(error.code, error.message, error.hint)
