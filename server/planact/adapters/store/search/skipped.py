"""What a search leaves out, by reason: gathered while files are listed and searched, from any thread."""

from collections.abc import Sequence

from planact.adapters.store.disk.ignore_rules import IgnoreRules
from planact.model.file import Skipped, SkipReason

_NAMED = 3

RECORDS = IgnoreRules(["/.planact/sessions/", "/.planact/executions/"], folds_case=True)
"""What planact itself writes down, and no search looks into or tells of: a search that finds its own words in the
transcript makes that grow with each time.
"""


class SkipList:
    """Paths that one search left out, each once. Of a filter for names, only files that pass it count."""

    def __init__(self, credentials: IgnoreRules | None = None, glob: IgnoreRules | None = None) -> None:
        self._credentials = credentials
        self._glob = glob
        self._paths: dict[SkipReason, dict[str, None]] = {}

    def add(self, reason: SkipReason, path: str) -> None:
        self._paths.setdefault(reason, {})[path] = None

    def add_hidden(self, path: str, rules: IgnoreRules | None, *, is_directory: bool) -> None:
        """Add what `rules` leave out; None = the ignore files of the tree."""
        if rules is RECORDS:
            return
        if self._glob is None or is_directory or self._glob.verdict(path, is_directory=False):
            reason: SkipReason = "credentials" if rules is self._credentials else "hidden"
            self.add("ignored" if rules is None else reason, f"{path}/" if is_directory else path)

    def all(self) -> Sequence[Skipped]:
        """Return the reasons in the order of first occurrence; what the user hides isn't named."""
        return tuple(
            Skipped(reason, len(paths), () if reason == "hidden" else tuple(sorted(paths)[:_NAMED]))
            for reason, paths in self._paths.items()
        )
