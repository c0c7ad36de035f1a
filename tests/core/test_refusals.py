"""A model that declines says so in many languages."""

import pytest

from core.inference.refusals import begins_by_declining, declines

DECLINED = [
    "I'm sorry, but I can't help with that.",
    "Es tut mir leid, dabei kann ich nicht helfen.",
    "Het spijt me, dat kan ik niet doen.",
    "Je suis désolé, je ne peux pas répondre.",
    "Mi dispiace, non posso aiutarti.",
    "Lo siento, no puedo ayudar con eso.",
    "Desculpe, não posso ajudar com isso.",
    "Przykro mi, nie mogę pomóc.",
    "抱歉，我无法提供帮助。",
    "عذرًا، لا أستطيع المساعدة.",
    "माफ़ कीजिए, मैं यह नहीं कर सकता।",
]


@pytest.mark.parametrize("text", DECLINED)
def test_a_refusal_is_recognised_in_eleven_languages(text):
    assert declines(text)
    assert begins_by_declining(text)


@pytest.mark.parametrize("text", ["hateful", "No.", "non-hateful", "Nein", "I can tell: it is not hateful.", "Nie."])
def test_a_label_is_no_refusal(text):
    assert not begins_by_declining(text)


def test_words_that_decline_further_down_are_a_quotation():
    assert not begins_by_declining("Hateful. The author says: I'm sorry, but I can't help it.")
