"""The linear baseline: TF-IDF and logistic regression or a support vector machine, kept without pickle."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from core.text import _
from evaluation.training.algorithm.card import write_linear_card
from evaluation.training.algorithm.checkpoints import write_json
from evaluation.training.algorithm.cleaning import Cleaning, clean
from evaluation.training.algorithm.rows import LabelledRow, Scores, named_tests, score_labels, split_rows

Kind = Literal["logistic", "svm"]
FILES = ("linear.json", "linear.npz")
FORMAT = 1


class LinearModelUnreadable(Exception):
    """The folder does not hold a linear model this version can read."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Classes, vocabulary and weights; `coefficients` has one row per class, or a single one for two classes."""

    kind: Kind
    classes: tuple[str, ...]
    vectorizer: Any
    coefficients: Any
    intercepts: Any
    cleaning: Cleaning

    def shares(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """For each text the share of every class, adding up to one; those of an SVM are squashed margins."""
        import numpy as np

        if not texts:
            return []
        matrix = self.vectorizer.transform([clean(text, self.cleaning) for text in texts])
        margins = np.asarray(matrix @ self.coefficients.T) + self.intercepts
        if margins.shape[1] == 1:
            margins = np.hstack([np.zeros_like(margins), margins])
        shares = np.exp(margins - margins.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return [dict(zip(self.classes, row, strict=True)) for row in shares.tolist()]

    def labels(self, texts: Sequence[str]) -> list[str]:
        """Return the likeliest class of each text."""
        return [max(row, key=lambda name: row[name]) for row in self.shares(texts)]


def fit_linear(
    rows: Sequence[LabelledRow], *, kind: Kind = "logistic", seed: int = 0, cleaning: Cleaning | None = None
) -> LinearModel:
    """A classifier trained on all the rows with balanced class weights. Refuses rows of fewer than two classes."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    if len({row.label for row in rows}) < 2:
        raise ValueError(_("A classifier needs at least two classes."))
    steps = cleaning or Cleaning()
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2 if len(rows) > 200 else 1, sublinear_tf=True)
    matrix = vectorizer.fit_transform([clean(row.text, steps) for row in rows])
    make = LogisticRegression if kind == "logistic" else LinearSVC
    fitted = make(class_weight="balanced", random_state=seed, max_iter=1000, C=1.0)
    fitted.fit(matrix, [row.label for row in rows])
    return LinearModel(
        kind=kind,
        classes=tuple(map(str, fitted.classes_)),
        vectorizer=vectorizer,
        coefficients=fitted.coef_,
        intercepts=fitted.intercept_,
        cleaning=steps,
    )


def train_linear(
    rows: Sequence[LabelledRow],
    *,
    kind: Kind = "logistic",
    seed: int = 0,
    cleaning: Cleaning | None = None,
    as_published: bool = False,
) -> tuple[LinearModel, Scores]:
    """Return a classifier and its scores on rows it has not seen: a tenth of each class, or the data's own test part.

    Refuses rows of fewer than two classes, and data without parts where its own are asked for.
    """
    if len({row.label for row in rows}) < 2:
        raise ValueError(_("A classifier needs at least two classes."))
    split = split_rows(rows, seed=seed, as_published=as_published)
    seen = [rows[position] for position in (*split.train, *split.validation)]
    model = fit_linear(seen, kind=kind, seed=seed, cleaning=cleaning)
    return model, _measure(model, [rows[position] for position in split.test])


def _measure(model: LinearModel, rows: Sequence[LabelledRow]) -> Scores:
    return score_labels([row.label for row in rows], model.labels([row.text for row in rows]))


def train_linear_folder(
    rows: Sequence[LabelledRow],
    out: Path,
    *,
    solver: str,
    seed: int,
    cleaning: Cleaning,
    data_name: str,
    as_published: bool = False,
    test_sets: Mapping[str, Sequence[LabelledRow]] | None = None,
) -> dict[str, Any]:
    """Train, write the folder that `linear:` runs with its scores on held-out rows in metrics.json, return these.

    Refuses solvers there are not and a folder that holds something else.
    """
    if solver not in ("logistic", "svm"):
        raise ValueError(
            _("There is no linear classifier '%(solver)s'. Write linear:logistic or linear:svm.", solver=solver)
        )
    if out.exists() and not (out / "linear.json").is_file() and any(out.iterdir()):
        raise ValueError(_("%(folder)s is not empty and not a linear model. Choose another folder.", folder=str(out)))
    kind: Kind = "svm" if solver == "svm" else "logistic"
    model, scores = train_linear(rows, kind=kind, seed=seed, cleaning=cleaning, as_published=as_published)
    held_out = [rows[position] for position in split_rows(rows, seed=seed, as_published=as_published).test]
    tests = {name: dict(_measure(model, found)) for name, found in named_tests(held_out, test_sets).items()}
    save_linear(model, out)
    facts = {
        "kind": f"TF-IDF, {solver}",
        "data": data_name,
        "seed": seed,
        "rows": len(rows),
        "published_split": as_published,
    }
    metrics = {**facts, "test": dict(scores), "tests": tests, "classes": list(model.classes)}
    write_json(out / "metrics.json", metrics)
    card = write_linear_card(name=out.name, metrics=metrics, cleaning=asdict(cleaning))
    (out / "README.md").write_text(card, encoding="utf-8")
    return metrics


def save_linear(model: LinearModel, folder: Path) -> None:
    """Write the model as JSON and plain arrays, each file whole or not at all."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    words = sorted(model.vectorizer.vocabulary_, key=model.vectorizer.vocabulary_.__getitem__)
    facts = {
        "format": FORMAT,
        "kind": model.kind,
        "classes": list(model.classes),
        "cleaning": {name: getattr(model.cleaning, name) for name in Cleaning.__dataclass_fields__},
        "ngram_range": list(model.vectorizer.ngram_range),
        "vocabulary": words,
    }
    arrays = folder / "linear.npz.new"
    with arrays.open("wb") as file:
        np.savez_compressed(
            file, idf=model.vectorizer.idf_, coefficients=model.coefficients, intercepts=model.intercepts
        )
    os.replace(arrays, folder / "linear.npz")
    description = folder / "linear.json.new"
    description.write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
    os.replace(description, folder / "linear.json")


def load_linear(folder: Path) -> LinearModel:
    """Read a model back; refuses a folder without one, another format, and arrays that do not fit the vocabulary."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    try:
        facts = json.loads((folder / "linear.json").read_text(encoding="utf-8"))
        with np.load(folder / "linear.npz", allow_pickle=False) as arrays:
            idf, coefficients, intercepts = arrays["idf"], arrays["coefficients"], arrays["intercepts"]
    except (OSError, ValueError, KeyError) as error:
        raise LinearModelUnreadable(
            _(
                "%(folder)s has no linear model: %(reason)s. Train one and name its folder.",
                folder=str(folder),
                reason=str(error),
            )
        ) from error
    if facts.get("format") != FORMAT:
        raise LinearModelUnreadable(
            _(
                "%(folder)s is in format %(format)s. This version reads format %(known)s.",
                folder=str(folder),
                format=str(facts.get("format")),
                known=FORMAT,
            )
        )
    words = facts["vocabulary"]
    rows = 1 if len(facts["classes"]) == 2 else len(facts["classes"])
    if idf.shape != (len(words),) or coefficients.shape != (rows, len(words)) or intercepts.shape != (rows,):
        raise LinearModelUnreadable(
            _("%(folder)s: the arrays do not fit the vocabulary. The files are not from one model.", folder=str(folder))
        )
    vectorizer = TfidfVectorizer(ngram_range=tuple(facts["ngram_range"]), sublinear_tf=True, vocabulary=words)
    vectorizer.idf_ = idf
    return LinearModel(
        kind=facts["kind"],
        classes=tuple(facts["classes"]),
        vectorizer=vectorizer,
        coefficients=coefficients,
        intercepts=intercepts,
        cleaning=Cleaning(**facts["cleaning"]),
    )
