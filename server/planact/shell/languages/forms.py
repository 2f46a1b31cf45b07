"""Closer looks at single options and arguments, each for one program."""

import re

from planact.model.classification import CommandClass
from planact.shell.table import Call, Judge, Refused, names

_LISTS_COMMITS = names(
    """
    -# -n --max-count --skip --since --after --until --before --author --committer --grep -i -E -F -P --all --branches
    --tags --remotes --glob --exclude --merges --no-merges --first-parent --reverse --graph --oneline --format --pretty
    --abbrev --abbrev-commit --no-abbrev-commit --date --relative-date --decorate --no-decorate --date-order
    --topo-order --author-date-order --name-only --name-status --stat --numstat --shortstat --no-patch -s --no-color
    --color --follow --ancestry-path --boundary --cherry-pick --cherry-mark --left-right --left-only --right-only
    --simplify-by-decoration --full-history --source --no-notes --no-ext-diff --no-textconv
    """
)
"""Options of `git log` with which it shows no file's content."""

_SIGNED = re.compile(r"%G|%\(signature|%\(raw:textconv")


def check_git_format(call: Call, _judge: Judge) -> None:
    """Formats that show signatures start the program that is configured to verify them."""
    for value in call.values("--format", "--pretty"):
        if _SIGNED.search(value.text) or not value.is_exact:
            raise Refused("git", "a format that verifies signatures runs a configured program", value)


def check_git_patch(call: Call, judge: Judge) -> None:
    """What shows how files differ starts the drivers that a repository names for that, unless told not to."""
    check_git_format(call, judge)
    only_lists = call.command.name == "git log" and all(name in _LISTS_COMMITS for name, _ in call.options)
    if not only_lists and not (call.has("--no-ext-diff") and call.has("--no-textconv")):
        judge.mark("configured")


def check_git_config(call: Call, _judge: Judge) -> None:
    """Reading needs an option or a word that says so; a bare `name value` writes."""
    words = [word.text for word in call.arguments]
    asks = call.has(
        "--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list", "--get-color", "--get-colorbool"
    )
    is_one_name = len(words) == 1 and call.arguments[0].is_exact and "." in words[0]
    is_new_form = len(words) >= 1 and words[0] in ("list", "get") and all(word.is_exact for word in call.arguments)
    if not (asks or is_one_name or is_new_form):
        raise Refused("git", "`git config` that may write", call.name, "mutating")


def check_git_listing(call: Call, _judge: Judge) -> None:
    """With a name and no option that asks for a list, these make something."""
    asks = call.has(
        "-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "-v", "--verify", "-n"
    )
    is_branch = call.command.name == "git branch"
    asks = asks or (is_branch and call.has("-a", "--all", "-r", "--remotes", "--show-current") and not call.arguments)
    if is_branch and call.has("-v") and call.arguments and not call.has("-l", "--list", "--contains", "--merged"):
        asks = False
    if call.arguments and not asks:
        raise Refused("git", f"`{call.command.name}` with a name makes or changes one", call.arguments[0], "mutating")


def check_pager(call: Call, _judge: Judge) -> None:
    """A word with a plus in front is a command of the pager."""
    for word in call.arguments:
        if word.text.startswith("+"):
            raise Refused("pager", "a command for the pager", word)


def check_remote(call: Call, judge: Judge) -> None:
    """A repository to ask, by the name of a remote or by address; two colons would be a program as transport."""
    for word in call.arguments:
        if "::" in word.text:
            raise Refused("git", "a transport that runs a program", word)
        if ":" in word.text:
            judge.mark("fetches")


def check_address(call: Call, judge: Judge) -> None:
    """Whom to ask is the line's choice: by address, or by the name of a server behind what is asked."""
    words = [*call.arguments, *(value for _, values in call.options for value in values)]
    is_server = call.command.name in ("host", "nslookup") and len(call.arguments) > 1
    if is_server or call.has("-h", "--repo") or any(":" in word.text for word in words):
        judge.mark("fetches")


def check_query(call: Call, _judge: Judge) -> None:
    """Package managers whose options mean something else without the one for queries."""
    if not any(name.startswith(("-q", "-Q", "--query", "-V", "--ver")) for name, _ in call.options):
        raise Refused("packages", f"`{call.name.text}` without its option for queries", call.name)


def check_curl(call: Call, _judge: Judge) -> None:
    """One plain GET: HTTP only, no pattern that makes several requests."""
    for word in call.arguments:
        if not re.match(r"(?:https?://)?[\w.-]+(?::\d+)?(?:[/?#][^\[\]{}]*)?\Z", word.text):
            raise Refused("curl", "an address that isn't plain HTTP", word)
    if not call.arguments:
        raise Refused("curl", "no address", call.name)


def check_wget(call: Call, _judge: Judge) -> None:
    """Only where the page goes to standard output, or only its existence is asked."""
    check_curl(call, _judge)
    outputs = [value.text for value in call.values("-O", "--output-document")]
    if outputs != ["-"] and not call.has("--spider"):
        raise Refused("wget", "`wget` without `-O -` writes a file", call.name, "mutating")


