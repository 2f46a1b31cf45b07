# Every chore of this repository, one target each. `make setup demo test` work on a fresh Debian with python3, node and
# make: what else they need is put into the checkout or, where they are root, installed by apt. They say what they do,
# and a second run finds the stamps of the first.

.DEFAULT_GOAL := help
.PHONY: help setup demo test soak quick check check-server check-client bench live screenshots wheel vsix lock aws clean python-ok test-system test-tools

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CLIENT := client-vscode

# A stamp is named by what it stands for, so that a changed lock, manifest or folder makes another.
hash = $(firstword $(shell cat $(1) 2>/dev/null | cksum))
PYTHON_STAMP := $(VENV)/python-$(firstword $(shell { echo "$(CURDIR)"; cat requirements-dev.txt; } | cksum))
PACKAGE_STAMP := $(VENV)/planact-$(call hash,pyproject.toml)
CLIENT_STAMP := $(CLIENT)/node_modules/lock-$(call hash,$(CLIENT)/package-lock.json $(CLIENT)/.npmrc)

# Tests of adapters, workflows and whole programs, with real processes, disks and sockets, and those of the architecture,
# which `check` runs; `quick` leaves them out, but for those that name a piece which something new lacks.
SLOW_TESTS := adversarial architecture bench cli contracts docs editors heeded kill language_servers llm lsp mcp observe oracle real sandbox store watch web workflows
TESTS_OF_PIECES := $(addprefix tests/architecture/test_,missing_pieces.py missing_parts.py pieces_of_a_tool.py lists_complete.py)

# One more than there are processors, since tests also wait; those in VS Code run beside them. A file's tests stay
# together, since they share servers. In the order of their names: files of many tests first would leave the slow ones
# for the end, and to one worker.
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
WORKERS := $(shell n=$$(($(PROCESSORS) + 1)); echo $$((n < 8 ? n : 8)))

# Native modules are built against the headers of the node that is here, which need no download.
ifneq ($(wildcard /usr/include/node),)
export npm_config_nodedir := /usr
endif
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Tests start planact a thousand times, which would compile it each time.
unexport PYTHONDONTWRITEBYTECODE

# $(call apt,packages): install them, or say what is missing and stop.
define apt
if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	echo "==> installing with apt:$(1)" && apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null; \
else echo "Missing on this machine:$(1). Install these Debian packages (or their equals) and run make again." >&2; exit 1; fi
endef

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' $(MAKEFILE_LIST)

setup: $(PACKAGE_STAMP) ## the Python environment, with the command at .venv/bin/planact

