"""All families of commands and all closer looks, by name."""

from planact.shell.commands import FAMILIES
from planact.shell.languages.archives import check_date, check_listing, check_sqlite, check_tar, check_yq
from planact.shell.languages.awk import check_awk
from planact.shell.languages.aws import check_aws
from planact.shell.languages.find import check_find
from planact.shell.languages.forms import (
    check_address,
    check_compose_config,
    check_curl,
    check_diff,
    check_dig,
    check_gh_api,
    check_git_config,
    check_git_format,
    check_git_listing,
    check_git_patch,
    check_git_status,
    check_go,
    check_jar,
    check_kubectl_get,
    check_kubectl_raw,
    check_page,
    check_pager,
    check_pip_list,
    check_ps,
    check_query,
    check_remote,
    check_rg,
    check_sysctl,
    check_terraform_fmt,
    check_terraform_output,
    check_version,
    check_wget,
)
from planact.shell.languages.interpreters import check_python
from planact.shell.languages.jq import check_jq
from planact.shell.languages.only_shown import (
    check_clean,
    check_dd,
    check_kill,
    check_own_words,
    check_prints_patch,
    check_tries_patch,
)
from planact.shell.languages.sed import check_sed
from planact.shell.languages.tests import check_read, check_test
from planact.shell.languages.wrappers import (
    check_command,
    check_env,
    check_timeout,
    check_wrapper,
    check_xargs,
)
from planact.shell.table import Catalogue, CommandRow

_COMMANDS: dict[str, CommandRow] = {name: command for family in FAMILIES for name, command in family.items()}

CATALOGUE = Catalogue(
    commands=_COMMANDS,
    parents=frozenset(" ".join(words[:count]) for words in map(str.split, _COMMANDS) for count in range(1, len(words))),
    checks={
        "address": check_address,
        "awk": check_awk,
        "aws": check_aws,
        "clean": check_clean,
        "command": check_command,
        "compose-config": check_compose_config,
        "curl": check_curl,
        "page": check_page,
        "date": check_date,
        "diff": check_diff,
        "rg": check_rg,
        "dd": check_dd,
        "dig": check_dig,
        "env": check_env,
        "find": check_find,
        "gh-api": check_gh_api,
        "git-config": check_git_config,
        "git-format": check_git_format,
        "git-status": check_git_status,
        "git-listing": check_git_listing,
        "git-patch": check_git_patch,
        "go": check_go,
        "jar": check_jar,
        "jq": check_jq,
        "kill": check_kill,
        "kubectl-get": check_kubectl_get,
        "kubectl-raw": check_kubectl_raw,
        "listing": check_listing,
        "own-words": check_own_words,
        "pager": check_pager,
        "pip-list": check_pip_list,
        "prints-patch": check_prints_patch,
        "ps": check_ps,
        "python": check_python,
        "query": check_query,
        "read": check_read,
        "remote": check_remote,
        "sed": check_sed,
        "sqlite": check_sqlite,
        "sysctl": check_sysctl,
        "tar": check_tar,
        "terraform-fmt": check_terraform_fmt,
        "terraform-output": check_terraform_output,
        "test": check_test,
        "timeout": check_timeout,
        "tries-patch": check_tries_patch,
        "version": check_version,
        "wget": check_wget,
        "wrapper": check_wrapper,
        "xargs": check_xargs,
        "yq": check_yq,
    },
)