def check_gh_api(call: Call, _judge: Judge) -> None:
    """A GET without fields, unless the method is said to be GET; never GraphQL, whose queries may mutate."""
    methods = [value.text.upper() for value in call.values("-X", "--method")]
    fields = call.has("-f", "-F", "--field", "--raw-field")
    if methods not in ([], ["GET"], ["HEAD"]) or (fields and not methods):
        raise Refused("gh", "`gh api` that isn't a GET", call.name, "mutating" if methods else "unknown")
    for header in call.values("-H", "--header"):
        # Some headers stand for another method.
        if not re.match(r"(?:accept|x-github-api-version):", header.text, re.IGNORECASE):
            raise Refused("gh", "`gh api` with a header that isn't known to be harmless", header)
    path = call.arguments[0].text if call.arguments else ""
    if not path or "graphql" in path or "://" in path:
        raise Refused("gh", "`gh api` with an address that isn't known to only read", call.name)


def check_kubectl_get(call: Call, judge: Judge) -> None:
    """Secrets are kinds like others, but their values are shown."""
    kinds = ",".join(word.text for word in call.arguments).lower()
    if re.search(r"(?:^|[,/])secrets?(?:[./,]|$)", kinds) or call.has("--raw", "-f", "--filename"):
        judge.mark("secret")
    for value in call.values("-o", "--output", "--template"):
        if value.text.startswith(("go-template-file", "jsonpath-file", "custom-columns-file")):
            raise Refused("kubectl", "a template from a file", value)


def check_cargo(call: Call, _judge: Judge) -> None:
    """Unless told not to, cargo may fetch packages and write its lock file."""
    if not call.has("--offline", "--frozen", "--locked"):
        raise Refused("cargo", f"`{call.command.name}` without --locked or --offline may write", call.name)


def check_dig(call: Call, judge: Judge) -> None:
    """Names and types only; no file of queries, and nothing computed. Another server is the line's choice."""
    for word in call.arguments:
        if word.text.startswith("@"):
            judge.mark("fetches")
        if word.text.startswith("-f") or (
            word.text.startswith("-") and word.text not in ("-x", "-t", "-4", "-6", "-p")
        ):
            raise Refused("option", f"`dig {word.text}` isn't known to only read", word)


def check_ps(call: Call, _judge: Judge) -> None:
    """Only looks, whatever it is asked, but old spellings make options of plain words."""
    for word in call.arguments:
        if not re.fullmatch(r"-{0,2}[\w,=%+:.@/-]*", word.text):
            raise Refused("option", f"`ps {word.text}` isn't known to only read", word)


def check_sysctl(call: Call, _judge: Judge) -> None:
    """An equals sign would set."""
    for word in call.arguments:
        if "=" in word.text or "/" in word.text or not word.is_exact:
            raise Refused("sysctl", "`sysctl` with this word may set something", word)


def check_offline(call: Call, _judge: Judge) -> None:
    """Unless told not to, uv brings its lock file up to date."""
    if not call.has("--frozen", "--locked", "--offline"):
        raise Refused("uv", f"`{call.command.name}` without --frozen or --locked may write", call.name)


def check_version(call: Call, _judge: Judge) -> None:
    """A program of which only its version is known to be harmless."""
    if not call.options:
        raise Refused("program", f"`{call.name.text}` is only known to tell its version", call.name)


def check_rustc(call: Call, _judge: Judge) -> None:
    """Printing what it knows; without such an option it would compile."""
    values = [value.text for value in call.values("--print")]
    if any("=" in value for value in values) or not call.options:
        raise Refused("rustc", "`rustc` that isn't only asked what it knows", call.name)


def check_go(call: Call, _judge: Judge) -> None:
    """Packages and modules by name; arguments that are files would be compiled as a program."""
    for word in call.arguments:
        if word.text.endswith(".go"):
            raise Refused("go", "`go list` of a file", word)


def check_jar(call: Call, _judge: Judge) -> None:
    """Only the table of contents."""
    words = call.arguments
    if not words or words[0].text not in ("tf", "-tf", "tvf", "-tvf", "t", "--list"):
        raise Refused("jar", "`jar` that doesn't only list", call.name)


def check_kubectl_raw(call: Call, judge: Judge) -> None:
    """The configuration with its keys and tokens; made flat, it has them too."""
    if call.has("--raw", "--flatten"):
        judge.mark("secret")


def check_terraform_output(call: Call, judge: Judge) -> None:
    """What is marked as sensitive is left out only where all is shown for people."""
    is_named = call.command.name.endswith("output") and bool(call.arguments)
    if is_named or call.has("-json", "-raw"):
        judge.mark("secret")


def check_compose_config(call: Call, judge: Judge) -> None:
    """The whole with the values of `.env` and of other files put in, unless only names are asked for."""
    if not call.has("--services", "--volumes", "--images", "--profiles", "--networks", "--hash", "-q", "--quiet"):
        judge.mark("secret")


def check_terraform_fmt(call: Call, _judge: Judge) -> None:
    """It writes unless told only to check."""
    if not call.has("-check", "-write"):
        raise Refused("terraform", "`terraform fmt` without -check rewrites files", call.name, "mutating")


def check_pip_list(call: Call, _judge: Judge) -> CommandClass | None:
    """What is outdated, only the index knows."""
    return "net-read" if call.has("-o", "--outdated", "-u", "--uptodate") else None
