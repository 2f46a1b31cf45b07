"""Every setting there is: the source of the editor's schema, the table in the docs and the checks on config files.

The names on the wire are camelCase;
`from_repository` says what a repository's own config may do before the user trusts the folder.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from planact.model.rights.jail import Containment, SandboxSetting

FromRepository = Literal["never", "user", "adds", "lowers", "stricter"]
"""`never` ends with the user's trust in the folder; `user` doesn't."""
WORKSPACE_PLACEHOLDER = "${workspaceFolder}"
"""Stands for the workspace folder in the settings of MCP servers and language servers."""

ApprovalSetting = Literal["review", "ask", "acceptEdits", "acceptAll"]


def _setting(default: Any, description: str, from_repository: FromRepository = "never", **more: Any) -> Any:
    extra: dict[str, Any] = {"fromRepository": from_repository}
    if isinstance(default, (list, dict)):
        return Field(
            default_factory=lambda: type(default)(default),
            description=description,
            json_schema_extra=extra,
            **more,
        )
    return Field(default, description=description, json_schema_extra=extra, **more)


def _hook(when: str, *, fails: str = "it is shown") -> Any:
    return _setting([], f"Commands that run {when}; where one fails, {fails}.", "user")


class _Group(BaseModel):
    model_config = ConfigDict(
        frozen=True, defer_build=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )


class CommandSettings(_Group):
    """Commands by their exact text."""

    allow: list[str] = _setting(
        [], "Commands that run in Act without a question, by their exact text but for filters at the end."
    )
    deny: list[str] = _setting([], "Commands that never run, by their exact text or a program's name.", "adds")
    network: Literal["none", "inet", "all"] = _setting(
        "inet", "What commands in Act may connect to: nothing, the network, or local sockets too.", "stricter"
    )
    writable: list[str] = _setting(
        [], "Folders that commands in Act may write besides the workspace and temporary ones; `~` is your home."
    )


class WorkspaceSettings(_Group):
    """Parts of a workspace besides its folder."""

    readable: list[str] = _setting(
        [],
        "Folders outside the workspace that may be read without a question, such as a sibling repository; `~` is your "
        "home. Files with credentials stay protected.",
        "user",
    )


class IntentSettings(_Group):
    """The response to a message that asks to execute the plan just made."""

    switch: Literal["off", "confirm", "auto"] = _setting(
        "confirm",
        "What follows when you write that the plan just made is to be executed: nothing, a question, or its execution.",
        "stricter",
    )
    model: str = _setting(
        "", "Model that judges such messages where the rules are unsure; it leads to a question at most."
    )


class RoleSettings(_Group):
    """The roles that a switch of the mode selects."""

    plan: str = _setting("planner", "Role of sessions that switch to Plan or begin there.")
    act: str = _setting("actor", "Role of sessions that switch to Act or begin there.")
    delegates: list[str] = _setting(
        ["explorer", "reviewer"],
        "Roles that the built-in roles may hand tasks to, which then only read; several work at once, and their "
        "requests cost, too. A role of your own delegates where its file lists the tool `delegate`.",
    )


class ActSettings(_Group):
    """The beginning of a run."""

    context: Literal["carry", "fresh"] = _setting(
        "carry",
        "What a run knows of the conversation in which its plan was made: all of it, in short where it is long, or "
        "nothing but the plan.",
    )


class CheckSettings(_Group):
    """The checks of plans."""

    before: Literal["auto", "on", "off"] = _setting(
        "auto",
        "Run a plan's checks once before its first step, contained, so that what fails already isn't held against a "
        "step. `auto`: those that took less than a minute in an earlier run.",
    )


class HistorySettings(_Group):
    """Limits on the history that stays available."""

    plans: int = _setting(
        10, "Plans of planact's own that stay; older ones that are done and unedited are archived.", ge=1
    )
    undo_days: int = _setting(
        365, "Days for which contents of files are kept for undo after their change.", "user", ge=1
    )
    undo_megabytes: int = _setting(
        2_000,
        "Megabytes of contents of files that are kept for undo; beyond that the oldest are dropped, but none of the "
        "last day.",
        "user",
        ge=1,
    )


class HookSettings(_Group):
    """The user's own commands around what planact does; they go through the gate like any other."""

    before_plan: list[str] = _hook("before the agent makes or revises a plan", fails="no plan is made")
    after_plan: list[str] = _hook("when a plan was written")
    before_approve: list[str] = _hook("before a plan is approved", fails="it isn't approved")
    after_approve: list[str] = _hook("when a plan was approved")
    before_execution: list[str] = _hook("before the first step of a run", fails="the run pauses")
    after_execution: list[str] = _hook("when a run ended or paused")
    before_step: list[str] = _hook("before each step", fails="the run pauses before it")
    after_step: list[str] = _hook("after each step and its checks")
    before_question: list[str] = _hook("before you are asked something", fails="you aren't asked, and it isn't done")
    after_question: list[str] = _hook("when a question was answered, declined or cancelled")


class McpServer(_Group):
    """One MCP server: a program (`command`), or an address (`url`). What else there is to check, `policy.mcp` does."""

    command: str = ""
    args: list[str] = Field(default_factory=list)
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    read_only: list[str] = Field(default_factory=list)
    disabled: bool = False


class McpSettings(_Group):
    """Servers of the Model Context Protocol."""

    servers: dict[str, McpServer] = _setting(
        {},
        "MCP servers by name: `command`, `args`, `env`, `cwd` (empty = a new folder outside the workspace), or `url`, "
        "`headers`; `readOnly` = tools that you let run in Plan and without a question; `disabled`.",
    )

    @property
    def enabled(self) -> tuple[str, ...]:
        return tuple(sorted(name for name, server in self.servers.items() if not server.disabled))


