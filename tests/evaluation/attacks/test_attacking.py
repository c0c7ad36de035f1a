"""Attacks with a memory: built in the background from a seed, asked of models, made into suites."""

import io
import zipfile
from importlib import import_module

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction

from accounts.models import AuditEvent
from annotation.campaigns.closing import close_campaign
from annotation.campaigns.guidelines import load_guidelines
from core.errors import BadInput, Missing, NotAllowed, WrongState
from curation.models import TestCase
from curation.releases.building import build_release
from curation.releases.services import request_release
from evaluation.artefacts.services import archive_of, folder_of
from evaluation.attacks import scores as attack_scores
from evaluation.attacks.algorithm import quotations
from evaluation.attacks.algorithm.exchange import FILE_NAMES
from evaluation.attacks.answers import answers_archive, posts_of
from evaluation.attacks.options import AttackOptions
from evaluation.attacks.services import build_attack, request_attack
from evaluation.attacks.sets import sets_of
from evaluation.attacks.suites import as_suite
from evaluation.attacks.table import score_rows
from evaluation.datasets.services import import_dataset
from evaluation.models import Attack, ModelVersion
from evaluation.registry.services import register_model, runner_settings
from evaluation.runners import Answer
from evaluation.runners.upload import UploadRunner
from tests.annotation.factories import label_everything, make_open_campaign, newcomer
from tests.evaluation.attacks.factories import finish, make_attack, make_dataset, make_model

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def attack(mira) -> Attack:
    return make_attack(mira)


class Parrot:
    """Answers by a rule and counts the texts it was asked about."""

    fingerprint = "parrot"

    def __init__(self, rule, *, breaks_after: int | None = None) -> None:
        self.rule, self.asked, self.breaks_after = rule, 0, breaks_after

    def predict(self, texts, *, progress=None, should_stop=None):
        if self.breaks_after is not None and self.asked >= self.breaks_after:
            raise ConnectionError("gone")
        self.asked += len(texts)
        return [Answer(label=self.rule(text)) for text in texts]

    def describe(self):
        return {}


def score_of(attack, rule, **facts):
    score = attack.scores.create(name=f"parrot {attack.scores.count()}")
    attack_scores.score_model(score, Parrot(rule, **facts))
    return score.values


def test_an_attack_is_built_in_the_background_and_remembers_its_recipe(attack, mira):
    assert attack.is_built
    assert attack.manifest["seed"] == 5
    assert attack.manifest["sets"]["quo"]["posts"] == 10
    assert attack.manifest["sets"]["flip"]["posts"] == 20
    assert {path.name for path in folder_of(attack).iterdir()} == {
        *(FILE_NAMES[name] for name in sets_of(attack)), "attack.json",
    }  # fmt: skip
    assert AuditEvent.objects.filter(action="attack_built", actor=mira).exists()


def test_an_attack_is_reproducible_from_its_stored_seed(attack, mira):
    before = archive_of(attack)
    assert archive_of(build_attack(attack)) == before
    twin = make_attack(mira, dataset=attack.dataset)
    other = make_attack(mira, dataset=attack.dataset, seed=6)
    assert twin.sha256 == attack.sha256 != other.sha256


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"text,label\na,abusive\nb,fine\n", "does not tell its training part"),
        (b"text,label,split\na,abusive,train\nb,fine,train\n", "does not tell its training part"),
        (
            b"text,label,split\na,abusive,train\nb,fine,train\nc,fine,test\n",
            "'Odd' has only harmless posts in the part “Test”",
        ),
        (
            b"text,label,split\na,abusive,train\nb,fine,test\nc,abusive,test\n",
            "'Odd' has only abusive posts in the part “Training”",
        ),
    ],
)
def test_data_without_both_parts_and_classes_is_refused_at_the_door(mira, content, said):
    dataset = import_dataset(SimpleUploadedFile("p.csv", content), title="Odd", by=mira)
    with pytest.raises(BadInput, match=said):
        make_attack(mira, dataset=dataset, built=False)
    assert not Attack.objects.exists()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"abusive": ["rude"]}, "No row is labelled 'rude'"),
        ({"language": "xx"}, "no quotation templates for the language 'xx'"),
        ({"rules": "mine"}, "rules: Choose from: paper, tool, filled"),
        ({"words": 0}, "at least 1"),
        ({"colour": 3}, "no option 'colour'"),
    ],
)
def test_what_cannot_be_built_is_refused_at_the_door(mira, choices, said):
    with pytest.raises(BadInput, match=said):
        make_attack(mira, **choices)
    assert not Attack.objects.exists()


def test_only_maintainers_attack(mira, emil, tmp_path):
    attack = make_attack(mira)
    with pytest.raises(NotAllowed):
        request_attack(attack.dataset, AttackOptions(title="", seed=1), by=emil)
    with pytest.raises(NotAllowed):
        attack_scores.request_score(attack, make_model(tmp_path), by=emil)
    assert not Attack.objects.visible_to(emil).exists()


