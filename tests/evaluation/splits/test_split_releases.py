"""A split as a release: frozen, checksummed, with rows, JSONL and evaluation card."""

import json

import pytest
from django.db import DatabaseError, transaction

from core.errors import BadInput, DomainError, NotAllowed, WrongState
from curation.models import Release, ReleaseAnnex, Suite
from curation.publishing.verify import verify_folder
from curation.releases.export import export_release
from curation.releases.services import publish_release
from curation.releases.verifying import verify_release
from evaluation.artefacts.services import folder_of
from evaluation.models import Split
from evaluation.splits.options import SplitReleaseOptions
from evaluation.splits.releases import annex_texts, request_split_release
from tests.evaluation.attacks.factories import finish, make_dataset, make_split

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


def candidate(split, mira, **choices) -> Release:
    from core.models import Job

    release = request_split_release(split, SplitReleaseOptions(**{"key": "mild-split", **choices}), by=mira)
    finish(Job.objects.get(kind="curation.build_release", payload__release=release.pk))
    release.refresh_from_db()
    return release


def published(split, mira, **choices) -> Release:
    return publish_release(candidate(split, mira, **choices), by=mira, reason="For a test.")


def test_the_cases_are_the_test_and_the_independent_part(mira):
    split = make_split(mira, independent_share=0.1)
    release = published(split, mira, licence="CC-BY-4.0")
    cases = {case.key: case for case in release.cases.all()}
    assert len(cases) == len(split.indices["test"]) + len(split.indices["independent"]) == 23
    first = split.indices["test"][0]
    assert cases[f"test-{first:06d}"].extra == {"part": "test", "row": str(first)}
    labels = [case.label for case in cases.values() if case.key.startswith("test-")]
    assert {label: labels.count(label) for label in set(labels)} == split.report["class_counts"]
    assert release.suite.labels == ["abusive", "fine"]
    assert verify_release(release).is_intact


