"""`planact/secret`: the user's key of a model provider, handed over by an editor that keeps it safe."""

from planact.lsp import protocol
from planact.lsp.failures import invalid_arguments
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(protocol.SECRET)
    async def on_secret(ls: PlanactServer, secret: protocol.Secret) -> protocol.SecretTaken:
        key = secret.value.get_secret_value()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise invalid_arguments(protocol.SECRET, "value: a key has neither blanks nor special characters")
        return protocol.SecretTaken(variable=secret.variable, has_key=host_of(ls).app.hand_over(secret.variable, key))
