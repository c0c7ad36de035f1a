"""Splits with a memory, and experiments that train on them."""

import io
import json
import math

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from scipy.stats import ttest_ind

from accounts.models import AuditEvent
from core.errors import BadInput, NotAllowed, WrongState
from evaluation.artefacts.services import archive_of
from evaluation.datasets.services import import_dataset, open_dataset
from evaluation.models import Experiment, Split
from evaluation.splits import experiments
from evaluation.splits import services as splitting
from evaluation.splits.options import ExperimentOptions, SplitOptions
from evaluation.splits.services import build_split, picture_of, rows_of
from tests.evaluation.attacks.factories import finish, make_dataset, make_split
from tests.evaluation.splits.factories import FEW, tiny_encoder, vectors_file, vectors_upload

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


def latent(mira, **choices) -> Split:
    return make_split(mira, **{"method": "closest", "vectors": vectors_upload(), **FEW, **choices})


def test_a_latent_split_keeps_rows_figures_files_and_pictures(mira):
    split = latent(mira, independent_share=0.1)
    assert split.report["class_counts"] == {"abusive": 4, "fine": 7}
    assert (len(split.indices["test"]), len(split.indices["independent"])) == (11, 12)
    assert split.report["from_whole_clusters"] + split.report["added_singly"] == 11
    assert 0 <= split.report["properties"]["unigram_overlap"] <= 1
    assert set(split.report["topics"]) == {"train", "test", "independent"}
    for colour in ("part", "label"):
        assert picture_of(split, colour).read_text(encoding="utf-8").startswith("<svg")
    assert AuditEvent.objects.filter(action="split_built", actor=mira).exists()


def test_a_split_is_the_same_when_it_is_built_again(mira):
    split = latent(mira)
    before = archive_of(split)
    assert archive_of(build_split(split)) == before


def test_every_example_is_in_exactly_one_part(mira):
    split = latent(mira, independent_share=0.2)
    rows = rows_of(split, 120)
    assert sorted((*rows.train, *rows.test, *rows.independent)) == list(range(120))
    assert split.report["train"] == len(rows.train)


def test_the_archive_holds_what_a_publication_needs(mira):
    import zipfile

    split = make_split(mira)
    with zipfile.ZipFile(io.BytesIO(archive_of(split))) as archive:
        assert {"indices.txt", "train.jsonl", "test.jsonl", "eval_card.md", "report.json"} <= set(archive.namelist())
        line = json.loads(archive.read("test.jsonl").split(b"\n")[0])
    assert line["target_options"] == ["abusive", "fine"]


def test_baselines_have_no_picture(mira):
    assert picture_of(make_split(mira), "part") is None


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"method": "closest"}, "needs vectors"),
        ({"method": "best"}, "method: Choose from: closest, subset_sum, random, likelihood"),
        ({"share": 1.5}, "share: Use more than 0 and less than 1"),
        ({"share": 0.6, "independent_share": 0.5}, "some examples are needed to train"),
        ({"k_min": 9, "k_max": 5}, "k_max: “Most clusters” must be at least “Fewest clusters”"),
        ({"colour": 1}, "no option 'colour'"),
    ],
)
def test_what_cannot_be_split_is_refused_at_the_door(mira, choices, said):
    with pytest.raises(BadInput, match=said):
        make_split(mira, built=False, **choices)
    assert not Split.objects.exists()


def test_vectors_of_another_number_are_refused(mira):
    split = make_split(mira, method="closest", vectors=vectors_upload(), built=False)
    split.choices["vectors_file"] = vectors_file(7)
    with pytest.raises(BadInput, match=r"number of vectors \(7\) differs from the number of examples \(120\)"):
        build_split(split)


def test_only_maintainers_split_and_strangers_see_nothing(mira, emil):
    split = make_split(mira, built=False)
    with pytest.raises(NotAllowed):
        splitting.request_split(split.dataset, SplitOptions(method="random", seed=1), by=emil)
    assert not Split.objects.visible_to(emil).exists()


def test_a_split_that_is_not_built_cannot_be_used(mira):
    split = make_split(mira, built=False)
    with pytest.raises(WrongState, match="not built yet"):
        archive_of(split)
    with pytest.raises(BadInput, match="not built yet"):
        experiments.request_experiment([split], ExperimentOptions(trainer="linear", seeds=[1]), by=mira)


