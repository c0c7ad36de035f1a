"""From results back to training: material on held-out templates, inoculation, and leaked test cases."""

import csv
import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, NotAllowed
from core.models import Job
from curation.catalogue.loading import load_catalogue
from curation.formats.values import CaseValue, SuiteValues
from curation.importing.services import import_values
from curation.models import ReleaseCase, Suite
from evaluation.datasets.services import import_dataset, open_dataset
from evaluation.models import Dataset
from evaluation.training.algorithm.contamination import find_leaks
from evaluation.training.algorithm.material import MaterialCase, divide
from evaluation.training.charts import draw_curve
from evaluation.training.feedback import failing_functionalities, store_material
from evaluation.training.options import MaterialOptions
from tests.curation.releases.factories import make_release
from tests.evaluation.attacks.factories import as_csv, finish, make_dataset
from tests.evaluation.factories import allow_models, run_model

THINGS = ["rain", "snow", "wind", "fog", "hail", "frost", "sleet", "heat", "dust", "mud"]


@pytest.fixture
def release(settings, mira, tmp_path):
    """Ten texts of each of two functionalities; a model that finds everything hateful fails on one of them."""
    settings.MEDIA_ROOT = tmp_path / "uploads"
    allow_models(settings)
    load_catalogue()
    Suite.objects.create(key="loop", name="Loop", labels=["hateful", "non-hateful"], raters=3, threshold=2)
    values = SuiteValues()
    for place, thing in enumerate(THINGS):
        for functionality, label, text in (
            ("ident_pos_nh", "non-hateful", f"We are all fond of {thing} and of each other"),
            ("derog_neg_emote_h", "hateful", f"I dislike {thing} and all who like it"),
        ):
            values.cases.append(CaseValue(f"{functionality}-{place}", "en", functionality, text, label))
    import_values("loop", values, format_name="csv", by=mira)
    return make_release(Suite.objects.get(key="loop"), cascade="none", by=mira)


@pytest.fixture
def run(release, mira):
    return run_model(release, "always_hateful", name="Always", by=mira)


def case(key: str, functionality: str = "f", **ties: str) -> MaterialCase:
    return MaterialCase(key, f"text {key}", "hateful", functionality, **ties)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from("fg")), min_size=2, max_size=40),
    st.floats(0.1, 0.9),
    st.integers(0, 5),
)
def test_no_template_and_none_it_refers_to_is_in_both_parts(shapes, held_out, seed):
    cases = [
        case(str(place), functionality, template=f"t{template}", refers_to_template=f"t{other}" if other < 4 else "")
        for place, (template, other, functionality) in enumerate(shapes)
    ]
    parts = divide(cases, held_out=held_out, seed=seed)
    assert sorted(one.key for part in parts.values() for one in part) == sorted(one.key for one in cases)
    names = {
        part: {name for one in members for name in (one.template, one.refers_to_template) if name}
        for part, members in parts.items()
    }
    assert not names["train"] & names["test"]
    assert {one.functionality for one in parts["test"]} == {one.functionality for one in cases}


def test_a_contrast_stays_with_the_case_it_was_made_from():
    cases = [case("a"), case("b", "g", refers_to="a"), case("c"), case("d", "g")]
    for seed in range(20):
        parts = divide(cases, held_out=0.5, seed=seed)
        assert len({part for part, members in parts.items() for one in members if one.key in "ab"}) == 1


@pytest.mark.django_db
def test_material_comes_from_failing_functionalities_only(run, mira):
    assert failing_functionalities(run, 0.7) == ["ident_pos_nh"]
    dataset = store_material(run, MaterialOptions(held_out=0.4), by=mira)
    assert dataset.counts == {"test": {"non-hateful": 4}, "train": {"non-hateful": 6}}
    assert set(open_dataset(dataset).extra["functionality"]) == {"ident_pos_nh"}
    with pytest.raises(BadInput, match="No functionality fails"):
        store_material(run_model(run.release, "by_word", name="Words", by=mira), MaterialOptions(), by=mira)


@pytest.mark.django_db
def test_page_api_and_command_make_the_same_material(client, run, mira, emil, tmp_path):
    client.force_login(mira)
    assert "Create training data" in client.get(run.get_absolute_url()).content.decode()
    client.post(reverse("evaluation:run-material", args=[run.key]), {"seed": 3, "title": "Mine"})
    made = Dataset.objects.get(title="Mine")
    sent = client.post(f"/api/v1/runs/{run.key}/material/", json.dumps({"seed": 3}), content_type="application/json")
    assert (sent.status_code, sent.json()["sha256"]) == (201, made.sha256)
    out = StringIO()
    call_command("training_material", run.key, "--seed", "3", "--out", str(tmp_path / "m.csv"), "--json", stdout=out)
    found = json.loads(out.getvalue())
    assert (found["train"], found["test"], found["functionalities"]) == (5, 5, ["ident_pos_nh"])
    with (tmp_path / "m.csv").open(encoding="utf-8") as file:
        texts = {row["text"]: row["split"] for row in csv.DictReader(file)}
    data = open_dataset(made)
    assert texts == dict(zip(data.texts, data.splits, strict=True))
    client.force_login(emil)
    assert client.post(reverse("evaluation:run-material", args=[run.key])).status_code == 403
    with pytest.raises(NotAllowed):
        store_material(run, MaterialOptions(), by=emil)


CASES = {
    "a": "I really do dislike all of this rain",
    "b": "We are all fond of snow and of each other",
    "c": "Short one",
}


