"""What holds for every text and every plan."""

from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from planact.base.span import Span, apply_edits
from planact.model.plan import ContextFile, Plan, PlanStatus, StepStatus
from planact.model.runs.execution import Adaptation
from planact.plan.approval import approval_hash, approved_text
from planact.plan.ide.actions import actions
from planact.plan.ide.completion import Choices, completions
from planact.plan.ide.folding import folding
from planact.plan.ide.formatting import formatting, formatting_of
from planact.plan.ide.hover import Facts, hover
from planact.plan.ide.links import links
from planact.plan.ide.semantic_tokens import semantic_tokens
from planact.plan.ide.symbols import Symbol, symbols
from planact.plan.plan_actions import PlanState, plan_actions
from planact.plan.references import subject_at
from planact.plan.revision import fill_request, replace_plan
from planact.plan.rules import lint
from planact.plan.syntax.edits import add_adaptation, set_keys, set_mark, set_status
from planact.plan.syntax.grammar import STATUSES
from planact.plan.syntax.lower import lower, plan_from_json, plan_json
from planact.plan.syntax.normalize import normalize
from planact.plan.syntax.parser import parse
from planact.plan.syntax.path_name import is_plain_path
from planact.plan.syntax.render import context_items, render
from planact.plan.syntax.tree import Detail, PlanProblem, PlanTree, Section
from tests.plan.lint_contexts import GONE
from tests.plan.plans import DOCUMENT, PLAN, lines, phrases, plans, texts
from tests.soak import times

pytestmark = pytest.mark.soak

# The same examples every time: a search for new ones belongs to whoever changes the language.
on_texts = settings(max_examples=times(80, 2_000), suppress_health_check=[HealthCheck.too_slow])
on_plans = settings(on_texts, max_examples=times(30, 1_000))


def spans_in(node: Any) -> list[Span]:
    if isinstance(node, Span):
        return [node]
    if isinstance(node, Detail):
        return [node.span, node.key_span, node.value_span]
    if isinstance(node, tuple):
        return [span for part in node for span in spans_in(part)]
    if is_dataclass(node):
        return [span for field in fields(node) for span in spans_in(getattr(node, field.name))]
    return []


def are_apart(spans: list[Span]) -> bool:
    ordered = sorted(spans)
    return all(left.end <= right.start for left, right in pairwise(ordered))


def lies_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start <= inner.end <= outer.end


@on_texts
@given(texts)
@example("---\na: |\n---\n")
@example("---")
@example("\ufeff---\nstatus: x\n---")
@example('---\na: "\\UFFFFFFFF"\n---\n')
@example("---\na: " + "[" * 5000 + "\n---\n")
@example("---\na: " + "- " * 5000 + "\n---\n")
@example("## Steps\n" + "- " * 5000)
def test_no_text_makes_anything_raise(text: str) -> None:
    tree = parse(text)
    assert tree.text == text
    assert all(0 <= span.start <= span.end <= len(text) for span in spans_in(tree))
    problems = lint(tree, GONE)
    assert all(isinstance(problem, PlanProblem) for problem in problems)
    assert [problem.span for problem in problems] == sorted(problem.span for problem in problems)
    assert all(apply_edits(text, fix.edits) != text for problem in problems for fix in problem.fixes)
    state = PlanState(running_step=1) if len(text) % 2 else PlanState()
    assert all(lies_in(lens.span, Span(0, len(text))) for lens in plan_actions(tree, state))
    every = Span(0, len(text))
    of_many = [action for action in actions(tree, state, every) if "steps" in action.arguments]
    assert all(action in [*plan_actions(tree, state), *of_many] for action in actions(tree, state, every))
    assert all(action.span == every and len(action.arguments["steps"]) > 1 for action in of_many)


@on_texts
@given(texts)
def test_spans_nest_and_stay_apart(text: str) -> None:
    tree = parse(text)
    assert are_apart([section.span for section in tree.sections])
    assert are_apart([step.span for step in tree.steps])
    assert are_apart([quote.span for quote in (*tree.comments, *tree.adaptations, *tree.questions)])
    if tree.front_matter:
        assert are_apart([key.span for key in tree.front_matter.keys])
        assert all(lies_in(key.span, tree.front_matter.body_span) for key in tree.front_matter.keys)
        assert all(lies_in(key.value_span, key.span) for key in tree.front_matter.keys)
    section = tree.section("steps")
    for step in tree.steps:
        assert section
        assert lies_in(step.span, section.body_span)
        assert all(lies_in(span, step.span) for span in spans_in(step))
        assert are_apart([detail.span for detail in step.details])
        assert text[slice(*step.mark_span)] == step.mark
    for symbol in symbols(tree):
        check_symbol(symbol)


