"""Two sets of cases side by side: how much their texts repeat each other, and how natural a model finds them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles
from typing import Any, TypeVar

from accounts.models import User
from core.errors import BadInput
from core.inference.errors import InferenceError
from core.jobs.services import request_job
from core.model_access import inference_settings
from core.models import Job
from core.permissions import require_maintainer, require_workshop
from core.text import _, catalogue_name, catalogue_names, ngettext
from curation.cases.models import CaseState, Origin
from curation.finding import find_suite
from curation.models import Functionality, Language, Suite, TestCase
from generation.diversity.algorithm.distinct import distinct
from generation.diversity.algorithm.tokenizing import SPLITTERS
from generation.diversity.options import DiversityOptions
from generation.sentences import sentence_of

KIND = "generation.diversity"
ORDERS = (2, 3, 4)
MOST_FOR_PERPLEXITY = 500
Progress = Callable[[int, int, str], None]
Item = TypeVar("Item")
# Programs find measures by these names; `title_of` says them in the reader's language.
WORDS = "words per text"
PERPLEXITY = "perplexity under ", " (median)"
NAMED = 3  # functionalities in the name of a set


@dataclass(frozen=True, slots=True)
class TextSet:
    """Which cases make a set; empty means all."""

    suite: str
    origin: str | None = None
    language: str = ""
    functionalities: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name for programs."""
        parts = (self.suite, self.origin, self.language, ", ".join(self.functionalities[:NAMED]))
        more = f" and {len(self.functionalities) - NAMED} more" if len(self.functionalities) > NAMED else ""
        return ", ".join(part for part in parts if part) + more

    def parts(self) -> list[str]:
        """Return the parts of the name for people: titles instead of keys."""
        titles = catalogue_names(Functionality.objects.filter(key__in=self.functionalities).values_list("key", "title"))
        suite = Suite.objects.filter(key=self.suite).values_list("name", flat=True).first()
        language = Language.objects.filter(code=self.language).values_list("name", flat=True).first() or ""
        named = [titles.get(key, key) for key in self.functionalities[:NAMED]]
        if more := len(self.functionalities) - len(named):
            named.append(ngettext("%(count)s more functionality", "%(count)s more functionalities", more))
        origin = Origin(self.origin).label if self.origin else ""
        parts = (suite or self.suite, origin, catalogue_name(language) or self.language, *named)
        return [part for part in parts if part]

    def texts(self) -> list[str]:
        """Return the different texts of the set, in order. Refuses an unknown suite and fewer than two texts."""
        filters = {
            "origin": self.origin,
            "language__code": self.language,
            "functionality__key__in": self.functionalities,
        }
        # What a decision left out is measured as little as what a person retired: figures are those of a release.
        kept = TestCase.objects.of(find_suite(self.suite)).in_use().exclude(state=CaseState.EXCLUDED)
        cases = kept.filter(**{name: value for name, value in filters.items() if value})
        found = list(dict.fromkeys(cases.in_order().values_list("text", flat=True)))
        if len(found) < 2:
            raise BadInput(
                _(
                    "The set '%(set)s' needs at least two different texts; it has %(number)s.",
                    set=self.parts(),
                    number=len(found),
                )
            )
        return found


def sets_of(options: DiversityOptions) -> tuple[TextSet, TextSet]:
    """Return the two sets that the options name."""
    language, functionalities = options.language, options.functionalities
    return (
        TextSet(options.first_suite, options.first_origin, language, functionalities),
        TextSet(
            options.second_suite,
            options.second_origin,
            options.second_language or language,
            options.second_functionalities or functionalities,
        ),
    )


def title_of(measure: str) -> str:
    """Return the name of a measure in the reader's language; those of the literature are the same in each."""
    before, after = PERPLEXITY
    if measure.startswith(before) and measure.endswith(after):
        return _("perplexity under %(model)s (median)", model=measure.removeprefix(before).removesuffix(after))
    return _("words per text") if measure == WORDS else measure


