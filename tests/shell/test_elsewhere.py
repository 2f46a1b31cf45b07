"""Clouds, clusters, containers and forges: what changes something there is told as a change, and what reads isn't."""

import pytest

from planact.shell.classify import changes_infrastructure
from planact.shell.elsewhere import may_name_infrastructure
from tests.shell.judged import classify, in_plan

CHANGES = [
    ("cdk deploy", "cdk deploy"),
    ("cdk destroy --force", "cdk destroy"),
    ("npx cdk deploy --all", "cdk deploy"),
    ("npx --yes serverless deploy", "serverless deploy"),
    ("sudo kubectl delete pod x", "kubectl delete"),
    ("timeout 5 kubectl delete pod x", "kubectl delete"),
    ("kubectl -n prod delete pod x", "kubectl delete"),
    ("kubectl --server=http://x delete pod y", "kubectl delete"),
    ("kubectl delete pod $x", "kubectl delete"),
    ("kubectl apply -f - --dry-run=client", "kubectl apply"),
    ("kubectl rollout restart deploy/x", "kubectl rollout restart"),
    ("oc delete pod x", "oc delete"),
    ("terraform -chdir=infra apply -auto-approve", "terraform apply"),
    ("terraform state rm a.b", "terraform state rm"),
    ("tofu import a b", "tofu import"),
    ("terragrunt run-all apply", "terragrunt run-all"),
    ("helm --kubeconfig k uninstall x", "helm k uninstall"),
    ("gcloud compute instances delete x", "gcloud compute instances delete"),
    ("gcloud run deploy", "gcloud run deploy"),
    ("gcloud projects add-iam-policy-binding p", "gcloud projects add-iam-policy-binding"),
    ("az group create -n x", "az group create"),
    ("docker -H ssh://h rm c", "docker ssh://h rm"),
    ("docker compose -p x up -d", "docker compose up"),
    ("podman push x", "podman push"),
    ("gh pr merge 3", "gh pr merge"),
    ("glab mr rebase-and merge 3", "glab mr rebase-and merge"),
    ("pulumi up", "pulumi up"),
    ("sam deploy", "sam deploy"),
    ("ansible-playbook site.yml", "ansible-playbook"),
    ("doctl compute droplet delete 1", "doctl compute droplet delete"),
    ("flyctl deploy", "flyctl deploy"),
    ("heroku config:set A=b", "heroku config:set"),
    ("vercel --prod", "vercel"),
    ("npm publish", "npm publish"),
    ("twine upload dist/x", "twine upload"),
    ("python3 -m twine upload dist/*", "twine upload"),
    ("poetry publish", "poetry publish"),
    ("mvn clean deploy", "mvn deploy"),
    ("git push", "git push"),
]


@pytest.mark.parametrize(("line", "named"), CHANGES)
def test_a_change_elsewhere_is_refused_in_plan_as_one(line: str, named: str) -> None:
    found = classify(line)
    assert (found.cls, found.reason) == ("mutating", f"`{named}` changes things")
    assert "infrastructure" in found.traits
    assert in_plan(line).kind == "deny"
    assert may_name_infrastructure(line)


@pytest.mark.parametrize(
    "line",
    [
        "terraform plan",
        "pulumi preview",
        "cdk diff",
        "cdk synth",
        "gcloud run services list --weird",
        "gh run list --weird",
        "az vm list-ip-addresses",
        "kubectl get pods $x",
        "ansible-playbook --syntax-check site.yml",
        "helm diff upgrade x y",
        "npm run build",
        "mvn verify",
        "a-program-of-ours deploy",
    ],
)
def test_what_isnt_known_to_change_anything_stays_unknown(line: str) -> None:
    assert classify(line).cls == "unknown"


@pytest.mark.parametrize("line", ["kubectl get pods", "gh pr list", "docker ps", "kubectl describe pod x", "git log"])
def test_reads_stay_reads(line: str) -> None:
    assert classify(line).cls in ("net-read", "daemon-read", "local-read")
    assert not changes_infrastructure(line)


@pytest.mark.parametrize("line", ["foo; kubectl delete pod x", "kubectl delete pod x || foo", "foo $(cdk deploy)"])
def test_a_change_outweighs_what_isnt_known_in_the_same_line(line: str) -> None:
    assert (classify(line).cls, in_plan(line).kind) == ("mutating", "deny")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        *((line, True) for line, _ in CHANGES),
        ("bash -c 'kubectl delete pod x'", True),
        ("ssh host 'docker rm c'", True),
        ("make && AWS_PROFILE=p aws ec2 terminate-instances --instance-ids i", True),
        ("f() { terraform apply; }; f", True),
        ("rm -rf build; cdk deploy", True),
        ("git commit -m x", False),
        ("git -C sub push", True),
        ("git", False),
        ("npx", False),
        ("sudo aws", False),
        ("git stash push", False),
        ("git commit -m push", False),
        ("terraform fmt", False),
        ("rm -rf build", False),
        ("pytest -q", False),
        ("npm install", False),
        ("echo 'kubectl delete pod x'", False),
        ("grep -rn 'terraform apply' docs", False),
    ],
)
def test_which_lines_change_something_outside_the_workspace(line: str, expected: bool) -> None:
    assert changes_infrastructure(line) is expected
