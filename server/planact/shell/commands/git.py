"""git, on the understanding that its environment turns off pagers, hooks, monitors and helpers a repository names.

Drivers for diffs and filters can't be turned off from outside, so what looks at files may not speak to anybody.
"""

from planact.shell.table import rows

_GROUPS = {
    "diff": """
        -p -u --patch -s --no-patch -U: --unified= -W --function-context --raw --patch-with-raw
        --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored=
        --diff-algorithm= --stat? --stat-width= --stat-name-width= --stat-count= --compact-summary --numstat
        --shortstat -X? --dirstat? --cumulative --summary --patch-with-stat -z --name-only --name-status
        --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --word-diff?
        --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty --check
        --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev -B? --break-rewrites? -M?
        --find-renames? -C? --find-copies? --find-copies-harder -D --irreversible-delete -l: --diff-filter=
        -S: -G: --find-object= --pickaxe-all --pickaxe-regex -R --relative? --no-relative -a --text
        --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space
        --ignore-blank-lines -I: --ignore-matching-lines= --inter-hunk-context= --exit-code --quiet
        --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix
        --line-prefix= --ita-invisible-in-index --ita-visible-in-index --merge-base --default-prefix
    """,
    "walk": """
        -# -n: --max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author=
        --committer= --grep-reflog= --grep= --all-match --invert-grep -i --regexp-ignore-case --basic-regexp
        -E --extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty --merges --no-merges
        --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent
        --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude=
        --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --stdin --cherry-mark
        --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge --boundary
        --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges
        --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk
        --children --left-right --graph --show-linear-break? --parents --timestamp
    """,
    "format": """
        --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs?
        --no-expand-tabs --notes? --no-notes --show-notes? --relative-date --date= -c --cc -m --diff-merges=
        --no-diff-merges -t --combined-all-paths -L: --follow --decorate? --no-decorate --decorate-refs=
        --decorate-refs-exclude= --source --mailmap --no-mailmap --use-mailmap --full-diff --log-size
        --clear-decorations --root
    """,
}