def test_a_registered_model_is_attacked_and_keeps_its_scores(attack, mira, tmp_path):
    score = attack_scores.request_score(attack, make_model(tmp_path), by=mira)
    finish(score.job)
    score.refresh_from_db()
    assert score.values["penalise"]["attacks"]["original"]["n"] == 30
    assert score.values["penalise"]["f1"] > 0.9
    assert 0 <= score.values["warn"]["aaa"] <= 1
    again = attack_scores.request_score(attack, score.model_version, by=mira)
    assert again.job == score.job


def test_a_model_registered_with_other_labels_is_asked_for_those(attack, mira, tmp_path):
    version = make_model(tmp_path, name="Other words", labels=("toxic", "harmless"))
    score = attack_scores.request_score(attack, version, by=mira)
    finish(score.job)
    score.refresh_from_db()
    assert score.values["penalise"]["f1"] > 0.9


def test_a_model_of_three_labels_is_refused_at_once(attack, mira, tmp_path):
    version = make_model(tmp_path)
    version.description = {**version.description, "labels": ["hateful", "offensive", "neither"]}
    version.save()
    with pytest.raises(BadInput, match=r"gives 3 labels \(hateful, offensive, neither\)\. An attack needs two"):
        attack_scores.request_score(attack, version, by=mira)


def test_a_model_known_by_its_predictions_only_is_refused_at_once(attack, mira):
    version = register_model("Elsewhere", "upload", UploadRunner("Elsewhere", settings=runner_settings()), by=mira)
    with pytest.raises(BadInput, match="uploaded predictions only"):
        attack_scores.request_score(attack, version, by=mira)
    assert not attack.scores.exists()
    assert version not in ModelVersion.objects.askable()


def test_an_attack_is_built_again_from_the_templates_of_its_day(attack, monkeypatch, tmp_path):
    (tmp_path / "en.txt").write_text('Tomorrow we write: "<post>"\n')
    monkeypatch.setattr(quotations, "OURS", tmp_path)
    before = archive_of(attack)
    build_attack(attack)
    assert archive_of(attack) == before


def test_answers_are_kept_and_the_wrong_ones_can_be_read(attack, mira, tmp_path):
    score = attack.scores.create(name="calls everything harmless")
    attack_scores.score_model(score, Parrot(lambda text: "non-hateful"))
    wrong = posts_of(attack, "flip", score=score, show="wrong")
    assert len(wrong) == len(sets_of(attack)["flip"].posts)
    assert not any(one.answer for one in wrong)
    assert posts_of(attack, "quo", score=score, show="wrong") == []
    files = {name: SimpleUploadedFile(name, content) for name, content in _unzipped(answers_archive(score)).items()}
    again = attack_scores.score_upload(attack, list(files.values()), name="the same elsewhere", by=mira)
    assert again.values["warn"]["attacks"] == score.values["warn"]["attacks"]
    assert answers_archive(again) == answers_archive(score)
    with pytest.raises(Missing, match="no set 'nothing'"):
        posts_of(attack, "nothing")


