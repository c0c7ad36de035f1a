"""Two sets of cases side by side: how much their texts repeat each other, and how natural a model finds them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median, quantiles
from typing import Any, TypeVar

from accounts.models import User
from core.errors import BadInput
from core.inference.errors import InferenceError
from core.jobs.services import request_job
from core.model_access import inference_settings
from core.models import Job
from core.permissions import require_maintainer, require_workshop
from curation.models import Suite, TestCase
from generation.diversity.algorithm.distinct import distinct
from generation.diversity.algorithm.tokenizing import split_words

KIND = "generation.diversity"
# NLTK's; without one (method0), short texts that share no long n-gram count as almost 0. Method 6 is left out: it
# is undefined as soon as one text shares no trigram.
SMOOTHINGS = {
    "method1": "method1: a tenth of a match where there is none",
    "method0": "method0: none, as published for GPT-HateCheck",
    "method2": "method2: one added to every count",
    "method3": "method3: halving",
    "method4": "method4: halving by length",
    "method5": "method5: average of neighbours",
    "method7": "method7: halving and average",
}
SMOOTHING = "method1"
ORDERS = (2, 3, 4)
MOST_REPEATS = 100
MOST_FOR_PERPLEXITY = 500
Progress = Callable[[int, int, str], None]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class SetChoice:
    """Which cases make a set; empty means all."""

    suite: str
    origin: str = ""
    language: str = ""
    functionality: str = ""

    @property
    def name(self) -> str:
        return ", ".join(part for part in (self.suite, self.origin, self.language, self.functionality) if part)


def texts_of(choice: SetChoice) -> list[str]:
    """The texts of a set, in order. Refuses an unknown suite."""
    suite = Suite.objects.filter(key=choice.suite).first()
    if suite is None:
        raise BadInput(f"There is no suite '{choice.suite}'.")
    filters = {
        "origin": choice.origin,
        "language__code": choice.language,
        "functionality__key": choice.functionality,
    }
    cases = TestCase.objects.of(suite).in_use().filter(**{name: value for name, value in filters.items() if value})
    return list(cases.in_order().values_list("text", flat=True))


def request_comparison(
    first: SetChoice,
    second: SetChoice,
    *,
    by: User,
    perplexity_model: str = "",
    repeats: int = 10,
    seed: int = 0,
    smoothing: str = SMOOTHING,
) -> Job:
    """Queue a comparison of two sets. Refuses an unknown suite or smoothing, sets of fewer than two texts, and a model
    named by anybody but a maintainer: it takes memory.
    """
    require_workshop(by)
    model = perplexity_model.strip()
    if model:
        require_maintainer(by)
    if not 2 <= repeats <= MOST_REPEATS:
        raise BadInput(f"Draw 2 to {MOST_REPEATS} samples, not {repeats}.")
    if smoothing not in SMOOTHINGS:
        raise BadInput(f"There is no smoothing '{smoothing}'. Known: {', '.join(SMOOTHINGS)}.")
    for choice in (first, second):
        _require_texts(choice, len(texts_of(choice)))
    payload = {
        "first": asdict(first), "second": asdict(second), "perplexity_model": model, "repeats": repeats, "seed": seed,
        "smoothing": smoothing,
    }  # fmt: skip
    return request_job(KIND, {"choice": payload}, title="Compare the diversity of two sets", by=by)


def compare_sets(
    *,
    first: dict[str, str],
    second: dict[str, str],
    repeats: int = 10,
    seed: int = 0,
    perplexity_model: str = "",
    smoothing: str = SMOOTHING,
    progress: Progress = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Self-BLEU 2, 3, 4 on samples of equal size with a t-test, distinct-n, length, and perplexity where asked for.

    Refuses sets of fewer than two texts.
    """
    from generation.diversity.algorithm.resampling import compare_self_bleu

    choices = [SetChoice(**first), SetChoice(**second)]
    texts = [texts_of(choice) for choice in choices]
    for choice, found in zip(choices, texts, strict=True):
        _require_texts(choice, len(found))
    words = [[split_words(text) for text in found] for found in texts]
    measures: list[dict[str, Any]] = []
    for step, order in enumerate(ORDERS):
        progress(step, len(ORDERS) + 1, f"self-BLEU-{order}")
        compared = compare_self_bleu(
            words[0], words[1], order=order, repeats=repeats, seed=seed, smoothing=smoothing, should_stop=should_stop
        )
        measures.append(
            {
                "name": f"self-BLEU-{order}",
                "values": [compared.first.mean, compared.second.mean],
                "deviations": [compared.first.deviation, compared.second.deviation],
                "sample_size": compared.first.size,
                "t": compared.t,
                "p": compared.p,
                "reason": compared.reason,
            }
        )
    # Distinct-n falls with size, so it is taken from equally many texts, like self-BLEU.
    size = min(len(found) for found in words)
    measures += [
        {"name": f"distinct-{order}", "values": [distinct(_sample(found, size, seed), order) for found in words]}
        for order in (1, 2, 3)
    ]
    measures.append({"name": "words per text", "values": [fmean(map(len, found)) for found in words]})
    if perplexity_model:
        measures.append(_perplexity(texts, perplexity_model, seed, progress, should_stop))
    progress(len(ORDERS) + 1, len(ORDERS) + 1, "")
    return {
        "sets": [{"name": choice.name, "texts": len(found)} for choice, found in zip(choices, texts, strict=True)],
        "seed": seed,
        "repeats": repeats,
        "smoothing": smoothing,
        "measures": measures,
    }


def _require_texts(choice: SetChoice, count: int) -> None:
    if count < 2:
        raise BadInput(f"The set '{choice.name}' has {count} texts; at least two are needed.")


def _sample(items: Sequence[Item], size: int, seed: int) -> Sequence[Item]:
    return items if size == len(items) else random.Random(seed).sample(items, size)


def _perplexity(
    texts: list[list[str]], model: str, seed: int, progress: Progress, should_stop: Callable[[], bool]
) -> dict[str, Any]:
    """Medians with their quartiles, and a rank test: perplexities are skewed, so a mean says little."""
    from generation.diversity.algorithm.perplexity import perplexities

    samples: list[list[float]] = []
    for found in texts:
        sample = _sample(found, min(len(found), MOST_FOR_PERPLEXITY), seed)

        def tell(done: int, total: int, before: int = len(samples)) -> None:
            progress(before * total + done, len(texts) * total, "perplexity")

        try:
            scored = perplexities(
                sample, model=model, settings=inference_settings(), on_progress=tell, should_stop=should_stop
            )
        except InferenceError as error:
            raise BadInput(str(error)) from error
        samples.append([round(item.value, 3) for item in scored if item.value is not None])
    measure: dict[str, Any] = {
        "name": f"perplexity under {model} (median)",
        "values": [median(known) if known else None for known in samples],
        "quartiles": [quantiles(known, n=4, method="inclusive")[::2] if len(known) > 1 else None for known in samples],
        "sizes": [len(known) for known in samples],
        "samples": samples,
    }
    return measure | _rank_test(samples)


def _rank_test(samples: list[list[float]]) -> dict[str, Any]:
    """Mann and Whitney's test of two samples of single texts; undefined where one has none."""
    if not all(samples):
        return {"p": None, "reason": "no text of one set has a perplexity"}
    from scipy import stats

    return {"p": float(stats.mannwhitneyu(*samples).pvalue), "test": "Mann-Whitney"}
