"""A result is sealed when it is written; what was changed afterwards, is partial or on no release is not handed in."""

import json

import pytest

from evaluation.reports.submission import SubmissionRefused, make_submission, read_submission
from tests.touchstone.releases import by_word, small_release
from touchstone import evaluate


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return small_release(tmp_path_factory.mktemp("releases") / "small")


def written(result) -> dict:
    return json.loads(json.dumps(result.as_json(), default=float))


def test_what_is_sent_is_what_is_read(release):
    result = written(evaluate(release, by_word, name="words"))
    found = read_submission(json.loads(json.dumps(make_submission(result, name="Mine"))))
    assert (found.release, found.model, found.figures["overall"]["n"]) == ("small@1.0.0", "Mine", 48)
    assert found.release_sha256 == result["models"]["words"]["run"]["release_sha256"]
    assert found.predictions["derog-0-0"] == ("hateful", 0.9)
    assert read_submission(make_submission(result, with_predictions=False)).predictions is None


def test_files_and_rules_may_be_added_to_a_result(release):
    make_submission(written(evaluate(release, by_word, name="words")) | {"files": [], "rules": []})


def test_a_result_that_was_changed_is_refused(release):
    result = written(evaluate(release, by_word, name="words"))
    result["models"]["words"]["overall"]["accuracy"] = 0.5
    with pytest.raises(SubmissionRefused, match="was changed after it was written"):
        make_submission(result)


def test_a_part_of_the_cases_is_refused(release):
    with pytest.raises(SubmissionRefused, match="Evaluate without --limit"):
        make_submission(written(evaluate(release, by_word, limit=4)))


def test_a_table_is_no_sealed_release(tmp_path):
    (tmp_path / "cases.csv").write_text("text,label\nI dislike women,1\nI respect women,0\n")
    with pytest.raises(SubmissionRefused, match="not on a sealed release"):
        make_submission(written(evaluate(tmp_path / "cases.csv", by_word)))


def test_other_files_are_refused():
    with pytest.raises(SubmissionRefused, match="This is not a sealed result"):
        make_submission({"format": "other"})