def test_an_experiment_measures_each_split_with_each_seed(mira):
    dataset = make_dataset(mira)
    chance = make_split(mira, dataset=dataset, independent_share=0.2)
    hidden = make_split(mira, dataset=dataset, independent_share=0.2, method="closest", vectors=vectors_upload(),
                        k_min=3, k_max=5, initialisations=1)  # fmt: skip
    experiment = experiments.request_experiment(
        [chance, hidden], ExperimentOptions(trainer="linear", seeds=[1, 2]), by=mira
    )
    finish(experiment.job)
    assert experiment.results.count() == 4
    rows = {row["split"]: row for row in experiments.summarise(experiment)}
    assert rows[chance]["drop"] is None
    assert rows[hidden]["drop"] == pytest.approx(rows[hidden]["test_f1"]["mean"] - rows[chance]["test_f1"]["mean"])
    assert rows[hidden]["independent_macro_f1"]["mean"] > 0.5
    assert rows[hidden]["test_macro_f1"]["error"] is not None
    assert experiments.cross_model_matrix([experiment])[chance]["linear"] == rows[chance]["test_f1"]["mean"]


def test_of_two_classes_the_positive_one_is_measured_and_random_splits_are_one_baseline(mira):
    dataset = make_dataset(mira)
    chance, other_chance = make_split(mira, dataset=dataset), make_split(mira, dataset=dataset)
    hidden = make_split(mira, dataset=dataset, method="likelihood")
    splits = [chance, other_chance, hidden]
    experiment = experiments.request_experiment(splits, ExperimentOptions(trainer="linear", seeds=[1]), by=mira)
    finish(experiment.job)
    for split, abusive in zip(splits, (0.9, 0.7, 0.5), strict=True):
        test = {"accuracy": 0.99, "macro_f1": 0.95, "f1_by_class": {"abusive": abusive, "fine": 1.0}}
        split.results.update(test=test)
    rows = {row["split"]: row for row in experiments.summarise(experiment)}
    assert experiments.positive_label(experiment) == "abusive"
    assert rows[chance]["drop"] is None
    assert rows[other_chance]["drop"] is None
    assert rows[hidden]["drop"] == pytest.approx(0.5 - (0.9 + 0.7) / 2)
    dataset.labels = ["abusive", "fine", "unclear"]
    dataset.save()
    experiment = Experiment.objects.get(pk=experiment.pk)
    assert {row["test_f1"]["mean"] for row in experiments.summarise(experiment)} == {0.95}


def test_a_stopped_experiment_goes_on_where_it_was(mira, monkeypatch):
    split = make_split(mira)
    experiment = experiments.request_experiment([split], ExperimentOptions(trainer="linear", seeds=[1, 2, 3]), by=mira)
    trained = []
    real = experiments._train

    def train(experiment, split, data, seed, should_stop):
        if seed == 2 and 2 not in trained:
            trained.append(2)
            raise KeyboardInterrupt
        trained.append(seed)
        return real(experiment, split, data, seed, should_stop)

    monkeypatch.setattr(experiments, "_train", train)
    with pytest.raises(KeyboardInterrupt):
        experiments.run_experiment(experiment)
    experiments.run_experiment(experiment)
    assert trained == [1, 2, 2, 3]
    assert experiment.results.count() == 3


def test_splits_of_different_seeds_are_tested_on_the_same_independent_examples(mira):
    dataset = make_dataset(mira)
    one, other = (
        splitting.request_split(dataset, SplitOptions(method="random", seed=seed, independent_share=0.2), by=mira)
        for seed in (1, 2)
    )
    third = splitting.request_split(
        dataset, SplitOptions(method="random", seed=1, independent_share=0.2, independent_seed=7), by=mira
    )
    for split in (one, other, third):
        finish(split.job)
        split.refresh_from_db()
    assert one.indices["independent"] == other.indices["independent"] != third.indices["independent"]
    assert one.indices["test"] != other.indices["test"]
    assert experiments.share_independent_part([one, other])
    assert not experiments.share_independent_part([one, third])


def test_the_evaluation_card_calls_the_data_by_its_title(mira):
    split = make_split(mira)
    card = (splitting.folder_of(split) / "eval_card.md").read_text()
    assert card.startswith("# GenBench evaluation card: Mild posts, random split")
    assert split.report["dataset"] == "Mild posts"


def test_a_split_from_before_sets_aside_what_it_did(mira):
    split = make_split(mira, independent_share=0.2, independent_seed=3)
    before = split.indices
    del split.choices["independent_seed"]
    split.save()
    assert splitting.build_split(split).indices == before