python-ok:
	@command -v $(PYTHON) >/dev/null || { $(call apt, python3 python3-venv); }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || { \
		echo "planact needs Python 3.11, 3.12 or 3.13; $(PYTHON) is $$($(PYTHON) -V). Name another: make PYTHON=python3.13" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { $(call apt, python3-venv); }

$(PYTHON_STAMP): | python-ok
	@echo "==> Python environment in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.txt
	@touch $@

$(PACKAGE_STAMP): $(PYTHON_STAMP)
	@echo "==> planact into $(VENV)"
	@$(BIN)/python -m pip install --quiet --no-index --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check >/dev/null
	@rm -f $(VENV)/planact-* && touch $@

demo: setup ## watch planact plan and carry out a change, without a key or a network
	@$(BIN)/planact demo

wheel: setup ## build the wheel into dist/, without a network
	@rm -rf dist && $(BIN)/hatchling build --target wheel

vsix: wheel $(CLIENT_STAMP) ## build client-vscode/planact.vsix, which brings the server along and needs nothing but Python
	@cd $(CLIENT) && npm run --silent build && npm run --silent package

$(CLIENT_STAMP):
	@echo "==> node modules of $(CLIENT)"
	@cd $(CLIENT) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

test-system: python-ok # one call of apt at a time
	@{ command -v git && command -v rg && command -v openssl && command -v tmux && command -v zsh && command -v fish && { command -v strace || [ "$$(uname)" != Linux ]; } && { command -v bwrap || [ "$$(uname)" != Linux ]; }; } >/dev/null || { $(call apt, git ripgrep openssl tmux zsh fish bubblewrap strace); }

# What tests drive: editors, language servers and packages that others wrote.
TEST_TOOLS := $(wildcard tests/*/install)
.PHONY: $(TEST_TOOLS)
test-tools: $(TEST_TOOLS)
$(TEST_TOOLS): test-system
	@echo "==> $@" && $@
tests/real/install: setup

# What Python tests and what VS Code does leave the processor idle for each other, so they run at once, and the client's
# own before those in VS Code. The first run of pytest compiles all test modules, which else each worker would do.
test: vsix test-tools ## every test, in Python, in VS Code, Neovim and Emacs
	@mkdir -p .test-output; \
	{ (cd $(CLIENT) && npm test --silent) && \
	exec node --test --test-concurrency=2 --test-reporter=spec tests/editors/*.test.mjs; } >.test-output/vscode.log 2>&1 & vscode=$$!; \
	trap 'kill $$vscode 2>/dev/null' EXIT; trap 'exit 130' INT TERM HUP; \
	$(BIN)/pytest --collect-only -qqq >/dev/null; \
	$(BIN)/pytest --numprocesses=$(WORKERS) --dist=loadfile --no-loadscope-reorder; python=$$?; \
	echo "==> tests of the client and in VS Code, which run beside those"; \
	wait $$vscode; status=$$?; trap - EXIT; cat .test-output/vscode.log; [ "$$python" = 0 ] && [ "$$status" = 0 ]

soak: vsix test-tools ## long random tests, kills and the oracle of what commands do, with their whole counts (hours; SEED=… repeats lines)
	@$(BIN)/pytest --soak -m soak $(if $(SEED),--seed $(SEED))
	@PLANACT_STATES=all node --test --test-concurrency=2 tests/editors/vscode_states.test.mjs
	@PLANACT_STATES=all node --test --test-concurrency=1 tests/editors/vscode_again.test.mjs

# Each processor gets an equal share of the files. Workers of one run, which are told each test and tell each result, take
# half as long again.
quick: setup ## the inner loop, in seconds: the pure core and what runs on fakes
	@mkdir -p .test-output; seq $(PROCESSORS) | xargs -P $(PROCESSORS) -n 1 sh -c '\
	$(BIN)/pytest -q --quick $$({ find tests -name "test_*.py" $(SLOW_TESTS:%=-not -path "tests/%/*"); printf "%s\n" $(TESTS_OF_PIECES); } | sort | awk "NR % $(PROCESSORS) + 1 == $$0") \
		>.test-output/quick-$$0.log 2>&1; status=$$?; cat .test-output/quick-$$0.log; exit $$status'

check: check-server check-client ## style, types, architecture, generated files

check-server: setup test-system
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	git ls-files -z --cached --others --exclude-standard | xargs -0 $(BIN)/codespell
	$(BIN)/pytest -q tests/architecture tests/docs/test_complete.py

check-client: $(CLIENT_STAMP)
	cd $(CLIENT) && npm run --silent check

bench: setup ## what things cost; a part with ONLY=…, into the documentation with RECORD=yes
	@$(BIN)/python -m tests.bench $(if $(ONLY),--only $(ONLY)) $(if $(RECORD),--record)

live: setup ## try a model of yours: a small real task, what it can do and what it cost (needs its key); MODEL=…
	@$(BIN)/python -m tests.real.live "$(MODEL)"

screenshots: vsix tests/editors/install ## take the pictures of the documentation anew, in VS Code
	@node --test tests/editors/vscode_pictures.test.mjs
	@node tests/editors/screenshots.mjs

lock: ## pin the dependencies anew, with hashes for every platform (needs the package index)
	@[ -x .tools/bin/uv ] || { $(PYTHON) -m venv .tools && .tools/bin/pip install --quiet uv; }
	@compile() { .tools/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
		--python-version 3.11 --custom-compile-command "make lock" pyproject.toml "$$@"; }; \
	compile --output-file requirements.txt && \
	compile --group dev --constraint requirements.txt --output-file requirements-dev.txt

aws: python-ok ## generate the table of the AWS CLI's operations anew (needs the package index)
	@[ -x .tools/aws/bin/python ] || $(PYTHON) -m venv .tools/aws
	@.tools/aws/bin/pip install --quiet --no-deps --require-hashes -r server/generators/requirements-aws.txt
	@.tools/aws/bin/python server/generators/aws.py

clean: ## remove everything that the other targets made
	@rm -rf $(VENV) .tools dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .test-output \
		tests/editors/.rig tests/editors/.output tests/language_servers/.rig tests/real/.cache \
		$(addprefix $(CLIENT)/,node_modules dist out bundled planact.vsix)