class LanguageServer(_Group):
    """One language server of planact's own: a known one changed, or another by its `command` and `files`."""

    command: list[str] = Field(default_factory=list)
    files: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    disabled: bool = False


ReasoningEffort = Literal["", "none", "minimal", "low", "medium", "high", "xhigh"]


class ModelSettings(_Group):
    """Settings of one model; missing ones are those of all models."""

    endpoint: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    reasoning_effort: ReasoningEffort = ""
    context_tokens: int = Field(0, ge=0)
    tools: Literal["auto", "text"] = "auto"
    images: bool | None = None


class LimitSettings(_Group):
    """Limits at which work stops by itself, so that it can be resumed."""

    max_turns: int = _setting(100, "Requests to the model in one turn or one step.", "lowers", ge=1)
    max_tokens: int = _setting(0, "Tokens a session may use; 0 = no limit.", "lowers", ge=0)
    max_cost: float = _setting(0.0, "US dollars a session may cost; 0 = no limit.", "lowers", ge=0)
    repairs: int = _setting(
        3, "Attempts of the model to repair a failed check in its step before you are asked.", "lowers", ge=0, le=10
    )
    command_seconds: int = _setting(600, "Seconds after which a command or an MCP call is ended.", "lowers", ge=1)
    command_output: int = _setting(
        30_000, "Characters of a command's or an MCP call's output that the model sees.", "lowers", ge=1_000
    )
    file_bytes: int = _setting(10_000_000, "Largest file in bytes that is read.", "lowers", ge=1_000)


class Settings(_Group):
    """All settings with their defaults."""

    model: str = _setting(
        "",
        "Model for planning and acting, as litellm names it; `scripted:demo` and `scripted:FILE` play a script.",
    )
    planner_model: str = _setting("", "Model for Plan, if another.")
    actor_model: str = _setting("", "Model for Act, if another.")
    model_endpoint: str = _setting("", "Base URL of the model's API, where it isn't the provider's own.")
    model_parameters: dict[str, Any] = _setting(
        {}, "Further parameters for the model, such as `temperature` or `reasoning_effort`."
    )
    reasoning_effort: ReasoningEffort = _setting(
        "", "How long models think that can be told so; empty = as the provider has it."
    )
    models: dict[str, ModelSettings] = _setting(
        {},
        "What is particular to a model, by its name: `endpoint`, `parameters`, `reasoningEffort`, `contextTokens`, "
        "`tools` (`text` for one that can't call any), `images` (whether it takes them).",
    )
    start_mode: Literal["plan", "auto", "act"] = _setting(
        "plan",
        "Mode of new sessions. `auto` begins in Plan, and offers Act where the first message asks for a small fix in a "
        "file that it names.",
        "stricter",
    )
    approval: ApprovalSetting = _setting(
        "ask",
        "What passes in Act without a question: what the plan names, but no edit that you haven't seen (`review`), all "
        "that the plan names, edits too, or everything inside the workspace.",
        "stricter",
    )
    outcomes: Literal["fail", "discard", "keep"] = _setting(
        "discard",
        "Where nobody is there to be asked what a command changed beside its step's files: the run "
        "ends, it is put back, or it is kept.",
        "stricter",
    )
    sandbox: SandboxSetting = _setting(
        "auto",
        "`auto`: commands run in the best jail there is here. `required`: without one they don't run. `off`: no jail; "
        "in Plan only a few plain readers run then.",
        "stricter",
    )
    contain: Containment = _setting(
        "on",
        "Commands that may do more than read, in Plan, and in Act where none can be tried out: contained, where they "
        "can change and reach nothing; after a question; or, in Plan, not at all.",
        "stricter",
    )
    intent: IntentSettings = Field(default_factory=IntentSettings)
    roles: RoleSettings = Field(default_factory=RoleSettings)
    act: ActSettings = Field(default_factory=ActSettings)
    checks: CheckSettings = Field(default_factory=CheckSettings)
    plans_directory: str = _setting(".planact/plans", "Folder of planact's own plans, inside the workspace.")
    workspace: WorkspaceSettings = Field(default_factory=WorkspaceSettings)
    commands: CommandSettings = Field(default_factory=CommandSettings)
    hooks: HookSettings = Field(default_factory=HookSettings)
    mcp: McpSettings = Field(default_factory=McpSettings)
    language_servers: dict[str, LanguageServer] = _setting(
        {},
        "Language servers that check files after edits where no editor does, by name: `command`, `files` (suffix to "
        "language), `settings`, `disabled`. Known ones on PATH need no entry; those named here come first.",
        "user",
    )
    ignore: list[str] = _setting(
        [],
        "Files that no tool shows the agent, as gitignore patterns, and no command that names them. Commands that find "
        "them otherwise, such as `grep -r`, may.",
        "adds",
    )
    instructions: list[str] = _setting(
        ["AGENTS.md"],
        "Files with instructions for the agent. Where none of them says anything, the first counts of `CLAUDE.md`, "
        "`GEMINI.md`, `.github/copilot-instructions.md` and `.cursor/rules`.",
    )
    history: HistorySettings = Field(default_factory=HistorySettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)
    log_level: Literal["error", "warning", "info", "debug"] = _setting("warning", "How much the server logs.")

    def of_model(self, name: str) -> ModelSettings:
        """Return the settings of the model called `name`."""
        own = self.models.get(name, ModelSettings())
        update = {
            "endpoint": own.endpoint or self.model_endpoint,
            "parameters": {**self.model_parameters, **own.parameters},
            "reasoning_effort": own.reasoning_effort or self.reasoning_effort,
        }
        return own.model_copy(update=update)