def test_vectors_trained_on_what_would_be_set_aside_are_refused(mira, tmp_path):
    dataset = make_dataset(mira)
    trained = make_split(mira, dataset=dataset, method="closest", encoder=str(tiny_encoder(tmp_path / "encoder")),
                         reduce="bottleneck", dimensions=4, epochs=1, k_max=4, initialisations=1)  # fmt: skip
    again = {"method": "closest", "seed": 1, "vectors_of": trained.key, "k_max": 4}
    splitting.request_split(dataset, SplitOptions(**again), by=mira)
    with pytest.raises(BadInput, match="would be set aside here"):
        splitting.request_split(dataset, SplitOptions(**again, independent_share=0.2), by=mira)


def test_each_seed_of_a_linear_model_trains_on_rows_of_its_own():
    """On the same rows every seed would give the same model, and its results would look certain."""
    labels = ["abusive"] * 40 + ["fine"] * 160 + ["fine"] * 50
    rows = range(200)
    one, again, other = (experiments.draw_again(rows, labels, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert set(one) < set(rows)
    assert sum(labels[row] == "abusive" for row in one) == 40
    assert len(one) == 200


def test_a_split_is_one_observation_however_often_it_is_trained_on(mira):
    dataset = make_dataset(mira)
    chance = [make_split(mira, dataset=dataset, seed=seed) for seed in (42, 62, 82)]
    hidden = [
        make_split(mira, dataset=dataset, method="likelihood", seed=seed, title=str(seed)) for seed in (42, 62, 82)
    ]
    options = ExperimentOptions(trainer="linear", seeds=[1, 2, 3])
    experiment = experiments.request_experiment([*chance, *hidden], options, by=mira)
    finish(experiment.job)
    f1 = {**dict(zip(chance, (0.9, 0.8, 0.85), strict=True)), **dict(zip(hidden, (0.5, 0.6, 0.7), strict=True))}
    for split, value in f1.items():
        split.results.update(test={"accuracy": 1, "macro_f1": 1, "f1_by_class": {"abusive": value}})
    at_random, likelihood = experiments.compare_methods(experiment)
    assert (likelihood["cluster_seeds"], likelihood["training_seeds"]) == ([42, 62, 82], 3)
    assert likelihood["test_f1"] == {"mean": pytest.approx(0.6), "error": pytest.approx(0.1 / math.sqrt(3))}
    assert likelihood["drop"] == pytest.approx(0.6 - 0.85)
    assert likelihood["p"] == pytest.approx(ttest_ind([0.5, 0.6, 0.7], [0.9, 0.8, 0.85], equal_var=False).pvalue)
    assert likelihood["p_holm"] == likelihood["p"]  # one comparison
    assert (at_random["drop"], at_random["p"]) == (None, None)
    # Nine trainings of one split each would have looked far more certain.
    assert likelihood["p"] > ttest_ind([0.5, 0.6, 0.7] * 3, [0.9, 0.8, 0.85] * 3, equal_var=False).pvalue


def test_one_seed_gives_no_standard_error_and_no_test(mira):
    dataset = make_dataset(mira)
    two = [make_split(mira, dataset=dataset), make_split(mira, dataset=dataset, method="likelihood")]
    experiment = experiments.request_experiment(two, ExperimentOptions(trainer="linear", seeds=[1]), by=mira)
    finish(experiment.job)
    other = experiments.summarise(experiment)[1]
    assert other["test_macro_f1"]["error"] is None
    assert experiments.compare_methods(experiment)[1]["p"] is None
    assert other["independent_macro_f1"]["mean"] is None  # nothing was set aside


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"trainer": "magic"}, "is not a trainer"),
        ({"seeds": []}, "seeds: Give at least one value"),
        ({"seeds": [1, 1]}, "each seed only once"),
        ({"colour": 1}, "no option 'colour'"),
    ],
)
def test_an_impossible_experiment_is_refused(mira, choices, said):
    with pytest.raises(BadInput, match=said):
        experiments.request_experiment(
            [make_split(mira)], ExperimentOptions(**{"trainer": "linear", "seeds": [1], **choices}), by=mira
        )