@on_texts
@given(texts, st.integers(0, 400))
@example("---\nparameters: [x]\ncontext:\n  - {path: a, sha256: 0}\n---\n# `a/b:1`\n## Steps\n- [ ] {{x}} `a.b`", 60)
def test_views_stay_inside_the_text(text: str, place: int) -> None:
    tree, offset = parse(text), place % (len(text) + 1)
    whole = Span(0, len(text))
    subject = subject_at(tree, offset)
    shown = hover(tree, offset, subject, Facts(), lint(tree, GONE))
    found = completions(tree, offset, Choices(GONE.tools, lambda folder: ["a", "b/"], ["c"]))
    assert subject is None or subject.span.contains(offset)
    assert shown is None or lies_in(shown.span, whole)
    assert all(lies_in(each.span, whole) and each.span.contains(offset) for each in found)
    assert all(lies_in(fold.span, whole) for fold in folding(tree))
    tokens = semantic_tokens(tree, whole)
    assert are_apart([token.span for token in tokens])
    assert all(lies_in(token.span, whole) for token in tokens)
    assert not any(set(text[slice(*token.span)]) & {"\n", "\r"} for token in tokens)
    paths = links(tree, lambda path: True)
    assert all(lies_in(file.span, whole) for file in paths)
    assert all(is_plain_path(file.path) for file in paths)


@on_texts
@given(texts, st.integers(0, 400), st.integers(0, 40))
@example(DOCUMENT, 0, 0)
@example("#G\n##  steps\n* [X]  1)  a \n      * Reason:  r\n         - n\n## Mine \n\n\n## Risks\n\n\n", 20, 30)
@example("# G\n## Steps\n- [ ] a\n - [ ] b\n   c\n     - files: x ,\n      y\n> d\n- [ ] 3. e", 0, 9)
def test_formatting_changes_no_meaning_and_happens_once(text: str, start: int, length: int) -> None:
    before = parse(text)
    for edits in (formatting(before), formatting_of(before, Span(start, start + length))):
        after = parse(apply_edits(text, edits))
        assert lower(after) == lower(before)
        assert said(after) == said(before)
        assert [own(before, each) for each in before.sections] == [own(after, each) for each in after.sections]
        assert [step.status for step in after.steps] == [step.status for step in before.steps]
        assert (after.questions == ()) == (before.questions == ())
        assert (after.adaptations == ()) == (before.adaptations == ())
    formatted = parse(apply_edits(text, formatting(before)))
    assert formatting(formatted) == ()


def said(tree: PlanTree) -> list[tuple[str, int | None]]:
    return [(comment.text, comment.step) for comment in tree.comments]


def own(tree: PlanTree, section: Section) -> str:
    """The bytes of a section that is the user's own."""
    return section.name or tree.text[slice(*section.span)]


typed = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 20), st.one_of(lines, st.just("\n"))), max_size=4)
STEP = "- [ ] 1. a\n  - reason: r\n  - files: f\n"


@on_texts
@given(texts, typed)
@example("## Steps\n" + STEP * 3, [(9, 0, STEP), (20, 1, "b"), (80, 3, "")])
@example("## Steps\n" + STEP + " - [ ] 2. b\n" + STEP, [(9, 0, "- [ ] c\n")])
@example("## Steps\n" + STEP + "  - files: f\n" + STEP, [(9, 0, "x\n\n"), (9, 0, "```\n")])
@example("## Steps\n" + STEP + "  > c\n" + STEP, [(9, 0, "   - [ ] c\n"), (9, 0, "> d\n")])
def test_what_was_parsed_before_changes_only_the_time_it_takes(text: str, changes: list[tuple[int, int, str]]) -> None:
    tree = parse(text)
    for start, length, new in changes:
        start %= len(text) + 1
        text = text[:start] + new + text[start + length :]
        tree = parse(text, tree)
        fresh = parse(text)
        assert tree == fresh
        assert tree.blocks == fresh.blocks


def check_symbol(symbol: Symbol) -> None:
    assert lies_in(symbol.name_span, symbol.span)
    assert are_apart([child.span for child in symbol.children])
    for child in symbol.children:
        assert lies_in(child.span, symbol.span)
        check_symbol(child)


@on_plans
@given(plans)
@example(PLAN)
def test_what_is_rendered_reads_as_the_same_plan(plan: Plan) -> None:
    tree = parse(render(plan))
    assert lower(tree) == normalize(plan)
    assert [problem for problem in tree.problems if problem.severity == "error"] == []


@on_plans
@given(plans)
def test_the_normal_form_stays_as_it_is(plan: Plan) -> None:
    assert normalize(normalize(plan)) == normalize(plan)
    assert render(normalize(plan)) == render(plan)


@on_texts
@given(texts)
@example(DOCUMENT)
def test_what_is_lowered_is_in_normal_form(text: str) -> None:
    plan = lower(parse(text))
    assert plan is None or normalize(plan) == plan


@on_plans
@given(plans)
def test_the_json_form_reads_as_the_same_plan(plan: Plan) -> None:
    steps = tuple(
        step.model_copy(update={"step_number": number, "validation_checks": ("one line",)})
        for number, step in enumerate(plan.steps, 3)
    )
    plan = normalize(plan.model_copy(update={"steps": steps, "validation": ()}))
    assert plan_from_json(plan_json(plan)) == plan


