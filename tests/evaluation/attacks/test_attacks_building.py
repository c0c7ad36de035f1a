"""The attacks do what the paper defines, reproducibly."""

from random import Random
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.attacks.algorithm import building
from evaluation.attacks.algorithm.association import find_associated_words
from evaluation.attacks.algorithm.exchange import file_text
from evaluation.attacks.algorithm.parameters import FILLED_RULES, PAPER_RULES, TOOL_RULES, AttackParameters
from evaluation.attacks.algorithm.values import TITLES

POSTS = ("you are a fool", "lovely day", "such a clown @someone", "see you at #lunch", "what a muppet")
ABUSIVE = (True, False, True, False, True)
TEMPLATES = ('He said "<post>". Shame.', 'Stop saying "<post>"!')
WORDS = tuple(f"word{letter}" for letter in "abcdefgh")


def recipe(**changes) -> AttackParameters:
    return AttackParameters(**{"seed": 1, "templates": TEMPLATES, **changes})


def training(size: int = 60) -> tuple[list[str], list[bool]]:
    """Abusive posts say fool, clown and cake; the others say garden, sun and #picnic."""
    random = Random(0)
    posts, labels = [], []
    for row in range(size):
        abusive = row % 2 == 0
        words = ["fool", "clown", "cake"] if abusive else ["garden", "sun", "#picnic"]
        posts.append(" ".join([*random.sample(words, 2), "the", "and"]))
        labels.append(abusive)
    return posts, labels


def test_quo_wraps_each_abusive_post_whole_and_calls_it_non_abusive():
    attack = building.quo(POSTS, ABUSIVE, templates=TEMPLATES, seed=3)
    assert [post.origin for post in attack.posts] == [0, 2, 4]
    assert all(post.text == post.added.replace("<post>", POSTS[post.origin]) for post in attack.posts)
    assert not any(attack.labels)


def test_flip_puts_an_abusive_post_before_each_other_one():
    attack = building.flip(POSTS, ABUSIVE, seed=3)
    assert [post.origin for post in attack.posts] == [1, 3]
    hostile = {post for post, label in zip(POSTS, ABUSIVE, strict=True) if label}
    assert all(post.text == f"{post.added} {POSTS[post.origin]}" and post.added in hostile for post in attack.posts)
    assert all(attack.labels)


def test_flip_uses_no_abusive_post_twice_before_all_were_used():
    posts = [f"bad {n}" for n in range(4)] + [f"good {n}" for n in range(10)]
    attack = building.flip(posts, [True] * 4 + [False] * 10, seed=0)
    used = [post.added for post in attack.posts]
    assert len(set(used[:4])) == len(set(used[4:8])) == 4


def test_flip_refuses_a_test_set_without_an_abusive_post():
    with pytest.raises(ValueError, match="no abusive post"):
        building.flip(["a"], [False], seed=0)


@pytest.mark.parametrize(("attack", "abusive"), [(building.corr_aa, True), (building.corr_nn, False)])
def test_corr_appends_one_to_five_different_words_as_hashtags(attack, abusive):
    posts = [f"post {number}" for number in range(300)]
    made = attack(posts, [abusive] * 300, words=WORDS, parameters=recipe())
    tags = [post.text.removeprefix(posts[post.origin]).split() for post in made.posts]
    assert {len(each) for each in tags} == {1, 2, 3, 4, 5}
    assert all(len(set(each)) == len(each) for each in tags)
    assert {tag for each in tags for tag in each} == {f"#{word}" for word in WORDS}
    assert set(made.labels) == {abusive}


def test_the_numbers_of_hashtags_are_uniform():
    posts = [f"post {number}" for number in range(5000)]
    made = building.corr_aa(posts, [True] * 5000, words=WORDS, parameters=recipe())
    counts = [sum(post.added.count("#") == number for post in made.posts) for number in range(1, 6)]
    assert all(900 < count < 1100 for count in counts)


def test_the_public_tools_rules_may_repeat_a_word():
    made = building.corr_aa(["post"] * 50, [True] * 50, words=["one", "two"], parameters=recipe(rules=TOOL_RULES))
    assert any(post.added.count("#one") > 1 for post in made.posts)


def test_ident_appends_group_names_without_blanks():
    made = building.ident_nn(POSTS, ABUSIVE, parameters=recipe(identifiers=("black people", "women")))
    assert {tag for post in made.posts for tag in post.added.split()} <= {"#blackpeople", "#women"}
    assert not any(made.labels)


def test_the_hashtag_check_keeps_mentions_line_breaks_and_single_hashes():
    attack = building.hashtag_check(["hi @you ##all\nof you", "@a @b"], [True, False])
    assert attack.texts == ("#hi @you #all\n#of #you", ".")
    assert attack.labels == (True, False)


def test_each_attack_is_the_same_whatever_ran_before_it():
    sets, _ = building.build_attacks(training(), (POSTS, ABUSIVE), parameters=recipe())
    assert building.quo(POSTS, ABUSIVE, templates=TEMPLATES, seed=1) == sets["quo"]
    assert building.flip(POSTS, ABUSIVE, seed=1) == sets["flip"]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others():
    def texts(seed):
        sets, _ = building.build_attacks(training(), (POSTS, ABUSIVE), parameters=recipe(seed=seed))
        return {name: file_text(attack) for name, attack in sets.items()}

    assert texts(5) == texts(5)
    assert texts(5) != texts(6)


