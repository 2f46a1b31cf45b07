"""Keys of model providers, and the secrets that texts for others than the user must not contain."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import TextIO
from urllib.parse import parse_qsl, unquote, urlsplit

from planact.adapters.llm.models import ProviderKeys
from planact.adapters.observe.redact import RedactedFormatter, Redactor
from planact.model.settings import McpServer, Settings


class Secrets:
    """The secrets of one process.

    Attributes:
        keys: the keys of model providers.
        redact: returns a text without secrets.
        redact_data: returns a JSON value without secrets.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._redactor = Redactor(environment)
        self.keys = ProviderKeys(environment)
        self.redact = self._redactor.text
        self.redact_data = self._redactor.data

    def log_to(self, stream: TextIO, level: int | str, form: str) -> None:
        """Write the log of the process there, without secrets; `form` is the format of a line."""
        handler = logging.StreamHandler(stream)
        handler.setFormatter(RedactedFormatter(form, self.redact))
        logging.basicConfig(handlers=[handler], level=level)

    def hand_over(self, variable: str, key: str) -> bool:
        """Take the user's key of a provider, named by the variable that usually holds it; empty = forget it.

        Keep it in memory and nowhere else. Return true if there is a key then, be it the environment's.
        """
        if key:
            self._redactor.learn_key(key)
        self.keys.hand_over(variable, key)
        return bool(self.keys.get(variable))

    def learn(self, settings: Settings) -> None:
        """Learn the secrets in a folder's settings: parameters of models, and what MCP servers are started with."""
        for parameters in (settings.model_parameters, *(model.parameters for model in settings.models.values())):
            self._redactor.learn(parameters)
        for server in settings.mcp.servers.values():
            self._learn_server(server)

    def _learn_server(self, server: McpServer) -> None:
        for name, value in (*server.env.items(), *server.headers.items(), *_named_in(server)):
            is_login = name.lower() == "authorization"
            *_, token = value.split() or [""]  # behind the word for its kind
            self._redactor.learn({"token": token} if is_login else {name: value})


def _named_in(server: McpServer) -> Iterator[tuple[str, str]]:
    """Yield names and values in the words and the address of a server: options, variables, headers, parts of URLs."""
    for word, following in pairwise([*server.args, ""]):
        option, is_joined, value = word.partition("=")
        yield option.lstrip("-"), value if is_joined else following
        for text in (word, value):
            header, _, said = text.partition(":")
            yield header, said.strip()
    for text in (server.url, *server.args):
        with suppress(ValueError):
            url = urlsplit(text)
            yield from parse_qsl(url.query)
            for password in {url.password or "", unquote(url.password or "")}:
                yield "password", password
