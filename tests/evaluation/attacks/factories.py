"""Small, mild data that attacks and splits are made of in tests."""

import csv
import io
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from core.jobs import services as jobs
from evaluation.attacks.options import AttackOptions
from evaluation.attacks.services import request_attack
from evaluation.datasets.services import import_dataset
from evaluation.models import Attack, Dataset, ModelVersion, Split
from evaluation.registry.services import LABELS, load, register_model
from evaluation.splits.options import SplitOptions
from evaluation.splits.services import request_split
from evaluation.training.algorithm.linear import save_linear, train_linear
from evaluation.training.algorithm.rows import LabelledRow

RUDE = ["lousy", "stupid", "rotten", "awful", "nasty", "silly"]
KIND = ["sunny", "lovely", "tasty", "gentle", "quiet", "pretty"]
THINGS = ["neighbours", "drivers", "teachers", "singers", "cooks", "players", "gardens", "buses", "books", "songs"]


def rows(number: int = 120) -> list[tuple[str, str, str]]:
    """Text, label and part; a third of the posts is rude, every fourth is in the test part."""
    made = []
    for place in range(number):
        is_rude = place % 3 == 0
        word = (RUDE if is_rude else KIND)[place % 6]
        text = f"all these {word} {THINGS[place % 10]} again, number {place}"
        made.append((text, "abusive" if is_rude else "fine", "test" if place % 4 == 0 else "train"))
    return made


def as_csv(number: int = 120) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["text", "label", "split"])
    writer.writerows(rows(number))
    return out.getvalue().encode()


def upload(number: int = 120, name: str = "posts.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, as_csv(number), content_type="text/csv")


def make_dataset(by: User | None, *, title: str = "Mild posts", number: int = 120) -> Dataset:
    return import_dataset(upload(number), title=title, by=by, language="en")


def make_attack(by: User | None, *, dataset: Dataset | None = None, built: bool = True, **choices: object) -> Attack:
    attack = request_attack(
        dataset or make_dataset(by), AttackOptions(title="Mild attack", seed=choices.pop("seed", 5), **choices), by=by
    )
    if built:
        finish(attack.job)
        attack.refresh_from_db()
    return attack


def make_model(
    folder: Path, *, name: str = "Linear", by: User | None = None, labels: tuple[str, str] = LABELS
) -> ModelVersion:
    """A linear model trained on the same posts, registered."""
    meaning = {"abusive": labels[0], "fine": labels[1]}
    model, _ = train_linear([LabelledRow(text, meaning[label]) for text, label, _ in rows()])
    save_linear(model, folder / name)
    spec = f"linear:{folder / name}"
    return register_model(name, spec, load(spec, labels), by=by)


def make_split(by: User | None, *, dataset: Dataset | None = None, method: str = "random", built: bool = True,
               **choices: object) -> Split:  # fmt: skip
    split = request_split(dataset or make_dataset(by), SplitOptions(**{"method": method, "seed": 3, **choices}), by=by)
    if built:
        finish(split.job)
        split.refresh_from_db()
    return split


def finish(job) -> None:
    """Run a queued job to its end, here and now."""
    done = jobs.perform(job.key, worker="test")
    assert done is not None
    assert done.state == "done", done.error
