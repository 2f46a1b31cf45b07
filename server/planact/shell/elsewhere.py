"""Clouds, clusters, containers, forges: the verbs by which a call that isn't known in detail counts as a change.

It allows no call: one that isn't judged to read is refused or contained either way. It adds the reason, and that the
call is counted as a change.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from planact.base.text import word_set
from planact.shell.aws import operations
from planact.shell.words import ShellWord

_INFRASTRUCTURE = word_set(
    """
    amplify ansible ansible-playbook ansible-pull argocd aws az bq buildah cdk cdktf cf chalice civo consul copilot
    crane crictl ctr docker docker-compose doctl dokku eb ecs-cli eksctl firebase flux fly flyctl gcloud gh glab
    gsutil hcloud helm helmfile heroku hub ibmcloud istioctl k3d kind kops kubeadm kubectl linkerd linode-cli minikube
    nerdctl netlify nomad oc oci okteto openstack packer podman pulumi railway s3cmd sam scw serverless skaffold
    skopeo sls supabase tea terraform terragrunt tofu vault velero vercel vultr-cli wrangler zappa
    """
)
"""Programs whose changes happen outside the workspace: in a cloud, a cluster, a daemon, a forge."""

_VERBS = word_set(
    """
    abort accept add annotate apply approve archive attach autoscale bind bootstrap build cancel clone close comment
    commit connect copy cordon cp create deauthorize debug delete deploy deregister destroy detach disable dispatch
    down drain edit enable exec execute expose fail failover fork force-unlock grant import init install invoke kill
    label link load lock login logout merge migrate modify mv patch pause post power promote provision prune publish
    pull purge push put reboot recreate register reject release remove rename reopen replace rerun reset resize
    restart restore resume revoke rm rmi rollback rotate run save scale send set snapshot ssh start stop submit
    suspend sync tag taint terminate transfer trigger unbind uncordon uninstall unlink unpause unset unsuspend untag
    untaint up update upgrade upload upsert use write
    """
)
_READS = word_set(
    """
    describe diff get history info inspect list logs ls plan preview ps search show status synth top validate version
    view
    """
)
# Words that are verbs of other programs, and groups of commands of these.
_GROUPS = {
    "gcloud": word_set("deploy run source"),
    "gh": word_set("label release run"),
    "glab": word_set("label release"),
    "kubectl": word_set("config"),
}
# They change their target without a verb.
_WHOLE = word_set("ansible ansible-playbook ansible-pull vercel")
# A call with one of them is no known change; that doesn't make it one that only reads.
_LOOKS = word_set("--check --help --list-hosts --list-tags --list-tasks --syntax-check --version help")
# They write on this machine alone.
_LOCAL = word_set("build fmt init package")
_PUBLISHES = {
    **dict.fromkeys(word_set("bun cargo flit hatch lerna npm ovsx pdm pnpm poetry uv vsce yarn"), "publish"),
    **dict.fromkeys(("gem", "git", "nuget", "pod"), "push"),
    **dict.fromkeys(("gradle", "mvn"), "deploy"),
    "dotnet": "push",
    "goreleaser": "release",
    "mix": "hex.publish",
    "twine": "upload",
}
# Programs that start the program which their next words name.
_STARTERS = re.compile(
    r"(?:(?:npx|bunx|pnpx|uvx|sudo|doas|(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)|(?:poetry|uv|pipx|pdm|hatch) run"
    r"|bundle exec|python3? -m) )+"
)
_BETWEEN_WORDS = re.compile(r"[\s;|&()`'\"<>{}=]+")
_VERBLIKE = re.compile(r"[a-z][a-z0-9:-]*\Z")
_DEPTH = 6
"""Most words of a command line to check: no verb stands deeper."""


def may_name_infrastructure(text: str) -> bool:
    """Tell, in next to no time, whether a text holds a word that `is_infrastructure` might be about."""
    words = {word.rpartition("/")[2] for word in _BETWEEN_WORDS.split(text)}
    return not words.isdisjoint(_INFRASTRUCTURE) or any({*pair} <= words for pair in _PUBLISHES.items())


def is_infrastructure(words: Sequence[ShellWord]) -> bool:
    """Tell if a command that changes state does so outside the workspace."""
    path = _path(words)
    is_local = len(path) > 1 and path[1] in _LOCAL
    return bool(path) and not is_local and (path[0] in _INFRASTRUCTURE or bool(named_change(words)))


def named_change(words: Sequence[ShellWord]) -> str:
    """Return the words up to the verb of a call that changes state outside the workspace, as in `cdk deploy`;
    empty for a call without a known verb.
    """
    path = _path(words)
    program = path[0] if path else ""
    if program in _PUBLISHES:
        # `git stash push` and `git commit -m push` are no pushes: there the verb comes first, or behind options.
        is_first = program != "git" or path[1:2] == ["push"] or any(word.text.startswith("-") for word in words[1:2])
        return f"{program} {_PUBLISHES[program]}" if is_first and _PUBLISHES[program] in path else ""
    if program not in _INFRASTRUCTURE or any(word.text in _LOOKS for word in words[1:]):
        return ""
    if program == "aws":
        return _aws_change(path, words)
    for at, word in enumerate(path[1:], 1):
        parts = re.split(r"[:-]", word) if _VERBLIKE.match(word) else [""]
        if at == 1 and word in _GROUPS.get(program, ()):
            continue
        if parts[0] in _READS:
            return ""
        if word in _VERBS or parts[0] in _VERBS or parts[-1] in _VERBS:
            return " ".join(path[: at + 1])
    return program if program in _WHOLE and (len(path) == 1 or program != "vercel") else ""


def _aws_change(path: Sequence[str], words: Sequence[ShellWord]) -> str:
    # `s3 cp` to standard output: `check_aws` doesn't call it a change, and neither does this.
    if path[1:3] == ["s3", "cp"] and words[-1].text == "-":
        return ""
    return next((f"aws {one} {two}" for one, two in pairwise(path) if operations(one).get(two) == "write"), "")


def _path(words: Sequence[ShellWord]) -> Sequence[str]:
    """The program and its first words that are no options."""
    texts = [word.text for word in words if word.is_exact and word.is_one]
    if not texts or not (words[0].is_exact and words[0].is_one):
        return ()
    texts[0] = texts[0].rpartition("/")[2]
    if started := _STARTERS.match(" ".join(texts[:_DEPTH])):
        texts = texts[len(started[0].split()) :]
    return [text for text in texts if not text.startswith("-")][:_DEPTH]