def test_six_sets_are_built_and_a_seventh_with_identifiers():
    sets, _ = building.build_attacks(training(), (POSTS, ABUSIVE), parameters=recipe())
    assert list(sets) == ["original", "hashtag_check", "quo", "corr_nn", "corr_aa", "flip"]
    sets, _ = building.build_attacks(training(), (POSTS, ABUSIVE), parameters=recipe(identifiers=("women",)))
    assert list(sets)[-1] == "ident_nn"


def test_progress_names_each_step_up_to_the_last():
    steps: list[tuple[str, int, int]] = []
    building.build_attacks(training(), (POSTS, ABUSIVE), parameters=recipe(), progress=lambda *step: steps.append(step))
    sets = ["original", "hashtag_check", "quo", "corr_nn", "corr_aa", "flip"]
    assert [name for name, _, _ in steps] == ["choosing words", *(TITLES[name] for name in sets)]
    assert steps[-1][1] == steps[-1][2]


def test_words_are_tied_to_their_class():
    words = find_associated_words(*training(), parameters=recipe())
    assert {"fool", "clown", "cake"} <= set(words.abusive)
    assert {"garden", "sun"} <= set(words.non_abusive)
    assert not set(words.abusive) & set(words.non_abusive)


def test_offensive_lemmas_never_stand_in_the_abusive_list():
    posts, labels = training()
    posts = [post.replace("fool", "fools") for post in posts]
    words = find_associated_words(posts, labels, parameters=recipe(lexicon=frozenset({"fool", "clown"})))
    assert "cake" in words.abusive
    assert not {"fools", "clown"} & set(words.abusive)


def test_the_list_is_cut_before_offensive_words_are_left_out_unless_it_is_to_be_filled_up():
    """As printed in the paper: of the strongest words the offensive ones go, and the remaining ones are appended."""
    found = {
        name: find_associated_words(
            *training(), parameters=recipe(lexicon=frozenset({"fool"}), words=2, rules=rules)
        ).abusive
        for name, rules in (("paper", PAPER_RULES), ("tool", TOOL_RULES), ("filled", FILLED_RULES))
    }
    assert found["paper"] == found["tool"] == ("clown",)
    assert len(found["filled"]) == 2
    assert "fool" not in found["filled"]


def test_by_the_rules_of_the_paper_a_rare_word_counts_and_by_those_of_the_tool_only_frequent_ones():
    posts, labels = training()
    fillers = [
        f"word{letter}{other}{last}" for letter in ascii_lowercase for other in ascii_lowercase for last in "abc"
    ]
    common = [" ".join(fillers)] * 4
    posts, labels = [*posts, *common, "zeppelin", "zeppelin"], [*labels, True, False, True, False, True, True]
    assert len(fillers) > 1500
    by_paper = find_associated_words(posts, labels, parameters=recipe(words=5))
    by_tool = find_associated_words(posts, labels, parameters=recipe(words=1500, rules=TOOL_RULES))
    assert "zeppelin" in by_paper.abusive
    assert "zeppelin" not in by_tool.abusive
    few = find_associated_words(posts, labels, parameters=recipe(words=5000, dictionary_size=5))
    assert len(few.abusive) + len(few.non_abusive) <= 10


def test_the_recipe_says_how_many_words_were_looked_at():
    assert recipe().described()["dictionary_size"] is None
    assert recipe(rules=TOOL_RULES).described()["dictionary_size"] == 1500
    assert recipe(dictionary_size=40).described()["dictionary_size"] == 40


def test_hashtags_do_not_count_for_the_abusive_list_but_for_the_other():
    posts, labels = training()
    posts = [f"{post} #rally" if label else post for post, label in zip(posts, labels, strict=True)]
    words = find_associated_words(posts, labels, parameters=recipe())
    assert "rally" not in words.abusive
    assert "picnic" in words.non_abusive


@pytest.mark.parametrize(
    ("train", "test", "said"),
    [
        ((["a"], [True]), (POSTS, ABUSIVE), "both classes"),
        ((["a b"], [True, False]), (POSTS, ABUSIVE), "1 posts but 2 labels"),
        (training(), (POSTS, [True] * 5), "test set needs posts of both"),
        ((["1", "2"], [True, False]), (POSTS, ABUSIVE), "no word"),
    ],
)
def test_data_that_cannot_be_attacked_is_refused(train, test, said):
    with pytest.raises(ValueError, match=said):
        building.build_attacks(train, test, parameters=recipe())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"templates": ()}, "at least one"),
        ({"templates": ("no slot",)}, "slot <post>"),
        ({"fewest_hashtags": 4, "most_hashtags": 2}, "fewest"),
        ({"words": 0}, "at least 1"),
    ],
)
def test_an_impossible_recipe_is_refused(changes, said):
    with pytest.raises(ValueError, match=said):
        recipe(**changes)


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(), st.booleans()), min_size=1, max_size=30), st.integers(0, 10**9))
def test_every_post_of_the_attacked_class_appears_once_in_each_set(rows, seed):
    posts, labels = [post for post, _ in rows], [label for _, label in rows]
    hostile = [row for row, label in enumerate(labels) if label]
    others = [row for row, label in enumerate(labels) if not label]
    parameters = recipe(seed=seed)
    assert [post.origin for post in building.quo(posts, labels, templates=TEMPLATES, seed=seed).posts] == hostile
    assert [
        post.origin for post in building.corr_aa(posts, labels, words=WORDS, parameters=parameters).posts
    ] == hostile
    assert [post.origin for post in building.corr_nn(posts, labels, words=WORDS, parameters=parameters).posts] == others
    if hostile:
        assert [post.origin for post in building.flip(posts, labels, seed=seed).posts] == others
