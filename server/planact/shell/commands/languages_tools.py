"""Tool chains of programming languages: versions, and what is installed or declared. What runs a project's code isn't
here, with the exception of interpreters asked for their version.
"""

from planact.shell.table import rows

# Only in the spelling that every one of them takes for it: `zsh -V` or `ipython -version` would run what is piped in.
_VERSIONED = (
    "rustc, rustup, gcc, g++, clang, clang++, cc, c++, gfortran, ld, as, ghc, stack, cabal, ruby, gem, "
    "bundle, rake, perl, php, composer, luajit, julia, R, Rscript, scala, kotlin, kotlinc, swift, swiftc, "
    "dotnet, mono, java, javac, jshell, mvn, gradle, lein, clojure, elixir, mix, ocaml, opam, dune, nim, "
    "dart, flutter, deno, bun, tsc, ts-node, eslint, prettier, webpack, rollup, esbuild, babel, nvm, fnm, "
    "volta, corepack, black, isort, ruff, flake8, pylint, mypy, pyright, tox, nox, pre-commit, poetry, pdm, "
    "hatch, conda, mamba, pyenv, rbenv, asdf, mise, jupyter, make, gmake, cmake, ninja, meson, just, task, "
    "protoc, buf, golangci-lint, clang-format, clang-tidy, cppcheck, valgrind, gdb, lldb, strace, vim, nvim, "
    "emacs, nano, code, bash, zsh, fish, rsync, psql, mysql, mongosh, redis-cli, node, npx, rustfmt, "
    "rust-analyzer, ansible, ansible-playbook, packer, vagrant, vault, consul, nomad, cdk, sam, serverless, "
    "kind, k3d, istioctl, flux, kustomize, helmfile, terragrunt, tflint, trivy, heroku, vercel, netlify, "
    "gcloud, az, glab, hub, podman, buildah, skopeo, pod, adb, uvicorn, gunicorn, flask, alembic, celery, "
    "latex, pdflatex, xelatex, docker-compose, sudo, uv, uvx, pipx, wget, curl"
)

