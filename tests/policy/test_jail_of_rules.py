"""A yes for always lets a command run in the jail that it was asked about in, now and from then on."""

from dataclasses import replace
from itertools import product

import pytest

from planact.model.rights.jail import Confinement
from planact.model.rights.permission import Mode
from planact.policy.context import Allow, Ask
from planact.policy.decide import confinement, decide, rules_for
from tests.policy.test_rules_cover import asked
from tests.policy.test_table import HELD, standing

LINES = (
    *("curl https://h/x", "curl localhost:8000", "curl localhost:8000 | head -3", "wget -qO- h", "dig @192.0.2.1 h"),
    *("git ls-remote origin", "git ls-remote https://h/x", "gh pr list -R h.example/o/r", "npm view https://h/x.tgz"),
    *("cat /etc/hosts", "ls /opt; cat ../x", "curl h; cat /etc/hosts", "docker ps", "docker search h.example/x"),
    *("ls", "git status", "pytest -q", "make x", "rm x", "kubectl get pods"),
)
EXTRAS = ({}, {"goes_on": True}, {"why_network": "it needs it"}, {"held_back": "the network"})
NOTHING = frozenset[Confinement]()
JAILS = (HELD, NOTHING, HELD - {"outside-read"}, HELD - {"net-read"}, HELD - {"trial", "contain"})


@pytest.mark.parametrize("line", LINES)
def test_a_rule_leaves_the_jail_as_it_was(line: str) -> None:
    answered = 0
    requests = [asked(line, **extra) for extra in EXTRAS]
    for request, held, approval, mode in product(requests, JAILS, ["ask", "review", "acceptAll"], Mode):
        context = replace(standing(mode, approval), held=held, contain="ask")
        verdict = decide(request, context)
        rules = rules_for(verdict, context) if isinstance(verdict, Ask) else frozenset()
        if not rules:
            continue
        answered += 1
        ruled = replace(context, rules=rules)
        assert decide(request, ruled) == Allow()
        assert confinement(request, ruled, Allow()) == confinement(request, context, verdict), (request, held, approval)
    assert answered, "no question about this line has a rule"


@pytest.mark.parametrize(
    ("line", "jail"),
    [
        ("curl https://h/x", "net-read"),
        ("curl localhost:8000", "net-read"),
        ("git ls-remote https://h/x", "net-read"),
        ("npm view https://h/x.tgz", "registry-read"),
        ("docker search h.example/x", "daemon-read"),
        ("cat /etc/hosts", "outside-read"),
        ("curl h; cat /etc/hosts", "act"),  # no jail opens this file and has the network
        ("gh auth token", "act"),
    ],
)
def test_what_is_asked_about_for_what_it_reads_is_held_to_reading(line: str, jail: str) -> None:
    for held, more in product((HELD, HELD - {"trial"}), ({}, {"held_back": "the network"})):
        request, context = asked(line, **more), replace(standing(Mode.ACT), held=held)
        verdict = decide(request, context)
        assert (type(verdict), confinement(request, context, verdict)) == (Ask, "act" if more else jail)
