"""An attack is repeated with several seeds on page, API and command: how far do scores depend on chance?"""

import json
from io import StringIO
from statistics import fmean, stdev

import pytest
from django.core.management import call_command
from django.urls import reverse

from core.errors import BadInput, NotAllowed
from evaluation.attacks.algorithm.scoring import score_answers, spread_of
from evaluation.attacks.services import sets_with_seed
from evaluation.attacks.sets import sets_of
from evaluation.attacks.spreads import request_spread
from evaluation.models import AttackSpread
from evaluation.registry.services import load, register_model
from tests.evaluation.attacks.factories import as_csv, finish, make_attack

pytestmark = pytest.mark.django_db
SPEC = "python:tests.evaluation.attacks.test_attack_spread:by_first_words"


def by_first_words(texts: list[str]) -> list[float]:
    """Abusive where a rude word comes early: what is put in front decides, so seeds do."""
    return [0.9 if any(word in text[:60] for word in ("lousy", "awful", "rotten")) else 0.1 for text in texts]


@pytest.fixture
def attack(mira, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.ALLOWED_COMMAND_MODELS = [SPEC.removeprefix("python:")]
    return make_attack(mira)


@pytest.fixture
def version(attack):
    return register_model("Early", SPEC, load(SPEC), by=None)


def test_ten_seeds_give_mean_deviation_and_every_score(attack, version, mira):
    spread = request_spread(attack, version, seeds=10, by=mira)
    finish(spread.job)
    spread.refresh_from_db()
    found = spread.values["penalise"]
    aaa = list(found["by_seed"].values())
    assert list(found["by_seed"]) == [str(seed) for seed in range(attack.seed, attack.seed + 10)]
    assert found["aaa"] == {
        "seeds": 10, "mean": fmean(aaa), "sd": stdev(aaa), "low": min(aaa), "high": max(aaa),
    }  # fmt: skip
    assert found["aaa"]["sd"] > 0
    assert set(found["attacks"]) >= {"quo", "flip", "corr_nn", "corr_aa"}


def test_the_first_seed_is_that_of_the_attack_itself(attack):
    first, other = (sets_with_seed(attack, attack.seed + number) for number in (0, 1))
    built = sets_of(attack)
    assert {name: one.texts for name, one in first.items()} == {name: one.texts for name, one in built.items()}
    assert other["quo"].texts != built["quo"].texts


def test_asking_again_with_the_same_number_gives_what_is_there(attack, version, mira):
    spread = request_spread(attack, version, seeds=2, by=mira)
    finish(spread.job)
    assert request_spread(attack, version, seeds=2, by=mira).job == spread.job
    assert request_spread(attack, version, seeds=3, by=mira).job != spread.job
    assert AttackSpread.objects.get().seeds == 3


def test_only_maintainers_repeat_and_only_models_that_can_be_asked(attack, version, mira, emil):
    with pytest.raises(NotAllowed):
        request_spread(attack, version, seeds=2, by=emil)
    version.description["kind"] = "upload"
    with pytest.raises(BadInput, match="cannot be asked"):
        request_spread(attack, version, seeds=2, by=mira)


def test_page_and_api_start_it_and_show_the_spread(client, attack, version, mira):
    client.force_login(mira)
    assert "Repeat the attack with several seeds" in client.get(attack.get_absolute_url()).content.decode()
    address = f"/api/v1/attacks/{attack.key}/spread/"
    client.post(reverse("evaluation:attack-spread", args=[attack.key]), {"model": version.key, "seeds": 2})
    sent = client.post(address, json.dumps({"model": version.key, "seeds": 2}), content_type="application/json")
    assert sent.status_code == 202
    assert sent.json()["job"] == AttackSpread.objects.get().job.key
    finish(AttackSpread.objects.get().job)
    [shown] = client.get(address).json()
    assert shown["values"]["penalise"]["aaa"]["seeds"] == 2
    assert "Spread over seeds" in client.get(attack.get_absolute_url()).content.decode()


def test_the_command_builds_and_asks_with_every_seed(attack, tmp_path):
    data, sets, out = tmp_path / "posts.csv", tmp_path / "sets", tmp_path / "answers"
    data.write_bytes(as_csv())
    call_command("attack", "build", "--data", str(data), "--seeds", "10", "--out", str(sets), stdout=StringIO())
    printed = StringIO()
    call_command("attack", "run", "--sets", str(sets), "--model", SPEC, "--out", str(out), "--json", stdout=printed)
    found = json.loads(printed.getvalue())
    assert found["spread"]["aaa"]["seeds"] == 10
    assert found["aaa"] == found["spread"]["by_seed"]["1"]
    assert len(list((out / "seed-10").iterdir())) == 6
    told = StringIO()
    call_command("attack", "run", "--sets", str(sets), "--model", SPEC, "--out", str(out), "--again", stdout=told)
    assert "AAA over 10 seeds:" in told.getvalue()


def test_a_seed_without_a_score_leaves_the_spread_undefined():
    assert spread_of([0.5, None])["mean"] is None
    assert spread_of([0.4])["sd"] is None


def test_the_printed_rule_penalises_a_significant_drop_and_says_so(attack):
    """A model that reads hashtags badly, but better than chance: the two readings differ."""
    sets = sets_of(attack)
    answers = {name: list(one.labels) for name, one in sets.items()}
    abusive = [place for place, label in enumerate(sets["hashtag_check"].labels) if label]
    for place in abusive[: len(abusive) // 2]:
        answers["hashtag_check"][place] = False
    usual = score_answers(sets, answers)
    printed = score_answers(sets, answers, policy="printed")
    assert (usual.scores["corr_nn"], usual.aaa) == (1.0, 1.0)
    assert (printed.scores["corr_nn"], printed.aaa) == (0.0, 0.0)
    assert "a rate drops significantly" in " ".join(printed.notes)
    assert not any("hashtags" in note for note in usual.notes)
