"""Files that a step names only in its text: paths in backticks that the sentence means to change. Unsure means no.

A yes to the plan lets these files change without a question, so each rule here takes away: a path counts only where it
stands in a plain code span, no word of its sentence and no comment excludes it, and the verb before it doesn't only
read. The caller looks each path up, and its answer decides whether the path may count.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from planact.base.span import Span
from planact.model.plan import Plan, Step
from planact.plan.references import file_reference

ImpliedFiles = Mapping[int, tuple[str, ...]]
"""Paths by the number of the step; steps without any are missing."""

Found = Literal["file", "missing", ""]
"""State of a path on the disk. Empty = it may not count: a folder, a link, credentials, git's or planact's."""

MAX_FILES = 20
"""Most files of one step; a step with more has none, since nobody reads a longer list."""

_MOST_WORK = 10_000_000
"""Backticks of each step times its characters, summed up: a plan beyond, which nobody reads, would take minutes."""

_MOST_PATTERNS = 200
"""Patterns in sentences that forbid a change; more of them forbid every path."""

_LONGEST_PATH = 4_096
"""Characters of a path or pattern."""

_EDITING = frozenset({"update_file", "create_file", "rename_file", "delete_file"})
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u3400-\u4dbf\u4e00-\u9fff]")
"""Letters of which the words below know nothing, and look-alikes of those that they know."""

_UNSURE = re.compile(r"\\`|~~|<!--|<\s*(?:del|s|strike)\b", re.IGNORECASE)
_TICKS = re.compile(r"`+")
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|[。！？；;\n\r\u2028\u2029]")
_BLANK_OR_QUOTE = re.compile(r"[\s;$&()=,'#%@!^+]")
_BETWEEN_NAMES = re.compile(r"[\s,;`'\"()\[\]]+")
_BARE_NAMES = frozenset(
    {"Dockerfile", "Gemfile", "Jenkinsfile", "Justfile", "LICENSE", "Makefile", "NOTICE", "Procfile", "README",
     "Rakefile", "Vagrantfile"}
)  # fmt: skip
"""File names without a dot that are no word of a language; any other bare name may be one of a function."""

_EXCLUDES = re.compile(
    r"\b(?:no|not|cannot|nor|neither|never|none|nothing|without|except(?:ing|ions?)?|excluding|excludes?|excluded|but"
    r"|unless|rather|instead|besides|apart|aside|beyond|outside|other than|leav(?:e|es|ing)|left|keep(?:s|ing)?|kept"
    r"|stays?|remains?|untouched|unchanged|unmodified|intact|avoid(?:s|ing)?|skip(?:s|ping)?|ignor(?:e|es|ing)|omit"
    r"|preserve|preserves|preserving|protect(?:ed)?|forbidden|prohibited|off[- ]limits|read[- ]only|hands? off|refrain"
    r"|prevents?|preventing|freeze|freezes|freezing|frozen|forgo|forbids?|disallow\w*|prohibits?|exempt\w*|clear of"
    r"|abstain\w*|barring|(?:stay|keep) (?:away|out)|as[- ]is|immutable|locked"
    r"|save for|minus|short of|lest|alone|revert\w*|back ?up"
    r"|nicht|kein\w*|ohne|außer|ausser|niemals|nie|sauf|sans|jamais|pas|excepto|nunca|sin|salvo|tranne|senza|mai)\b"
    r"|n['’ʼ`´]t\b|\b(?:do|did|ca|wo|sha|is|are|was|must|should|would|could)nt\b"
    r"|[不别勿除避禁止没未无非莫]|保持|保留|跳过|忽略",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"(?:\b(?:not|never|cannot|without|nor|no)\b|n['’ʼ`´]t\b|\b(?:do|must|should)nt\b)\W+(?:\w+\W+){0,3}?"
    r"(?:touch|chang|modif|edit|alter|update|updating|writ|delete|deleting|remov|renam|mov|overwr|replac|rewr)\w*"
    r"|\b(?:untouched|unchanged|unmodified|intact|off[- ]limits|read[- ]only|hands? off|as (?:it |they )?(?:is|are)"
    r"|leave\b.{0,80}\balone|except|excluding|refrain)\b|[不别勿][要能可准得]?.{0,4}[改动碰删写]|除了|禁止|保持不变",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|them|they|this|that|these|those|latter|former|either|both|all|files?|above|first|second|last|ones?)\b"
    r"|[它其此这那]|文件",
    re.IGNORECASE,
)
_VERBS = re.compile(
    r"\b(?:(?P<read>read|reads|reading|look|looks|looking|view|inspect\w*|review\w*|examine\w*|examining|analy[sz]\w*|study"
    r"|studies|studying|search\w*|grep|list|lists|listing|open|run|runs|running|execute\w*|executing|compar\w*|understand\w*|see"
    r"|follow\w*|mirror\w*|consult\w*|refer\w*|depend\w*|explor\w*|investigat\w*|scan\w*|trace|like|cat)"
    r"|(?P<uses>check\w*|verif\w*|validat\w*|test|tests|testing|call|calls|calling|import\w*|load|loads|loading|copy"
    r"|copies|copying|pars(?:e|es|ing)|use|uses|using|include\w*|including|lint\w*|build|builds|start|starts|launch\w*"
    r"|deploy\w*|upload\w*|send|sends|print|match\w*)"
    r"|(?P<make>creat\w*|add|adds|adding|writ\w*|new|generate\w*|generating|introduc\w*|scaffold\w*|extract\w*)"
    r"|(?P<change>update\w*|updating|chang\w*|edit\w*|modif\w*|renam\w*|remov\w*|delete\w*|deleting|replac\w*|fix\w*|mend\w*|refactor\w*"
    r"|mov(?:e|es|ing)|split\w*|insert\w*|append\w*|adjust\w*|adapt\w*|extend\w*|implement\w*|correct\w*|rewrit\w*"
    r"|say|says|put|puts|mak(?:e|es|ing)|giv(?:e|es|ing)|handl\w*|rais(?:e|es|ing)|return\w*|wrap\w*|swap\w*|switch\w*"
    r"|turn|turns|drop|drops|cut|sort|reorder\w*|reformat\w*|format|port|wire|register\w*|expose|export|define|defines|defining"
    r"|declare|increase\w*|increasing|reduc\w*|enabl\w*|disable\w*|disabling|allow\w*|tweak\w*|merg(?:e|es|ing)|inline|apply|mention\w*"
    r"|describe\w*|describing|complete\w*|completing|finish\w*|translat\w*|annotat\w*|type|guard|catch|log|cache|stor(?:e|ing)|support\w*"
    r"|hard[- ]?cod\w*|tighten\w*|harden\w*|extract\w*|pin|pins|deduplicat\w*|simplify|optimi[sz]e\w*|rework\w*"
    r"|clean\w*|document\w*|improv\w*|convert\w*|migrat\w*|upgrad\w*|bump\w*|set|sets|configur\w*|simplif\w*))\b"
    r"|(?P<read_zh>读取?|阅读|查看|检查|运行|执行|测试|分析|参考|比较)"
    r"|(?P<make_zh>创建|新建|新增|添加|编写|生成)|(?P<change_zh>修改|更新|更改|编辑|改|替换|删除|重命名|移动|修复|重构)",
    re.IGNORECASE,
)
_DIRECT = re.compile(r"(?:[\s\0,]|\b(?:the|this|that|all|and|files?|modules?|scripts?|tests?|code)\b)*")
"""Words between a verb and its object: `Check the file X` reads it, `Check the input in X` changes it."""

_REFERS = re.compile(
    r"(?:\b(?:from|like|as|as in|per|via|by|with|against|than|unlike|after|before|for|of|to match|similar to"
    r"|according to|based on|given)|[从像按据])(?:\s|\bthe\b|\bfile\b)*$",
    re.IGNORECASE,
)
_TAKES_AWAY = re.compile(r"\b(?:mov|extract|remov|delete|deleting|split)\w*\b", re.IGNORECASE)


class _Code(NamedTuple):
    """A code span: its content, and its place with the backticks."""

    content: str
    span: Span


def implied_files(plan: Plan, comments: Iterable[str], look_up: Callable[[str], Found]) -> ImpliedFiles:
    """Return the files that the text of steps without `files` names.

    Args:
        plan: a lowered plan.
        comments: the user's words to the planner; what they exclude counts in no step.
        look_up: the state of a path below the workspace folder, called for few.
    """
    if sum(step.action.count("`") * len(step.action) for step in plan.steps) > _MOST_WORK:
        return {}
    numbers = Counter(step.step_number for step in plan.steps)
    said = (plan.goal, plan.description, plan.analysis, *plan.assumptions, *plan.prerequisites)
    actions = [text for step in plan.steps for text in (step.action, step.reason, step.expected_outcome)]
    sentences = [sentence for text in (*said, *actions) for sentence in _sentences(text) if _FORBIDS.search(sentence)]
    forbidden = _Forbidden([*sentences, *(text for text in comments if _EXCLUDES.search(text))])
    found: dict[int, tuple[str, ...]] = {}
    for step in plan.steps:
        if step.files or numbers[step.step_number] > 1 or not _may_edit(step):
            continue
        named = dict.fromkeys(_paths(step.action, look_up))
        paths = tuple(path for path in named if not forbidden.may_name(path))
        if 0 < len(paths) <= MAX_FILES:
            found[step.step_number] = paths
    return found


def with_implied(plan: Plan, implied: ImpliedFiles) -> Plan:
    """Return the plan with these files in the steps that list none."""
    if not implied:
        return plan
    steps = (
        step if step.files else step.model_copy(update={"files": implied.get(step.step_number, ())})
        for step in plan.steps
    )
    return plan.model_copy(update={"steps": tuple(steps)})


def _may_edit(step: Step) -> bool:
    return "`" in step.action and (not step.tools_needed or not _EDITING.isdisjoint(step.tools_needed))


def _paths(action: str, look_up: Callable[[str], Found]) -> Iterator[str]:
    """The paths that the sentences of an action mean to change; none of a text whose code can't be told apart."""
    spans = _code_spans(action)
    if spans is None:
        return
    words = _blank(action, spans)  # of the same length, without any code
    if not action.isprintable() or _OTHER_SCRIPT.search(words):
        return
    points_back = any(
        _EXCLUDES.search(words, *sentence)
        and _POINTS_BACK.search(words, *sentence)
        and not any(sentence.start <= code.span.start < sentence.end for code in spans)
        for sentence in _ranges(words)
    )
    if points_back:
        return
    for sentence in _ranges(words):
        if _EXCLUDES.search(words, *sentence):
            continue
        for code in spans:
            if sentence.start <= code.span.start < sentence.end:
                path = _path(code.content)
                if path and _is_meant(words, sentence, code, look_up(path)):
                    yield path


