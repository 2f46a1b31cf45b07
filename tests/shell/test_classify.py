"""Command lines and what they are taken for: families, words, constructs, flags of policy, limits."""

import pytest

from planact.base.span import Span
from planact.model.rights.classification import Classification, Reading
from planact.shell.parse.bash import BashParser
from planact.shell.parse.syntax import reading
from tests.shell.judged import CLASSIFIER, CONTEXT, SHFMT, classify

LOCAL, NET, DAEMON, UNKNOWN, MUTATING = "local-read", "net-read", "daemon-read", "unknown", "mutating"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # what files of the workspace may steer never speaks with the user's keys or to a daemon
        ("docker ps; git diff", UNKNOWN),
        ("git ls-remote origin && git status", UNKNOWN),
        ("kubectl get pods -o json | python3 -m json.tool", UNKNOWN),
        ("docker ps | yarn --version", UNKNOWN),
        ("gh pr list; npm view left-pad", UNKNOWN),
        ("npm view left-pad | jq .", NET),
        ("npm view left-pad | jq .; npm ls", UNKNOWN),
        ("cd src && git ls-remote origin | head -3", NET),
        ("gh pr list --json title | jq -r .[].title | sort", NET),
        ("docker ps; ps aux | grep docker", DAEMON),
        ("git remote -v && git branch -a && git ls-remote origin", NET),
        ("git log --oneline -3 --stat && gh pr status", NET),
        ("git show --no-ext-diff --no-textconv HEAD; gh pr status", UNKNOWN),
        ("git show HEAD:f; gh pr status", UNKNOWN),
        ("git rev-parse HEAD; gh run list", NET),
        ("git branch -v; git log -p; gh run list", UNKNOWN),
        ("terraform show", UNKNOWN),
        ("terraform providers schema -json", UNKNOWN),
        ("terraform state list", UNKNOWN),
        ("pulumi about", UNKNOWN),
        # what only looks in all but a few of its ways
        ("getent passwd root", LOCAL),
        ("getent hosts example.org", NET),
        ("git lfs ls-files", UNKNOWN),
        ("gcloud --version", NET),
        ("az --version", NET),
        ("npm fund --color=always", LOCAL),
        ("npm version --color=patch", UNKNOWN),  # npm takes it for an argument
        ("npm fund --color name", UNKNOWN),
        ("xxd -l 10 f.bin", LOCAL),
        ("xxd f.bin -i", UNKNOWN),  # a file to write
        ("git merge-tree HEAD main", UNKNOWN),  # writes objects
        ("ss -tln", LOCAL),
        ("ss -r", UNKNOWN),  # asks for names, as do expressions
        ("ss dst example.org", UNKNOWN),
        ("gem list", LOCAL),
        ("gem outdated", UNKNOWN),
        ("ldconfig -p", LOCAL),
        ("ldconfig", UNKNOWN),
        # words
        ("cat README.md", LOCAL),
        ("'cat' README.md", LOCAL),
        ("c'a't README.md", LOCAL),
        ("/usr/bin/cat README.md", LOCAL),
        ("./cat README.md", UNKNOWN),
        ("$cat README.md", UNKNOWN),
        ("x=cat; $x README.md", LOCAL),
        ("x=cat; x=rm; $x README.md", UNKNOWN),
        ("grep -l foo *.py", LOCAL),
        ("sort *", UNKNOWN),
        ("sort ./*", LOCAL),
        ("sort -- *", UNKNOWN),
        ("sort {a,b}", UNKNOWN),
        ("sort src/{a,b}", LOCAL),
        ('sort "$f"', UNKNOWN),
        ('f=src; sort "$f"', LOCAL),
        ('for f in src/*; do sort "$f"; done', LOCAL),
        ('for f in *; do sort "$f"; done', UNKNOWN),
        ("f=src; (f=-o); sort $f", UNKNOWN),
        ("git diff $(git merge-base HEAD main)", LOCAL),
        ("git diff $(git log)", UNKNOWN),
        ("git log --pretty=$(date)", UNKNOWN),
        ('git log --pretty="$x"', UNKNOWN),
        ("git log --pretty=%G?", UNKNOWN),
        ('git log --author="$(whoami)"', LOCAL),
        # options
        ("git log --output=x", UNKNOWN),
        ("git log --outp=x", UNKNOWN),
        ("git branch --list", LOCAL),
        ("git config --local user.name", LOCAL),
        ("git config --get user.name", LOCAL),
        ("git config user.name --get", MUTATING),
        ("git config core.pager --local", MUTATING),
        ("git config list --show-origin", LOCAL),
        ("git config get --all user.name", LOCAL),
        ("git config get --file=/etc/x user.name", MUTATING),
        ("git config list --edit", MUTATING),
        ("git branch new", MUTATING),
        ("git merge-base a b", LOCAL),
        ("git merge a", MUTATING),
        ("uniq a", LOCAL),
        ("uniq a b", UNKNOWN),
        ("head -20 f", LOCAL),
        # small languages
        ("sed -n 1,5p f", LOCAL),
        ("sed 1e f", UNKNOWN),
        ("sed -i s/a/b/ f", MUTATING),
        ("sed 's/[/]/x/w f' g", UNKNOWN),
        ("awk '$3 > 100' f", LOCAL),
        ("awk '{print > \"f\"}' f", UNKNOWN),
        ("awk '{print ($1 > 2)}' f", LOCAL),
        ("awk '{print $1 | \"sort -n\"}' f", LOCAL),
        ("awk '{print $1 | \"sh\"}' f", UNKNOWN),
        ("find . -name x", LOCAL),
        ("find . -delete", MUTATING),
        ("find . -exec grep x {} +", LOCAL),
        ("find . -exec sort {} +", LOCAL),
        ("find $x -exec sort {} +", UNKNOWN),
        ("find . -exec rm {} +", MUTATING),
        ("git ls-files | xargs wc -l", LOCAL),
        ("git ls-files | xargs sort", UNKNOWN),
        ("git ls-files | xargs -I{} grep {} f", LOCAL),
        ("jq .a f", LOCAL),
        ("[ -f x ]", LOCAL),
        ('[ "$a" "$b" ]', UNKNOWN),
        ("[[ $a -eq 1 ]]", UNKNOWN),
        ("[[ $? -eq 1 ]]", LOCAL),
        # constructs
        ("ls > /dev/null 2>&1", LOCAL),
        ("ls > f", MUTATING),
        ("cat < f", LOCAL),
        ("cat < /dev/tcp/h/1", UNKNOWN),
        ("if ls; then pwd; else cat f; fi", LOCAL),
        ('while read -r f; do wc -l "$f"; done', LOCAL),
        ("while read -r PATH; do ls; done", UNKNOWN),
        ("cat <<E\n$(pwd)\nE", LOCAL),
        ("cat <<E\n$(rm x)\nE", MUTATING),
        ("diff <(ls) <(pwd)", LOCAL),
        ("ls > >(cat)", UNKNOWN),
        ("echo $((1 + 2))", LOCAL),
        ("echo $((x + 2))", UNKNOWN),
        ("ls &", UNKNOWN),
        ("f() { ls; }", UNKNOWN),
        ("eval ls", UNKNOWN),
        ("LC_ALL=C ls", LOCAL),
        ("LD_PRELOAD=x ls", UNKNOWN),
        ("timeout 5 ls", LOCAL),
        ("timeout 5 rm x", MUTATING),
        ("env LC_ALL=C ls", LOCAL),
        ("env PATH=. ls", UNKNOWN),
        # networks and daemons
        ("git ls-remote origin", NET),
        ("git ls-remote 'ext::sh -c x'", UNKNOWN),
        ("gh api repos/o/r", NET),
        ("gh api repos/o/r -f a=b", UNKNOWN),
        ("gh api -X POST repos/o/r", MUTATING),
        ("kubectl get pods", NET),
        ("kubectl get $(cat f)", UNKNOWN),
        ("kubectl delete pod x", MUTATING),
        ("docker ps", DAEMON),
        ("docker ps; gh pr list", UNKNOWN),
        ("docker run x", MUTATING),
        ("aws ec2 describe-instances", NET),
        ("aws ec2 describe-instances --endpoint-url http://h", UNKNOWN),
        ("aws ec2 run-instances", MUTATING),
        ("aws s3api get-object --bucket b --key k out", UNKNOWN),
        ("pip list", LOCAL),
        ("pip list --outdated", NET),
        ("python3 -c 'import sys; print(sys.version)'", LOCAL),
        ("python3 -c 'import os; os.remove(1)'", UNKNOWN),
        ("python3 -m evil --version", UNKNOWN),
    ],
)
def test_a_line_has_its_class(line: str, expected: str) -> None:
    assert (classify(line).cls, line) == (expected, line)


