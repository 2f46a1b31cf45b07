"""Names of what programs load or run by themselves, wherever it lies in a workspace: a command on trial leaves it as it
is.

Each is data with a loader beside the project's own code: of version control, of editors, of agents, of shells, of the
services that build it, or a folder of dependencies, which later commands run with more rights.
"""

GUARDED_FOLDERS = frozenset(
    (
        *(".git", ".hg", ".svn", ".jj", ".githooks", ".husky"),
        *(".vscode", ".vscode-test", ".idea", ".fleet", ".zed", ".helix", ".nvim", ".vim", ".settings", ".vs"),
        *(".planact", ".cursor", ".windsurf", ".claude", ".codex", ".gemini", ".copilot", ".continue", ".roo"),
        *(".aider", ".cline", ".clinerules", ".kiro", ".qwen", ".opencode", ".crush", ".amazonq", ".agents", ".serena"),
        *(".github", ".gitlab", ".gitea", ".forgejo", ".circleci", ".buildkite", ".woodpecker", ".devcontainer"),
        *(".direnv", ".bundle", ".yarn", ".pnpm-store", ".cargo", ".mvn"),
    )
)

DEPENDENCY_FOLDERS = frozenset(
    (".venv", "venv", "node_modules", "vendor", "site-packages", "__pypackages__", "bower_components", ".eggs")
)

ENVIRONMENT_MARKS = frozenset(("pyvenv.cfg", "conda-meta"))
"""A folder with one of these is an environment of Python's, whatever its name."""

GUARDED_FILES = frozenset(
    (
        *(".git", ".gitmodules", ".gitconfig", ".hgrc", ".lfsconfig", ".pre-commit-config.yaml"),
        *(".envrc", ".env", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
        *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".inputrc"),
        *(".mise.toml", "mise.toml", ".tool-versions", ".autoenv", ".autoenv.zsh", "config.fish"),
        *(".exrc", ".vimrc", ".gvimrc", ".nvimrc", ".nvim.lua", ".lvimrc", ".dir-locals.el", ".dir-locals-2.el"),
        *(".emacs", ".projectile", ".kateproject", ".kateconfig", ".gdbinit", ".lldbinit"),
        *(".mcp.json", "mcp.json", "agents.md", "agent.md", "agents.override.md", "claude.md", "claude.local.md"),
        *("gemini.md", "qwen.md", "warp.md", "crush.md", ".cursorrules", ".windsurfrules", ".clinerules", ".roomodes"),
        *(".aider.conf.yml", "opencode.json", "opencode.jsonc", "crush.json", ".goosehints", ".rules"),
        *(".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "appveyor.yml"),
        *(".appveyor.yml", "jenkinsfile", ".drone.yml", ".woodpecker.yml", ".cirrus.yml", "buildspec.yml"),
        *("cloudbuild.yaml", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnp.cjs", ".pnp.loader.mjs", ".pnpmfile.cjs"),
        *(".pypirc", "pip.conf", "sitecustomize.py", "usercustomize.py"),
    )
)

ACTS_AT_ONCE = (".git", ".vscode", ".zed", ".cursor")
"""Folders in a workspace's root that shells and editors act on as soon as there are files in them."""


READ_BY_GIT = frozenset((".gitignore", ".gitattributes"))
"""Files that git reads in each folder that it looks at: a pipe of that name keeps it waiting, and planact with it."""


def is_guarded(name: str, *, is_folder: bool) -> bool:
    """Return whether an entry of that name stays as it is. Case doesn't count: not every disk tells it apart."""
    plain = name.casefold()
    if is_folder:
        return plain in GUARDED_FOLDERS or plain in DEPENDENCY_FOLDERS
    return plain in GUARDED_FILES or plain.endswith((".code-workspace", ".sublime-project", ".pth"))
