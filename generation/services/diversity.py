"""Two sets of cases side by side: how much their texts repeat each other, and how natural a model finds them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, TypeVar

from curation.errors import BadInput
from curation.models import Suite, TestCase
from generation.diversity.distinct import distinct
from generation.diversity.tokenizing import split_words

ORDERS = (2, 3, 4)
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


def compare_sets(
    *,
    first: dict[str, str],
    second: dict[str, str],
    repeats: int = 10,
    seed: int = 0,
    perplexity_model: str = "",
    progress: Progress = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Self-BLEU 2, 3, 4 on samples of equal size with a t-test, distinct-n, length, and perplexity where asked for.

    Refuses sets of fewer than two texts.
    """
    from generation.diversity.resampling import compare_self_bleu

    choices = [SetChoice(**first), SetChoice(**second)]
    texts = [texts_of(choice) for choice in choices]
    for choice, found in zip(choices, texts, strict=True):
        if len(found) < 2:
            raise BadInput(f"The set '{choice.name}' has {len(found)} texts; at least two are needed.")
    words = [[split_words(text) for text in found] for found in texts]
    measures: list[dict[str, Any]] = []
    for step, order in enumerate(ORDERS):
        progress(step, len(ORDERS) + 1, f"self-BLEU-{order}")
        compared = compare_self_bleu(
            words[0], words[1], order=order, repeats=repeats, seed=seed, smoothing="method1", should_stop=should_stop
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
        progress(len(ORDERS), len(ORDERS) + 1, "perplexity")
        measures.append(_perplexity(texts, perplexity_model, seed, should_stop))
    progress(len(ORDERS) + 1, len(ORDERS) + 1, "")
    return {
        "sets": [{"name": choice.name, "texts": len(found)} for choice, found in zip(choices, texts, strict=True)],
        "seed": seed,
        "repeats": repeats,
        "measures": measures,
    }


def _sample(items: Sequence[Item], size: int, seed: int) -> Sequence[Item]:
    return items if size == len(items) else random.Random(seed).sample(items, size)


def _perplexity(texts: list[list[str]], model: str, seed: int, should_stop: Callable[[], bool]) -> dict[str, Any]:
    from generation.diversity.perplexity import perplexities
    from generation.language_models import ModelNotLoaded

    values: list[float | None] = []
    for found in texts:
        try:
            scored = perplexities(
                _sample(found, min(len(found), MOST_FOR_PERPLEXITY), seed), model=model, should_stop=should_stop
            )
        except ModelNotLoaded as error:
            raise BadInput(str(error)) from error
        known = [item.value for item in scored if item.value is not None]
        values.append(median(known) if known else None)
    return {"name": f"perplexity under {model} (median)", "values": values}
