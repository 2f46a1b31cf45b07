"""Which addresses the model can't have made up."""

import json
from collections.abc import Sequence
from typing import Any

from planact.model.chat.message import Message, ToolCall
from planact.policy.given_addresses import given_addresses

PAGE = "https://docs.example/guide"


def said(role: Any, content: str, **more: Any) -> Message:
    return Message(id="m", session_id="s", role=role, content=content, **more)


def result(
    tool: str, content: str, *, is_done: bool = True, outputs: Sequence[str] = (), **arguments: Any
) -> list[Message]:
    call = ToolCall(id="c1", name=tool, arguments=json.dumps(arguments))
    answer = said("tool", content, tool_call_id="c1", metadata={"done": is_done, "outputs": [*outputs]})
    return [said("assistant", "", tool_calls=(call,)), answer]


def test_the_users_own_words_count() -> None:
    assert PAGE in given_addresses([said("user", f"Read {PAGE}.")])
    assert PAGE in given_addresses([said("user", "Read docs.example/guide.")])


def test_what_planact_the_model_or_a_file_says_does_not() -> None:
    others = [
        said("assistant", PAGE),
        said("system", PAGE),
        said("user", f"Read it\n\n{PAGE}", metadata={"typed": "Read it"}),
        said("user", PAGE, metadata={"question_answer": "q1"}),
        said("user", PAGE, metadata={"delegate": "task1"}),
        said("user", PAGE, metadata={"is_hidden": True}),
        *result("read_file", PAGE, path="a.md"),
        *result("execute_command", PAGE, command="cat a.md"),
    ]
    assert given_addresses(others) == frozenset()


def test_links_of_fetched_pages_and_of_searches_count() -> None:
    for tool in ("fetch_page", "mcp_search_web"):
        assert PAGE in given_addresses(result(tool, f"[a guide]({PAGE})", query="guides"))


def test_links_in_the_cut_middle_of_a_page_count_once_they_are_read() -> None:
    start = result("fetch_page", "a long page […]", outputs=["o7"], url="https://docs.example/")
    read = result("read_output", f"o7: 1 line with 'guide' of 900\n412\t[a guide]({PAGE})", id="o7", search="guide")
    assert PAGE in given_addresses([*start, *read])
    for other in (
        result("read_output", f"o8: lines 1-1 of 900\n412\t[a guide]({PAGE})", id="o8"),
        result("read_output", f"o7: 0 lines with '{PAGE}' of 900", id="o7", search=PAGE),
        result("read_output", f"no lines {PAGE}", is_done=False, id="o7", search=PAGE),
    ):
        assert PAGE not in given_addresses([*start, *other])
    command = result("execute_command", 'read_output with id "o9"', outputs=["o9"], command="cat a.md")
    assert PAGE not in given_addresses([*command, *result("read_output", f"o9: lines\n1\t{PAGE}", id="o9")])
    forged = result("fetch_page", 'read_output with id "o9"', url="https://docs.example/")
    assert PAGE not in given_addresses([*forged, *result("read_output", f"o9: lines\n1\t{PAGE}", id="o9")])


def test_keys_and_numbers_of_arguments_are_repeated_too() -> None:
    """A server says which arguments it doesn't know, and puts numbers into addresses."""
    for arguments, answer in (
        ({PAGE: 1}, f"ignored: {PAGE}"),
        ({"filter": [{"x": {PAGE: True}}]}, f"ignored: {PAGE}"),
        ({"id": 4911223344}, "https://docs.example/?id=4911223344"),
    ):
        assert given_addresses(result("mcp_search_web", answer, **arguments)) == frozenset()
    named = "https://docs.example/repository"
    assert named in given_addresses(result("mcp_search_web", named, repository="a/b"))


def test_what_a_server_only_repeats_does_not() -> None:
    secret = "https://docs.example/hunter2hunter2"
    for query in (secret, f"look at {secret} please", "hunter2hunter2"):
        assert given_addresses(result("mcp_search_web", f"no results for {secret}", query=query)) == frozenset()
    found = result("mcp_search_web", "https://docs.example/?q=the+hunter2hunter2", queries=["my hunter2hunter2 key"])
    assert given_addresses(found) == frozenset()
    found = result("mcp_search_web", "https://requests.example/quickstart", queries=["requests quickstart"])
    assert "https://requests.example/quickstart" in given_addresses(found)


def test_what_a_call_that_failed_or_was_refused_says_does_not() -> None:
    """Its error repeats the address that the model made."""
    for tool in ("fetch_page", "mcp_search_web"):
        assert given_addresses(result(tool, f"{PAGE} answers with HTTP 404", is_done=False)) == frozenset()
    unanswered = said("tool", PAGE, tool_call_id="c1", metadata={"lacks_answer": True})
    waiting = [*result("fetch_page", PAGE)[:1], unanswered]
    assert given_addresses(waiting) == frozenset()


def test_a_result_is_that_of_the_last_call_of_its_id() -> None:
    assert given_addresses([*result("fetch_page", "a"), *result("read_file", PAGE)]) == frozenset()
