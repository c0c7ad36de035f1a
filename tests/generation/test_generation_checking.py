"""Questions, kept scores, and verdicts that follow the thresholds without asking again."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.checks.algorithm.checking import Checks, Message, check_messages, decide, plan_questions
from generation.checks.algorithm.pass_rates import pass_rates
from generation.checks.algorithm.rule_sets import read_rule_set
from tests.generation.nli_training import PairError, read_pairs

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RULES = read_rule_set(FIXTURES / "nli" / "hypotheses.json")
QUOTE = Message("q", 'Saying "bakers are rats" is wrong.', "counter_quote_nh", group="bakers")


class Lookup:
    """A scorer that knows some answers and counts its questions."""

    def __init__(self, **high):
        self.high = high
        self.asked = []

    def score(self, pairs, *, on_progress=None, should_stop=None):
        self.asked += pairs
        return [0.9 if any(word in hypothesis for word in self.high.values()) else 0.1 for _, hypothesis in pairs]


def test_each_question_gets_its_part_of_the_message():
    questions = {question.test: question for question in plan_questions(QUOTE, RULES)}
    assert questions["hate_in_quotation"].premise == "bakers are rats"
    assert questions["supports_quotation"].premise == "Saying [X] is wrong."
    assert questions["about_group"].hypothesis == "This message is about bakers."


def test_a_part_that_does_not_exist_is_not_asked_about_and_the_rule_says_so():
    message = Message("m", "Bakers are rats.", "counter_quote_nh", group="bakers")
    (checks,) = check_messages([message], RULES, scorer=Lookup(about="about"))
    assert checks.scores["hate_in_quotation"] is None
    verdict = decide(checks, RULES)
    assert verdict.passed is False
    assert "The rule does not hold: has one quotation" in verdict.reasons


def test_equal_questions_are_asked_once():
    scorer = Lookup()
    messages = [Message(str(i), "Bakers sing.", "ident_pos_nh", group="bakers") for i in range(5)]
    check_messages(messages, RULES, scorer=scorer)
    assert len(scorer.asked) == len(set(scorer.asked)) == 3


def test_thresholds_move_the_verdict_without_the_model():
    checks = Checks("m", "derog_neg_emote_h", {"about_group": 0.8, "negative_emotion": 0.6})
    assert decide(checks, RULES).passed is True
    assert decide(checks, RULES, threshold=0.7).passed is False
    assert decide(checks, RULES, threshold=0.7, thresholds={"negative_emotion": 0.5}).passed is True
    assert decide(checks, RULES, threshold=0.6).reasons == ("The rule does not hold: negative emotion",)


def test_a_missing_score_leaves_the_verdict_open_unless_another_decides():
    scores = {"about_group": 0.8, "negative_emotion": None}
    assert decide(Checks("m", "derog_neg_emote_h", scores), RULES).passed is None
    assert decide(Checks("m", "derog_neg_emote_h", {**scores, "about_group": 0.1}), RULES).passed is False


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_raising_the_threshold_never_lets_a_plain_rule_pass(score, low, high):
    low, high = sorted((low, high))
    checks = Checks("m", "derog_neg_emote_h", {"about_group": score, "negative_emotion": score})
    assert decide(checks, RULES, threshold=low).passed or not decide(checks, RULES, threshold=high).passed


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        decide(Checks("m", "derog_neg_emote_h", {}), RULES, threshold=1.5)
    with pytest.raises(ValueError, match="names the group, but none is given"):
        plan_questions(Message("m", "x y", "ident_pos_nh"), RULES)
    with pytest.raises(ValueError, match="share a key"):
        check_messages([QUOTE, QUOTE], RULES, scorer=Lookup())


def test_pass_rates_leave_out_what_is_undecided():
    cells = pass_rates([("f", "g", True), ("f", "g", False), ("f", "g", None), ("f", "h", None)])
    assert [(cell.group, cell.rate, cell.undecided) for cell in cells] == [("g", 0.5, 1), ("h", None, 1)]


def test_our_sentence_pairs_are_readable_and_have_all_three_labels(tmp_path):
    pairs = read_pairs(FIXTURES / "nli" / "pairs.json")
    assert len(pairs) >= 200
    assert {pair.label for pair in pairs} == {"entailment", "neutral", "contradiction"}
    (tmp_path / "bad.json").write_text('{"pairs": [["a", "b", "maybe"]]}')
    with pytest.raises(PairError, match=r"bad\.json, pair 1: no label is called 'maybe'"):
        read_pairs(tmp_path / "bad.json")
