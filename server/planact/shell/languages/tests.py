"""`test` and `[`: only forms in which no operand can turn out to be an operator that evaluates code."""

from planact.base.text import word_set
from planact.shell.environment import may_be_set
from planact.shell.table import CallRefused, CommandCall, Judge
from planact.shell.words import ShellWord

_UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuwxzGLNOS") - {"-a", "-o"}
_BINARY = word_set("= == != < > -eq -ne -lt -le -gt -ge -ef -nt -ot")


def check_test(call: CommandCall, _judge: Judge) -> None:
    """Raises Refused for other forms."""
    words = list(call.arguments)
    if call.name.text == "[":
        if not words or words[-1].text != "]":
            raise CallRefused("test", "`[` without `]`", call.name)
        words.pop()
    parts: list[list[ShellWord]] = [[]]
    for word in words:
        if word.is_exact and word.text in ("-a", "-o"):
            parts.append([])
        else:
            parts[-1].append(word)
    if not all(_is_plain(part, is_alone=len(parts) == 1) for part in parts):
        raise CallRefused("test", "this form of `test` may evaluate its operands", call.name)


def _is_plain(words: list[ShellWord], *, is_alone: bool) -> bool:
    if any(not word.is_one or (word.may_be_option and not is_alone) for word in words):
        return False
    if words and words[0].is_exact and words[0].text == "!":
        words = words[1:]
    match words:
        case [] | [_]:
            return is_alone
        case [operator, _]:
            return operator.is_exact and operator.text in _UNARY
        case [_, operator, _]:
            return operator.is_exact and operator.text in _BINARY
        case _:
            return False


def check_read(call: CommandCall, _judge: Judge) -> None:
    """Require names of the line's own variables; the shell would evaluate the content of brackets behind a name."""
    for word in call.arguments:
        if not word.is_exact or not may_be_set(word.text):
            raise CallRefused("variable", "`read` into a variable that may steer programs", word)
