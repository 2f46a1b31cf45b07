"""Rules that tell a message that asks for a change from one that asks for an answer. Pure.

Both say yes only to clear signs, and a message can be neither: what looks like work left undone is told to the user, so
an answer must not be taken for that.
"""

import re

from planact.policy.intent.rules import detect

_SENTENCE = re.compile(r"[^.!?;\n。!?;]+(?:[.](?=\w)[^.!?;\n。!?;]*)*[.!?;。!?;]*")
_COURTESY = (
    r"(?:please|pls|just|kindly|now|then|and|also|ok|okay|hi|hello|hey|so|next|first|finally|go ahead and|let'?s|"
    r"let us|(?:can|could|would|will) you|(?:i|we) (?:want|need|would like) you to|(?:i|we)'?d like you to|"
    r"you (?:should|must)|"
    r"请|帮我|帮忙|麻烦|把|将|给我|给)[\s,，]*"
)
_DEED = (
    r"(?:fix|correct|rename|replace|change|remove|bump|update|upgrade|downgrade|add|create|implement|refactor|rewrite|"
    r"migrate|convert|port|move|delete|edit|modify|insert|append|extract|inline|adjust|improve|optimi[sz]e|simplify|"
    r"install|uninstall|configure|enable|disable|revert|restore|reformat|translate|write|make|build|set|put|turn|drop|"
    r"clean up)\b(?!\s+(?:me|us|sure|sense)\b)"
)
_CHINESE_DEED = r"修复|修正|改正|更正|改名|替换|修改|添加|增加|删除|实现|重构|重写|创建|新建|更新|改成"
_ASKS = re.compile(rf"\s*(?:{_COURTESY})*+(?:{_DEED}|(?:.{{0,20}})(?:{_CHINESE_DEED}))", re.IGNORECASE)
_WORDS_ONLY = re.compile(
    r"\s+(?:(?:a|an|the|your|this|that|short|brief|long|new|full|one|more|some|detailed)\s+)*"
    r"(?:answers?|summary|summaries|explanations?|lists?|overview|report|comparison|poem|joke|story|haiku|example|"
    r"suggestions?|proposals?|recommendations?|guess|decision|estimate|note)\b",
    re.IGNORECASE,
)
_PRODUCES = re.compile(r"(?:write|make|create|build|put|add)\Z", re.IGNORECASE)
_QUESTION = re.compile(
    r"\s*(?:(?:please|pls|just|hi|hello|hey|so|and|but|ok|okay|now|then|请|帮我|告诉我)[\s,，]*)*+"
    r"(?:(?:what|why|how|when|where|which|who|whose|is|are|was|were|does|do you|did|can i|should|has|have|"
    r"explain|describe|tell|show|list|find|look|check|search|read|review|analy[sz]e|compare|summari[sz]e|"
    r"investigate|give me)\b|什么|为什么|怎么|哪|谁|解释|说明|列出|查找|告诉|分析|总结|看看)",
    re.IGNORECASE,
)
_QUESTION_MARKS = ("?", "？", "吗", "呢", "吗。", "呢。")
_POLITE = re.compile(r"\b(?:can|could|would|will) you\b", re.IGNORECASE)
_LONGEST = 2_000
"""Characters of the beginning, and of the end, that count: what is between them was pasted."""
_ALL_OF_IT = re.compile(r"\s*(?:[.!,;:)。!,]|$|anything|any\b|yet\b|now\b|it\b|(?:the |any )?(?:code|files?)\b|任何)")


def asks_for_change(text: str) -> bool:
    """Return whether a sentence of the message orders a deed that changes something, and none forbids all changes."""
    found = detect(text)
    if found.intent == "PLAN_ONLY" and _ALL_OF_IT.match(text, found.span.end):
        return False
    return any(map(_orders, _sentences(text)))


def asks_for_answer(text: str) -> bool:
    """Return whether the message asks only to be told something."""
    return not asks_for_change(text) and any(
        _is_question(sentence) or _QUESTION.match(sentence) for sentence in _sentences(text)
    )


def _sentences(text: str) -> list[str]:
    parts = [text] if len(text) <= 2 * _LONGEST else [text[:_LONGEST], text[-_LONGEST:]]
    return [sentence for part in parts for sentence in _SENTENCE.findall(part)]


def _orders(sentence: str) -> bool:
    deed = _ASKS.match(sentence)
    if deed is None:
        return False
    is_of_words = bool(_PRODUCES.search(deed.group()) and _WORDS_ONLY.match(sentence, deed.end()))
    return not is_of_words and (not _is_question(sentence) or bool(_POLITE.search(deed.group())))


def _is_question(sentence: str) -> bool:
    return sentence.rstrip().endswith(_QUESTION_MARKS)
