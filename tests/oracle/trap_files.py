# ruff: noqa: E501 - settings stand as programs want them
"""The files that traps are made of: what programs read, run, or take their settings from.

Whatever runs one of these files, or does what one of these settings says, makes a file: that can be seen.
"""

SHELL = "#!/bin/sh\necho caught > caught-by-a-program\n"
PYTHON = "open('caught-by-python', 'w')\n"
_NODE = "require('node:fs').writeFileSync('caught-by-node', 'x')\n"
_RUBY = "File.write('caught-by-ruby', 'x')\n"
_PERL = "open(my $f, '>', 'caught-by-perl'); 1;\n"
_LUA = "io.open('caught-by-lua', 'w')\n"
_MAKE = "$(shell touch caught-by-make)\nall:\n\ttouch caught-by-make\n.DEFAULT:\n\ttouch caught-by-make\n"
_ELIXIR = 'File.write!("caught-by-elixir", "x")\n'
_INI = "touch caught-by-a-setting"

# Files that are there to be read: of every kind that a program in the table may ask for.
DATA = {
    "f.txt": "foo\na line with foo in it\n42 bar\n",
    "notes.md": "# Notes\n\nfoo\n",
    "src/inner.py": "import json\nx = 1  # foo\n",
    "src/app.js": "const foo = 1;\n",
    "data.json": '{"a": [1, 2], "name": "foo"}\n',
    "data.yaml": "a: [1, 2]\nname: foo\n",
    "data.xml": '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "f.txt">]><a><b>foo</b>&e;</a>\n',
    "data.toml": 'a = 1\n[b]\nname = "foo"\n',
    "table.csv": "name,age\nfoo,1\nbar,2\n",
    "names": "f.txt\ndata.json\nsrc/inner.py\n",
    "change.diff": "--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-foo\n+bar\n",
    "main.go": "package main\n\nfunc main() {}\n",
    "main.c": "int main(void) { return 0; }\n",
    "a b.txt": "a name with a blank\n",
    "large.bin": "large\n",
    "null": "",
    "con": "",
    "-rf": "",
    "-exec": "",
    "-la": "",
    "-o": "",
    "--output=caught-by-an-option": "",
    "--pre=sh": "",
    "--to-command=sh": "",
    "+!sh": "",
    "@names": "",
    "a=b": "",
    "$(touch caught-by-a-name)": "",
    ";touch caught-by-a-name": "",
}

SCRIPTS = {
    "prog.sh": SHELL,
    "prog.py": PYTHON,
    "prog.js": _NODE,
    "prog.rb": _RUBY,
    "prog.pl": _PERL,
    "prog.lua": _LUA,
    "prog.exs": _ELIXIR,
    "prog.awk": 'BEGIN { print "x" > "caught-by-awk"; system("touch caught-by-awk") }\n',
    "prog.sed": "w caught-by-sed\n1e touch caught-by-sed\n",
    "prog.jq": 'input_filename, "foo"\n',
    "prog.sql": ".shell touch caught-by-sqlite\nselect 1;\n",
    "prog.php": "<?php file_put_contents('caught-by-php', 'x');\n",
    "Main.java": 'class Main { static { try { new java.io.File("caught").createNewFile(); } catch (Exception e) {} } }\n',
    "prog.gdb": "shell touch caught-by-gdb\n",
}