@pytest.mark.parametrize(
    ("line", "traits"),
    [
        ("cat README.md", {"plain"}),
        ("sort f", set()),
        ("cat /etc/passwd", {"plain", "outside"}),
        ("cat src/../../x", {"outside"}),
        ("cat ~/x", {"outside"}),
        ("cat /ws/x", {"plain"}),
        ("cat /wsx", {"plain", "outside"}),
        ("grep /home/u/* x", {"outside"}),
        ("grep ~/.aws/* x", {"outside"}),
        ("head -n /home/u/* x", {"outside"}),
        ("grep '/home/u/*' x", {"plain"}),
        ("cd src && cat x", {"plain"}),
        ("cd src && cat ../x", set()),
        ("cd .. && cat x", {"plain", "outside"}),
        ("cd src && ls && cd .. && cat x", {"plain"}),
        ("cd src && ls && cd .. && cat ../x", {"plain", "outside"}),
        ("true && cd src && ls && cd .. && cat x", {"plain"}),
        ("true && cd src && cat ../x && ls && cat ../x", set()),
        ("true && cd src && ls; cat ../x", {"outside"}),
        ("true && cd src || cat ../x", {"outside"}),
        ("true || cd src && cat ../x", {"outside"}),
        ("true && cd src && cd .. && cat ../x", {"plain", "outside"}),
        ("cd src; cd ..; cat ../x", {"outside"}),
        ("cd src/deep; ls && cd ..; cat ../x", set()),
        ("cd src/deep; ls && cd ../..; cat ../x", {"outside"}),
        ("curl https://h/x", {"fetches"}),
        ("aws secretsmanager get-secret-value --secret-id s", {"secret"}),
        ("aws ssm get-parameter --name p", set()),
        ("aws ssm get-parameter --name p --with-decryption", {"secret"}),
        ("git ls-remote origin", {"remote"}),
        ("git log --oneline -20 -- src", {"plain"}),
        ("git log -p", {"plain", "history"}),
        ("git show HEAD", {"plain", "history"}),
        ("git log -p --no-ext-diff --no-textconv", {"plain", "history"}),
        ("git ls-remote https://example.org/x", {"fetches"}),
        ("git ls-remote git@example.org:x", {"fetches"}),
        ("dig example.org +short", set()),
        ("dig @192.0.2.1 example.org", {"fetches"}),
        ("host example.org", set()),
        ("host example.org 192.0.2.1", {"fetches"}),
        ("whois -h example.org x", {"fetches"}),
        ("npm view left-pad version", {"registry"}),
        ("npm view https://example.org/x.tgz", {"fetches", "registry"}),
        ("helm show chart x --repo=https://example.org", {"fetches"}),
        ("docker search example.org/x", {"fetches"}),
        ("docker search nginx", set()),
        ("docker manifest inspect example.org/x", {"fetches"}),
        ("gh repo view o/r", set()),
        ("gh repo view https://github.com/o/r", set()),
        ("gh repo view https://github.com@example.org/o/r", {"fetches"}),
        ("gh pr view https://example.org/o/r/pull/1", {"fetches"}),
        ("gh pr list -R example.org/o/r", {"fetches"}),
        ("gh pr list --repo=example.org:8443/o/r", {"fetches"}),
        ("gh repo view git@example.org:o/r", {"fetches"}),
        ("aws ec2 describe-instances --instance-ids http://example.org/x", {"fetches"}),
        ("aws s3 ls s3://b/k", set()),
        ("helm get manifest x", {"secret"}),
        ("aws s3 presign s3://b/k", {"secret"}),
        ("kubectl config view --flatten --minify", {"secret"}),
        ("terraform output -raw password", {"secret"}),
        ("terraform output -json", {"secret"}),
        ("terraform output", set()),
        ("terraform show -json", {"secret"}),
        ("docker compose config", {"secret", "composes"}),
        ("docker compose config --services", {"composes"}),
        ("docker compose config -q --environment", {"secret", "composes"}),
        ("gh pr list -R 203.0.113.5/o/r", {"fetches"}),
        ("gh pr list --repo intranet/o/r", {"fetches"}),
        ("gh repo view intranet/o/r", {"fetches"}),
        ("gh pr list -R github.com/o/r", set()),
        ("gh api user --jq env", {"secret"}),
        ("gh pr list --json title -q '.[] | $ENV.GH_TOKEN'", {"secret"}),
        ("gh pr list --json title -q '.[].title'", set()),
        ("gh config get -h github.com oauth_token", {"secret"}),
        ("git ls-remote /home/u/repo", {"remote", "outside"}),
        ("gh auth token", {"secret"}),
        ("kubectl get secret x -o yaml", {"secret"}),
        ("kubectl get secrets,cm", {"secret"}),
    ],
)
def test_a_line_has_the_traits_that_policy_weighs(line: str, traits: set[str]) -> None:
    assert (classify(line).traits, line) == (frozenset(traits), line)


