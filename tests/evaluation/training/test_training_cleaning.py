import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.training.algorithm.cleaning import NOTHING, Cleaning, clean, read_cleaning, split_hashtag


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("See https://t.co/abc123 now", "see [URL] now"),
        ("www.example.org!", "[URL]"),
        ("@some_user: hello @other", "[USER] : hello [USER]"),
        ("mail me at a@b.org", "mail me at a@b.org"),
        ("I love it 👍🏽!", "i love it [EMOJI] !"),
        ("family 👨‍👩‍👧 and 🇩🇪", "family [EMOJI] and [EMOJI]"),
        ("#StopTheHate now", "stop the hate now"),
        ("#stopthehate", "stop the hate"),
        ("#stop_the_hate", "stop the hate"),
        ("one\ttwo\nthree", "one two three"),
        ("this &amp; that &lt;3", "this & that <3"),
        ("numbers 1 2 # stay", "numbers 1 2 # stay"),
        ("©2026", "[EMOJI] 2026"),
    ],
)
def test_texts_are_cleaned_as_in_the_papers(text, cleaned):
    assert clean(text) == cleaned


@pytest.mark.parametrize("word", ["Überraschung", "رمضان", "愛"])
def test_a_hashtag_in_another_script_stays_whole(word):
    assert split_hashtag(word) == word


def test_capitals_with_accents_are_split_whole():
    assert split_hashtag("CaféLove") == "Café Love"


def test_every_step_can_be_left_out():
    text = "Hi @You see http://x.y/z 👍 #NoWay"
    assert clean(text, NOTHING) == text
    assert clean(text, Cleaning(lower_case=False)) == "Hi [USER] see [URL] [EMOJI] No Way"


@given(st.text())
def test_a_cleaned_text_is_one_line_without_outer_blanks(text):
    cleaned = clean(text, Cleaning(hashtags=False))
    assert cleaned == " ".join(cleaned.split())


def test_a_model_folder_says_how_to_clean(tmp_path):
    assert read_cleaning(tmp_path) is None
    (tmp_path / "cleaning.json").write_text(json.dumps({"urls": True, "unknown": True}))
    assert read_cleaning(tmp_path) == Cleaning(
        urls=True, users=False, emoji=False, hashtags=False, lower_case=False, entities=False
    )
