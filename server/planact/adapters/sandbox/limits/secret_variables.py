"""Variables of an environment that hold secrets, for commands that have no use for them."""

import re
from collections.abc import Collection, Iterable, Iterator

from planact.model.rights.credentials import names_secret

# Anywhere in a name: to lack a variable harms less than to tell a secret.
_ALSO = re.compile(r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE_KEY|ACCESS_KEY", re.IGNORECASE)


def secret_variables(names: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """Yield the `names` that say that they hold a secret, or are `known` to by their value."""
    return (name for name in names if name in known or names_secret(name) or _ALSO.search(name))