@pytest.mark.parametrize("program", ["kubectl", "oc"])
@pytest.mark.parametrize("rest", ["get pods", "get pods -A"])
@pytest.mark.parametrize("form", ["templatefile", "go-template-file", "jsonpath-file", "custom-columns-file"])
@pytest.mark.parametrize("option", ["-o ", "-o=", "-o", "--output ", "--output="])
def test_no_output_of_a_cluster_opens_a_file(program: str, rest: str, form: str, option: str) -> None:
    assert classify(f"{program} {rest} {option}{form}=/home/u/.ssh/id_rsa").cls == UNKNOWN


@pytest.mark.parametrize(
    "line",
    [
        "kubectl config view -o templatefile=/home/u/x",
        "kubectl version -o go-template-file=/home/u/x",
        "kubectl auth whoami -o=jsonpath-file=/home/u/x",
        "kubectl events -otemplatefile=/home/u/x",
        "gh api -X GET search/code -F q=@/home/u/x",
        "gh api -X GET search/code --field=q=@/home/u/x",
        "az account show --query @/home/u/x",
        "az group show --name=@/home/u/x",
        "az group show -n @-",
        "helm show values ./chart",
        "helm show all /home/u/chart",
        "helm show chart chart",
        "helm show chart a/chart.tgz",
    ],
)
def test_what_speaks_with_keys_opens_no_file_in_a_way_of_its_own(line: str) -> None:
    assert classify(line).cls == UNKNOWN


