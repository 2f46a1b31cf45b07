"""A plan as a Mermaid flowchart: its steps in their order, and the files and commands of each."""

from collections.abc import Iterable, Iterator

from planact.model.plan import Plan, StepStatus

_LONGEST = 80
_PLAIN = frozenset(" -_./,")
_CLASSES = {
    StepStatus.DONE: "done",
    StepStatus.FAILED: "failed",
    StepStatus.RUNNING: "running",
    StepStatus.SKIPPED: "skipped",
}
_STYLES = (
    "classDef done stroke:#2e7d32,stroke-width:2px",
    "classDef failed stroke:#c62828,stroke-width:2px",
    "classDef running stroke:#1565c0,stroke-width:2px",
    "classDef skipped stroke-dasharray:4",
)


def diagram(plan: Plan) -> str:
    """Return Mermaid text without a line end at its end. No text of the plan counts as markup in it.

    A file is one shape, however many steps name it; the plan's own validation comes after the last step.
    """
    files = {path: f"f{at}" for at, path in enumerate(dict.fromkeys(p for step in plan.steps for p in step.files), 1)}
    lines = ["flowchart TD", f'  goal(["{_label(plan.goal)}"])']
    before = "goal"
    for at, step in enumerate(plan.steps, 1):
        style = f":::{_CLASSES[step.status]}" if step.status in _CLASSES else ""
        lines.append(f'  s{at}["{step.step_number}. {_label(step.action)}"]{style}')
        lines.append(f"  {before} --> s{at}")
        lines += [f"  s{at} -.-> {files[path]}" for path in dict.fromkeys(step.files)]
        lines += _commands(f"s{at}", step.validation_checks)
        before = f"s{at}"
    lines += _commands(before, plan.validation_commands, "v")
    lines += [f'  {name}[/"{_label(path)}"/]' for path, name in files.items()]
    return "\n".join([*lines, *(f"  {style}" for style in _STYLES)])


def _commands(step: str, commands: Iterable[str], kind: str = "c") -> Iterator[str]:
    for at, command in enumerate(dict.fromkeys(commands), 1):
        yield f'  {step} --> {step}{kind}{at}{{{{"{_label(command)}"}}}}'


def _label(text: str) -> str:
    """Return a text in which all but letters, digits and a few signs are entities: nothing in it ends a label, begins
    a directive or names a colour.
    """
    shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return "".join(each if each.isalnum() or each in _PLAIN else f"#{ord(each)};" for each in shown)