def _unzipped(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as content:
        return {name: content.read(name) for name in content.namelist()}


def test_an_attack_that_is_not_built_cannot_be_used(mira, tmp_path):
    waiting = make_attack(mira, built=False)
    with pytest.raises(WrongState, match="not built yet"):
        attack_scores.request_score(waiting, make_model(tmp_path), by=mira)


def test_a_perfect_model_gets_everything_and_a_constant_one_nothing(attack):
    truth = {
        text: label for found in sets_of(attack).values() for text, label in zip(found.texts, found.labels, strict=True)
    }
    perfect = score_of(attack, lambda text: "hateful" if truth[text] else "non-hateful")
    assert perfect["penalise"]["aaa"] == 1.0
    constant = score_of(attack, lambda text: "hateful")
    assert constant["penalise"]["aaa"] == 0.0
    assert constant["penalise"]["attacks"]["flip"]["rate"] == 1.0


def test_a_model_that_drops_hashtags_is_penalised_or_warned(attack):
    truth = {
        text: label for found in sets_of(attack).values() for text, label in zip(found.texts, found.labels, strict=True)
    }
    values = score_of(attack, lambda text: "hateful" if truth[text] and not text.startswith("#") else "non-hateful")
    assert values["penalise"]["attacks"]["corr_aa"]["score"] == 0.0
    assert values["warn"]["attacks"]["corr_aa"]["score"] == 1.0


def test_no_answer_counts_as_a_wrong_one_and_is_counted(attack):
    values = score_of(attack, lambda text: None)["penalise"]
    assert values["f1"] == 0.0
    assert values["unanswered"]["quo"] == 10


def test_a_broken_run_goes_on_with_the_texts_that_were_not_answered(attack, monkeypatch):
    monkeypatch.setattr("evaluation.attacks.sets.CHUNK", 20)
    score = attack.scores.create(name="fragile")
    with pytest.raises(ConnectionError):
        attack_scores.score_model(score, Parrot(lambda text: "hateful", breaks_after=40))
    second = Parrot(lambda text: "hateful")
    attack_scores.score_model(score, second)
    assert second.asked == score.values["warn"]["texts"] - 40


def answers_of(attack, *, change=lambda line: line) -> io.BytesIO:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in folder_of(attack).glob("*.tsv"):
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
            archive.writestr(f"answers/{path.name}", "".join(change(f"{line}\t{line[-1]}") + "\n" for line in lines))
    content.seek(0)
    return content


def test_answers_from_elsewhere_are_scored(attack, mira):
    score = attack_scores.score_upload(attack, [answers_of(attack)], name="Elsewhere", by=mira)
    assert score.values["penalise"]["aaa"] == 1.0
    assert score.model_version is None


def test_the_answer_files_may_come_one_by_one(attack, mira):
    with zipfile.ZipFile(answers_of(attack)) as archive:
        files = [SimpleUploadedFile(name, archive.read(name)) for name in archive.namelist()]
    assert len(files) == 6
    score = attack_scores.score_upload(attack, files, name="Elsewhere", by=mira)
    assert score.values["penalise"]["aaa"] == 1.0
    with pytest.raises(BadInput, match=r"None of these is an answer file\. Upload f1_o\.tsv"):
        attack_scores.score_upload(attack, [SimpleUploadedFile("notes.txt", b"x")], name="Other", by=mira)


def test_a_damaged_archive_is_said(attack, mira):
    content = bytearray(answers_of(attack).getvalue())
    content[60] ^= 255  # inside the first file, whose checksum no longer fits
    with pytest.raises(BadInput, match="in the archive is damaged or needs a password"):
        attack_scores.score_upload(attack, [io.BytesIO(bytes(content))], name="Elsewhere", by=mira)
    assert not attack.scores.exists()


def test_a_wrong_answer_line_is_named_and_nothing_is_kept(attack, mira):
    wrong = answers_of(attack, change=lambda line: line[:-1] + "2")
    with pytest.raises(BadInput, match=r"row 1, column 'prediction': The prediction is '2'"):
        attack_scores.score_upload(attack, [wrong], name="Elsewhere", by=mira)
    assert not attack.scores.exists()


def test_a_handed_in_name_never_mixes_with_a_registered_model(attack, mira, tmp_path):
    version = make_model(tmp_path)
    attack_scores.request_score(attack, version, by=mira)
    with pytest.raises(BadInput, match="is a registered model under this attack"):
        attack_scores.score_upload(attack, [answers_of(attack)], name=str(version), by=mira)
    other = make_attack(mira, dataset=attack.dataset, seed=6)
    attack_scores.score_upload(other, [answers_of(other)], name=str(version), by=mira)
    with pytest.raises(BadInput, match="Answers were uploaded under the name"):
        attack_scores.request_score(other, version, by=mira)
    assert other.scores.get().model_version is None


def wrong_answers(attack) -> io.BytesIO:
    return answers_of(attack, change=lambda line: line[:-1] + str(1 - int(line[-1])))


def test_answers_handed_in_again_under_one_name_are_refused_unless_they_replace(attack, mira):
    first = attack_scores.score_upload(attack, [answers_of(attack)], name="Elsewhere", by=mira)
    with pytest.raises(attack_scores.AnswersThere, match=r"'Elsewhere' were uploaded on .* by .* \(AAA 100\.0%\)"):
        attack_scores.score_upload(attack, [wrong_answers(attack)], name=" Elsewhere ", by=mira)
    first.refresh_from_db()
    assert first.values["penalise"]["aaa"] == 1.0
    assert attack.scores.get() == first


def test_replaced_answers_are_kept_as_they_were(attack, mira):
    first = attack_scores.score_upload(attack, [answers_of(attack)], name="Elsewhere", by=mira)
    files = answers_archive(first)
    second = attack_scores.score_upload(attack, [wrong_answers(attack)], name="Elsewhere", by=mira, replace=True)
    assert attack.scores.current().get() == second
    assert [(row["name"], row["values"]["aaa"]) for row in score_rows(attack, "penalise")] == [("Elsewhere", 0.0)]
    kept = attack.scores.replaced().get()
    assert (kept.pk, kept.values["penalise"]["aaa"]) == (first.pk, 1.0)
    assert answers_archive(kept) == files != answers_archive(second)
    assert AuditEvent.objects.filter(action="predictions_imported").latest("pk").facts["replaced"] is True


def test_the_database_refuses_to_change_scores(attack, mira):
    score = attack_scores.score_upload(attack, [answers_of(attack)], name="Elsewhere", by=mira)
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        attack.scores.filter(pk=score.pk).update(values={"penalise": {}})


def test_a_model_that_has_its_scores_is_not_asked_again(attack):
    score = attack.scores.create(name="parrot")
    attack_scores.score_model(score, Parrot(lambda text: "hateful"))
    again = Parrot(lambda text: "non-hateful")
    attack_scores.score_model(score, again)
    assert again.asked == 0


@pytest.mark.parametrize("seed", [-1, 2**32, 10**30])
def test_a_seed_that_no_generator_takes_is_refused(mira, seed):
    with pytest.raises(BadInput, match=r"seed: Use at least 0 and at most 4,294,967,295"):
        request_attack(make_dataset(mira), AttackOptions(title="", seed=seed), by=mira)


@pytest.mark.parametrize(
    ("kind", "said"), [("lexicon", "mine.tsv, row 1"), ("templates", "mine.tsv, row 1: The template has no slot")]
)
def test_a_bad_file_of_the_recipe_is_called_as_its_owner_calls_it(mira, kind, said):
    file = SimpleUploadedFile("mine.tsv", b"nothing of use\n")
    with pytest.raises(BadInput, match=said):
        request_attack(make_dataset(mira), AttackOptions(seed=1, **{kind: file}), by=mira)


def test_an_attack_becomes_a_suite_that_can_be_frozen(attack, mira):
    suite = as_suite(attack, key="mild-attack", sample=5, by=mira)
    cases = TestCase.objects.of(suite).select_related("functionality")
    assert {case.origin for case in cases} == {"attack"}
    assert {case.functionality.key: case.functionality.gold_label for case in cases} == {
        "aaa_quo": "non-hateful", "aaa_flip": "hateful", "aaa_corr_aa": "hateful", "aaa_corr_nn": "non-hateful",
    }  # fmt: skip
    assert cases.count() == 20
    assert (suite.raters, suite.threshold) == (3, 2)
    assert cases[0].provenance["attack"] == attack.key
    release = build_release(
        request_release(suite, "1.0.0", policy="mark", min_agree=0, without_labels="include", by=mira), by=mira
    )
    assert release.cases.count() == 20


def test_three_people_check_a_sample_and_what_they_see_otherwise_stays_out(attack, mira):
    suite = as_suite(attack, key="mild-attack", sample=4, by=mira)
    gold = {case.text: case.functionality.gold_label for case in suite.cases.select_related("functionality")}
    odd = next(text for text, label in gold.items() if label == "hateful")
    load_guidelines()
    campaign = make_open_campaign(suite, mira)
    for number in (1, 2, 3):
        label_everything(
            newcomer(campaign, number),
            lambda text, number=number: "non-hateful" if text == odd and number < 3 else gold[text],
        )
    close_campaign(campaign, by=mira)
    release = build_release(request_release(suite, "1.0.0", policy="exclude", min_agree=2, by=mira), by=mira)
    assert {case.text for case in release.cases.all()} == set(gold) - {odd}


def test_a_suite_of_the_same_key_is_refused(attack, mira):
    as_suite(attack, key="mild-attack", by=mira)
    with pytest.raises(BadInput, match="already"):
        as_suite(attack, key="mild-attack", by=mira)


def test_a_lexicon_keeps_its_words_out_of_the_hashtags(mira):
    from django.core.files.uploadedfile import SimpleUploadedFile

    hurtlex = "id\tpos\tcategory\tstereotype\tlemma\tlevel\n" + "".join(
        f"{n}\ta\tcds\tno\t{word}\tconservative\n" for n, word in enumerate(["lousy", "awful"])
    )
    dataset = make_dataset(mira)
    free = make_attack(mira, dataset=dataset)
    kept = make_attack(mira, dataset=dataset, lexicon=SimpleUploadedFile("lexicon.tsv", hurtlex.encode()))
    assert "lousy" in free.manifest["words"]["abusive"]
    assert not {"lousy", "awful"} & set(kept.manifest["words"]["abusive"])


def test_an_attack_built_by_the_earlier_rules_is_built_again_to_the_same_bytes(mira):
    """What was called paper filtered before it cut; the migration keeps that recipe under the name filled."""
    before = make_attack(mira, rules="filled", dictionary_size=1500)
    Attack.objects.filter(pk=before.pk).update(choices={**before.choices, "rules": "paper"})
    migration = import_module("evaluation.migrations.0004_keep_the_word_rules_of_built_attacks")
    migration.rename_rules(apps, "paper", "filled")
    again = Attack.objects.get(pk=before.pk)
    assert again.choices["rules"] == "filled"
    assert build_attack(again).sha256 == before.sha256
