"""Closer looks at single options and arguments, each for one program."""

import re

from planact.base.text import word_set
from planact.model.rights.classification import CommandClass
from planact.shell.servers import WRITTEN_OUT, is_of_host, loopback_server
from planact.shell.table import CallRefused, CommandCall, Judge
from planact.shell.words import PIPE

_LISTS_COMMITS = word_set(
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


def check_git_format(call: CommandCall, _judge: Judge) -> None:
    """Formats that show signatures start the program that is configured to verify them."""
    for value in call.values("--format", "--pretty"):
        if _SIGNED.search(value.text) or not value.is_exact:
            raise CallRefused("git", "a format that verifies signatures runs a configured program", value)


def check_git_patch(call: CommandCall, judge: Judge) -> None:
    """Mark every form as showing file contents but a plain list of commits."""
    check_git_format(call, judge)
    if call.command.name == "git log" and all(name in _LISTS_COMMITS for name, _ in call.options):
        return
    judge.mark("history")


def check_git_status(call: CommandCall, judge: Judge) -> None:
    """Mark a status that shows what is staged, of the files that it names; any other opens none."""
    if call.has("-v", "-vv", "--verbose"):
        judge.mark("history")
        for word in call.arguments:
            judge.read(word)


_SHOWS_CONFIG = word_set(
    """
    --local --global --system --worktree --name-only -z --null --show-origin --show-scope --show-names --bool --int
    --bool-or-int --path --expiry-date --includes --no-includes --fixed-value --all --regexp
    """
)
"""Options behind the words `get` and `list` of `git config`; git of before 2.46 knows neither word."""


def check_git_config(call: CommandCall, _judge: Judge) -> None:
    """Reading needs an option or a word that says so; a bare `name value` writes, also where the value looks like an
    option.
    """
    words = [word.text for word in call.arguments]
    asks = call.has(
        "--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list", "--get-color", "--get-colorbool"
    )
    is_one_name = len(words) == 1 and call.arguments[0].is_exact and "." in words[0]
    is_exact = all(word.is_exact for word in call.arguments)
    shows = all(not word.startswith("-") or word in _SHOWS_CONFIG for word in words)
    is_new_form = words[:1] in (["list"], ["get"]) and is_exact and shows
    if not (asks or is_one_name or is_new_form):
        raise CallRefused("git", "`git config` that may write", call.name, "mutating")


def check_git_listing(call: CommandCall, _judge: Judge) -> None:
    """Refuse a name without an option that asks for a list: it would be created."""
    asks = call.has(
        "-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "-v", "--verify", "-n"
    )
    is_branch = call.command.name == "git branch"
    asks = asks or (is_branch and call.has("-a", "--all", "-r", "--remotes", "--show-current") and not call.arguments)
    if is_branch and call.has("-v") and call.arguments and not call.has("-l", "--list", "--contains", "--merged"):
        asks = False
    if call.arguments and not asks:
        raise CallRefused(
            "git", f"`{call.command.name}` with a name makes or changes one", call.arguments[0], "mutating"
        )


def check_pager(call: CommandCall, _judge: Judge) -> None:
    """A word with a plus in front is a command of the pager."""
    for word in call.arguments:
        if word.text.startswith("+"):
            raise CallRefused("pager", "a command for the pager", word)


def check_remote(call: CommandCall, judge: Judge) -> None:
    """A repository to ask, by the name of a remote or by address; two colons would be a program as transport."""
    is_address = False
    for word in call.arguments:
        if "::" in word.text:
            raise CallRefused("git", "a transport that runs a program", word)
        is_address = is_address or ":" in word.text
        if "/" in word.text and ":" not in word.text:
            judge.read(word)  # a repository of this machine
    if not call.has("--get-url"):
        judge.mark("fetches" if is_address else "remote")


def check_address(call: CommandCall, judge: Judge) -> None:
    """Mark the line as choosing the server: by address, by a name that begins with a host, or by the name of a server
    behind the query.
    """
    is_server = call.command.name in ("host", "nslookup") and len(call.arguments) > 1
    if is_server or call.has("-h", "--repo") or any(":" in word.text or is_of_host(word.text) for word in call.words):
        judge.mark("fetches")


def check_query(call: CommandCall, _judge: Judge) -> None:
    """Require the option for queries: without it the others mean changes."""
    if not any(name.startswith(("-q", "-Q", "--query", "-V", "--ver")) for name, _ in call.options):
        raise CallRefused("packages", f"`{call.name.text}` without its option for queries", call.name)


_SENT = {
    **dict.fromkeys(("-d", "--data", "--data-ascii"), re.compile("[^@]")),
    "--data-raw": re.compile(""),
    "--data-urlencode": re.compile("[^@=]*="),
}
"""What curl's options may take that add to a query: texts, which can't be names of files."""


def check_curl(call: CommandCall, judge: Judge) -> None:
    """Allow one plain GET, and note the server where it is one of this machine and can lead to no other."""
    _check_sent(call)
    server = "" if call.has("-L", "--location") or not call.arguments else loopback_server(call.arguments[0].text)
    if server:
        judge.mark("loopback", server)
    else:
        judge.mark("fetches")
    check_page(call, judge)
    for value in call.values("-w", "--write-out"):
        if not WRITTEN_OUT.match(value.text):
            raise CallRefused("curl", "a format that may open a file", value)
    for value in call.values("-H", "--header"):
        # Some headers stand for another method.
        if not re.match(r"accept:", value.text, re.IGNORECASE):
            raise CallRefused("curl", "a request with an unknown header", value)


def _check_sent(call: CommandCall) -> None:
    """Allow texts that `-G` puts behind the address; without it they are sent, and `@name` is a file."""
    for name, form in _SENT.items():
        for value in call.values(name):
            if not call.has("-G", "--get") or not form.match(value.text):
                raise CallRefused("curl", f"`curl {name}` that sends more than what stands in the address", value)


def check_page(call: CommandCall, _judge: Judge) -> None:
    """One plain GET: HTTP only, no pattern that makes several requests."""
    for word in call.arguments:
        if not re.match(r"(?:https?://)?[\w.-]+(?::\d+)?(?:[/?#][^\[\]{}]*)?\Z", word.text):
            raise CallRefused("curl", "an address that isn't plain HTTP", word)
    if not call.arguments:
        raise CallRefused("curl", "no address", call.name)


def check_wget(call: CommandCall, judge: Judge) -> None:
    """Only where the page goes to standard output, or only its existence is asked."""
    check_page(call, judge)
    outputs = [value.text for value in call.values("-O", "--output-document")]
    if outputs != ["-"] and not call.has("--spider"):
        raise CallRefused("wget", "`wget` without `-O -` writes a file", call.name, "mutating")


def check_gh_api(call: CommandCall, _judge: Judge) -> None:
    """Allow a GET without fields, or with the method given as GET; never GraphQL, whose queries may mutate."""
    methods = [value.text.upper() for value in call.values("-X", "--method")]
    fields = call.has("-f", "-F", "--field", "--raw-field")
    if methods not in ([], ["GET"], ["HEAD"]) or (fields and not methods):
        raise CallRefused("gh", "`gh api` that isn't a GET", call.name, "mutating" if methods else "unknown")
    for header in call.values("-H", "--header"):
        # Some headers stand for another method.
        if not re.match(r"(?:accept|x-github-api-version):", header.text, re.IGNORECASE):
            raise CallRefused("gh", "`gh api` with an unknown header", header)
    path = call.arguments[0].text if call.arguments else ""
    if not path or "graphql" in path or "://" in path:
        raise CallRefused("gh", "`gh api` with this address may change data", call.name)


def check_kubectl_get(call: CommandCall, judge: Judge) -> None:
    """Secrets are kinds like others, but their values are shown."""
    kinds = ",".join(word.text for word in call.arguments).lower()
    if re.search(r"(?:^|[,/])secrets?(?:[./,]|$)", kinds) or call.has("--raw", "-f", "--filename"):
        judge.mark("secret")


def check_diff(call: CommandCall, judge: Judge) -> None:
    """Of two folders it opens what lies in both, links followed."""
    if any(word.text not in ("-", PIPE) for word in call.arguments):
        judge.open_more()


def check_rg(call: CommandCall, judge: Judge) -> None:
    """Below a folder it opens files that say what to leave out, which may be links, and prints lines that it can't
    read; not where it reads what another command prints.
    """
    brings_pattern = call.has("-e", "--regexp", "-f", "--file", "--files", "--type-list")
    paths = call.arguments[0 if brings_pattern else 1 :]
    reads_input = all(word.text == "-" for word in paths) if paths else judge.is_fed and not call.has("--files")
    if not reads_input and not call.has("--no-ignore", "-u", "--unrestricted", "-V", "--version", "-h", "--help"):
        judge.open_more()


def check_dig(call: CommandCall, judge: Judge) -> None:
    """Allow names and types only; no file of queries, and no computed word. Another server is the line's choice."""
    for word in call.arguments:
        if word.text.startswith("@"):
            judge.mark("fetches")
        if word.text.startswith("-f") or (
            word.text.startswith("-") and word.text not in ("-x", "-t", "-4", "-6", "-p")
        ):
            raise CallRefused("option", f"`dig {word.text}` may do more than read", word)


def check_ps(call: CommandCall, judge: Judge) -> None:
    """Refuse words with unusual characters: by old spellings, plain words are options, too. All options only
    read; the old `e` shows the environment of each process.
    """
    for word in call.arguments:
        if "e" in word.text and not word.text.startswith("-"):
            judge.open_more()
        if not re.fullmatch(r"-{0,2}[\w,=%+:.@/-]*", word.text):
            raise CallRefused("option", f"`ps {word.text}` may do more than read", word)


def check_sysctl(call: CommandCall, _judge: Judge) -> None:
    """An equals sign would set."""
    for word in call.arguments:
        if "=" in word.text or "/" in word.text or not word.is_exact:
            raise CallRefused("sysctl", "`sysctl` with this word may set something", word)


def check_version(call: CommandCall, _judge: Judge) -> None:
    """A program of which only its version is known to be harmless."""
    if not call.options:
        raise CallRefused("program", f"`{call.name.text}` is only known to tell its version", call.name)


def check_go(call: CommandCall, _judge: Judge) -> None:
    """Packages and modules by name; arguments that are files would be compiled as a program."""
    for word in call.arguments:
        if word.text.endswith(".go"):
            raise CallRefused("go", "`go list` of a file", word)


def check_jar(call: CommandCall, _judge: Judge) -> None:
    """Only the table of contents."""
    words = call.arguments
    is_own = not any(word.text.startswith("@") for word in words)  # it takes the words in such a file for its own
    if not words or not is_own or words[0].text not in ("tf", "-tf", "tvf", "-tvf", "t", "--list"):
        raise CallRefused("jar", "`jar` that doesn't only list", call.name)


def check_kubectl_raw(call: CommandCall, judge: Judge) -> None:
    """The configuration with its keys and tokens; made flat, it has them too."""
    if call.has("--raw", "--flatten"):
        judge.mark("secret")


def check_terraform_output(call: CommandCall, judge: Judge) -> None:
    """Mark values as secrets but where all are shown for people, without the sensitive ones."""
    is_named = call.command.name.endswith("output") and bool(call.arguments)
    if is_named or call.has("-json", "-raw"):
        judge.mark("secret")


def check_compose_config(call: CommandCall, judge: Judge) -> None:
    """The whole with the values of `.env` and of other files put in, unless only names are asked for."""
    names = ("--services", "--volumes", "--images", "--profiles", "--networks", "--hash", "-q", "--quiet")
    if not call.has(*names) or call.has("--environment", "--variables"):
        judge.mark("secret")


def check_terraform_fmt(call: CommandCall, _judge: Judge) -> None:
    """Require `-check` or `-write`: without them it rewrites files."""
    if not call.has("-check", "-write"):
        raise CallRefused("terraform", "`terraform fmt` without -check rewrites files", call.name, "mutating")


def check_pip_list(call: CommandCall, judge: Judge) -> CommandClass | None:
    """Ask the index where outdated packages are wanted."""
    if not call.has("-o", "--outdated", "-u", "--uptodate"):
        return None
    judge.mark("registry")
    return "net-read"
