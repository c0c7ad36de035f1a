import pytest

from evaluation.runners.chat_parsing import parse_answer

WORDS = {"hateful": ["hateful", "yes"], "non-hateful": ["non-hateful", "not hateful", "no"]}


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("hateful", "hateful"),
        ("Hateful.", "hateful"),
        ("non-hateful", "non-hateful"),
        ("**Non-hateful**", "non-hateful"),
        ("Not hateful, because it only reports.", "non-hateful"),
        ("Answer: hateful", "hateful"),
        ('{"label": "non-hateful", "why": "a quote"}', "non-hateful"),
        ("<think>it might be hateful, or not hateful</think>no", "non-hateful"),
        ("The text is hateful.", "hateful"),
        ("I think that this is non-hateful.", "non-hateful"),
        ("Hateful. I'm sorry to say so.", "hateful"),
    ],
)
def test_a_label_is_found(written, label):
    answer = parse_answer(written, words=WORDS)
    assert (answer.label, answer.refusal, answer.error, answer.raw) == (label, False, None, written)


@pytest.mark.parametrize(
    "written",
    [
        "I'm sorry, but I can't help with hateful content.",
        "I cannot assist with that.",
        "As an AI language model, I do not judge.",
        "Sorry, I won't repeat that.",
        "I’m unable to answer.",
    ],
)
def test_a_refusal_is_neither_label_nor_error(written):
    answer = parse_answer(written, words=WORDS)
    assert (answer.label, answer.refusal, answer.error) == (None, True, None)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("", "empty"),
        ("<think>At first sight it is hateful, but", "empty"),
        ("Maybe.", "no label"),
        ("It could be hateful, it could be non-hateful.", "more than one"),
        ("hateful or non-hateful", "more than one"),
        ("notable", "no label"),
    ],
)
def test_an_answer_that_decides_nothing_is_an_error_and_never_a_guess(written, says):
    answer = parse_answer(written, words=WORDS)
    assert answer.label is None
    assert not answer.refusal
    assert says in (answer.error or "")


@pytest.mark.parametrize("written", ["No puedo ayudar con eso.", "Non posso rispondere.", "我无法回答。", "Não posso."])
def test_a_refusal_that_begins_with_a_word_for_no_is_no_label(written):
    answer = parse_answer(written, words=WORDS)
    assert (answer.label, answer.refusal, answer.error) == (None, True, None)
