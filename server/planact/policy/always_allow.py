"""Which rule would allow one effect from now on, if any may: asking about it again is then of no use to the user.

None for what is decided anew each time: credentials and secrets, and in Plan all commands that aren't known to only
read. These run contained there, and the same rule would let them loose in Act.
"""

from planact.model.classification import Classification
from planact.model.effect import CommandEffect, Effect, PathEffect
from planact.model.permission import Mode
from planact.model.rule import Allowed, AllowedCommand, AllowedPath
