"""Texts and strategies that many tests of the plan language share. Texts are more often nearly plans than not."""

from pathlib import Path

from hypothesis import strategies as st

from planact.model.plan import ContextFile, Plan, PlanStatus, Step, StepStatus

DATA = Path(__file__).parents[1] / "data" / "plans"
DOCUMENT = (DATA / "rename.plan").read_bytes().decode()

PLAN = Plan(
    id="plan_20261120_k3v9",
    goal="Rename `load` to `read_config`",
    description="Free text: what this is about.",
    analysis="Why it is done this way.",
    assumptions=("The old name is not part of the public API.",),
    steps=(
        Step(
            step_number=1,
            action="Rename the function in `src/app.py`",
            reason="the name hides that it reads a file",
            tools_needed=("read_file", "update_file"),
            files=("src/app.py",),
            estimated_time="~1 min",
            expected_outcome="`read_config` exists and `load` is gone",
            validation_checks=("python -m pytest -q tests/test_app.py",),
        ),
        Step(step_number=2, action="Update the callers", reason="…", status=StepStatus.DONE),
    ),
    risks=("Plugins may import the old name.",),
    validation=("`python -m pytest -q`",),
    estimated_total_time="~5 min",
    context=(ContextFile(path="src/app.py", sha256="3b1f"),),
    created_at="2026-11-20T10:00:00Z",
    role="planner",
    model="anthropic/claude-sonnet-4-5",
)

# Separated by `¦`, since nearly everything else is a sign of the language.
_SIGNS = """\
---¦# ¦## Steps¦## Risks¦## steps¦## Mine¦## Analysis¦- [ ] 1. a¦- [x] 2. b¦* [~] 2) c¦+ [?] d¦- [ ]¦- [ ] 7. e\
¦- item¦1. item¦  - reason: why¦  - check: `x`¦    - nested¦  - files: a, `b,c`¦  - [ ] box¦  more¦\tmore\
¦> comment¦  > comment¦> [!NOTE] n¦  > [!ADAPTED] r¦  > - planned: p¦  > - did: d\
¦> [!QUESTION] q1 major: t¦> - [ ] v: l¦> - [x] w: m¦> answer: yes\
¦```¦~~~¦````py¦  ```¦status: draft¦status: {a: b}¦context:¦context: []\
¦  - {path: a, sha256: 0}¦  - &a [*a]\
¦id: !!python/none x¦id: 2020-01-01¦parameters: x¦a: [[[[[[[[[[[[[¦infrastructure: maybe¦¦ ¦\\# x¦\\> x¦`¦``¦é¦𝔘\
""".rstrip("\n").split("¦")
_CONTROLS = ["\0", "\x85", "\u2028", "\x0b", "\ufeff"]

line_ends = st.sampled_from(["\n", "\r\n", "\r"])
pieces = st.one_of(st.sampled_from(_SIGNS), st.sampled_from([*_SIGNS, *_CONTROLS, "\ud800"]), st.text(max_size=12))
lines = st.lists(pieces, max_size=3).map("".join)
texts = st.builds(
    lambda front, body, end: end.join([*front, *body]),
    st.sampled_from(
        [
            [],
            ["---", "status: draft", "---"],
            ["---", "owner: me", "context: []", "---", "# G", "## Steps"],
            ["# G", "## Steps"],
        ]
    ),
    st.lists(lines, max_size=14),
    line_ends,
) | st.text(st.characters(), max_size=60)

word = st.one_of(st.sampled_from([*_SIGNS, *_CONTROLS]), st.text(st.characters(exclude_categories=["Cs"]), max_size=6))
words = st.lists(word, max_size=4).map("".join)
phrases = st.lists(words, max_size=3).map("\n".join)
said = phrases.filter(lambda text: text.strip(" \t\r\n") != "")
several = st.lists(phrases, max_size=3).map(tuple)

steps = st.builds(
    Step,
    step_number=st.integers(0, 10**10),
    action=said,
    reason=phrases,
    tools_needed=several,
    files=several,
    estimated_time=phrases,
    expected_outcome=phrases,
    validation_checks=several,
    status=st.sampled_from(StepStatus),
)
plans = st.builds(
    Plan,
    id=words,
    goal=said,
    description=phrases,
    analysis=phrases,
    assumptions=several,
    prerequisites=several,
    steps=st.lists(steps, min_size=1, max_size=3).map(tuple),
    risks=several,
    validation=several,
    estimated_total_time=phrases,
    has_infrastructure_changes=st.booleans(),
    context=st.lists(st.builds(ContextFile, path=words, sha256=words), max_size=2).map(tuple),
    created_at=words,
    status=st.sampled_from(PlanStatus),
    role=words,
    model=words,
)
