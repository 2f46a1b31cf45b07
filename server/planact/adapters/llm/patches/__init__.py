"""Patches over private parts of litellm and of the clients below it, for which they have no setting.

`tests/llm/test_patches.py` fails for each patch that the installed version no longer needs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from planact.adapters.llm.patches import answers, bounds, earlier_answers, imports, streams


@dataclass(frozen=True, slots=True)
class LibraryPatch:
    """A change to a package in this process.

    Attributes:
        apply: makes the change; after the import, it takes the module `litellm`.
        package, version: the release that the patch was written for.
        reason: the package's behaviour without the patch, and its cost.
    """

    apply: Callable[..., None]
    package: str
    version: str
    reason: str


BEFORE_IMPORT: Sequence[LibraryPatch] = (
    LibraryPatch(
        imports.leave_out_tokenizers,
        "litellm",
        "1.106.2",
        "litellm reads and writes 1.8 MB of JSON for a tokenizer, which holds up other threads; counting is turned off",
    ),
    LibraryPatch(
        imports.leave_out_command_line,
        "httpx",
        "0.28.1",
        "httpx imports its command line, with click, pygments and rich",
    ),
    LibraryPatch(
        imports.leave_out_unused,
        "litellm",
        "1.106.2",
        "litellm imports its router, its proxy's types and what reports to services: 240 modules that no conversation"
        " needs",
    ),
    LibraryPatch(
        imports.import_names_late,
        "openai",
        "2.54.0",
        "OpenAI's client imports all of its types and resources: 900 modules that no conversation needs",
    ),
)
"""All but the second take half of litellm's import time away."""

AFTER_IMPORT: Sequence[LibraryPatch] = (
    LibraryPatch(
        bounds.bound_responses,
        "httpx",
        "0.28.1",
        "httpx unpacks and keeps whatever comes: a response of a few megabytes, or an error without an end, takes all"
        " memory",
    ),
    LibraryPatch(
        answers.send_requests_unchanged,
        "openai",
        "2.54.0",
        "the client tries each message against the types of all kinds of messages, 0.3 ms a message; planact's requests"
        " hold no field to rename and no date or file to write as text",
    ),
    LibraryPatch(
        answers.write_requests_fast,
        "openai",
        "2.54.0",
        "the client writes JSON by Python, which takes three times as long as by pydantic: 1 ms for 1,000 messages",
    ),
    LibraryPatch(
        answers.find_signatures_in_calls,
        "litellm",
        "1.106.2",
        "litellm copies each message to take Gemini's signatures out of ids that have none, in every request to others",
    ),
    LibraryPatch(
        answers.leave_messages_as_made,
        "litellm",
        "1.106.2",
        "litellm copies each message twice and checks its form, which planact made: 1 ms for 1,000 messages",
    ),
    LibraryPatch(
        answers.read_pieces_fast,
        "openai",
        "2.54.0",
        "the client tries the types of each field of each piece in Python, which takes 15 times as long as pydantic",
    ),
    LibraryPatch(
        answers.iterate_streams_directly,
        "openai",
        "2.54.0",
        "litellm asks for an iterator with each piece, and gets a new generator, which a task of its own closes",
    ),
    LibraryPatch(
        answers.end_streams_at_once,
        "litellm",
        "1.106.2",
        "litellm builds the whole answer once more in another thread, prices it, and copies it for a cache and loggers"
        " that aren't there: 3 ms an answer, before its last word is handed on",
    ),
    LibraryPatch(
        answers.price_no_unfinished_answers,
        "litellm",
        "1.106.2",
        "litellm prices an answer when its stream begins, before any usage is known",
    ),
    LibraryPatch(
        answers.set_fields_of_pieces_fast,
        "litellm",
        "1.106.2",
        "for each field of each piece, pydantic looks through the class and all above it, since the class doesn't name"
        " the field: a sixth of what litellm takes for a piece",
    ),
    LibraryPatch(
        answers.leave_roles_in_pieces,
        "litellm",
        "1.106.2",
        "litellm writes each piece but the first out and makes it anew, to take out its role",
    ),
    LibraryPatch(
        answers.hand_on_plain_pieces,
        "litellm",
        "1.106.2",
        "litellm makes four objects of its own of each piece, and copies it into them: 0.3 ms a piece, three times what"
        " the client takes to read it",
    ),
    LibraryPatch(
        streams.read_odd_pieces,
        "litellm",
        "1.106.2",
        "litellm leaves out a piece that isn't quite of OpenAI's form: a call could lose the middle of its arguments",
    ),
    LibraryPatch(
        streams.detect_ends_of_gemini_streams,
        "litellm",
        "1.106.2",
        "litellm never says that a stream of Gemini is complete, and gives each of its pieces the end `stop`: a torn"
        " answer looks like a whole one",
    ),
    LibraryPatch(
        streams.fill_in_what_gemini_left_out,
        "litellm",
        "1.106.2",
        "litellm fails at a call of Gemini without arguments, which its API may leave out: it seems not to be reached",
    ),
    LibraryPatch(
        streams.keep_words_of_failed_ends,
        "litellm",
        "1.106.2",
        "litellm makes `stop` of the words by which providers say that an answer failed, so it would end the turn",
    ),
    LibraryPatch(
        streams.hear_all_of_responses,
        "litellm",
        "1.106.2",
        "litellm drops the words with which a model refuses in OpenAI's API of responses: the answer is empty, and"
        " asked for again",
    ),
    LibraryPatch(
        streams.hear_refusals,
        "litellm",
        "1.106.2",
        "litellm drops the words with which a model refuses in OpenAI's API of chats, too",
    ),
    LibraryPatch(
        streams.keep_input_of_calls_apart,
        "litellm",
        "1.106.2",
        "litellm drops the input of a call that comes whole with its beginning, as some proxies send it, and gives all"
        " input to the call that began last: calls have no arguments, or those of others",
    ),
    LibraryPatch(
        streams.end_streams_by_their_ends,
        "litellm",
        "1.106.2",
        "litellm drops a piece of text or of a call with `[DONE]` in it, and takes the answer for whole",
    ),
    LibraryPatch(
        streams.leave_texts_of_ollama_alone,
        "litellm",
        "1.106.2",
        "litellm looks for `<think>` in single pieces of Ollama's text, where it may be torn, and makes a refused"
        " request of an error in the stream",
    ),
    LibraryPatch(
        earlier_answers.send_encrypted_thoughts_to_bedrock,
        "litellm",
        "1.106.2",
        "litellm drops encrypted thoughts, and Claude on Bedrock refuses a conversation with tool calls without them",
    ),
    LibraryPatch(
        streams.hand_on_signed_pieces,
        "litellm",
        "1.106.2",
        "litellm drops pieces of OpenRouter without text, and so the signatures that Claude and Gemini want back",
    ),
)


def apply(patches: Sequence[LibraryPatch], *modules: Any) -> None:
    """Apply patches to this process, for good."""
    for patch in patches:
        patch.apply(*modules)