def _is_meant(words: str, sentence: Span, code: _Code, found: Found) -> bool:
    before = words[sentence.start : code.span.start]
    changes = any((match.lastgroup or "")[:4] != "read" for match in _VERBS.finditer(words, *sentence))
    verbs = [(match, match.lastgroup or "") for match in _VERBS.finditer(before)]
    kind = verbs[-1][1].removesuffix("_zh") if verbs else ""
    is_quoted = before.count('"') % 2 == 1 or before.count("“") > before.count("”")
    takes = any(_TAKES_AWAY.fullmatch(match[0]) for match, _ in verbs[-1:])
    refers = _REFERS.search(before) is not None and not takes
    only_reads = kind == "read" or (kind == "uses" and _DIRECT.fullmatch(before, verbs[-1][0].end()) is not None)
    if not found or not changes or only_reads or is_quoted or refers:
        return False
    return found == "file" or kind == "make"


def _path(content: str) -> str:
    """Return the path that a code span names; empty where it may be something else, such as a command."""
    reference = file_reference(content, Span(0, len(content)))
    is_odd = len(content) > _LONGEST_PATH or not content.isprintable() or _BLANK_OR_QUOTE.search(content)
    if reference is None or is_odd:
        return ""
    path = PurePosixPath(reference.path)
    is_name = "." in path.name.strip(".") or path.name in _BARE_NAMES or len(path.parts) > 1
    # The spelling is the file's own, and nothing on the way is hidden.
    is_plain = str(path) == reference.path and not any(part[0] in ".-" for part in path.parts)
    return reference.path if is_name and is_plain else ""