@pytest.mark.parametrize(
    "line",
    [
        "kubectl get pods -o wide",
        "kubectl get pods -o jsonpath='{.items[*].metadata.name}'",
        "kubectl get pods -o jsonpath --template='{.kind}'",
        "kubectl get pods -o custom-columns=A:.metadata.name",
        "kubectl version -o yaml",
        "az vm list --query \"[?name=='a@b']\"",
        "gh api -X GET search/code -F q=a@b",
        "helm show values bitnami/nginx",
    ],
)
def test_it_still_only_reads_with_its_usual_words(line: str) -> None:
    assert classify(line).cls == NET


@pytest.mark.parametrize("wrapper", ["timeout 5", "nice", "env LC_ALL=C", "timeout 5 nice"])
@pytest.mark.parametrize(
    "line",
    ["cat ../x", "cat ~/.ssh/id_rsa", "git log -p", "curl https://h/x", "gh auth token", "kubectl get secret x"],
)
def test_a_wrapper_hides_nothing_that_policy_weighs(wrapper: str, line: str) -> None:
    assert classify(f"{wrapper} {line}").traits - {"plain"} >= classify(line).traits - {"plain"}


def test_a_classification_says_what_decided_and_where() -> None:
    assert classify("ls -la && git push") == Classification(
        "mutating",
        "git push",
        "`git push` changes things",
        Span(10, 18),
        frozenset({"infrastructure", "repository"}),
        ("ls", "git"),
        (),
    )