def test_an_experiment_says_why_nothing_could_be_trained(mira, tmp_path):
    content = "text,label\n" + "".join(f"song {n},{'ab'[n % 2]}\n" for n in range(40)) + "odd one,c\nodd two,c\n"
    dataset = import_dataset(SimpleUploadedFile("rare.csv", content.encode()), title="Rare", by=mira)
    split = make_split(mira, dataset=dataset)
    encoder = tiny_encoder(tmp_path / "encoder")
    experiment = experiments.request_experiment([split], ExperimentOptions(trainer=f"hf:{encoder}", seeds=[1]), by=mira)
    with pytest.raises(
        BadInput, match=r"Nothing could be trained on “Rare: random, seed 3”\. The class 'c' has 2 rows"
    ):
        experiments.run_experiment(experiment)


def test_splits_of_two_data_sets_are_not_compared(mira):
    one, other = make_split(mira), make_split(mira, dataset=make_dataset(mira, title="Other", number=60))
    with pytest.raises(BadInput, match="one data set"):
        experiments.request_experiment([one, other], ExperimentOptions(trainer="linear", seeds=[1]), by=mira)
    assert len(open_dataset(other.dataset)) == 60


def test_an_encoder_is_fine_tuned_on_a_split_and_measured_on_the_independent_part(mira, tmp_path):
    encoder = tiny_encoder(tmp_path / "encoder")
    split = make_split(mira, independent_share=0.2)
    experiment = experiments.request_experiment(
        [split], ExperimentOptions(trainer=f"hf:{encoder}", seeds=[1], epochs=1, max_length=24), by=mira
    )
    finish(experiment.job)
    result = experiment.results.get()
    assert 0 <= result.test["macro_f1"] <= 1
    assert 0 <= result.independent["accuracy"] <= 1
    assert not list((tmp_path / "uploads" / "experiments").glob("*/*"))


def test_the_page_of_an_experiment_says_what_goes_along_with_the_drop(mira):
    dataset = make_dataset(mira)
    splits = [make_split(mira, dataset=dataset)]
    for share in (0.1, 0.2, 0.3):
        splits.append(latent(mira, dataset=dataset, share=share, method="closest"))
    experiment = experiments.request_experiment(splits, ExperimentOptions(trainer="linear", seeds=[1]), by=mira)
    finish(experiment.job)
    found = {row["property"]: row for row in experiments.explain_drops(experiment)}
    assert set(found) == {
        "unigram_overlap", "test_length", "rare_words_difference", "under_represented_keywords",
        "under_represented_groups", "source_divergence",
    }  # fmt: skip
    assert found["test_length"]["n"] == 4  # the random split counts with a drop of 0
    assert found["source_divergence"]["reason"] == "At least three splits are needed."
    result = experiment.results.get(split=splits[1])
    for one, drop in zip(splits[1:], (0.1, 0.2, 0.3), strict=True):
        one.results.update(test={**result.test, "f1_by_class": {"abusive": 1 - drop}})
        one.report["properties"]["test_length"] = 5 * drop
        one.save(update_fields=["report"])
    splits[0].results.update(test={**result.test, "f1_by_class": {"abusive": 1.0}})
    splits[0].report["properties"]["test_length"] = 0
    splits[0].save(update_fields=["report"])
    found = {row["property"]: row for row in experiments.explain_drops(experiment)}
    assert found["test_length"]["r"] == pytest.approx(1.0)  # longer test texts, larger drop


def test_all_trainers_on_a_data_set_stand_in_one_table_of_few_queries(mira, django_assert_num_queries):
    dataset = make_dataset(mira)
    one, same_title = make_split(mira, dataset=dataset), make_split(mira, dataset=dataset)
    made = [
        experiments.request_experiment([one, same_title], ExperimentOptions(trainer="linear", seeds=[1]), by=mira)
        for _ in range(2)
    ]
    for experiment in made:
        finish(experiment.job)
    made[1].trainer = "hf:other"
    made[1].save(update_fields=["trainer"])
    with django_assert_num_queries(1):
        matrix = experiments.cross_model_matrix(made)
    assert set(matrix) == {one, same_title}
    assert set(matrix[one]) == {"linear", "hf:other"}


def test_a_failed_experiment_goes_on_with_a_new_job_and_a_running_one_alone(mira, emil):
    experiment = experiments.request_experiment(
        [make_split(mira)], ExperimentOptions(trainer="linear", seeds=[1]), by=mira
    )
    first = experiment.job
    assert experiments.resume_experiment(experiment, by=mira).job == first
    finish(first)
    first.refresh_from_db()
    experiment.refresh_from_db()
    assert experiments.resume_experiment(experiment, by=mira).job != first
    with pytest.raises(NotAllowed):
        experiments.resume_experiment(experiment, by=emil)
