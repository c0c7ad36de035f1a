"""Recognising that a model declined, in the languages we ask in."""

import regex

from core.inference.chat import ChatAnswer
from generation.runs.algorithm.parsing import Parsed

_DECLINES = regex.compile(
    "|".join(
        (
            r"\bI(?:['’]m| am) (?:very |really |so )?sorry\b",
            r"\bI(?:['’]m| am)? (?:can['’]?t|cannot|can not|won['’]?t|will not|unable to|must decline to|not able to)"
            r" (?:\w+ ){0,2}?(?:help|assist|create|generate|write|provide|comply|fulfill?|produce|do|engage)",
            r"\bas an? (?:AI|artificial intelligence|language model)\b",
            r"\bit (?:is|would be) (?:not appropriate|inappropriate|against)\b",
            r"\b(?:es tut mir leid|tut mir leid|ich kann (?:das|dies|diese|dabei|dir|Ihnen)\b.{0,40}\bnicht\b)",
            r"\b(?:het spijt me|sorry, (?:maar )?ik kan|ik kan (?:dit|daar|je|u|geen)\b)",
            r"\b(?:je suis désolée?|désolée?,|je ne peux pas|je ne suis pas en mesure)",
            r"\b(?:mi dispiace|non posso (?:aiutare|creare|scrivere|generare|fornire|soddisfare)|non sono in grado)",
            r"\b(?:lo siento|lo lamento|no puedo (?:ayudar|crear|escribir|generar|proporcionar|cumplir))",
            r"\b(?:desculpe|sinto muito|lamento,|não posso (?:ajudar|criar|escrever|gerar|fornecer|atender))",
            r"\b(?:przykro mi|przepraszam|nie mogę (?:pomóc|tworzyć|napisać|wygenerować|spełnić))",
            r"(?:对不起|很抱歉|抱歉|我(?:不能|无法|没办法)(?:提供|帮助|生成|编写|协助|写|满足))",
            r"(?:عذرا|عذرًا|آسف|أعتذر|لا (?:أستطيع|يمكنني))",
            r"(?:माफ़ कीजिए|माफ़ करें|क्षमा करें|मैं .{0,40}नहीं (?:कर|लिख|बना) सकता|main .{0,40}nahi (?:kar|likh) sakt)",
        )
    ),
    regex.IGNORECASE,
)
_OPENING = 240


def is_refusal(answer: ChatAnswer, parsed: Parsed) -> bool:
    """Return whether an answer declines instead of giving messages.

    Words of refusal count only where there is no list of messages, for "I am sorry" may well stand in a message.
    """
    if answer.refusal or answer.finish_reason == "content_filter":
        return True
    if len(parsed.messages) > 1:
        return False
    text = parsed.messages[0] if parsed.messages else answer.text
    return bool(_DECLINES.search(text.strip()[:_OPENING]))