CONFIGURATIONS = {
    **dict.fromkeys(("Makefile", "GNUmakefile", "makefile"), _MAKE),
    "package.json": f'{{"name": "a", "version": "1.0.0", "scripts": {{"preinstall": "{_INI}", "test": "{_INI}", '
    f'"start": "{_INI}", "ls": "{_INI}", "version": "{_INI}"}}, "bin": "prog.js", "dependencies": {{"fs": "1"}}}}\n',
    ".npmrc": "script-shell=./bin/sh\nnode-options=--require ./prog.js\ncache=./caught-by-npm\nlogs-dir=./caught-by-npm\n"
    "registry=http://127.0.0.1:9/\ngit=./bin/git\nprefix=./caught-by-npm\nonload-script=./prog.js\neditor=./bin/vi\n",
    ".yarnrc": 'yarn-path "./prog.js"\n',
    ".yarnrc.yml": "yarnPath: ./prog.js\nplugins: [./prog.js]\n",
    ".pnpmfile.cjs": _NODE,
    ".pnp.cjs": _NODE,
    "bunfig.toml": 'preload = ["./prog.js"]\n',
    "deno.json": '{"tasks": {"x": "touch caught-by-deno"}}\n',
    ".eslintrc.js": _NODE,
    "eslint.config.js": _NODE,
    "prettier.config.js": _NODE,
    ".prettierrc.js": _NODE,
    "babel.config.js": _NODE,
    "webpack.config.js": _NODE,
    "tsconfig.json": '{"compilerOptions": {"incremental": true, "outDir": "caught-by-tsc", "plugins": [{"name": "fs"}]}}\n',
    ".cargo/config.toml": '[build]\nrustc = "./bin/cc"\nrustc-wrapper = "./prog.sh"\ntarget-dir = "caught-by-cargo"\n'
    '[alias]\ntree = "run"\n[env]\nRUSTC = "./prog.sh"\n[registry]\nglobal-credential-providers = ["./prog.sh"]\n',
    "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\nbuild = "build.rs"\n[dependencies]\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "a"\nversion = "0.1.0"\n',
    "build.rs": 'fn main() { std::fs::write("caught-by-cargo", "x").unwrap(); }\n',
    "src/main.rs": "fn main() {}\n",
    "rust-toolchain.toml": '[toolchain]\npath = "./bin"\n',
    "pip.conf": "[global]\nlog = caught-by-pip\ncache-dir = caught-by-pip\nindex-url = http://127.0.0.1:9/\n",
    "setup.cfg": "[aliases]\nlist = install\n[tool:pytest]\naddopts = -p conftest\n",
    "setup.py": PYTHON,
    "conftest.py": PYTHON,
    "sitecustomize.py": PYTHON,
    "usercustomize.py": PYTHON,
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "prog"\nbackend-path = ["."]\n[project]\nname = "a"\n'
    'version = "1"\n[tool.poetry]\nname = "a"\n[tool.hatch.envs.default.scripts]\nx = "touch caught-by-hatch"\n',
    "uv.toml": 'cache-dir = "./caught-by-uv"\n',
    "poetry.toml": '[virtualenvs]\nin-project = true\npath = "./caught-by-poetry"\n',
    "tox.ini": "[testenv]\ncommands = touch caught-by-tox\n",
    "noxfile.py": PYTHON,
    "tasks.py": PYTHON,
    ".pre-commit-config.yaml": "repos: [{repo: local, hooks: [{id: x, name: x, entry: ./prog.sh, language: script}]}]\n",
    "requirements.txt": "-e .\n",
    **dict.fromkeys((".perltidyrc", ".perlcriticrc"), "-b\n"),
    ".proverc": "-I.\n",
    ".ripgreprc": "--pre=./prog.sh\n",
    ".ackrc": "--pager=./prog.sh\n--output=foo\n",
    ".agrc": "--pager ./prog.sh\n",
    ".fdrc": "--exec ./prog.sh\n",
    ".inputrc": '"a": "touch caught-by-readline\\n"\n',
    **dict.fromkeys((".vimrc", ".exrc", "_vimrc", ".nvimrc"), ":!touch caught-by-vim\n"),
    ".tmux.conf": "run-shell 'touch caught-by-tmux'\n",
    **dict.fromkeys((".gdbinit", ".lldbinit"), "shell touch caught-by-gdb\n"),
    **dict.fromkeys(("Gemfile", "Rakefile", "Vagrantfile", "Guardfile", "config.ru", ".irbrc", ".pryrc"), _RUBY),
    ".bundle/config": "BUNDLE_PATH: caught-by-bundle\nBUNDLE_GEMFILE: Gemfile\n",
    ".rubocop.yml": "require: ./prog.rb\n",
    ".rspec": "--require ./prog.rb\n",
    ".gemrc": "gem: --install-dir caught-by-gem\n",
    "go.mod": "module a\n\ngo 1.99\n\ntoolchain go1.99.9\n\nrequire example.org/b v1.0.0\n",
    "go.work": "go 1.99\n\nuse .\n",
    **dict.fromkeys(("mix.exs", ".iex.exs", ".formatter.exs", "config/config.exs"), _ELIXIR),
    "pom.xml": "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId>"
    "<version>1</version></project>\n",
    ".mvn/jvm.config": "-javaagent:a.jar\n-Xlog:gc:caught-by-java\n",
    ".mvn/maven.config": "-l\ncaught-by-maven\n",
    **dict.fromkeys(("build.gradle", "settings.gradle", "init.gradle"), "new File('caught-by-gradle').text = 'x'\n"),
    "gradle.properties": "org.gradle.jvmargs=-Xlog:gc:caught-by-java\n",
    "JDK_JAVA_OPTIONS": "-Xlog:gc:caught-by-java\n",
    "build.sbt": 'val x = "touch caught-by-sbt".!\n',
    "project.clj": '(spit "caught-by-lein" "x")\n',
    "justfile": "x := `touch caught-by-just`\ndefault:\n  touch caught-by-just\n",
    "Taskfile.yml": "version: '3'\nvars: {X: {sh: touch caught-by-task}}\ntasks: {default: {cmds: [touch caught-by-task]}}\n",
    "CMakeLists.txt": "execute_process(COMMAND touch caught-by-cmake)\n",
    "meson.build": "run_command('touch', 'caught-by-meson')\n",
    "build.ninja": "rule x\n  command = touch caught-by-ninja\nbuild all: x\n",
    "BUILD": "",
    "Dockerfile": "FROM scratch\n",
    "docker-compose.yml": "services: {a: {image: b}}\n",
    "main.tf": 'data "external" "x" { program = ["touch", "caught-by-terraform"] }\n',
    "ansible.cfg": "[defaults]\nlog_path = caught-by-ansible\n",
    "kustomization.yaml": "generators: [data.yaml]\n",
    "Chart.yaml": "name: a\n",
    ".envrc": "touch caught-by-direnv\n",
    **dict.fromkeys((".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".kshrc", ".shrc"), SHELL),
    ".tool-versions": "ruby 9.9.9\nnodejs 99\npython 9.9\n",
    **dict.fromkeys((".python-version", ".ruby-version", ".node-version", ".nvmrc"), "9.9.9\n"),
    ".mise.toml": '[hooks]\nenter = "touch caught-by-mise"\n[env]\n_.source = "./prog.sh"\n',
    ".sqliterc": ".shell touch caught-by-sqlite\n",
    **dict.fromkeys((".psqlrc", ".my.cnf"), "\\! touch caught-by-sql\n"),
    **dict.fromkeys((".wgetrc", ".curlrc"), "output = caught-by-curl\n"),
    ".lesskey": "#env\nLESSOPEN=|./prog.sh %s\n",
    **dict.fromkeys((".lessfilter", "lessfilter"), SHELL),
    ".ctags": "--options=NONE\n-f caught-by-ctags\n",
    ".ctags.d/x.ctags": "-f caught-by-ctags\n",
    ".cloc/options.txt": "--out=caught-by-cloc\n",
    ".shellcheckrc": "external-sources=true\n",
    ".yamllint": "extends: default\n",
    ".clang-format": "BasedOnStyle: LLVM\n",
    ".editorconfig": "root = true\n",
    ".jq": 'def x: "foo";\n',
    ".valgrindrc": "--log-file=caught-by-valgrind\n",
    ".strace": "",
    "openssl.cnf": "openssl_conf = x\n[x]\nengines = y\n[y]\nz = w\n[w]\ndynamic_path = ./evil.so\n",
    ".mailmap": "A <a@example.org>\n",
    ".rpmmacros": "%_dbpath ./caught-by-rpm\n%x %(touch caught-by-rpm)\n",
    ".most": "",
    ".mcprc": "",
    ".Rprofile": "file.create('caught-by-r')\n",
    ".octaverc": "system('touch caught-by-octave')\n",
    ".ocamlinit": 'let () = ignore (Sys.command "touch caught-by-ocaml")\n',
    ".ghci": ":! touch caught-by-ghci\n",
    "stack.yaml": "resolver: lts-1.0\n",
    "cabal.project": "packages: .\n",
    "composer.json": f'{{"scripts": {{"pre-command-run": "{_INI}"}}, "config": {{"vendor-dir": "caught-by-composer"}}}}\n',
    "php.ini": "auto_prepend_file=prog.php\n",
    ".user.ini": "auto_prepend_file=prog.php\n",
    "init.lua": _LUA,
    ".luarc.lua": _LUA,
    "Project.toml": "",
    ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c "touch caught-by-git"\n\tupdate = !touch caught-by-git\n',
    ".gitattributes": "* diff=trap filter=trap merge=trap text working-tree-encoding=UTF-8\n*.md diff=shown\n*.bin filter=lfs -text\n"
    "*.json export-subst\n",
    ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:9/\n\tstandalonetransferagent = trap\n",
    ".gitignore": "*.ignored\n",
}

MODULES = {
    "node_modules/fs/index.js": _NODE,
    "node_modules/node:fs/index.js": _NODE,
    "node_modules/fs/package.json": '{"name": "fs", "version": "1.0.0", "main": "index.js"}\n',
    "node_modules/npm/index.js": _NODE,
    **{
        f"{name}.pm": _PERL
        for name in ("strict", "warnings", "Cwd", "Encode", "POSIX", "utf8", "feature", "sitecustomize")
    },
    **{f"{name}.pm": _PERL for name in ("Getopt/Long", "File/Spec", "File/Find", "Term/ANSIColor", "Digest/SHA")},
    **{f"{name}.rb": _RUBY for name in ("json", "set", "rubygems", "bundler", "did_you_mean", "etc", "fileutils")},
    **{f"{name}.lua": _LUA for name in ("string", "table", "os", "io")},
}

# What git would start but for the environment that it gets.
GIT = f"""
[core]
\tfsmonitor = {_INI}
\tpager = {_INI}
\teditor = {_INI}
\tsshCommand = {_INI}
\taskPass = ./prog.sh
\tattributesFile = .gitattributes
\thooksPath = hooks
\tgitProxy = ./prog.sh
\talternateRefsCommand = {_INI}
[alias]
\tls = !{_INI}
\tlg = !{_INI}
[diff]
\torderFile = names
[merge "trap"]
\tdriver = ./prog.sh
[pager]
\tlog = {_INI}
\tdiff = {_INI}
\tshow = {_INI}
\tbranch = {_INI}
\tstatus = {_INI}
[gpg]
\tprogram = ./prog.sh
[gpg "ssh"]
\tprogram = ./prog.sh
\tallowedSignersFile = names
[log]
\tshowSignature = true
[credential]
\thelper = !{_INI}
[interactive]
\tdiffFilter = {_INI}
[submodule "sub"]
\turl = ext::sh -c touch% caught-by-git
\tupdate = !{_INI}
[remote "origin"]
\turl = ext::sh -c touch% caught-by-git
\tuploadpack = ./prog.sh
\tpromisor = true
\tvcs = trap
[uploadpack]
\tpackObjectsHook = ./prog.sh
[trailer "x"]
\tcommand = {_INI}
[protocol]
\tallow = always
[lfs]
\tstandalonetransferagent = trap
[lfs "customtransfer.trap"]
\tpath = ./prog.sh
[lfs "extension.trap"]
\tclean = ./prog.sh
\tsmudge = ./prog.sh
[trace2]
\tnormalTarget = caught-by-git
\teventTarget = caught-by-git
[maintenance]
\tauto = true
[gc]
\tauto = 1
[column]
\tui = auto
[help]
\tautocorrect = immediate
\tbrowser = trap
\tformat = web
[filter "lfs"]
\tclean = git-lfs clean -- %f
\tsmudge = git-lfs smudge -- %f
\tprocess = git-lfs filter-process
[browser "trap"]
\tcmd = ./prog.sh
[man]
\tviewer = trap
[man "trap"]
\tcmd = ./prog.sh
[diff]
\texternal = ./prog.sh
[diff "trap"]
\tcommand = ./prog.sh
\ttextconv = ./prog.sh
\tcachetextconv = true
[diff "shown"]
\ttextconv = ./prog.sh
[filter "trap"]
\tclean = ./prog.sh
\tsmudge = ./prog.sh
"""
