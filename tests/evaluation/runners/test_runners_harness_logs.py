"""Logs of harnesses: told by their content, read as the harness counted, refused with the place of the fault."""

import gzip
import io
import json
import math
import struct
import zipfile
import zlib

import pyarrow
import pytest

from core.inference.errors import ConfigurationError
from evaluation.runners.harness_logs.archives import ZSTANDARD
from evaluation.runners.settings import RunnerSettings
from evaluation.runners.upload import read_predictions

SETTINGS = RunnerSettings()
KNOWN = ["en-1", "en-2", "en-3"]


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes, *, settings: RunnerSettings = SETTINGS, **options):
        path = tmp_path / "log"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_predictions(path, known=KNOWN, settings=settings, **options)

    return read


def refused(read, content, **options) -> str:
    with pytest.raises(ConfigurationError) as caught:
        read(content, **options)
    return str(caught.value)


def labels(uploaded) -> list[str | None]:
    return [uploaded.answers[case].label for case in KNOWN]


def chosen(case: str, likelihoods: tuple[float, float], **more: object) -> str:
    """A sample of a task with two choices."""
    texts = (" hateful", " non-hateful")
    asked = {f"gen_args_{i}": {"arg_0": "Text: ...", "arg_1": text} for i, text in enumerate(texts)}
    found = [[str(likelihood), "False"] for likelihood in likelihoods]
    sample = {"doc_id": 0, "doc": {"case_id": case, "test_case": "..."}, "arguments": asked, "filter": "none"}
    return json.dumps(sample | {"resps": [[one] for one in found], "filtered_resps": found, "acc": 1.0} | more)


def written(case: str, text: str, found: str, **more: object) -> str:
    """A sample of a task in which the model writes."""
    sample = {"doc_id": 0, "doc": {"case_id": case}, "arguments": {"gen_args_0": {"arg_0": "...", "arg_1": {}}}}
    return json.dumps(sample | {"resps": [[text]], "filtered_resps": [found], "filter": "label"} | more)


def test_the_likeliest_choice_is_the_answer_and_its_share_the_score(read):
    lines = [chosen("en-1", (-1.0, -2.0)), chosen("en-2", (-3.0, -1.0)), chosen("en-3", (-1.0, -1.0))]
    uploaded = read("\n".join(lines))
    assert labels(uploaded) == ["hateful", "non-hateful", "hateful"]  # the first of equals, as the harness counts
    assert uploaded.answers["en-1"].score == pytest.approx(1 / (1 + math.exp(-1)))
    assert uploaded.answers["en-3"].score == 0.5
    assert uploaded.model == "lm-evaluation-harness"
    assert "read as the log of lm-evaluation-harness" in str(uploaded.problems[0].problem)


def test_choices_of_older_versions_and_with_mutual_information_are_read(read):
    def older(case: str, likelihoods: tuple[float, float]) -> str:
        sample = json.loads(chosen(case, likelihoods))
        requests = [[given["arg_0"], given["arg_1"]] for given in sample["arguments"].values()]
        # With this metric each choice is asked for again without the question.
        sample |= {"arguments": [*requests, *requests], "acc_mutual_info": 1.0}
        sample["filtered_resps"] += [["-0.001", "False"], ["-9", "False"]]
        return json.dumps(sample)

    lines = [older("en-1", (-2.0, -1.0)), older("en-2", (-1.0, -2.0)), older("en-3", (-2.0, -1.0))]
    assert labels(read("\n".join(lines))) == ["non-hateful", "hateful", "non-hateful"]


def test_a_text_without_a_label_is_unanswered_as_the_harness_counted_it(read):
    lines = [
        written("en-1", "It is Hateful.", "Hateful"),
        written("en-2", "hateful, I'd say", "[no label]"),
        written("en-3", "I'm sorry, but I can't help.", "[no label]"),
    ]
    uploaded = read("\n".join(lines))
    assert labels(uploaded) == ["hateful", None, None]
    assert uploaded.answers["en-2"].error == "the answer names no label"
    assert uploaded.answers["en-3"].refusal
    assert uploaded.answers["en-2"].raw == "hateful, I'd say"
    assert "2 answers name no label" in [problem.problem for problem in uploaded.problems]


