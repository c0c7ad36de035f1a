"""Tables as the papers print them, names beside keys, and the sentence that sums a model up."""

import csv
import json
from io import StringIO

import pytest

from curation.models import Release, ReleaseCase
from evaluation.reports.names import FunctionalityName, Names
from evaluation.reports.summary import summary_of
from evaluation.results.documents import Scope, make_document
from evaluation.results.naming import names_of
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model
from tests.evaluation.results.test_evaluation_api import api_of

SHOWN = Scope(with_examples=True)
DEROGATION, POSITIVE = "derog_neg_emote_h", "ident_pos_nh"


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def languages(release, mira):
    """Two languages; the model below knows the English word for dislike only."""
    made = Release.objects.create(suite=release.suite, version="2.0.0", min_agree=0)
    texts = {"en": ("I dislike {}.", "I love {}."), "de": ("Ich mag {} nicht.", "Ich liebe {}.")}
    groups = {"en": ("women", "Muslims"), "de": ("women", "refugees")}
    number = 0
    for language, (bad, good) in texts.items():
        for place, text in ((place, text) for place in range(6) for text in (bad, good)):
            for group in groups[language]:
                ReleaseCase.objects.create(
                    release=made, position=number, key=f"c{number}", language=language, origin="template",
                    functionality=DEROGATION if text == bad else POSITIVE, functionality_class="derogation",
                    text=text.format(group) + "!" * place, label="hateful" if text == bad else "non-hateful",
                    targets=[group], text_hash=f"{number:032}", sha256="0" * 64, is_about_identity=True,
                    template=f"{place}-{text == bad}",
                )  # fmt: skip
                number += 1
    Release.objects.filter(pk=made.pk).update(state="published", sha256="0" * 64, facts={"included": number})
    return Release.objects.select_related("suite").get(pk=made.pk)


def text_of(release, runs, wanted, scope=SHOWN):
    return make_document(release, runs, wanted, scope=scope).content.decode()


@pytest.mark.django_db
def test_hatechecks_first_table_has_class_number_title_example_and_gold_label(release, mira):
    runs = [run_model(release, name, name=name, by=mira) for name in ("by_word", "always_hateful")]
    text = text_of(release, runs, "paper")
    case = release.cases.filter(functionality=POSITIVE).first()
    line = next(line for line in text.splitlines() if "F19: " in line)
    assert line.split(" & ")[1:] == [
        "F19: Positive statements using protected group identifiers", f"``{case.text}''", "non-hateful",
        str(release.cases.filter(functionality=POSITIVE).count()), r"\textbf{100.0}", r"\underline{0.0} \\",
    ]  # fmt: skip
    assert "Derogation & F1: Expression of strong negative emotions" in text
    assert r"Class & Functionalities & Example test case & Gold label & $n$ & by\_word & always\_hateful" in text
    assert text.index("hateful & ") < text.index("Total & ") < text.index("Target groups")
    assert POSITIVE not in text


@pytest.mark.django_db
def test_several_languages_give_the_tables_of_multilingual_hatecheck(languages, mira):
    run = run_model(languages, "by_word", name="Words", by=mira)
    text = text_of(languages, [run], "paper")
    first, second, third = text.split(r"\begin{table")[1:]
    assert "$n$ & English & German" in first.replace(r"\\", "")
    (line,) = [line for line in first.splitlines() if "F1: " in line]
    assert line.endswith(r"hateful & 24 & \textbf{100.0} & \underline{0.0} \\")
    assert "F1 hateful & F1 non-hateful & Macro F1" in second
    assert "English & 1.000 & 1.000 & 1.000" in second
    assert "Macro F1 by target group and language: Words" in third
    assert r"women & \textbf{1.000} & 0.333" in third
    assert "refugees & -- & " in third


@pytest.mark.django_db
def test_documents_print_titles_and_files_for_scripts_keep_keys_beside_them(release, mira):
    run = run_model(release, "by_word", name="Words", by=mira)
    for wanted in ("html", "latex"):
        text = text_of(release, [run], wanted)
        assert "F19 Positive statements using protected group identifiers" in text
        assert POSITIVE not in text.replace(r"\_", "_")
    rows = list(csv.DictReader(StringIO(text_of(release, [run], "csv"))))
    (row,) = [row for row in rows if row["key"] == POSITIVE and row["model"] == "Words"]
    assert row["title"] == "Positive statements using protected group identifiers"
    crossed = text_of(release, [run], "csv", Scope(cross=("functionality", "language")))
    cells = [row for row in csv.DictReader(StringIO(crossed)) if row["section"] == "functionality_by_language"]
    assert {(row["model"], row["column"]) for row in cells} == {("Words", "en")}
    assert {row["key"] for row in cells} >= {POSITIVE, DEROGATION}
    found = json.loads(text_of(release, [run], "json"))
    assert POSITIVE in found["models"]["Words"]["by_functionality"]
    assert found["names"]["functionalities"][POSITIVE]["number"] == "F19"


@pytest.mark.django_db
def test_examples_are_cases_only_for_readers_of_the_cases(release):
    text = release.cases.filter(functionality=POSITIVE).first().text
    assert names_of(release, with_examples=True).functionality(POSITIVE).example == text
    assert names_of(release).functionality(POSITIVE).example not in ("", text)


@pytest.mark.django_db
def test_the_number_of_queries_for_names_does_not_grow(release, django_assert_num_queries):
    with django_assert_num_queries(4):
        names_of(release, with_examples=True)


@pytest.mark.django_db
def test_the_api_crosses_and_takes_an_operating_point(release, mira):
    run_model(release, "by_word", name="Words", by=mira)
    asked = {"release": release.key, "cross": "target,label", "threshold": "0.4", "prevalence": "0.1"}
    found = api_of(mira).get("/api/v1/results/", asked).json()
    assert found["crossed"]["rows"] == "target"
    assert found["operating_points"]["Words"]["overall"]["recall"] == 1
    assert found["operating_points"]["Words"]["overall"]["precision_at_prevalence"] == {"0.1": 1.0}
    assert found["names"]["languages"]["en"] == "English"
    for name, value in (("prevalence", "1"), ("threshold", "high"), ("cross", "target")):
        assert api_of(mira).get("/api/v1/results/", {"release": release.key, name: value}).status_code == 422


def measured(**accuracies):
    return {
        "by_functionality": {
            key: {"accuracy": share, "ci95": [max(0, share - 0.2), share + 0.2]} for key, share in accuracies.items()
        }
    }


def test_one_sentence_says_what_fails_and_what_is_worst():
    names = Names({"b": FunctionalityName("Negated hate", "F2")})
    failing = summary_of("M", measured(a=0.9, b=0.1, c=0.45, d=0.2, e=0.48), names)
    told = "Fails 4 of 5 functionalities, 2 of them for certain; worst: Negated hate (10.0%), d (20.0%), c (45.0%)."
    assert failing.sentence == told
    assert summary_of("M", measured(a=0.9), names).sentence == "Fails none of 1 functionality; weakest: a (90.0%)."
    assert summary_of("M", measured(a=1.0), names).sentence == "Fails none of 1 functionality."
    assert summary_of("M", {"by_functionality": {}}, names).sentence == ""
