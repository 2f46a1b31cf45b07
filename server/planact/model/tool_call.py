"""A tool call as the model made it. The arguments are still text, because they may not even be JSON."""

from pydantic import BaseModel, ConfigDict


class ToolCall(BaseModel):
    """`id` is the provider's; `arguments` the raw JSON text."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    id: str
    name: str
    arguments: str
