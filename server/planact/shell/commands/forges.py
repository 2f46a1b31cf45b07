"""GitHub's and GitLab's command lines."""

from planact.shell.table import rows

_GROUPS = {
    "gh": "-R: --repo= --repo: --json= --json: -q: --jq= --jq: -t: --template= --template:",
    "list": """
        -L: --limit= --limit: -s: --state= --state: -A: --author= --author: -a: --assignee= --assignee: -l:
        --label= --label: -S: --search= --search: -B: --base= --base: -H: --head= --head: -d --draft --app=
        -m: --milestone= --milestone: --mention= --order= --sort=
    """,
}

FORGES = rows(
    """
gh: none | --version -R: --repo= --repo:
gh pr list, gh issue list: net none | @gh @list
gh pr view, gh issue view: net word | @gh -c --comments
gh pr diff: net word | @gh --name-only --patch --color= --color:
gh pr checks: net word | @gh --required --watch -i: --interval= --fail-fast
gh pr status, gh issue status: net none | @gh -c --conflict-status
gh repo view: net word | @gh -b: --branch= --branch:
gh repo list: net word | @gh -L: --limit= --limit: --source --fork -l: --language= --language:
    --topic= --archived --no-archived --visibility= --visibility:
gh run list: net none | @gh -L: --limit= --limit: -w: --workflow= --workflow: -b: --branch=
    --branch: -u: --user= -e: --event= -s: --status= --status: -c: --commit= -a --all --created=
gh run view: net word | @gh --log --log-failed -v --verbose -j: --job= --job: --exit-status -a:
    --attempt=
gh run watch: net word | @gh --exit-status -i: --interval= --compact
gh workflow list: net none | @gh -a --all -L: --limit=
gh workflow view: net word | @gh -y --yaml -r: --ref=
gh release list: net none | @gh -L: --limit= --limit: --exclude-drafts --exclude-pre-releases -O:
    --order=
gh release view: net word | @gh
gh label list, gh milestone list, gh cache list, gh secret list, gh variable list, gh ruleset list, gh deploy-key
    list, gh repo deploy-key list, gh org list,
    gh ssh-key list, gh gpg-key list, gh alias list, gh extension list, gh extension search, gh ext list, gh
    attestation verify: net word* | @gh -L: --limit= -S: --search= --sort= --order= -e: --env= -o:
    --org= -u --user -a: --app= -k: --key= --ref= -O:
gh variable get, gh ruleset view, gh ruleset check: net word* | @gh -e: --env= -o: --org= --default
gh gist list, gh gist view: net word | -L: --limit= --public --secret -f: --filename= --files -r
    --raw --include-content --filter=
gh project list, gh project view, gh project item-list, gh project field-list: net word | --owner=
    --owner: --format= --format: -L: --limit= --closed -q: --jq= -t: --template=
gh search code, gh search issues, gh search prs, gh search repos, gh search commits: net word* | @gh
    -L: --limit= --limit: --language= --language: --owner= --owner: --filename= --extension= --match= --size=
    --state= --state: --author= --author: --assignee= --label= --label: --sort= --sort: --order= --stars= --topic=
    --created= --updated= --merged --draft --review= --involves= --mentions= --commenter=
    --visibility= --archived --followers= --forks= --license= --committer= --hash= --include-prs --checks=
    --review-requested= --reviewed-by=
gh status: net none | -e: --exclude= -o: --org=
gh auth status: net none | -h: --hostname= -a --active
gh auth token: net secret none | -h: --hostname= -u: --user=
gh config get, gh config list: word | -h: --host=
gh codespace list: net none | --json= -L: --limit= -R: -q:
gh api: net check=gh-api word | -X: --method= --method: -H: --header= -i --include --paginate --slurp -q: --jq=
    --jq: -t: --template= --template: --cache= --silent -f: --raw-field= --raw-field: -F: --field=
    --field: -p: --preview=
gh help: word* |
gh pr create, gh pr merge, gh pr close, gh pr reopen, gh pr comment, gh pr edit, gh pr review, gh pr checkout, gh
    pr ready, gh pr lock, gh issue create, gh issue close, gh issue reopen, gh issue comment, gh issue edit,
    gh issue delete, gh issue lock, gh issue transfer, gh issue pin, gh repo create, gh repo clone, gh repo fork,
    gh repo edit, gh repo delete, gh repo rename, gh repo archive, gh repo sync, gh release create, gh release
    delete, gh release edit,
    gh release upload, gh release download, gh run download, gh run rerun, gh run cancel, gh run delete, gh
    workflow run, gh workflow enable, gh workflow disable, gh secret set, gh secret delete, gh variable set, gh
    variable delete, gh label create, gh label edit,
    gh label delete, gh label clone, gh gist create, gh gist edit, gh gist delete, gh auth login, gh auth logout,
    gh auth refresh, gh auth setup-git, gh config set, gh extension install, gh extension remove, gh extension
    upgrade, gh alias set, gh alias delete,
    gh cache delete, gh project create, gh project delete, gh project item-add, gh codespace create, gh codespace
    delete, gh codespace ssh: mutates none |
glab mr list, glab mr view, glab mr diff, glab issue list, glab issue view, glab ci list, glab ci status, glab ci
    view, glab repo view, glab release list, glab release view, glab label list, glab pipeline list, glab auth
    status:
    net word* | -R: --repo= -P: --per-page= -a: --assignee= -l: --label= --author= --state= -A --all
    -M --merged -c --closed --comments -c -F: --output=
glab mr create, glab mr merge, glab mr close, glab mr note, glab mr approve, glab issue create, glab issue close,
    glab issue note: mutates none |
""",
    _GROUPS,
)