LANGUAGES = rows(
    f"""
{_VERSIONED}: check=version none | --version
ssh, tmux: check=version none | -V
ghc, cabal, mysql, psql, mypy, deno: check=version none | -V --version
yarn: check=version none | -v --version
javac, scala, kotlin, kotlinc: check=version none | -version --version
ant, ffmpeg, ffprobe, convert, magick, xcodebuild, erl: check=version none | -version
nginx, httpd, apache2: check=version none | -v -V
gradle, mvn: check=version none | -v --version
python: free check=python word* |
pip: none | -V --version -h --help --no-color --disable-pip-version-check --isolated --no-input -q -v
pip list: check=pip-list none | @pip -o -l --local --user -e --editable --format= --not-required
    --exclude-editable --include-editable --exclude= --all -r:p --path=p --pre -o --outdated -u --uptodate
pip freeze: none | @pip -o -l --local --user -e --editable --format= --not-required --exclude-editable
    --include-editable --exclude= --all -r:p --path=p --pre
pip show: word* | @pip -f --files
pip check, pip inspect: none | @pip --local --user
pip debug: none | @pip
pip config list, pip config get, pip config debug: word | @pip --global --user --site
pip cache dir, pip cache info, pip cache list: word | @pip --format=
pip help: word |
pip index versions: net word | @pip --pre --json
pip search: net word* | @pip
uv pip list, uv pip freeze, uv pip show, uv pip check, uv pip tree: word* | @uv --format= -e --editable
    --exclude-editable --exclude= -f --files
    --strict --depth= --package= --invert --show-version-specifiers --no-dedupe
uv tree: check=offline none | @uv --frozen --locked --offline --depth= --package= --invert --no-dedupe
    --all-groups --no-dev
uv version: check=offline none | --short --output-format= --frozen
uv python list, uv python find, uv python dir, uv tool list, uv tool dir, uv cache dir, uv self version: word* |
    @uv --only-installed --all-versions
poetry show: word* | -t --tree -a --all --only= --without= --with= -T --top-level --no-ansi --why --no-dev -n
poetry env list, poetry env info: none | --full-path -p --path -e --executable --no-ansi
poetry version, poetry check: none | -s --short --lock --no-ansi
poetry config: none | --list
pdm list, pdm info: word* | --tree --graph --freeze --json --env --packages --python --where
conda list, conda info, conda env list, conda search: word* | -n: --name= --json -e --envs -a --all --export
    --revisions --explicit
pipenv graph: none | --bare --json --json-tree --reverse
pipx list: none | --short --json --include-injected
pyenv versions, pyenv version, pyenv which, pyenv root, pyenv prefix, pyenv global, pyenv local, pyenv whence:
    none | --bare
npm: none | @npm -v --version -h --help
npm ls, npm list, npm la, npm ll: word* | @npm -a --all -l --long -g --global --depth= --depth: -p --parseable
    --json --prod --production --dev --omit= --include=
    --link --package-lock-only --workspaces -w: --workspace= --only=
npm explain, npm why: word* | @npm --json -w: --workspace=
npm root, npm prefix, npm bin: none | @npm -g --global
npm config get, npm config list, npm config ls, npm get: word* | @npm -l --long --json -g --global
npm help, npm help-search: word* |
npm query: word | @npm --global --package-lock-only
npm pkg get: word* | @npm --json -w: --workspace= --workspaces
npm view, npm v, npm info, npm show: net check=address word* | @npm --json
npm search, npm s: net word* | @npm --json -l --long --parseable --description --searchlimit=
npm outdated: net word* | @npm --json -l --long -g --global -a --all --parseable -p --depth=
npm ping, npm whoami: net none | @npm
npm audit: net none | @npm --json --audit-level= --omit= --production --only=
npm audit signatures: net none | @npm --json
npm dist-tag ls, npm owner ls, npm access list, npm team ls: net word* | @npm
npm fund: none | @npm --json
npm version: none | @npm --json
pnpm: none | -v --version -h --help
bundle config list: none |
mix help: word |
nvm ls, nvm list, nvm current, nvm which: word* | --no-colors --no-alias
gem list, gem info, gem environment, gem env, gem which, gem contents, gem dependency, gem specification, gem
    outdated: word* | -l --local -a --all -d --details -i
    --installed -e --exact --versions --no-versions -v: --version=
cargo tree: check=cargo word* | @cargo -i: --invert= --depth= --prefix= -e: --edges= -d --duplicates --no-dedupe
    -f: --format=
    --charset= --target= --no-default-features --prune=
cargo metadata: check=cargo none | @cargo --no-deps --format-version= --filter-platform= --no-default-features
cargo pkgid: check=cargo word* | @cargo
cargo locate-project: none | --workspace --message-format= -q
cargo read-manifest: none | -q
cargo verify-project: none | -q
cargo version: none | -v --verbose
cargo: none | -V --version -vV --list -v -h --help --color= --offline --locked --frozen
cargo search: net word* | --limit= -q
cargo info: net word* | -q
cargo help: word | --version
rustup show, rustup toolchain list, rustup target list, rustup component list, rustup which, rustup show
    active-toolchain, rustup show home: word* |
    --installed --toolchain= -v --verbose
rustc: check=rustc none | --version -V -vV --print= --print: -v --verbose
go: none |
go version: path* | -m -v
go env: word* | -json -changed
go list: check=go long word* | -m -f: -json? -deps -e -test -find -versions -u -retracted -tags:
    -mod:(readonly,vendor) -buildvcs: -C:p
go doc: long word* | -all -c -cmd -short -src -u -C:p
go help: word* |
go mod graph: long none | -go: -C:p
go mod why: long word* | -m -vendor
go mod verify: none |
go tool nm, go tool objdump: path* | -n -size -sort: -type -S -s:
gofmt: path* | -l -d -e -s
javap: path* | -c -p -v -s -l -public -protected -private -package -cp:p -classpath:p -constants
jps: none | -l -v -m -q
jar: free check=jar path* |
dotnet: none | --info --list-sdks --list-runtimes --version
elixir: none | --version -v
opam list, opam show: word* | -i --installed -a --all
ghc-pkg list: word* | --global --user
perldoc: word* | -f: -v: -q: -T -t -l -m
php: none | -v -m -i --version --ini
ruby: none | -v --version
perl: none | -v -V --version
java: none | -version --version -fullversion -showversion --list-modules
node: none | -v --version --v8-options
lua, luajit: none | -v
gcc, g++, clang, clang++, cc, c++: check=version none | --version -v -dumpversion -dumpmachine -dumpfullversion
    --print-search-dirs -print-search-dirs
    -print-file-name= --print-resource-dir -print-multiarch
make, gmake: none | --version -v
pipdeptree: none | -p: --packages= -r --reverse --json --json-tree -w: --warn= -l --local-only -d: --depth=
pkg-config: word* | --list-all --modversion --exists --cflags --libs --version --variable= --print-requires
    --print-variables
    --print-provides --static --cflags-only-I --libs-only-L --libs-only-l --atleast-version=
ldconfig: none | -p --print-cache
asdf list, asdf current, asdf where, asdf which, asdf plugin list, mise ls, mise list, mise current, mise where,
    mise which: word* | --json -c -i --installed --current
rbenv versions, rbenv version, rbenv which, rbenv root: word* | --bare
direnv status, direnv version: none |
poetry: none | --version -V
vim, nvim, vi: none | --version
ruff rule, ruff linter, ruff version: word* | --all --output-format=
pre-commit: none | --version -V
""",
    {
        "pip": """
            --no-color --disable-pip-version-check --isolated --no-input -q -v --quiet --verbose
            --no-python-version-warning --index-url-off --no-cache-dir --no-index
        """,
        "uv": "--color= -q --quiet -v --no-cache --no-progress --system --offline",
        "npm": """
            --silent -s --loglevel= --no-color --color= --no-update-notifier --no-audit --no-fund --offline
            --prefer-offline
        """,
        "cargo": """
            --manifest-path=p --locked --offline --frozen -q --quiet -v --verbose --color= -p: --package=
            --workspace --all-features --features= -F: --exclude= --no-default-features
        """,
    },
    ["configured"],
)