_STEERED = rows(
    """
git: none | -C:p -P --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs
    --noglob-pathspecs --icase-pathspecs --version -v --html-path --man-path --info-path --exec-path
    -c:(core.quotepath=false,core.quotePath=false,core.quotepath=off,core.pager=cat,color.ui=never,color.ui=false,color.ui=always,pager.log=false,pager.diff=false)
git status: path* | -s --short -b --branch -v -vv --verbose --show-stash --ahead-behind --no-ahead-behind
    --porcelain? --long -u?
    --untracked-files? --ignore-submodules? --ignored? -z --column? --no-column --renames --no-renames --find-renames?
git whatchanged: check=git-format path* | @diff @walk @format
git reflog: check=git-format none | @diff @walk @format
git reflog show, git reflog exists: check=git-format path* | @diff @walk @format
git reflog expire, git reflog delete: mutates none |
git diff: path* | @diff --cached --staged --no-index -0 -1 -2 -3 --base --ours --theirs
git diff-tree, git diff-index, git diff-files: check=git-format path* | @diff @format -r -t --cached --root
    --no-commit-id --stdin -q -0 -1 -2 -3
git range-diff: path* | @diff --creation-factor= --no-dual-color --left-only --right-only
git shortlog: check=git-format path* | @walk -s --summary -n --numbered -e --email -c --committer --group=
    --format= --date= -w?
git blame, git annotate: path* | -b -s -t -e --show-email --porcelain -p --line-porcelain --incremental -l -L: -w
    -M? -C? --date= --root
    --show-stats --score-debug -f --show-name -n --show-number --ignore-rev= --ignore-revs-file=p --color-lines
    --color-by-age --reverse --first-parent --encoding= --abbrev? -S:p --since= -c --progress --no-progress
git describe: word* | --dirty? --broken? --all --tags --contains --abbrev? --candidates= --exact-match --debug
    --long --match=
    --exclude= --always --first-parent
git name-rev: word* | --tags --refs= --exclude= --all --annotate-stdin --name-only --no-undefined --always
git ls-files: path* | -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k
    --killed
    --directory --no-empty-directory --eol --deduplicate -z -x: --exclude= -X:p --exclude-from=p --exclude-standard
    --error-unmatch --with-tree= -t -v -f --full-name --recurse-submodules --abbrev? --debug --format= --sparse
    --exclude-per-directory= --resolve-undo
git cat-file: path* | -e -p -t -s --batch? --batch-check? --batch-all-objects --unordered --buffer --follow-symlinks
    --use-mailmap -z --batch-command? --allow-unknown-type
git merge-tree: word word word | --trivial-merge
git cherry: word* | -v --abbrev?
git stash list: check=git-format word* | @diff @walk @format
git stash show: word* | @diff --include-untracked --only-untracked -u --no-include-untracked
git notes: none |
git notes list, git notes show: word* |
git notes get-ref: none |
git worktree list: none | --porcelain -v --verbose -z
git submodule: none |
git submodule status, git submodule summary: path* | --cached --recursive -q --quiet --files -n:
git check-ignore: path* | -q --quiet -v --verbose --stdin -z -n --non-matching --no-index
git check-attr: word path* | -a --all --stdin --cached -z --source=
git check-mailmap: word* | --stdin
git check-ref-format: word* | --branch --allow-onelevel --no-allow-onelevel --refspec-pattern --normalize
git grep: pattern path* | --cached --untracked --no-index --exclude-standard --no-exclude-standard
    --recurse-submodules -a --text -i
    --ignore-case -I --max-depth= -r --recursive --no-recursive -w --word-regexp -v --invert-match -h -H
    --full-name -E
    --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number --column -l
    --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --color?
    --no-color --break --heading -p --show-function -A: --after-context= -B: --before-context= -C: --context= -# -m:
    --max-count= -W --function-context --threads= -f:p -e: --and --or --not --all-match -q --quiet
git show-branch: word* | -r --remotes -a --all --current --topo-order --date-order --sparse --more= --list
    --merge-base
    --independent --no-name --sha1-name --topics -g? --reflog? --color? --no-color
git show-index: none |
git var: word | -l
git help: none | -a --all -g --guides -c --config --no-external-commands --no-aliases
git count-objects: none | -v --verbose -H --human-readable
git fsck: word* | --tags --root --unreachable --dangling --no-dangling --reflogs --no-reflogs --connectivity-only
    --full --no-full --strict --verbose
    --progress --no-progress --name-objects --cache
git verify-pack: path* | -v --verbose -s --stat-only
git diff-pairs: none | --raw -z
git hash-object: path* | -t: --stdin --stdin-paths --no-filters --literally
git patch-id: none | --stable --unstable --verbatim
git stripspace: none | -s --strip-comments -c --comment-lines
git get-tar-commit-id: none |
git column: word* | --mode? --raw-mode= --width= --indent= --nl= --padding=
git bisect log: none |
git rerere status, git rerere diff, git rerere remaining: none |
git sparse-checkout list: none |
git lfs ls-files, git lfs env, git lfs status, git lfs version: word* | -l --long -s --size -d --debug -a --all -n
    --name-only -j --json -p --porcelain
git bundle verify, git bundle list-heads: path word* | -q --quiet
git archive: none | -l --list
git replace: none | -l --list --format=
git maintenance: none |
git commit-graph verify, git multi-pack-index verify: none | --shallow --progress --no-progress
git add, git rm, git mv, git commit, git push, git pull, git fetch, git clone, git init, git checkout, git switch,
    git restore, git reset, git rebase, git merge, git cherry-pick, git revert, git am, git apply, git clean, git gc,
    git prune, git repack, git pack-refs, git update-ref, git update-index, git read-tree, git write-tree, git
    commit-tree,
    git checkout-index, git filter-branch, git format-patch, git stash push, git stash pop, git stash apply, git
    stash drop,
    git stash clear, git stash save, git stash branch, git stash create, git stash store, git stash, git remote
    add, git remote remove, git remote rm,
    git remote rename, git remote set-url, git remote prune, git remote update, git remote set-head, git remote
    set-branches, git worktree add, git worktree remove,
    git worktree prune, git worktree move, git submodule add, git submodule update, git submodule init, git
    submodule deinit,
    git submodule foreach, git submodule sync, git notes add, git notes append, git notes remove, git notes edit,
    git notes copy, git bisect start, git bisect good,
    git bisect bad, git bisect reset, git bisect run, git bisect skip, git lfs pull, git lfs fetch, git lfs track,
    git lfs install,
    git maintenance run, git maintenance start, git commit-graph write, git multi-pack-index write, git bundle
    create, git rerere clear, git rerere forget, git mergetool,
    git sparse-checkout set, git sparse-checkout add: mutates none |
""",
    _GROUPS,
    ["configured"],
)

