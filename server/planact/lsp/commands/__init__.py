"""The registry of commands: each name with its handler, whose parameter and result are what goes over the wire."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

from pydantic import BaseModel

from planact.lsp.commands import (
    changes,
    folders,
    messages,
    models,
    plans,
    questions,
    roles,
    rules,
    runs,
    sessions,
    templates,
)
from planact.lsp.protocol.arguments import NoArguments


@dataclass(frozen=True, slots=True)
class Command:
    """One `workspace/executeCommand`.

    Attributes:
        name: as clients send it.
        handler: `async def handle(ls)` or `handle(ls, arguments: Model) -> Model`.
        waits: begins after the commands that came before have begun, with settings read anew from disk.
    """

    name: str
    handler: Callable[..., Awaitable[Any]]
    waits: bool = True

    @property
    def arguments(self) -> type[BaseModel]:
        """The model of the one object that the command takes."""
        kind: type[BaseModel] = get_type_hints(self.handler).get("arguments", NoArguments)
        return kind

    @property
    def result(self) -> type[BaseModel]:
        """The model of the object that the command gives back."""
        kind: type[BaseModel] = get_type_hints(self.handler)["return"]
        return kind


LSP_COMMANDS: tuple[Command, ...] = (
    Command("planact.newSession", sessions.handle_new_session),
    Command("planact.openSession", sessions.handle_open_session),
    Command("planact.listSessions", sessions.handle_list_sessions),
    Command("planact.renameSession", sessions.handle_rename_session),
    Command("planact.deleteSession", sessions.handle_delete_session),
    Command("planact.sendMessage", messages.handle_send_message),
    Command("planact.stop", sessions.handle_stop, waits=False),
    Command("planact.setMode", sessions.handle_set_mode),
    Command("planact.setRole", roles.handle_set_role),
    Command("planact.listRoles", roles.handle_list_roles),
    Command("planact.setModel", models.handle_set_model),
    Command("planact.listModels", models.handle_list_models),
    Command("planact.generatePlan", plans.handle_generate_plan),
    Command("planact.revisePlan", plans.handle_revise_plan),
    Command("planact.approvePlan", plans.handle_approve_plan),
    Command("planact.executePlan", runs.handle_execute_plan),
    Command("planact.executeStep", runs.handle_execute_step),
    Command("planact.skipStep", runs.handle_skip_step),
    Command("planact.retryStep", runs.handle_retry_step),
    Command("planact.resumeExecution", runs.handle_resume_execution),
    Command("planact.rollBack", changes.handle_roll_back),
    Command("planact.planAndAct", runs.handle_plan_and_act),
    Command("planact.showPlan", plans.handle_show_plan),
    Command("planact.listPlans", plans.handle_list_plans),
    Command("planact.deletePlan", plans.handle_delete_plan),
    Command("planact.diffPlan", changes.handle_diff_plan),
    Command("planact.diffStep", changes.handle_diff_step),
    Command("planact.restoreRevision", changes.handle_restore_revision),
    Command("planact.showChanges", changes.handle_show_changes),
    Command("planact.showFailure", runs.handle_show_failure),
    Command("planact.pinPlan", plans.handle_pin_plan),
    Command("planact.exportPlan", plans.handle_export_plan),
    Command("planact.listTemplates", templates.handle_list_templates),
    Command("planact.showTemplate", templates.handle_show_template),
    Command("planact.useTemplate", templates.handle_use_template),
    Command("planact.createTemplate", templates.handle_create_template),
    Command("planact.deleteTemplate", templates.handle_delete_template),
    Command("planact.answerQuestion", questions.handle_answer_question),
    Command("planact.declineQuestion", questions.handle_decline_question),
    Command("planact.cancelQuestion", questions.handle_cancel_question),
    Command("planact.listQuestions", questions.handle_list_questions),
    Command("planact.listRules", rules.handle_list_rules),
    Command("planact.revokeRule", rules.handle_revoke_rule),
    Command("planact.trustFolder", folders.handle_trust_folder),
    Command("planact.listExecutions", runs.handle_list_executions),
    Command("planact.showExecution", runs.handle_show_execution),
    Command("planact.showStatus", folders.handle_show_status),
)