def test_a_case_is_found_word_for_word_whatever_its_case_and_punctuation():
    [leak] = find_leaks([(7, "I REALLY do dislike, all of this rain!!")], CASES, similarity=0.8)
    assert (leak.row, leak.case, leak.is_exact) == (7, "a", True)
    assert [leak.case for leak in find_leaks([(1, "short one")], CASES, similarity=0.8)] == ["c"]


def test_a_case_inside_a_longer_text_and_one_with_a_changed_word_are_nearly_the_case():
    long = "He said: we are all fond of snow and of each other, so there"
    [leak] = find_leaks([(1, long)], CASES, similarity=0.8)
    assert (leak.case, leak.is_exact, leak.similarity) == ("b", False, 1.0)
    changed = "We are all fond of snow and of one another"
    assert [leak.case for leak in find_leaks([(1, changed)], CASES, similarity=0.7)] == ["b"]
    assert find_leaks([(1, changed)], CASES, similarity=0.9) == []
    assert find_leaks([(1, "a short one in a long text")], CASES, similarity=0.5) == []


@pytest.mark.django_db
def test_a_planted_leak_is_reported_on_page_api_and_command(client, release, mira, tmp_path):
    planted = ReleaseCase.objects.get(release=release, key="derog_neg_emote_h-3")
    content = as_csv() + f'"{planted.text.upper()}!",abusive,train\n'.encode()
    dataset = import_dataset(SimpleUploadedFile("posts.csv", content), title="Leaky", by=mira)
    client.force_login(mira)
    client.post(reverse("evaluation:dataset-check", args=[dataset.key]), {"similarity": "0.9"})
    address = f"/api/v1/datasets/{dataset.key}/contamination/"
    sent = client.post(address, json.dumps({"releases": [release.key]}), content_type="application/json")
    assert sent.status_code == 202
    for job in Job.objects.filter(kind="evaluation.check_contamination"):
        finish(job)
        job.refresh_from_db()
        found = job.result["releases"][release.key]
        assert (found["exact"], found["near"], found["rows"]) == (1, 0, 1)
        assert found["leaks"] == [{"row": 122, "case": planted.key, "similarity": 1.0, "exact": True}]
    assert planted.key in client.get(dataset.get_absolute_url()).content.decode()
    file, out = tmp_path / "posts.csv", StringIO()
    file.write_bytes(content)
    call_command("check_contamination", "--data", str(file), stdout=out)
    assert f"row 122: {planted.key} (100%)" in out.getvalue()
    clean = StringIO()
    file.write_bytes(as_csv())
    call_command("check_contamination", "--data", str(file), "--json", stdout=clean)
    assert json.loads(clean.getvalue())["files"][0]["releases"][release.key]["rows"] == 0


@pytest.mark.django_db
def test_a_model_learns_what_it_failed_on_with_more_examples(client, run, mira, tmp_path):
    """The base calls every mention of one of these things rude; the material says otherwise."""
    lines = ["text,label,split"]
    for place in range(120):
        rude = place % 2 == 0
        text = f"fond of nothing each other number {place}" if rude else f"a plain line about numbers {place}"
        lines.append(f"{text},{'abusive' if rude else 'fine'},{'test' if place % 4 == 0 else 'train'}")
    base = import_dataset(SimpleUploadedFile("b.csv", "\n".join(lines).encode()), title="Base", by=mira)
    material = store_material(run, MaterialOptions(), by=mira)
    asked = {"dataset": base.key, "sizes": [0, 5], "seeds": [1, 2]}
    client.force_login(mira)
    address = f"/api/v1/datasets/{material.key}/inoculation/"
    assert client.post(address, json.dumps(asked), content_type="application/json").status_code == 202
    page = {"dataset": base.key, "sizes": "0, 5", "seeds": "1, 2"}
    client.post(reverse("evaluation:dataset-inoculate", args=[material.key]), page)
    results = []
    for job in Job.objects.filter(kind="evaluation.inoculate"):
        finish(job)
        job.refresh_from_db()
        results.append(job.result)
    assert results[0] == results[1]
    first, last = results[0]["curve"]
    assert (first["added"], last["added"]) == (0, 5)
    assert first["held_out"]["mean"] < 0.5 < last["held_out"]["mean"]
    html = client.get(material.get_absolute_url()).content.decode()
    assert "Examples added" in html
    assert html.count("<polyline") == 4  # two trainings, and in each the held-out part and the test part
    drawn = draw_curve(results[0]["curve"])
    held_out = drawn["lines"][0]["points"]
    assert [(point.x, point.says[0]) for point in held_out] == [(drawn["left"], "0"), (drawn["right"], "5")]
    assert held_out[0].y > held_out[1].y  # a screen counts from the top: more examples, higher accuracy
    files = {name: tmp_path / f"{name}.csv" for name in ("material", "base")}
    call_command("training_material", run.key, "--out", str(files["material"]), stdout=StringIO())
    files["base"].write_text("\n".join(lines), encoding="utf-8")
    out = StringIO()
    call_command(
        "inoculate", "--material", str(files["material"]), "--data", str(files["base"]), "--sizes", "0", "5",
        "--seeds", "1", "2", "--json", stdout=out,
    )  # fmt: skip
    assert json.loads(out.getvalue())["curve"] == results[0]["curve"]


@pytest.mark.django_db
def test_material_without_a_held_out_part_is_refused(client, mira, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    base = make_dataset(mira)
    content = "text,label\nfirst text,hateful\nsecond text,non-hateful\n"
    whole = import_dataset(SimpleUploadedFile("w.csv", content.encode()), title="Whole", by=mira)
    client.force_login(mira)
    body = json.dumps({"dataset": base.key})
    sent = client.post(f"/api/v1/datasets/{whole.key}/inoculation/", body, content_type="application/json")
    assert sent.status_code == 422
    assert "no training part and test part" in sent.json()["title"]