def request_comparison(options: DiversityOptions, *, by: User) -> Job:
    """Queue a comparison of two sets. Refuses an unknown suite, sets of fewer than two texts, and a model named by
    anyone but a maintainer: it takes memory.
    """
    require_workshop(by)
    if options.perplexity_model:
        require_maintainer(by)
    for one in sets_of(options):
        one.texts()
    return request_job(KIND, {"choice": options.plain()}, title=_("Compare the diversity of two sets"), by=by)


def compare_sets(
    options: DiversityOptions,
    *,
    progress: Progress = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Return self-BLEU 2, 3, 4 of equally large samples with a test, distinct-n, length, and perplexity if asked for.

    Refuses sets of fewer than two texts.
    """
    from generation.diversity.algorithm.resampling import compare_self_bleu

    seed = options.seed
    sets = sets_of(options)
    texts = [one.texts() for one in sets]
    words = [[SPLITTERS[options.tokens](text) for text in found] for found in texts]
    measures: list[dict[str, Any]] = []
    for step, order in enumerate(ORDERS):
        progress(step, len(ORDERS) + 1, f"self-BLEU-{order}")
        compared = compare_self_bleu(
            words[0],
            words[1],
            order=order,
            repeats=options.repeats,
            seed=seed,
            smoothing=options.smoothing,
            should_stop=should_stop,
        )
        measures.append(
            {
                "name": f"self-BLEU-{order}",
                "values": [compared.first.mean, compared.second.mean],
                "deviations": [compared.first.deviation, compared.second.deviation],
                "sample_size": compared.first.size,
                "blocks": compared.blocks,
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
    measures.append({"name": WORDS, "values": [fmean(map(len, found)) for found in words]})
    if options.perplexity_model:
        measures.append(_perplexity(texts, options.perplexity_model, seed, progress, should_stop))
    progress(len(ORDERS) + 1, len(ORDERS) + 1, "")
    return {
        "sets": [{"name": one.name, "texts": len(found)} for one, found in zip(sets, texts, strict=True)],
        "seed": seed,
        "repeats": options.repeats,
        "tokens": options.tokens,
        "smoothing": options.smoothing,
        "measures": measures,
    }


def _sample(items: Sequence[Item], size: int, seed: int) -> Sequence[Item]:
    return items if size == len(items) else random.Random(seed).sample(items, size)


def _perplexity(
    texts: list[list[str]], model: str, seed: int, progress: Progress, should_stop: Callable[[], bool]
) -> dict[str, Any]:
    """Return medians with their quartiles, and a rank test: perplexities are skewed, so a mean says little."""
    from generation.diversity.algorithm.perplexity import perplexities

    samples: list[list[float]] = []
    for found in texts:
        sample = _sample(found, min(len(found), MOST_FOR_PERPLEXITY), seed)

        def tell(done: int, total: int, before: int = len(samples)) -> None:
            progress(before * total + done, len(texts) * total, _("perplexity"))

        try:
            scored = perplexities(
                sample, model=model, settings=inference_settings(), on_progress=tell, should_stop=should_stop
            )
        except InferenceError as error:
            raise BadInput(sentence_of(error)) from error
        samples.append([round(item.value, 3) for item in scored if item.value is not None])
    measure: dict[str, Any] = {
        "name": model.join(PERPLEXITY),
        "values": [median(known) if known else None for known in samples],
        "quartiles": [quantiles(known, n=4, method="inclusive")[::2] if len(known) > 1 else None for known in samples],
        "sizes": [len(known) for known in samples],
        "samples": samples,
    }
    return measure | _rank_test(samples)


def _rank_test(samples: list[list[float]]) -> dict[str, Any]:
    """Return Mann and Whitney's test of two samples of single texts; undefined where one has none."""
    if not all(samples):
        return {"p": None, "reason": _("no text of one set has a perplexity")}
    from scipy import stats

    return {"p": float(stats.mannwhitneyu(*samples).pvalue), "test": "Mann-Whitney"}