def test_spans_count_code_points() -> None:
    assert classify("echo 'ä' > f").span == Span(9, 12)


def test_what_is_read_is_named() -> None:
    assert classify("cat .env src/a | grep -f patterns x").reads == (".env", "src/a", "patterns", "x")
    assert classify("git cat-file -p HEAD:.env").reads == ("HEAD:.env",)
    assert classify("cat .e* src/*.py | head -1").begins == (".e", "src/")


@pytest.mark.parametrize("line", ["", "  ", "ls\r", "ls\u200b", "ls\u2028rm", "ls \x00", "é" * 5_000, "a" * 1_000_000])
def test_unfit_input_is_unknown_before_any_parser(line: str) -> None:
    found = classify(line)
    assert (found.cls, found.rule) == ("unknown", "input")


def test_nesting_has_an_end() -> None:
    assert classify("echo " + "$(" * 65 + ")" * 65).rule == "input"
    assert classify(" && ".join(["ls"] * 200)).cls in ("unknown", "local-read")


class Silent:
    """A second parser that can't tell."""

    def read(self, line: bytes) -> Reading | None:
        return None


class Contrary:
    """A second parser that finds other commands."""

    def read(self, line: bytes) -> Reading | None:
        return Reading(frozenset({((0, 2),)}), frozenset(), frozenset(), frozenset())


@pytest.mark.parametrize("second", [None, Silent(), Contrary()])
def test_what_leaves_something_to_interpret_needs_a_second_parser_that_agrees(second: Silent | Contrary | None) -> None:
    line = "for f in src/*; do cat $f; done"
    assert classify(line).cls == "local-read"
    assert CLASSIFIER.classify(line, second=second, context=CONTEXT).rule == "second-parser"
    assert CLASSIFIER.classify("ls | head", second=second, context=CONTEXT).cls == "local-read"


def test_both_parsers_see_the_same_commands() -> None:
    line = 'x=1; if [ -f a ]; then LC_ALL=C ls "$(pwd)" 2>/dev/null | cat <<< y; fi; [[ -n $x ]] && time ls'
    assert SHFMT.read(line.encode()) == reading(BashParser().parse(line.encode()))


@pytest.mark.parametrize(
    ("line", "is_unread"),
    [
        ("bash -c 'rm x'", True),
        ("touch a; bash -c 'rm x'", True),
        ("touch a && eval rm x", True),
        ("touch a; $(echo rm) x", True),
        ("touch a; x=rm; $x a", False),
        ("touch a; ./tool rm", True),
        ("sudo docker push x", True),
        ("git commit -qm a; sudo rm x", True),
        ("find . -exec env sudo rm {} + ; rm x", True),
        ("touch a", False),
        ("git commit -m 'rm x'; rm y", False),
        ("sed -i s/rm/x/ a", False),
        ("cat a | sort > b", False),
    ],
)
def test_a_part_that_changes_something_hides_none_that_may_run_anything(line: str, *, is_unread: bool) -> None:
    found = classify(line)
    assert (found.cls == "unknown" or found.is_unread, line) == (is_unread, line)
