"""Judge by a model what a message asks for, where the rules of `policy.intent` are unsure.

The model gets that one message alone, so that no file, plan or tool can influence it.
"""

import asyncio
import json
from importlib.resources import files

from planact.agent.usage_meter import UsageMeter
from planact.base.errors import PlanactError
from planact.model.chat.message import IntentKind, ModelRequest, Reply
from planact.model.notice import ToolNotice
from planact.ports import Ports

SECONDS = 20.0
"""Seconds that the user waits for the judgement."""

_WORDS: dict[str, IntentKind] = {"EXECUTE_NOW": "EXECUTE_NOW", "PLAN_ONLY": "PLAN_ONLY"}


async def judge_intent(ports: Ports, session_id: str, model: str, message: str) -> IntentKind:
    """Return the model's judgement of a message that came after a complete plan. Every other reply is UNCLEAR, and so
    is a failure of the model, which the user is told.
    """
    prompt = (files("planact.agent") / "prompts" / "intent.md").read_text(encoding="utf-8")
    asked = json.dumps({"plan_is_ready": True, "message": message}, ensure_ascii=False)
    messages = [{"role": "system", "content": prompt}, {"role": "user", "content": asked}]
    meter = UsageMeter(ports, session_id, "", model, ModelRequest(messages, ()))
    try:
        reply = Reply("")
        async with asyncio.timeout(SECONDS):
            async for piece in meter.stream(ports.models.open(model)):
                if isinstance(piece, Reply):
                    reply = piece
    except PlanactError as error:
        ports.editor.notify(ToolNotice(session_id, "model", f"{model} did not judge the message: {error}", error.code))
        return "UNCLEAR"
    except TimeoutError:
        text = f"{model} did not judge the message within {SECONDS:.0f} s"
        ports.editor.notify(ToolNotice(session_id, "model", text, "MODEL_UNAVAILABLE"))
        return "UNCLEAR"
    finally:
        meter.record("intent")
    return "UNCLEAR" if reply.tool_calls else _WORDS.get(reply.text.strip(), "UNCLEAR")
