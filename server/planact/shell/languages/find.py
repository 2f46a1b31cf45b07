"""find's expressions: every token is allow-listed, and commands of `-exec` are judged themselves."""

import re
from dataclasses import replace

from planact.base.text import word_set
from planact.shell.table import CallRefused, CommandCall, Judge
from planact.shell.words import ShellWord

_LONE = word_set(
    "-true -false -print -print0 -ls -prune -quit -empty -readable -writable -executable -mount -xdev -depth -d "
    "-daystart -follow -noleaf -ignore_readdir_race -noignore_readdir_race -nouser -nogroup -not -a -and -o -or , ! "
    "( ) -H -L -P -E -X -x -s -warn -nowarn -sparse"
)
_WITH_VALUE = word_set(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime "
    "-ctime -mmin -amin -cmin -newer -anewer -cnewer -maxdepth -mindepth -perm -user -group -uid -gid -links -inum "
    "-samefile -fstype -used -regextype -printf -context -newermt -newerat -newerct -newermm "
    "-newerma -newermc -newercm -newerca -newercc -newerBt -newerBm -newermB"
)
_PLAIN_START = re.compile(r"[\w./]")
"""How a path begins that no program takes for an option, an `@file` with options, or a `+command`."""

_WRITES = word_set("-delete -fprint -fprint0 -fprintf -fls")


def check_find(call: CommandCall, judge: Judge) -> None:
    """Raise Refused for each action that may do more than read."""
    words = call.arguments
    if any(word.text in ("-L", "-follow") for word in words):
        judge.open_more()
    at = 0
    while at < len(words) and (words[at].text in ("-H", "-L", "-P") or words[at].text.startswith(("-O", "-D"))):
        at += 2 if words[at].text == "-D" else 1
    start = at
    while at < len(words) and not _is_expression(words[at]):
        judge.read(words[at])
        at += 1
    has_safe_start = all(_PLAIN_START.match(word.text) for word in words[start:at])
    while at < len(words):
        at = _token(words, at, judge, has_safe_start=has_safe_start)


def _is_expression(word: ShellWord) -> bool:
    if word.may_be_option or (not word.is_exact and word.text in ("-", "(", "!", ",")):
        raise CallRefused("word", "a word that only running can tell might be an action of find", word)
    return word.text.startswith("-") or word.text in ("(", ")", "!", ",")


def _token(words: tuple[ShellWord, ...], at: int, judge: Judge, *, has_safe_start: bool) -> int:
    word = words[at]
    if not word.is_exact:
        raise CallRefused("word", "a word that only running can tell might be an action of find", word)
    if word.text in _LONE:
        return at + 1
    if word.text in _WITH_VALUE:
        if at + 1 >= len(words) or not words[at + 1].is_one:
            raise CallRefused("word", f"the value of `{word.text}` may become several words", word)
        return at + 2
    if word.text in ("-exec", "-execdir"):
        end = _end_of_command(words, at)
        found = ShellWord("./" if has_safe_start or word.text == "-execdir" else "", is_exact=False)
        judge.run([_filled(each, found) for each in words[at + 1 : end]])
        return end + 1
    if word.text in _WRITES:
        raise CallRefused("find", f"`find {word.text}` changes files", word, "mutating")
    raise CallRefused("find", f"`find {word.text}` may change files or run programs", word)


def _end_of_command(words: tuple[ShellWord, ...], start: int) -> int:
    for at in range(start + 2, len(words)):
        is_plus = words[at].text == "+" and words[at - 1].text == "{}"
        if words[at].is_exact and (words[at].text == ";" or is_plus):
            return at
    raise CallRefused("find", "a command of find without an end", words[start])


def _filled(word: ShellWord, found: ShellWord) -> ShellWord:
    """Return the word with find's path in each place of `{}`."""
    before, braces, _ = word.text.partition("{}")
    if not braces:
        return word
    return replace(word, text=before or found.text, is_exact=False)