def test_the_export_holds_the_files_of_the_split_to_the_byte(mira, tmp_path):
    split = make_split(mira, independent_share=0.1)
    export_release(published(split, mira), tmp_path / "out", formats=["csv"])
    annexes = tmp_path / "out" / "annexes" / "split"
    assert {path.name for path in annexes.iterdir()} == {
        "indices.txt", "independent_indices.txt", "train.jsonl", "test.jsonl", "independent.jsonl", "eval_card.md",
        "split.json",
    }  # fmt: skip
    for path in annexes.iterdir():
        assert path.read_bytes() == (folder_of(split) / path.name).read_bytes()
    line = json.loads((annexes / "train.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert line["target_options"] == ["abusive", "fine"]
    assert "shift type" in (annexes / "eval_card.md").read_text(encoding="utf-8")
    assert verify_folder(tmp_path / "out").is_intact


def test_a_published_split_does_not_follow_its_files(mira, tmp_path):
    split = make_split(mira)
    release = published(split, mira)
    (folder_of(split) / "train.jsonl").write_text("gone\n", encoding="utf-8")
    export_release(release, tmp_path / "out", formats=["csv"])
    assert "gone" not in (tmp_path / "out" / "annexes" / "split" / "train.jsonl").read_text(encoding="utf-8")


def test_the_database_refuses_to_change_what_was_published(mira):
    release = published(make_split(mira), mira)
    annexes = ReleaseAnnex.objects.filter(release=release)
    assert annexes.count() == 6  # with what its functionalities test
    for change in (lambda: annexes.update(rows=[["other"]]), annexes.delete):
        with pytest.raises(DatabaseError, match="published"), transaction.atomic():
            change()


def test_files_that_were_changed_are_not_released(mira):
    split = make_split(mira)
    (folder_of(split) / "train.jsonl").write_text("gone\n", encoding="utf-8")
    with pytest.raises(WrongState, match=r"train\.jsonl of .* has changed on disk"):
        request_split_release(split, SplitReleaseOptions(key="mild-split"), by=mira)
    assert not Suite.objects.exists()


def test_the_checksum_covers_the_training_part(mira):
    one = make_split(mira)
    equal, other = make_split(mira, dataset=one.dataset), make_split(mira, dataset=one.dataset)
    path = folder_of(other) / "train.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("again", "once"), encoding="utf-8")
    other.report["checksums"] = {}
    other.save(update_fields=["report"])
    sums = [candidate(split, mira, key=f"split-{place}").sha256 for place, split in enumerate((one, equal, other))]
    assert sums[0] == sums[1] != sums[2]


def test_a_candidate_can_be_built_again_and_a_next_version_follows(mira):
    split = make_split(mira)
    first = candidate(split, mira)
    again = candidate(split, mira, version="1.1.0")
    assert first.sha256 == again.sha256
    assert ReleaseAnnex.objects.filter(release=again).count() == 6
    with pytest.raises(BadInput, match="exists already"):
        request_split_release(split, SplitReleaseOptions(key="mild-split"), by=mira)
    with pytest.raises(BadInput, match="already has the suite 'mild-split'"):
        request_split_release(split, SplitReleaseOptions(key="another", version="2.0.0"), by=mira)


def test_the_card_somebody_checked_is_the_one_published(mira, tmp_path):
    split = make_split(mira)
    release = published(split, mira, card="# Card\r\n\r\n| motivation | cognitive |\r\n")
    export_release(release, tmp_path / "out", formats=["csv"])
    card = (tmp_path / "out" / "annexes" / "split" / "eval_card.md").read_text(encoding="utf-8")
    assert card == "# Card\n\n| motivation | cognitive |\n"
    next_one = candidate(split, mira, version="1.0.1", card="# Card\n\n| motivation | practical |\n")
    assert next_one.sha256 != release.sha256


def test_a_refused_release_leaves_the_card_as_it_was(mira):
    split = make_split(mira)
    request_split_release(split, SplitReleaseOptions(key="mild", card="# The first card"), by=mira, build=False)
    with pytest.raises(DomainError):
        request_split_release(split, SplitReleaseOptions(key="mild", version="1.0.0", card="# Another card"), by=mira)
    split = Split.objects.get(pk=split.pk)
    assert dict(annex_texts(split))["eval_card.md"] == "# The first card\n"


def test_texts_that_occur_twice_are_all_there(mira, tmp_path):
    from evaluation.datasets.services import import_dataset

    path = tmp_path / "twice.csv"
    path.write_text("text,label\n" + "same words,a\n" * 20 + "other words,b\n" * 20, encoding="utf-8")
    dataset = import_dataset(path, title="Twice", by=mira, language="en")
    assert candidate(make_split(mira, dataset=dataset, share=0.5), mira).cases.count() == 20


def test_labels_that_differ_in_capitals_are_two_functionalities(mira, tmp_path):
    from evaluation.datasets.services import import_dataset

    path = tmp_path / "capitals.csv"
    path.write_text("text,label\n" + "".join(f"text {n},{'Hate' if n % 2 else 'hate'}\n" for n in range(40)))
    dataset = import_dataset(path, title="Capitals", by=mira, language="en")
    release = candidate(make_split(mira, dataset=dataset), mira)
    assert {case.label for case in release.cases.all()} == {"Hate", "hate"}


def test_what_cannot_be_released_is_refused(mira, emil, tmp_path):
    split = make_split(mira)
    with pytest.raises(NotAllowed):
        request_split_release(split, SplitReleaseOptions(key="mild-split"), by=emil)
    with pytest.raises(WrongState, match="not built yet"):
        request_split_release(
            make_split(mira, dataset=split.dataset, built=False), SplitReleaseOptions(key="new"), by=mira
        )
    with pytest.raises(BadInput, match="not in the catalogue"):
        request_split_release(split, SplitReleaseOptions(key="mild-split", language="xx"), by=mira)
    with pytest.raises(BadInput, match="not a version"):
        request_split_release(split, SplitReleaseOptions(key="mild-split", version="first"), by=mira)
    assert not Suite.objects.exists()
    Suite.objects.create(key="taken", name="Taken")
    with pytest.raises(BadInput, match="a suite 'taken' already"):
        request_split_release(split, SplitReleaseOptions(key="taken"), by=mira)


def test_a_release_of_anything_else_has_no_split_in_it(mira):
    from tests.curation.releases.factories import make_candidate, make_suite

    make_split(mira, dataset=make_dataset(mira))
    assert not ReleaseAnnex.objects.filter(release=make_candidate(make_suite()), name__startswith="split").exists()
