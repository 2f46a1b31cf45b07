"""Names of files and variables that usually hold credentials: one list of each, for all that read, search, run and
store.
"""

import fnmatch
import re
from pathlib import PurePosixPath

CREDENTIAL_PATTERNS = (
    ".env",
    ".env.*",
    ".envrc",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.keystore",
    "*.jks",
    "*.kdbx",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    ".pgpass",
    "credentials.json",
    "service-account*.json",
)
"""File names, as gitignore patterns, that are refused in Plan, asked for in Act, and left out of searches."""

CREDENTIAL_FOLDERS = (".aws", ".ssh", ".gnupg", ".azure", ".kube", ".docker", "gcloud")

_HARMLESS_ENDINGS = (".example", ".sample", ".template", ".pub")

# Certificates of public authorities, under the names by which packages bring them, and public keys. Programs can't
# trust any server without them, and nothing in them is secret.
_PUBLIC = (
    "cacert.pem",
    "cacerts.pem",
    "ca-bundle.pem",
    "ca-certificates.pem",
    "tls-ca-bundle.pem",
    "roots.pem",
    "public.pem",
    "public_key.pem",
)

_IS_CREDENTIAL = re.compile("|".join(fnmatch.translate(pattern.casefold()) for pattern in CREDENTIAL_PATTERNS))

_SECRET_NAME = re.compile(
    r"(?i)(?:token|secret|passw(?:or)?d|passphrase|credential|cred)s?(?:$|[_-])"
    r"|(?:^|[_-]|api|access|secret|private)keys?(?:$|[_-])"
    r"|(?:^|[_-])(?:pass|pat|auth|dsn|cookie)(?:$|[_-])|[_-]pwd(?:$|[_-])"
)

SEARCH_SKIPS = (
    *CREDENTIAL_PATTERNS,
    *(f"{folder}/" for folder in CREDENTIAL_FOLDERS),
    *(f"!*{ending}" for ending in _HARMLESS_ENDINGS),
    *(f"!{name}" for name in _PUBLIC),
)
"""Paths that a search leaves out, as gitignore patterns in order."""


def holds_credentials(path: PurePosixPath) -> bool:
    """Return whether a file of that name usually holds a secret. Case doesn't count: not every disk tells it apart."""
    return any(map(is_credential_folder, path.parts[:-1])) or is_credential_name(path.name)


def names_secret(variable: str) -> bool:
    """Return whether a variable or a setting of that name usually holds a secret."""
    return _SECRET_NAME.search(variable) is not None


def is_credential_folder(name: str) -> bool:
    """Return whether all files in a folder of that name usually hold secrets."""
    return name.casefold() in CREDENTIAL_FOLDERS


def is_credential_name(name: str) -> bool:
    """Return whether a file of that name usually holds a secret, wherever it lies."""
    plain = name.casefold()
    if plain.endswith(_HARMLESS_ENDINGS) or plain in _PUBLIC:
        return False
    return _IS_CREDENTIAL.match(plain) is not None
