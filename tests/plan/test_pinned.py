"""The part of an approved plan that a step's requests carry."""

from planact.plan.pinned import MAX_PINNED, PinnedPlan

PATH = ".planact/plans/long.plan"


def plan(steps: int) -> str:
    body = "".join(
        f"- [ ] {number}. Write part {number} of it\n  - files: {number}.txt\n" for number in range(1, steps + 1)
    )
    return f"---\n---\n# Goal\n\n## Steps\n{body}\n## Risks\n- It is long.\n"


def test_a_plan_is_pinned_whole_for_each_of_its_steps() -> None:
    text = plan(100)
    pinned = PinnedPlan.of(text)
    assert {pinned.around(index, PATH) for index in range(100)} == {text}


def test_of_a_long_plan_the_part_around_the_step_is_pinned_and_it_says_what_is_left_out() -> None:
    count = 5_000
    text = plan(count)
    assert len(text) > 2 * MAX_PINNED
    pinned = PinnedPlan.of(text)
    shown = [pinned.around(index, PATH) for index in range(count)]
    for number, each in enumerate(shown, 1):
        assert f"- [ ] {number}. Write part {number} of it\n  - files: {number}.txt\n" in each
        assert each.startswith("---\n---\n# Goal\n")
        assert each.endswith("\n## Risks\n- It is long.\n")
        assert len(each) <= MAX_PINNED + 300
    different = list(dict.fromkeys(shown))
    assert shown == sorted(shown, key=different.index), "each part counts for steps that stand together"
    assert len(different) <= 2 * len(text) // MAX_PINNED + 1
    assert PATH not in text
    assert all(PATH in each for each in different)


def test_all_steps_of_a_long_plan_stand_in_its_parts_once() -> None:
    text = plan(5_000)
    pinned = PinnedPlan.of(text)
    assert pinned.before + "".join(block for _, block in pinned.blocks) + pinned.after == text


def test_one_step_that_is_too_long_is_pinned_all_the_same() -> None:
    text = f"# Goal\n\n## Steps\n- [ ] 1. {'long ' * MAX_PINNED}\n- [ ] 2. short\n"
    pinned = PinnedPlan.of(text)
    assert "long long" in pinned.around(0, PATH)
    assert "short" in pinned.around(1, PATH)
