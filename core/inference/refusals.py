"""Recognising that a language model declined, in the languages that models are asked in."""

import regex

OPENING = 240  # characters; further down a text may quote somebody who declines

# One line or more per language: English, German, Dutch, French, Italian, Spanish, Portuguese, Polish, Chinese, Arabic,
# Hindi.
_DECLINES = (
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
# Said of anything, so they tell only where an answer begins with them: "I can't stand rain" may be a generated text.
_OPENINGS = (
    r"sorry\b",
    r"I (?:can ?not|can['’]?t|won['’]?t|am unable|am not able|must decline)\b",
    r"I['’]m (?:unable|not able)\b",
    r"I (?:do not|don['’]t) feel comfortable",
    r"ich kann (?:nicht|keine)\b",
    r"non posso\b",
    r"no (?:me )?(?:puedo|es posible)\b",
    r"não posso\b",
    r"nie mogę\b",
    r"我(?:不能|无法|没办法)",
)
_ANYWHERE = regex.compile("|".join(_DECLINES), regex.IGNORECASE)
_BEGINNING = regex.compile(rf"\W*(?:{'|'.join((*_DECLINES, *_OPENINGS))})", regex.IGNORECASE)


def declines(text: str) -> bool:
    """Return whether a text declines somewhere in its opening."""
    return bool(_ANYWHERE.search(text.strip()[:OPENING]))


def begins_by_declining(text: str) -> bool:
    """Return whether the very first words of an answer decline."""
    return bool(_BEGINNING.match(text.strip()[:OPENING]))
