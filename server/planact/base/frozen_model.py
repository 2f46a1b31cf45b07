"""The base of values that cross a boundary: to a client, to the database, to a file."""

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """A value that is checked when it is made and never changed; its validator is built at the first use."""

    model_config = ConfigDict(frozen=True, defer_build=True)
