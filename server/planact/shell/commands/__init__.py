"""The families of commands that are known, one module each: data in the notation of `table`.

A row of a later family replaces one of the same name in an earlier one.
"""

from planact.shell.commands.cloud import CLOUD
from planact.shell.commands.containers import CONTAINERS
from planact.shell.commands.coreutils import COREUTILS
from planact.shell.commands.forges import FORGES
from planact.shell.commands.git import GIT
from planact.shell.commands.languages_tools import LANGUAGES
from planact.shell.commands.mutating import MUTATING
from planact.shell.commands.network import NETWORK
from planact.shell.commands.search import SEARCH
from planact.shell.commands.shell_builtins import SHELL_BUILTINS
from planact.shell.commands.system import SYSTEM
from planact.shell.commands.text_tools import TEXT_TOOLS

FAMILIES = (
    MUTATING,
    LANGUAGES,
    CLOUD,
    CONTAINERS,
    COREUTILS,
    FORGES,
    GIT,
    NETWORK,
    SEARCH,
    SHELL_BUILTINS,
    SYSTEM,
    TEXT_TOOLS,
)
