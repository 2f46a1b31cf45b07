"""Listing and reading files, and what the base system tells about itself."""

from planact.shell.table import rows

_GROUPS = {
    "ls": """
        -a --all -A --almost-all --author -b --escape -B --ignore-backups -c -C -d --directory -f -F
        --classify? -g -G --no-group -h --human-readable --si -H -i --inode -I: --ignore= --hide= -k
        --kibibytes -l -L --dereference -m -n --numeric-uid-gid -N --literal -o -p -q -Q --quote-name
        --quoting-style= -r --reverse -R --recursive -s --size -S --sort= --time= --time-style= --full-time -t
        -T: -u -U -v -w: --width= -x -X -Z --context -1 --color? --group-directories-first --format=
        --indicator-style= --file-type --block-size= --zero --hyperlink? -@ -O -e
    """,
    "sum": "-b --binary -c --check -t --text -z --zero --tag --ignore-missing --quiet --status --strict -w --warn",
}

COREUTILS = rows(
    """
ls, dir, vdir: plain any path* | @ls
cat: plain any path* | -A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank -t -T
    --show-tabs -u -v --show-nonprinting
head: plain any path* | -# -c: --bytes= -n: --lines= -q --quiet --silent -v --verbose -z --zero-terminated
tail: plain any path* | -# +# -c: --bytes= -n: --lines= -q --quiet --silent -v --verbose -z --zero-terminated
    -f -F --follow? --retry --pid= -s: --sleep-interval= --max-unchanged-stats= -r
wc: plain any path* | -c --bytes -m --chars -l --lines -L --max-line-length -w --words --files0-from=p --total=
tac: any path* | -b --before -r --regex -s: --separator=
nl: any path* | -b: --body-numbering= -d: -f: --footer-numbering= -h: --header-numbering= -i: --line-increment=
    -l: -n: --number-format= -p --no-renumber -s: --number-separator= -v: --starting-line-number= -w: --number-width=
rev: any path* |
od: any path* | -A: --address-radix= -j: --skip-bytes= -N: --read-bytes= -S? --strings? -t: --format= -v -w? --width?
    --endian= --output-duplicates -a -b -c -d -D -e -f -F -h -H -i -I -l -L -o -O -s -x
hexdump, hd: any path* | -b -c -C -d -o -x -v -e: -n: -s:
xxd: path | -a -b -c: -e -g: -h -i -l: -n: -o: -p -ps -plain -r -R: -s: -u -v
strings: any path* | -a --all -d --data -e: --encoding= -f --print-file-name -n: --bytes= -o -t: --radix= -#
    -w --include-all-whitespace
base64, base32: path | -d -D --decode -i --ignore-garbage -w: --wrap= -b:
basenc: any path | --base64 --base64url --base32 --base32hex --base16 -d --decode -i --ignore-garbage -w: --wrap=
md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum: any path* | @sum -l: --length=
shasum: any path* | -a: --algorithm= -b -c --check -t -p --portable -U -0 -q -s --status -w
cksum: any path* | -a: --algorithm= --base64 -l: --length= --raw --tag --untagged -z --zero
sum: any path* | -r -s --sysv
md5: path* | -q -r -s:
cut: any path* | -b: --bytes= -c: --characters= -d: --delimiter= -f: --fields= -n --complement -s --only-delimited
    --output-delimiter= -z --zero-terminated -w
paste: any path* | -d: --delimiters= -s --serial -z --zero-terminated
join: any path* | -a: -e: -i --ignore-case -j: -o: -t: -v: -1: -2: --check-order --nocheck-order --header -z
    --zero-terminated
comm: any path* | -1 -2 -3 --check-order --nocheck-order --output-delimiter= --total -z --zero-terminated
expand, unexpand: any path* | -i --initial -t: --tabs= -a --all --first-only -#
fold: any path* | -b --bytes -s --spaces -w: --width= -#
fmt: any path* | -c --crown-margin -p: --prefix= -s --split-only -t --tagged-paragraph -u --uniform-spacing -w:
    --width=
    -g: --goal= -#
pr: any path* | -# +# -a --across -c -d --double-space -e? -F -f -h: --header= -i? -J --join-lines -l: --length= -m
    --merge -n? -o: --indent= -r -s? -S? -t --omit-header -T --omit-pagination -v -w: --width= -W:
column: any path* | -t --table -s: --separator= -o: --output-separator= -c: --output-width= -x --fillrows -n -N:
    --table-columns= -R: --table-right= -J --json -H: --table-hide= -d --table-noheadings -e -L -E:
uniq: path | -c --count -d --repeated -D --all-repeated? -f: --skip-fields= --group? -i --ignore-case -s:
    --skip-chars= -u --unique -z --zero-terminated -w: --check-chars=
sort: path* | -b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i
    --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse
    --sort=
    -V --version-sort -c --check? -C --debug -k: --key= -m --merge -s --stable -t: --field-separator= -u --unique -z
    --zero-terminated -S: --buffer-size= --parallel= --files0-from=p
shuf: path* | -e --echo -i: --input-range= -n: --head-count= -r --repeat -z --zero-terminated
tsort: any path |
tr: word* | -c -C --complement -d --delete -s --squeeze-repeats -t --truncate-set1
ptx: path* | -w: -A -R -f -g: -r -t
look: word path | -a -d -f -t:
stat: plain any path* | -L --dereference -f --file-system -c: --format= --printf= -t --terse --cached= -x -r -s -l -n
file: path* | -b --brief -i --mime -I --mime-type --mime-encoding -L --dereference -h --no-dereference -k --keep-going
    -N --no-pad -n --no-buffer -0 --print0 -r --raw -s --special-files -F: --separator= --extension -v --version -z
    -f:p --files-from=p -E -l
du: any path* | -0 --null -a --all --apparent-size -b --bytes -B: --block-size= -c --total -D --dereference-args -d:
    --max-depth= -h --human-readable --inodes -H -k -L --dereference -l --count-links -m -P --no-dereference -S
    --separate-dirs --si -s --summarize -t: --threshold= --time? --time-style= -x --one-file-system --exclude= -A -I:
    -X:p --exclude-from=p --files0-from=p
df: any path* | -a --all -B: --block-size= -h --human-readable -H --si -i --inodes -k -l --local -m --no-sync
    --output? -P --portability --total -t: --type= -T --print-type -x: --exclude-type= -g
basename: any word* | -a --multiple -s: --suffix= -z --zero
dirname: any word* | -z --zero
readlink: any path* | -f --canonicalize -e --canonicalize-existing -m --canonicalize-missing -n --no-newline -q
    --quiet
    -s --silent -v --verbose -z --zero
realpath: any path* | -e --canonicalize-existing -m --canonicalize-missing -L --logical -P --physical -q --quiet
    -s --strip --no-symlinks -z --zero --relative-to= --relative-base=
pathchk: any word* | -p -P --portability
pwd: plain any none | -L -P --logical --physical
tree: path* | -a -d -l -f -x -L: -P: -I: --ignore-case --matchdirs --metafirst --prune --info --noreport
    --charset= --filelimit= --filelimit: -q -N -Q -p -u -g -s -h --si --du -D --timefmt= --timefmt: --inodes
    --device -F -v -t -c
    -U -r --dirsfirst --filesfirst --sort= --sort: -i -A -S -n -C -X -J -H: -T: --nolinks --hintro=p --houtro=p
    --gitignore --gitfile=p --version --fromfile
lsblk, lscpu, lsmem, lsusb, lspci, lsmod, lslocks, lsns, findmnt: path* | -a --all -b --bytes -d -D -e: -f --fs -i
    -I: -J
    --json -l --list -m -n --noheadings -o: --output= -O --output-all -p --paths -P --pairs -r --raw -s -S -t
    --topology -T --tree? -x: -z --extended? --parse? -v -vv -k -nn -h -D: --df -u
echo: plain any free word* |
printf: posix word* |
true, false, :: plain any free word* |
seq: any word* | -f: --format= -s: --separator= -w --equal-width
expr: any free word* |
factor: any word* | -h --exponents
numfmt: any word* | --to= --from= --to-unit= --from-unit= --suffix= --padding= --format= --field= -d: --delimiter=
    --header? --round= --grouping --invalid=
bc: none | -l --mathlib -q --quiet -s --standard -w --warn
date: check=date word | -u --utc --universal -d: --date= -I? --iso-8601? -R --rfc-email --rfc-3339= -r:p
    --reference=p --debug
    -f:p --file=p -j -v:
cal, ncal: word* | -1 -3 -y -m -s -j -w -h -A: -B:
sleep: word* |
test, [: free check=test word* |
cmp: any path* | -b --print-bytes -i: --ignore-initial= -l --verbose -n: --bytes= -s --quiet --silent
diff: any path* | -# -q --brief -s --report-identical-files -c -C: --context? -u -U: --unified? -e --ed -n --rcs -y
    --side-by-side -W: --width= --left-column --suppress-common-lines -p --show-c-function -F: --show-function-line=
    --label= -L: -t --expand-tabs -T --initial-tab -r --recursive --no-dereference -N --new-file
    --unidirectional-new-file
    -x: --exclude= -X:p --exclude-from=p -S: --starting-file= --from-file=p --to-file=p -i --ignore-case -E
    --ignore-tab-expansion -Z --ignore-trailing-space -b --ignore-space-change -w --ignore-all-space -B
    --ignore-blank-lines -I: --ignore-matching-lines= -a --text --strip-trailing-cr -d --minimal --speed-large-files
    --color? --palette= --line-format= --normal --horizon-lines= --tabsize= --suppress-blank-empty
diff3: any path* | -a -A -e -E -3 -i -m -T -x -X -L: --label=
sdiff: path* | -a -b -B -d -E -i -I: -l -s -t -w: -W -Z
colordiff: path* | -u -r -q -N -w -b -B -y -U: -c
""",
    _GROUPS,
)
