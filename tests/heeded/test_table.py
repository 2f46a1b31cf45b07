"""Each promise about the user's own word has a test here, by the real program or a real client: this table names it."""

import ast
from pathlib import Path

PROMISES = {
    "an answer reaches the model, in whatever words it asks": (
        "test_answers::test_an_answer_after_a_pause_stands_in_the_first_request_of_the_run_that_goes_on",
        "test_answers::test_a_question_in_other_words_is_not_asked_again",
        "test_answers::test_a_declined_question_is_told_too",
        "test_kills_with_questions::test_no_answer_is_lost_and_none_is_asked_for_again",
        "test_late_effects::test_a_revision_that_is_chosen_later_is_no_word_of_the_user",
    ),
    "work goes on when the answer comes, as the same run": (
        "test_going_on::test_a_run_goes_on_with_the_answer_and_never_before",
        "test_going_on::test_a_run_that_goes_on_is_one_run_with_one_record_and_one_roll_back",
        "test_going_on::test_a_planning_turn_goes_on_with_the_answer",
        "test_late_acceptance::test_it_goes_on_upon_the_yes_and_never_before",
        "test_late_acceptance::test_what_has_changed_since_is_told_and_waits_for_the_user",
        "test_late_acceptance::test_the_terminal_prints_the_one_command_which_asks_nothing_again",
    ),
    "a choice that pauses, stops or re-plans does so": (
        "test_effects::test_the_run_ends_at_once_and_no_next_step_begins",
        "test_effects::test_an_answer_after_a_pause_has_its_effect_too",
        "test_late_effects::test_work_without_a_plan_that_is_stopped_later_ends_as_stopped",
        "test_late_effects::test_work_without_a_plan_is_planned_when_that_is_chosen_after_a_kill",
        "test_late_effects::test_what_was_written_during_a_run_is_planned_when_that_is_chosen",
    ),
    "every client sees the choices, and the version of their form": (
        "test_choices::test_the_terminal_names_the_version_of_a_question",
        "test_choices::test_the_terminal_lists_the_choices_and_takes_label_value_and_number",
        "test_choices::test_a_client_with_forms_gets_the_choices",
        "test_choices::test_a_plain_client_gets_few_short_choices_as_buttons",
        "test_choices::test_more_choices_are_boxes_in_the_plan",
    ),
    "no bare refusal, and no 0 with nothing done": (
        "test_nothing_done::test_in_plan_0_means_a_plan_or_an_answer",
        "test_nothing_done::test_in_act_a_request_without_a_change_is_nothing_done",
        "test_way_on::test_the_offer_follows_the_response_and_makes_the_plan",
        "test_way_on::test_a_plain_client_gets_buttons",
    ),
    "a call over several files is made whole or not at all, and a run that was done counts as done": (
        "test_half_calls::test_the_next_run_undoes_it_before_the_model_speaks_and_takes_it_for_no_evidence",
        "test_half_calls::test_rollback_undoes_it_and_that_is_something",
        "test_half_calls::test_until_then_doctor_the_plan_and_the_conversation_tell_of_it",
        "test_killed_when_done::test_the_next_command_records_it_as_done_and_ends_with_0",
    ),
    "plans from elsewhere are first class": (
        "test_seed_plans::test_its_json_is_a_plan_and_is_not_shown",
        "test_seed_plans::test_the_file_that_it_means_changes_without_a_question_and_the_other_does_not",
        "test_seed_plans::test_a_version_that_nobody_knows_is_refused_by_its_name",
    ),
    "a plan rests on what it names, and hints at what else was read": (
        "test_rests_on::test_files_that_the_analysis_or_an_assumption_names_are_its_context_and_others_only_its_record",
        "test_rests_on::test_an_editor_hints_at_a_file_that_planning_read_and_calls_no_plan_stale_for_it",
    ),
    "templates take values of each type, and are made from plans": (
        "test_names_and_words::test_values_of_each_type_are_read_by_it",
        "test_names_and_words::test_a_parameter_that_is_not_there_is_named_at_once",
        "test_names_and_words::test_the_chat_makes_a_template_from_a_plan",
        "test_names_and_words::test_there_are_templates_for_each_part_of_a_cloud",
    ),
    "modes and roles are as the user set them, and what has no effect says so": (
        "test_modes_and_roles::test_acceptall_in_plan_says_that_it_changes_nothing",
        "test_modes_and_roles::test_the_indexes_say_when_they_were_last_used",
        "test_modes_and_roles::test_start_mode_auto_offers_act_for_a_small_clear_fix",
    ),
    "a question before a run names what matters": (
        "test_plan_questions::test_a_question_about_a_plan_names_what_matters_in_eight_lines",
    ),
    "a plan that has ended is over, and a chosen role stays": (
        "test_modes_and_roles::test_a_plan_that_has_ended_is_not_pinned_as_approved_any_more",
        "test_modes_and_roles::test_a_role_chosen_by_one_command_is_kept_in_the_session_that_it_names",
    ),
    "a plan is drawn, and shows what it touches elsewhere": (
        "test_seed_plans::test_a_plan_is_drawn",
        "test_impact::test_the_index_finds_the_uses_that_stay",
        "test_impact::test_a_language_server_of_the_editor_knows_better",
    ),
    "words and names are taken as meant": (
        "test_names_and_words::test_policy_intent_takes_begin_and_refuses_silence",
        "test_names_and_words::test_a_provider_that_is_not_there_is_refused_with_the_nearest",
        "test_names_and_words::test_a_model_newer_than_the_table_is_taken_with_a_warning",
    ),
}
HERE = Path(__file__).parent


def functions_in(module: str) -> set[str]:
    path = HERE / f"{module}.py"
    body = ast.parse(path.read_text("utf-8")).body if path.exists() else []
    found = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return {name for name in found if name.startswith("test_")}


def test_each_promise_is_shown_by_tests_that_are_there() -> None:
    named = [test.split("::") for tests in PROMISES.values() for test in tests]
    assert [f"{module}::{name}" for module, name in named if name not in functions_in(module)] == []
