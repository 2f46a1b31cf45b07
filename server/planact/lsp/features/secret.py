"""`planact/secret`: the user's key of a model provider, from an editor that stores it safely."""

from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol import messages
from planact.lsp.server import PlanactServer
from planact.lsp.wire.failures import invalid_arguments


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(messages.SECRET)
    async def on_secret(ls: PlanactServer, secret: messages.Secret) -> messages.SecretTaken:
        key = secret.value.get_secret_value()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise invalid_arguments(messages.SECRET, "value: a key has neither blanks nor special characters")
        return messages.SecretTaken(
            variable=secret.variable, has_key=host_of(ls).app.secrets.hand_over(secret.variable, key)
        )
