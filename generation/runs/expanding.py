"""Expand templates: count what approved templates can become, then make all of it or a balanced sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.urls import reverse

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.jobs.services import request_job
from core.models import Job
from core.permissions import require_author
from core.text import _, catalogue_name, ngettext
from curation.cases.generating import Source, keep_realised
from curation.finding import find_suite
from curation.models import Language, Suite
from curation.morphology.expand import Realised
from generation.expansion.plans import Combination, count_plans
from generation.expansion.sampling import expand
from generation.runs.expansion_plans import NO_GROUP, TemplatePlans, plan_templates
from generation.runs.options import MOST_CASES, ExpansionOptions
from generation.runs.planning import find_language

KIND = "generation.expand"
ABOUT_NO_GROUP = "about no group"  # programs read it; `group_title` says it in the reader's language


@dataclass(frozen=True, slots=True)
class ExpansionCount:
    """How large an expansion is, before anything is filled. `unbalanced` are templates with unequal groups."""

    language: str
    templates: int
    total: int
    is_exact: bool
    by_group: dict[str, int]
    by_functionality: dict[str, int]
    unbalanced: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def count_expansion(choice: ExpansionOptions) -> ExpansionCount:
    """Count what the choice can become. Refuses an unknown suite, language or functionality, and bad settings."""
    suite, language = _find(choice)
    return _count(_plans(choice, suite, language), language)


@transaction.atomic
def request_expansion(choice: ExpansionOptions, *, by: User) -> Job:
    """Queue an expansion. Refuses people without the role in the language, nothing to expand, and too much at once."""
    suite, language = _find(choice)
    require_author(by, language.code)
    _refuse_size(choice, _count(_plans(choice, suite, language), language))
    title = _("Expand the templates of %(suite)s", suite=suite.name)
    if choice.size:
        title = ngettext(
            "Expand the templates of %(suite)s: a sample of %(count)s text",
            "Expand the templates of %(suite)s: a sample of %(count)s texts",
            choice.size,
            suite=suite.name,
        )
    job = request_job(
        KIND,
        {"choice": choice.plain() | {"language": language.code}},
        title=title,
        by=by,
    )
    job.result_url = reverse("generation:expansion-result", args=[job.key])
    job.save(update_fields=["result_url"])
    return job


def expand_templates(
    choice: ExpansionOptions,
    *,
    by: User | None,
    progress: Callable[[int, int, str], None] = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Make the cases of an expansion; those that are there stay as they are. `by=None` is an operator.

    They are kept in one go at the end: an expansion that is stopped adds nothing.
    """
    suite, language = _find(choice)
    if by is not None:
        require_author(by, language.code)
    plans = _plans(choice, suite, language)
    count = _count(plans, language)
    _refuse_size(choice, count)
    chosen: dict[Combination, tuple[Source, int, Realised]] = {}

    def render(combination: Combination) -> str | None:
        realised = plans.realise(combination)
        if realised is None:
            return None
        chosen[combination] = realised
        return realised[2].text

    expansion = expand(
        plans.plans,
        render=render,
        size=choice.size,
        seed=choice.seed,
        near_duplicate_similarity=choice.similarity,
        on_progress=lambda done, total: progress(done, total, _("texts")),
        should_stop=should_stop,
    )
    result: dict[str, Any] = described(choice) | {
        "language": language.code,
        "possible": count.total,
        "was_stopped": expansion.was_stopped,
    }
    if expansion.was_stopped:
        return result
    # In the order of the templates, whatever the order in which they were drawn.
    place = {plan.template: number for number, plan in enumerate(plans.plans)}
    filled = sorted(expansion.filled, key=lambda item: place[item.combination.template])
    report = keep_realised(suite, language, (chosen[item.combination] for item in filled), by=by)
    if report.generated:
        audit.record(by, Action.CASES_GENERATED, suite, generated=report.generated, seed=choice.seed, size=choice.size)
    return result | {
        "texts": len(filled),
        "generated": report.generated,
        "unchanged": report.unchanged,
        "skipped": report.skipped,
        "near_duplicates": expansion.near_duplicates,
        "left_out_for_balance": expansion.left_out_for_balance,
        "by_group": _named(expansion.by_group),
        "by_functionality": dict(Counter(item.combination.stratum for item in filled)),
        "unbalanced": count.unbalanced,
        "problems": count.problems,
        "warnings": report.warnings,
    }


def described(choice: ExpansionOptions) -> dict[str, Any]:
    """Return the options as results name them."""
    return choice.model_dump(mode="json", exclude={"count"})


def _find(choice: ExpansionOptions) -> tuple[Suite, Language]:
    suite = find_suite(choice.suite)
    language = find_language(suite, choice.language)
    if not suite.languages.filter(pk=language.pk).exists():
        raise Missing(
            _(
                "'%(suite)s' has no language '%(language)s'. It has: %(known)s.",
                suite=suite.key,
                language=choice.language,
                known=list(suite.languages.order_by("code").values_list("code", flat=True)) or _("none"),
            )
        )
    return suite, language


def _plans(choice: ExpansionOptions, suite: Suite, language: Language) -> TemplatePlans:
    plans = plan_templates(suite, language, functionalities=choice.functionalities, across_groups=choice.across_groups)
    if choice.functionalities:
        there = {plan.stratum for plan in plans.plans}
        for key in choice.functionalities:
            if key not in there:
                raise Missing(
                    _(
                        "'%(suite)s' has no approved template of '%(functionality)s' in %(language)s.",
                        suite=suite.key,
                        functionality=key,
                        language=catalogue_name(language.name),
                    )
                )
    return plans


def _count(plans: TemplatePlans, language: Language) -> ExpansionCount:
    count = count_plans(plans.plans)
    return ExpansionCount(
        language=language.code,
        templates=len(plans.plans),
        total=count.total,
        is_exact=plans.is_exact,
        by_group=_named(count.by_group),
        by_functionality=dict(count.by_stratum),
        unbalanced=list(count.unbalanced),
        problems=plans.problems,
    )


def _refuse_size(choice: ExpansionOptions, count: ExpansionCount) -> None:
    if not count.total:
        raise BadInput(_("No approved template produces a text. Approve templates first, or add words to the lexicon."))
    if min(choice.size or count.total, count.total) > MOST_CASES:
        raise BadInput(
            ngettext(
                "That would be up to %(count)s text; at most %(most)s are made at once. Draw a sample instead.",
                "That would be up to %(count)s texts; at most %(most)s are made at once. Draw a sample instead.",
                count.total,
                most=MOST_CASES,
            )
        )


def _named(by_group: Any) -> dict[str, int]:
    return {group or ABOUT_NO_GROUP: size for group, size in sorted(by_group.items(), key=_by_name) if size}


def group_title(name: str) -> str:
    """Return the name of a group in the reader's language, of a count or a result."""
    return {ABOUT_NO_GROUP: _("about no group"), NO_GROUP: _("no group")}.get(name, name)


def _by_name(item: tuple[str, int]) -> str:
    return item[0].casefold()
