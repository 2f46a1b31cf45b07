"""Keys of the conversation, beside those of editing and of menus."""

from typing import Protocol

from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent


class KeyActions(Protocol):
    """Actions of the keys."""

    message: Buffer

    @property
    def is_writing(self) -> bool:
        """Return whether the message has the focus, not a question."""

    def interrupt(self) -> None:
        """Stop running work; else clear the message; else leave at the second time."""

    def leave(self) -> None:
        """Stop running work, and leave."""

    def switch(self) -> None:
        """Move the focus from the question to the message, or back."""


def bindings(actions: KeyActions) -> KeyBindings:
    """Return the key bindings for the actions."""
    message, is_writing = actions.message, Condition(lambda: actions.is_writing)
    keys = KeyBindings()
    _add_writing(keys, message, is_writing)

    @keys.add("c-c")
    def _(_event: KeyPressEvent) -> None:
        actions.interrupt()

    @keys.add("c-d", filter=~is_writing | Condition(lambda: not message.text))
    def _(_event: KeyPressEvent) -> None:
        actions.leave()

    @keys.add("escape")
    def _(_event: KeyPressEvent) -> None:
        actions.switch()

    return keys


def _add_writing(keys: KeyBindings, message: Buffer, is_writing: Condition) -> None:
    @keys.add("enter", filter=is_writing)
    def _(_event: KeyPressEvent) -> None:
        state = message.complete_state
        if state is not None and state.current_completion is not None:
            message.complete_state = None  # Enter chooses the completion and doesn't send the message
        elif message.text.strip():
            message.validate_and_handle()

    @keys.add("escape", "enter", filter=is_writing)
    def _(_event: KeyPressEvent) -> None:
        message.newline()

    @keys.add("tab", filter=is_writing)
    def _(_event: KeyPressEvent) -> None:
        state, completer = message.complete_state, message.completer
        if state is not None and state.completions:
            message.complete_next()
        elif found := [*completer.get_completions(message.document, CompleteEvent(completion_requested=True))]:
            # also while a listing of files still runs
            message.complete_state = CompletionState(message.document, found)
            message.go_to_completion(0)
        else:
            message.start_completion(select_first=True)

    @keys.add("s-tab", filter=is_writing)
    def _(_event: KeyPressEvent) -> None:
        message.complete_previous()
