"""Exchange files, templates and lexicons: nothing is lost on the way, and every fault has its line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.attacks.algorithm.exchange import FILE_NAMES, escape, read_answers, read_sets, unescape, write_sets
from evaluation.attacks.algorithm.lexicons import read_hurtlex, without_offensive
from evaluation.attacks.algorithm.quotations import languages_with_quotations, our_quotations, read_quotations
from evaluation.attacks.algorithm.tokens import words_of
from evaluation.attacks.algorithm.values import AttackPost, AttackSet, Name

SETS: dict[Name, AttackSet] = {
    "quo": AttackSet("quo", (AttackPost('a\n"b"\tc', False, 0), AttackPost("back\\nslash", True, 1))),
    "flip": AttackSet("flip", (AttackPost("x", True, 0),)),
}


def answer(folder, name, lines):
    (folder / FILE_NAMES[name]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@settings(deadline=None)
@given(st.text())
def test_any_post_survives_on_one_line(post):
    line = escape(post)
    assert unescape(line) == post
    assert len(line.splitlines()) <= 1
    assert "\t" not in line


def test_sets_come_back_from_their_files(tmp_path):
    paths = write_sets(SETS, tmp_path)
    assert [path.name for path in paths] == ["quoting_a_to_n.tsv", "flip_n_to_a.tsv"]
    sets, problems = read_sets(tmp_path)
    assert problems == ()
    assert {name: (attack.texts, attack.labels) for name, attack in sets.items()} == {
        name: (attack.texts, attack.labels) for name, attack in SETS.items()
    }


def test_answers_are_read_in_order(tmp_path):
    for name, attack in SETS.items():
        answer(tmp_path, name, [f"{escape(post.text)}\t{int(post.abusive)}\t1" for post in attack.posts])
    found = read_answers(SETS, tmp_path)
    assert found.problems == ()
    assert found.answers == {"quo": (True, True), "flip": (True,)}


@pytest.mark.parametrize(
    ("lines", "row", "said"),
    [
        (["x\t1\t1", "x\t1\t1"], None, "answers (2) differs from the number of posts (1)"),
        (["x\t1"], 1, "2 cells"),
        (["y\t1\t1"], 1, "differs from the set"),
        (["x\t0\t1"], 1, "The post or its label"),
        (["x\t1\tmaybe"], 1, "'maybe'"),
    ],
)
def test_a_faulty_answer_file_is_located_and_gives_no_answers(tmp_path, lines, row, said):
    answer(tmp_path, "flip", lines)
    found = read_answers({"flip": SETS["flip"]}, tmp_path)
    assert found.answers == {}
    assert found.problems[0].row == row
    assert said in found.problems[0].problem


def test_a_missing_answer_file_is_named(tmp_path):
    found = read_answers({"flip": SETS["flip"]}, tmp_path)
    assert found.problems[0].file == "flip_n_to_a.tsv"


def test_templates_of_the_public_tool_are_taken_and_a_misspelt_slot_is_reported(tmp_path):
    path = tmp_path / "templates.txt"
    path.write_text('He said "<tweet>"\n\n@user "<tweer>" no\n<post>?\n<tweet>?\n', encoding="utf-8")
    found = read_quotations(path)
    assert found.templates == ('He said "<post>"', "<post>?")
    assert [(problem.row, problem.severity) for problem in found.problems] == [(3, "error"), (5, "warning")]


@pytest.mark.parametrize("language", ["ar", "de", "en", "es", "fr", "hi", "it", "nl", "pl", "pt", "zh"])
def test_our_own_templates_are_enough_and_faultless(language):
    from evaluation.attacks.algorithm.quotations import OURS

    found = read_quotations(OURS / f"{language}.txt")
    assert found.problems == ()
    assert len(found.templates) >= (60 if language == "en" else 20)
    assert all(template.count("<post>") == 1 for template in found.templates)


def test_a_region_finds_its_language_and_an_unknown_one_is_refused():
    assert our_quotations("pt-BR") == our_quotations("pt")
    with pytest.raises(ValueError, match="'xx'"):
        our_quotations("xx")
    assert len(languages_with_quotations()) == 11


def test_a_lexicon_is_read_by_level_in_small_letters(tmp_path):
    path = tmp_path / "lexicon.tsv"
    path.write_text(
        "id\tpos\tcategory\tstereotype\tlemma\tlevel\nE1\tn\tqas\tno\tFool\tconservative\nE2\tn\tqas\tno\tclown\tinclusive\nbroken\n",
        encoding="utf-8",
    )
    assert read_hurtlex(path).lemmas == {"fool", "clown"}
    assert read_hurtlex(path, levels=("conservative",)).lemmas == {"fool"}
    assert read_hurtlex(path).problems[0].row == 4


def test_a_file_that_is_no_lexicon_and_a_level_that_does_not_exist_are_refused(tmp_path):
    path = tmp_path / "lexicon.tsv"
    path.write_text("word\nfool\n", encoding="utf-8")
    assert "lemma" in read_hurtlex(path).problems[0].problem
    with pytest.raises(ValueError, match="strict"):
        read_hurtlex(path, levels=("strict",))


def test_inflected_forms_are_found_by_their_lemma_and_unknown_languages_by_the_surface():
    assert without_offensive(["fools", "cakes"], lexicon=frozenset({"fool"}), language="en") == ["cakes"]
    assert without_offensive(["dummköpfe", "kuchen"], lexicon=frozenset({"dummkopf"}), language="de") == ["kuchen"]
    assert without_offensive(["foo", "bar"], lexicon=frozenset({"foo"}), language="qq") == ["bar"]


@pytest.mark.parametrize(
    ("post", "words"),
    [
        ("RT @You: don't!! http://t.co/x #Nice &amp; 42 sooooo", ["rt", "don", "nice", "sooo"]),
        ("很好吃 ok", ["很好", "好吃", "ok"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("مرحبا بك", ["مرحبا", "بك"]),
        ("", []),
    ],
)
def test_words_are_found_in_any_script(post, words):
    assert words_of(post) == words


def test_hashtags_can_be_left_out_and_punctuation_deleted():
    assert words_of("a #tag here", hashtags=False) == ["here"]
    assert words_of("don't", punctuation="delete") == ["dont"]