edits = st.lists(
    st.one_of(
        st.tuples(st.just("mark"), st.integers(0, 9), st.sampled_from(StepStatus)),
        st.tuples(st.just("status"), st.sampled_from(PlanStatus)),
        st.tuples(st.just("context"), st.lists(st.builds(ContextFile, path=phrases, sha256=phrases), max_size=2)),
        st.tuples(st.just("adapt"), st.integers(0, 9), st.tuples(phrases, phrases, phrases)),
    ),
    max_size=5,
)


def edited(tree: PlanTree, edit: tuple[Any, ...]) -> str:
    match edit:
        case ("mark", index, status) if tree.steps:
            made = set_mark(tree, tree.steps[index % len(tree.steps)].step_number, status)
        case ("status", status):
            made = set_status(tree, status)
        case ("context", files):
            made = set_keys(tree, {"context": context_items(files) or ["[]"]})
        case ("adapt", index, (reason, planned, did)) if tree.steps:
            adaptation = Adaptation(reason=reason, original_action=planned, adapted_action=did)
            made = add_adaptation(tree, tree.steps[index % len(tree.steps)].step_number, adaptation)
        case _:
            made = ()
    return apply_edits(tree.text, made)


def is_readable(tree: PlanTree) -> bool:
    """Whether what the server would change can be found again: it writes into no ruins, and runs no unknown mark."""
    front = tree.front_matter
    keys = [front.key(name) for name in ("status", "context")] if front else []
    are_known = all(step.mark in STATUSES for step in tree.steps)
    return are_known and not tree.open_fence and all(key is None or key.value is not None for key in keys)


@on_texts
@given(texts, edits)
@example(DOCUMENT, [("status", PlanStatus.RUNNING), ("context", []), ("mark", 0, StepStatus.DONE)])
@example("## Steps\n- [ ] 1. a", [("adapt", 0, ("a", "b", "c")), ("adapt", 0, ("d", "e", "f"))])
@example("# G\r\n## Steps\r\n- [ ] 1. a\n", [("adapt", 0, ("a", "b", "c"))])
@example("## Steps\r- [ ] 1. a\r\r", [("status", PlanStatus.DONE), ("adapt", 0, ("a", "> b", "# c"))])
def test_the_servers_own_edits_leave_approval_and_meaning_alone(text: str, changes: list[tuple[Any, ...]]) -> None:
    before = parse(text)
    if not is_readable(before):
        return
    plan = lower(before)
    for change in changes:
        changed = edited(parse(text), change)
        assert approved_text(changed) == approved_text(text)
        text = changed
    after = lower(parse(text))
    assert covered(after) == covered(plan)


def covered(plan: Plan | None) -> Plan | None:
    """A plan without what approval doesn't cover."""
    if plan is None:
        return None
    steps = tuple(step.model_copy(update={"status": StepStatus.PENDING}) for step in plan.steps)
    return plan.model_copy(update={"steps": steps, "status": PlanStatus.DRAFT, "context": ()})


forged = st.sampled_from(
    [
        "  > [!ADAPTED] r\n  > - planned: p\n  > - did: d",
        "> [!QUESTION] q1 major: t\n> - [ ] v: l",
        "> [!QUESTION] q2 minor: t\n> answer: a",
        "- [x] 1. b",
        "> c",
    ]
)


@on_texts
@given(st.lists(lines, max_size=10), st.lists(st.tuples(st.integers(0, 12), forged), min_size=1, max_size=3))
@example(["  - check: `x`", "> [!NOTE] a", "> b"], [(3, "  > [!ADAPTED] r\n  > - planned: p\n  > - did: d")])
def test_texts_that_share_a_hash_share_a_meaning(below: list[str], inserted: list[tuple[int, str]]) -> None:
    body = ["# G", *below, "## Steps", "- [ ] 1. a", *below]
    other = list(body)
    for index, piece in inserted:
        other.insert(index, piece)
    text, changed = "\n".join(body), "\n".join(other)
    if approval_hash(text) == approval_hash(changed):
        assert covered(lower(parse(changed))) == covered(lower(parse(text)))


@on_plans
@given(texts, plans)
def test_a_request_is_filled_by_insertions_only(text: str, plan: Plan) -> None:
    tree = parse(text)
    if not tree.is_request:
        return
    keys = {key.name for key in tree.front_matter.keys} if tree.front_matter else set()
    made = fill_request(text, plan)
    replaced = [edit for edit in made if edit.span.start != edit.span.end]
    assert len(replaced) <= len(keys)
    filled = lower(parse(apply_edits(text, made)))
    assert filled is not None
    assert filled.steps == normalize(plan).steps


@on_plans
@given(texts, plans)
def test_a_revision_reads_as_the_new_plan(text: str, plan: Plan) -> None:
    tree = parse(text)
    if tree.open_fence:
        return
    revised = lower(parse(apply_edits(text, replace_plan(tree, plan))))
    assert revised is not None
    wanted = normalize(plan)
    assert (revised.goal, revised.steps, revised.risks) == (wanted.goal, wanted.steps, wanted.risks)
