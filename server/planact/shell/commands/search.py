"""Searching for text and for files."""

from planact.shell.table import rows

_GROUPS = {
    "grep": """
        -# -A: --after-context= -B: --before-context= -C: --context= -a --text -b --byte-offset --binary -c
        --count --binary-files= --color? --colour? -d: --directories= -D: --devices= -e: --regexp= -E
        --extended-regexp -f:p --file=p -F --fixed-strings -G --basic-regexp -P --perl-regexp -h --no-filename
        -H --with-filename -i --ignore-case --no-ignore-case -y -I --include= --exclude= --exclude-from=p
        --exclude-dir= -l --files-with-matches -L --files-without-match --label= --line-buffered -m:
        --max-count= -n --line-number -o --only-matching -q --quiet --silent -r --recursive -R
        --dereference-recursive -s --no-messages -T --initial-tab -U -v --invert-match -w --word-regexp -x
        --line-regexp -z --null-data -Z --null --no-group-separator --group-separator= -V --version
    """,
    "rg": """
        -A: --after-context= -B: --before-context= -C: --context= --auto-hybrid-regex --binary --no-binary -b
        --byte-offset -s --case-sensitive --color= --colors= --column --no-column --context-separator= -c
        --count --count-matches --crlf --debug --trace --dfa-size-limit= -d: --max-depth= --maxdepth= -E:
        --encoding= --engine= --field-context-separator= --field-match-separator= -f:p --file=p --files -l
        --files-with-matches --files-without-match -F --fixed-strings -L --follow --no-follow -g: --glob=
        --glob-case-insensitive --heading --no-heading -. --hidden --no-hidden --iglob= -i --ignore-case
        --ignore-file=p --ignore-file-case-insensitive --include-zero -v --invert-match --json -x
        --line-regexp -n --line-number -N --no-line-number --line-buffered --block-buffered -M: --max-columns=
        --max-columns-preview -m: --max-count= --max-filesize= --mmap --no-mmap -U --multiline
        --multiline-dotall --no-config --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files
        --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages
        --no-require-git --no-unicode -0 --null --null-data --one-file-system -o --only-matching
        --path-separator= --passthru -P --pcre2 --pcre2-version --no-pcre2 -p --pretty -q --quiet
        --regex-size-limit= -e: --regexp= -r: --replace= -S --smart-case --sort= --sortr= --stats --no-stats
        -a --text -j: --threads= --trim --no-trim -t: --type= -T: --type-not= --type-add= --type-list -u
        --unrestricted -V --version --vimgrep -H --with-filename -I --no-filename -w --word-regexp
        --stop-on-nonmatch --hyperlink-format=(none) --no-pre --no-search-zip -h --help
    """,
}

SEARCH = rows(
    """
grep, egrep, fgrep: plain any pattern path* | @grep
zgrep, zegrep, zfgrep: pattern path* | @grep
rg: plain pattern path* | @rg
ag: pattern path* | -A: --after? -B: --before? -C: --context? -a --all-types -c --count -D --debug --depth= -f
    --follow -F
    --fixed-strings -g: -G: --file-search-regex= -H --heading --nogroup --group -i --ignore-case -l
    --files-with-matches
    -L -m: --max-count= -n -o --only-matching -Q --literal -r -R -s --case-sensitive -S --smart-case --hidden
    --ignore=
    --ignore-dir= --nocolor --color --numbers --nonumbers -u -U -v --invert-match -w --word-regexp --column --vimgrep
    --stats --silent --python --js --ts --go --rust --cpp --java --ruby --html --css --json --yaml --md --markdown
ack: pattern path* | -A: -B: -C: -c -f -g -h -H -i -l -L -m: -n -o -Q -s -S -v -w -x --python --js --type= --noenv
    --nocolor --nopager --ignore-dir= --ignore-case
fd, fdfind: pattern path* | -H --hidden -I --no-ignore --no-ignore-vcs --no-ignore-parent -u --unrestricted -s
    --case-sensitive -i --ignore-case -g --glob --regex -F --fixed-strings --and= -a --absolute-path
    --relative-path -L
    --follow -p --full-path -d: --max-depth= --min-depth= --exact-depth= --prune -E: --exclude= -t: --type= -e:
    --extension= -S: --size= --changed-within= --changed-before= --changed-after= --newer= --older= -o: --owner= -0
    --print0 -1 -q --quiet --show-errors --max-results= --strip-cwd-prefix? --one-file-system --mount -c:
    --color= -j: --threads= --max-buffer-time= --search-path=p --base-directory=p --path-separator= -V --version -h
    --help --format= --ignore-file=p --no-require-git --hyperlink? -l --list-details
locate, mlocate, plocate: word* | -i --ignore-case -c --count -l: --limit= -n: -b --basename -e --existing -r:
    --regexp=
    -w -0 -A --all -q
ctags: none | --version --list-languages
tokei: path* | -e: --exclude= -f --files -s: --sort= -t: --type= -o: --output= -C --compact --hidden --no-ignore -V
scc: path* | --by-file --no-cocomo -f:(tabular,wide,json,csv) --format=(tabular,wide,json,csv) -i: --include-ext=
    --exclude-dir= -s: --sort= -w --wide -u --uloc --no-complexity --no-duplicates --no-size
cloc: path* | --by-file --by-file-by-lang --exclude-dir= --include-lang= --exclude-lang= --exclude-ext= --include-ext=
    --quiet --json --csv --md --yaml --xml --vcs=(git) --git --hide-rate --progress-rate= --match-f= --not-match-f=
    --fullpath --match-d= --not-match-d= --sum-one --skip-uniqueness --version
""",
    _GROUPS,
)