def _code_spans(text: str) -> list[_Code] | None:
    """Return the code spans of one line; None where it isn't sure where code begins."""
    if _UNSURE.search(text):
        return None
    ticks = list(_TICKS.finditer(text))
    if len(ticks) % 2 or any(len(match[0]) != 1 for match in ticks):
        return None
    pairs = zip(ticks[::2], ticks[1::2], strict=True)
    return [_Code(text[start.end() : end.start()], Span(start.start(), end.end())) for start, end in pairs]


def _blank(text: str, spans: Iterable[_Code]) -> str:
    for code in spans:
        text = text[: code.span.start] + "\0" * (code.span.end - code.span.start) + text[code.span.end :]
    return text


def _ranges(words: str) -> list[Span]:
    ends = [match.end() for match in _SENTENCE_END.finditer(words)]
    return [Span(start, end) for start, end in zip([0, *ends], [*ends, len(words)], strict=True) if start < end]


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, whose code may hold dots."""
    return (text[slice(*each)] for each in _ranges(text))


class _Forbidden:
    """The names in sentences that forbid a change. Each path is looked up among them, in time that doesn't grow with
    the sentences.
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        words = {word for sentence in sentences for word in _BETWEEN_NAMES.split(sentence.casefold())}
        named = {word: word.strip(".:!?*").removeprefix("./").rstrip("/") for word in words}
        self._names = frozenset(named.values())
        self._folders = frozenset(name for word, name in named.items() if name and ("/" in word or "*" in word))
        self._patterns = [word for word in words if any(mark in word for mark in "*?[")]
        self._forbids_all = len(self._patterns) > _MOST_PATTERNS or any(
            len(each) > _LONGEST_PATH for each in self._patterns
        )

    def may_name(self, path: str) -> bool:
        """Return True if a sentence may speak of the path: by itself, its name, a folder above it or a pattern."""
        place = PurePosixPath(path.casefold())
        text = str(place)
        slashes = [at for at, character in enumerate(text) if character == "/"]
        names = {text, place.stem, *place.parts}
        ends = {end for at in slashes if "/" in (end := text[at + 1 :])}
        is_named = not self._names.isdisjoint(names | ends)
        is_below = not self._folders.isdisjoint({text[:at] for at in slashes})
        return self._forbids_all or is_named or is_below or self._fits_pattern(names)

    def _fits_pattern(self, names: Collection[str]) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self._patterns for name in names)
