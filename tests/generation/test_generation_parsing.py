"""Messages out of answers of every shape, and refusals in every language."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference.chat import ChatAnswer
from generation.runs.algorithm.parsing import Parsed, parse_messages
from generation.runs.algorithm.refusals import is_refusal

TWO = ("First message.", 'A "second" one.')
JSON = json.dumps({"messages": TWO})
MESSAGES = st.lists(
    st.text(alphabet="abc é,.!?\n:[]{}", min_size=1, max_size=20).map(str.strip).filter(bool), min_size=1
)


def answer(text, **changes):
    return ChatAnswer(**{"text": text, "raw": text, "finish_reason": "stop", "model": "m", **changes})


@pytest.mark.parametrize(
    ("text", "how"),
    [
        (JSON, "json"),
        (f"Sure! Here you go:\n{JSON}\nAnything else?", "json"),
        (json.dumps(TWO), "json"),
        (str({"messages": list(TWO)}), "json"),
        (json.dumps({"messages": [{"id": 1, "text": text} for text in TWO]}), "json"),
        (json.dumps({"1": TWO[0], "2": TWO[1]}), "json"),
        (f"<think>[maybe]</think>{JSON}", "json"),
        (f"Here are the [two] messages {{as asked}}:\n{JSON}", "json"),
        (json.dumps({"messages": TWO, "labels": ["hateful", "not"]}), "json"),
        ('Both [as asked]: {"messages": ["First message.", "A \\"second\\" one.", "A thi', "cut_off"),
        ('{"messages": [{"text": "First message."}, {"text": "A \\"second\\" one."}, {"text": "A th', "cut_off"),
        (f"Of course [as asked]:\n```json\n{JSON}\n```\nBye", "json"),
        (f"Of course ['as asked]:\n```json\n{JSON}\n```\nBye", "fenced"),
        (f"Here ['are] they:\n```\n{json.dumps(TWO, indent=2)}", "fenced"),
        ('1. First message.\n2. A "second" one.', "numbered"),
        ('Here are some:\n\n1) "First message."\n2) A "second" one.\n\nEnjoy!', "numbered"),
        ('- First message.\n* A "second" one.', "numbered"),
        ('**1.** First\n   message.\n**2.** A "second" one.', "numbered"),
    ],
)
def test_messages_are_found_however_they_are_wrapped(text, how):
    assert parse_messages(text) == Parsed(TWO, how)


def test_half_a_character_in_a_message_is_replaced():
    assert parse_messages('{"messages": ["Good \\ud83d", "\\ud83d\\ude00"]}').messages == ("Good \ufffd", "\U0001f600")


@given(MESSAGES)
def test_json_comes_back_as_it_was(messages):
    found = parse_messages(json.dumps({"messages": messages}))
    assert found.how == "json"
    assert len(found.messages) == len(messages)


@given(MESSAGES, st.data())
def test_an_answer_cut_anywhere_gives_only_whole_messages(messages, data):
    text = json.dumps({"messages": messages})
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    found = parse_messages(cut, is_cut_off=True).messages
    assert found == parse_messages(text).messages[: len(found)]


def test_a_cut_answer_keeps_what_is_complete():
    assert parse_messages('{"messages": ["One.", "Two \\"x\\".", "Thr') == Parsed(("One.", 'Two "x".'), "cut_off")
    assert parse_messages('```json\n[{"text": "One."}, {"text": "Tw') == Parsed(("One.",), "cut_off")
    assert parse_messages("1. One.\n2. Two.\n3. Thr", is_cut_off=True) == Parsed(("One.", "Two."), "numbered")


@pytest.mark.parametrize(
    "text", ["", "I would rather talk about gardens.", "{}", "[]", '{"messages": []}', '{"messages": 3}']
)
def test_an_answer_without_messages_is_unreadable(text):
    assert parse_messages(text) == Parsed((), "unreadable")


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot create content that demeans people.",
        "I am unable to assist with this request.",
        "As an AI language model, I do not produce such content.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "Ich kann diese Anfrage leider nicht erfüllen.",
        "Het spijt me, dat kan ik niet doen.",
        "Je suis désolé, je ne peux pas répondre.",
        "Mi dispiace, non posso aiutare.",
        "Lo siento, no puedo ayudar con eso.",
        "Desculpe, não posso ajudar com isso.",
        "Przykro mi, nie mogę pomóc.",
        "对不起，我无法提供这样的内容。",
        "عذرًا، لا أستطيع المساعدة في ذلك.",
        "क्षमा करें, मैं यह नहीं लिख सकता।",
        '{"messages": ["I am sorry, I cannot write this."]}',
    ],
)
def test_a_refusal_is_recognised_in_every_language(text):
    assert is_refusal(answer(text), parse_messages(text))


def test_the_protocols_own_signs_of_refusal_count():
    assert is_refusal(answer("", refusal="No."), Parsed((), "unreadable"))
    assert is_refusal(answer("", finish_reason="content_filter"), Parsed((), "unreadable"))


def test_sorry_inside_a_list_of_messages_is_no_refusal():
    text = json.dumps(["I am sorry for the bakers.", "I cannot help it, I like bakers."])
    assert not is_refusal(answer(text), parse_messages(text))


def test_plain_chatter_is_no_refusal():
    assert not is_refusal(answer("Gardens are lovely in spring."), Parsed((), "unreadable"))
