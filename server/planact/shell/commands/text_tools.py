"""Little languages over text and data, archives that are only listed, and viewers."""

from planact.shell.table import rows

TEXT_TOOLS = rows(
    """
sed, gsed: check=sed word* | -n --quiet --silent -e: --expression= -E -r --regexp-extended -s --separate -u
    --unbuffered
    -z --null-data -l: --line-length= --posix --debug --sandbox -i? --in-place? --version --help
awk, mawk, nawk, gawk: posix check=awk word* | -F: --field-separator= -v: --assign= --re-interval --posix -P -r
    --traditional -c -n --non-decimal-data --characters-as-bytes -b -S --sandbox --version -V -W:(version) --csv -k
jq, gojq: any pattern path* | -c --compact-output -r --raw-output -j --join-output -a --ascii-output -s --slurp -n
    --null-input -R --raw-input -S --sort-keys -C --color-output -M --monochrome-output -e --exit-status --tab
    --indent=
    --indent: --arg=2 --argjson=2 --slurpfile=2 --rawfile=2 --args --jsonargs --stream --stream-errors --seq -f:p
    --from-file=p --raw-output0 --unbuffered -h --help -V --version -L:p
yq: check=yq pattern path* | -r --raw-output --unwrapScalar? -c --compact-output -j -y --yaml-output -e --exit-status
    -n --null-input -S --sort-keys -C --colors -M --no-colors -P --prettyPrint -N --no-doc -I: --indent= -p:
    --input-format=
    -o: --output-format= -V --version -h --help --tojson -d: --doc= --header-preprocess? --no-doc
gron: path | -u --ungron -c --colorize -m --monochrome -s --stream  --no-sort -v --values -j --json
xmllint: path* | --xpath= --xpath: --format --noout --nonet --noblanks --html --recover --nowarning --noent --huge
    --version --nocdata --pretty: --c14n
xmlstarlet: none | --version
xsv: none | --version --list
csvcut, csvgrep, csvlook, csvstat, csvsort, csvjson, csvformat, in2csv: path* | -c: --columns= -n --names -d:
    --delimiter= -t --tabs
    -m: --match= -r: --regex= -i --invert-match -H --no-header-row --max-rows= -l -q: -e: -C: -S -y: -I -K:
    --count --max --min --mean --nulls
    --unique --sum --freq --len
mlr: none | --version
xq, tomlq: pattern path* | -r --raw-output -c --compact-output -x -j -S -s -e -C -M -n
sqlite3: check=sqlite path word | -readonly -header -noheader -column -csv -json -line -list -box -markdown -table
    -batch
    -version -separator: -nullvalue: -html -quote -bail -tabs --readonly --header --json --csv --version
tar, gtar, bsdtar: check=tar path* | -t --list -f:p --file=p -v --verbose -z --gzip --gunzip -j --bzip2 -J --xz
    --zstd -Z
    --exclude= --wildcards --strip-components= --no-recursion --full-time --numeric-owner --occurrence? -T:p --version
unzip: check=listing path word* | -l -v -t -Z -Z1 -q -p -c -C -h -1
zipinfo: path word* | -1 -2 -s -m -l -v -h -t -T -z -M
zcat, gzcat, bzcat, xzcat, zstdcat, lzcat: path* | -f -l -v -q -h --help --version
gzip, xz, bzip2, zstd: check=listing path* | -l --list -t --test -c --stdout --to-stdout -d --decompress -dc -cd
    -v --verbose -q
    --quiet -k --keep -#
gunzip, unxz, bunzip2, unzstd: check=listing path* | -c --stdout --to-stdout -l --list -t --test -q -k --keep
7z l, 7z t, 7za l, 7zz l: path* | -slt -ba -r
iconv: path* | -f: -t: --from-code= --to-code= -c -l --list -s --silent --verbose
less, more, most: check=pager path* | -# -N --LINE-NUMBERS -n -R -r -S --chop-long-lines -F
    --quit-if-one-screen -X --no-init -i -I -E -e -s -m -M -q -Q -K -g -G -w -W -d -f -c -u
bat, batcat: path* | -A --show-all -p --plain -pp -l: --language= -H: --highlight-line= --file-name= -d --diff
    --diff-context= --tabs= --wrap= --terminal-width= -n --number --color= --italic-text= --decorations=
    --paging=(never)
    -P --no-pager -m: --map-syntax= --theme= --list-themes --style= -r: --line-range= -L --list-languages -f
    --force-colorization
    -V --version -h --help -u --unbuffered
diffstat: path* | -w: -p: -l -s -c
delta, diff-so-fancy: configured path* | --version --side-by-side --line-numbers --no-gitconfig -w: -p: -l -s -c
    --color-only
    --paging=(never)
man: word* | -k -f -w -a -K --apropos --whatis --where --path -s: --sections=
apropos, whatis: word* | -s: -e -r -w -a -l --exact --regex --and --long --section= --sections=
info: word* | -w --where -k: --apropos=
pandoc: none | -v --version --list-input-formats --list-output-formats --list-extensions?
openssl version: none | -a -v -d
openssl ciphers: word | -v -V -s
openssl dgst, openssl md5, openssl sha256, openssl sha1: path* | -sha1 -sha256 -sha384 -sha512 -md5 -r -hex -c
openssl x509: none | -in:p -noout -text -subject -issuer -dates -enddate -startdate -serial -fingerprint -sha256 -sha1
    -hash -email -purpose -pubkey -modulus -inform: -ext: -nameopt: -checkend: -alias -ocsp_uri
openssl req: none | -in:p -noout -text -subject -verify -inform: -pubkey
openssl crl: none | -in:p -noout -text -inform: -issuer -lastupdate -nextupdate
openssl verify: path* | -CAfile:p -untrusted:p -verbose -purpose: -show_chain
openssl asn1parse: none | -in:p -inform: -i -dump
nm, objdump, readelf, size, otool, c++filt, addr2line: path* | -a -A -C --demangle? -D --dynamic -g --extern-only
    -n -p -P -r -S -u --undefined-only --defined-only -l -o -t: -d --disassemble -h -f -x -s -T -W? -w? -e: -j:
    --section= -M: -i -V -L --headers --all-headers --syms --dynamic-syms --relocs --program-headers --segments
    --sections
    --symbols --notes -I --version-info --version --file-headers --all --wide
ldd: none | --version
dos2unix, unix2dos: none | -V --version
shellcheck: path* | -s: --shell= -f: --format= -e: --exclude= -S: --severity= -x --external-sources -C? --color? -V
    --version -a --check-sourced -o: --enable= -i: --include= --norc -P:
hadolint: path* | -f: --format= --ignore= -v --version --no-color --no-fail
yamllint: path* | -f: --format= -s --strict -d: -v --version --no-warnings
sha256deep, md5deep: path* | -r -l
uuidparse: word* |
""",
)