def test_words_of_the_task_are_understood_through_a_label_map(read):
    lines = [written(case, text, text) for case, text in zip(KNOWN, ("A", "B", "A"), strict=True)]
    assert labels(read("\n".join(lines), label_map={"A": "hateful", "B": "non-hateful"})) == [
        "hateful", "non-hateful", "hateful",
    ]  # fmt: skip


def test_of_several_filters_one_has_to_be_named(read):
    lines = [written(case, "hateful", "hateful") for case in KNOWN]
    lines += [written(case, "hateful", "non-hateful", filter="flexible") for case in KNOWN]
    assert "it has the answers of several (filter): label, flexible" in refused(read, "\n".join(lines))
    assert labels(read("\n".join(lines), column="flexible")) == ["non-hateful"] * 3
    assert "it has no filter 'strict'" in refused(read, "\n".join(lines), column="strict")


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ("{cut off", "log, line 2: the line is not a JSON object"),
        (json.dumps({"doc_id": 1, "doc": {"case_id": "en-2"}, "filtered_resps": []}), "log, line 2: this is no sample"),
        (chosen("en-2", (float("nan"), -1.0)), "log, line 2: this is no sample"),
        (chosen("", (-2.0, -1.0)), "log, line 2: the document of the sample has no case id"),
        (chosen("en-1", (-2.0, -1.0)), "1 case id given before: en-1 (row 2)"),
        (chosen("en-9", (-2.0, -1.0)), "1 unknown case id: en-9 (row 2)"),
    ],
)
def test_a_fault_in_samples_is_told_with_its_row(read, second, says):
    assert says in refused(read, f"{chosen('en-1', (-1.0, -2.0))}\n{second}\n")


def test_a_run_with_a_limit_needs_leave_to_miss_cases(read):
    line = chosen("en-1", (-1.0, -2.0))
    assert "2 cases of the release have no prediction" in refused(read, line)
    assert read(line, allow_missing=True).missing == ("en-2", "en-3")


def test_a_threshold_cuts_the_shares_and_is_refused_without_them(read):
    lines = "\n".join(chosen(case, (-1.0, -1.2)) for case in KNOWN)
    assert labels(read(lines)) == ["hateful"] * 3
    assert labels(read(lines, threshold=0.6)) == ["non-hateful"] * 3
    texts = "\n".join(written(case, "hateful", "hateful") for case in KNOWN)
    assert "a threshold cuts scores" in refused(read, texts, threshold=0.6)


def test_predictions_of_guard_models_are_read(read):
    scores = dict(zip(KNOWN, (0.9, 0.2, 0.5), strict=True))
    lines = [json.dumps({"sample_id": c, "unsafe_label": s >= 0.5, "unsafe_score": s}) for c, s in scores.items()]
    uploaded = read("\n".join(lines))
    assert labels(uploaded) == ["hateful", "non-hateful", "hateful"]
    assert uploaded.answers["en-2"].score == 0.2
    assert "no prediction of guard-eval-harness" in refused(
        read, "\n".join([*lines[:2], json.dumps({"sample_id": "en-3", "unsafe_label": "yes", "unsafe_score": 1})])
    )


def inspect_sample(case: str, completion: str, answer: str | None, **more: object) -> dict:
    score = {"value": "I", "explanation": completion} | ({"answer": answer} if answer else {})
    return {
        "id": 1, "epoch": 1, "metadata": {"case_id": case}, "output": {"completion": completion},
        "scores": {"pattern": score}, "messages": ["..."],
    } | more  # fmt: skip


ANSWERS = [
    inspect_sample("en-1", "Hateful.", "Hateful"),
    inspect_sample("en-2", "Hm, hateful or not?", None),
    inspect_sample("en-3", "", None, error={"message": "the service is down"}),
]


def json_log(samples: list, *, indent: int | None = 2) -> str:
    return json.dumps({"version": 2, "status": "success", "eval": {}, "samples": samples}, indent=indent)