_STEADY = rows(
    """
git log, git show: plain check=git-patch path* | @diff @walk @format
git rev-list: check=git-format path* | @walk --count --objects --objects-edge --in-commit-order --unpacked
    --missing= --filter=
    --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --date= --header --relative-date --abbrev?
    --disk-usage?
    --bisect --bisect-vars --bisect-all --quiet --no-commit-header --commit-header --use-bitmap-index --object-names
    --no-object-names
git rev-parse: word* | --abbrev-ref? --short? --symbolic --symbolic-full-name --show-toplevel
    --show-superproject-working-tree
    --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-git-dir --is-inside-work-tree
    --is-bare-repository --is-shallow-repository --verify -q --quiet --revs-only --no-revs --flags --no-flags --all
    --branches? --tags? --remotes? --glob= --exclude= --git-path= --show-object-format? --since= --until= --sq --not
    --default= --path-format= --shared-index-path --show-ref-format --symbolic --disambiguate= --local-env-vars
git ls-tree: word path* | -d -r -t -l --long -z --name-only --name-status --object-only --abbrev? --full-name
    --full-tree --format=
git merge-base: word* | -a --all --octopus --independent --is-ancestor --fork-point
git for-each-ref: check=git-format word* | --count= --sort= --format= --color? --shell --perl --python --tcl
    --points-at= --merged?
    --no-merged? --contains? --no-contains? --ignore-case --omit-empty --exclude= --stdin --include-root-refs
git show-ref: word* | --head --heads --tags -d --dereference -s --hash? --verify --exists --abbrev? -q --quiet
    --branches
git branch: check=git-listing word* | -a --all -r --remotes -l --list --show-current -v -vv --verbose -q --color?
    --no-color --column?
    --no-column --sort= --merged? --no-merged? --contains? --no-contains? --points-at= --format= -i --ignore-case
    --abbrev?
    --no-abbrev --omit-empty
git tag: check=git-listing word* | -l --list -n? --sort= --format= --color? --column? --no-column --contains?
    --no-contains? --merged?
    --no-merged? --points-at? -i --ignore-case --omit-empty
git remote: none | -v --verbose
git remote get-url: word | --push --all
git config: check=git-config word* | --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l
    --list --local
    --global --system --worktree --name-only -z --null --show-origin --show-scope --type= --bool --int
    --bool-or-int --path
    --expiry-date --includes --no-includes --default= --value= --fixed-value --all --regexp --url= --no-type --blob=
git version: none | --build-options
git symbolic-ref: word | -q --quiet --short --no-recurse
git ls-remote: net check=remote word* | -h --heads -t --tags --refs -q --quiet --exit-code --get-url --sort=
    --symref --branches
git remote show: net check=remote word* | -n
""",
    _GROUPS,
)
"""What looks at names, objects and settings alone, and starts nothing for files of the work tree."""

GIT = _STEERED | _STEADY