def archive(samples: list[dict], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An `.eval` log; with Zstandard written by hand, as `zipfile` cannot."""
    members = {f"samples/{number}_epoch_1.json": json.dumps(sample) for number, sample in enumerate(samples)}
    members |= {"header.json": "{}"}
    file = io.BytesIO()
    if method != ZSTANDARD:
        with zipfile.ZipFile(file, "w", method) as packed:
            for name, content in members.items():
                packed.writestr(name, content)
        return file.getvalue()
    entries = b""
    for name, content in members.items():
        body = pyarrow.compress(content.encode(), codec="zstd", asbytes=True)
        common = struct.pack("<5H3L2H", 63, 0, ZSTANDARD, 0, 33, zlib.crc32(content.encode()), len(body),
                             len(content.encode()), len(name), 0)  # fmt: skip
        entries += b"PK\1\2" + struct.pack("<H", 63) + common + struct.pack("<3H2L", 0, 0, 0, 0, file.tell())
        entries += name.encode()
        file.write(b"PK\3\4" + common + name.encode() + body)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(members), len(members), len(entries), file.tell(), 0)
    return file.getvalue() + entries + end


@pytest.mark.parametrize(
    "content",
    [
        json_log(ANSWERS),
        json_log(ANSWERS, indent=None),
        gzip.compress(json_log(ANSWERS).encode()),
        archive(ANSWERS),
        archive(ANSWERS, method=ZSTANDARD),
    ],
    ids=["json", "one line", "gzip", "deflated", "zstandard"],
)
def test_logs_of_inspect_are_read_in_every_form(read, content):
    uploaded = read(content)
    assert labels(uploaded) == ["hateful", None, None]
    assert uploaded.answers["en-2"].error == "the answer names no label"
    assert uploaded.answers["en-3"].error == "the service is down"


def test_a_letter_stands_for_its_choice(read):
    choices = {"choices": ["non-hateful", "hateful"]}
    samples = [inspect_sample(case, "ANSWER: B", "B", **choices) for case in KNOWN]
    assert labels(read(json_log(samples))) == ["hateful"] * 3


def test_a_scorer_that_keeps_no_answers_leaves_the_text_to_be_read(read):
    texts = ("Label: hateful", "It is non-hateful", "I cannot say")
    samples = [inspect_sample(case, text, None) for case, text in zip(KNOWN, texts, strict=True)]
    uploaded = read(json_log(samples))
    assert labels(uploaded) == ["hateful", "non-hateful", None]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (archive(ANSWERS, method=ZSTANDARD)[:80] + b"\0\0\0\0" + archive(ANSWERS, method=ZSTANDARD)[84:], "damaged"),
        (archive([]), "no scored samples"),
        (json_log([ANSWERS[0] | {"scores": {}}]), "no scored samples"),
        (json_log([ANSWERS[0], 7]), "line 2: this is no sample of inspect_ai"),
        (json_log([ANSWERS[0] | {"scores": {"pattern": "C"}}]), "this is no sample of inspect_ai"),
        (archive([ANSWERS[0] | {"epoch": "first"}]), "this is no sample of inspect_ai"),
        (json_log([ANSWERS[0], ANSWERS[0] | {"epoch": 2}]), "several epochs"),
        (json_log([sample | {"scores": {"one": {}, "two": {}}} for sample in ANSWERS]), "several (scorer): one, two"),
    ],
    ids=["damaged", "empty", "not scored", "a number", "a text", "a word", "epochs", "scorers"],
)
def test_a_log_of_inspect_that_cannot_be_counted_is_refused(read, content, says):
    assert says in refused(read, content)


def test_a_suite_with_three_labels_is_read_and_guards_are_not(read):
    three = RunnerSettings(labels=("hateful", "offensive", "neither"))
    lines = [written(case, text, text) for case, text in zip(KNOWN, three.labels, strict=True)]
    assert labels(read("\n".join(lines), settings=three)) == list(three.labels)
    guard = [json.dumps({"sample_id": case, "unsafe_label": True, "unsafe_score": 1.0}) for case in KNOWN]
    assert "'1' is not a label here" in refused(read, "\n".join(guard), settings=three)


def test_tables_are_read_as_before(read):
    assert labels(read("case_id,prediction\nen-1,hateful\nen-2,hateful\nen-3,non-hateful\n"))[2] == "non-hateful"
    assert labels(read("\n".join(json.dumps({"case_id": case, "prediction": "hateful"}) for case in KNOWN)))
