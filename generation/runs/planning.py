"""Plan runs: what they will ask, what they may cost, and queueing them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from typing import Any

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, DomainError, Missing
from core.inference.servers import MOST_SEED, Price
from core.jobs.services import request_job
from core.permissions import require_maintainer
from core.text import _, catalogue_name, keep, ngettext
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality, Language, Suite, TargetGroup
from generation.checks.algorithm.checking import DEFAULT_THRESHOLD
from generation.models import GenerationPlan, GenerationRun, Prompt
from generation.prompts.algorithm.values import FilledPrompt
from generation.prompts.services import current_prompt, fill, load_prompts
from generation.runs.algorithm.collecting import Estimate, estimate_cost, most_requests_for, requests_for
from generation.runs.algorithm.config import ProviderConfig
from generation.runs.algorithm.values import Request
from generation.runs.groups import find_targets
from generation.runs.models import scope_of
from generation.runs.options import WritingOptions
from generation.runs.providers import provider_as_json
from generation.runs.stores import DatabaseStore

ALL = "all"
MOST_RUNS = 500
_BETWEEN_SEEDS = 1000


@dataclass(frozen=True, slots=True)
class RunPlan:
    """All that a run is made of, before anything is asked."""

    suite: Suite
    language: Language
    functionality: Functionality
    prompt: Prompt
    targets: tuple[TargetGroup, ...]
    provider: ProviderConfig
    wanted: int
    per_request: int = 10
    seed: int = 0
    nli_model: str = ""
    rule_set: str = "touchstone"
    threshold: float = DEFAULT_THRESHOLD

    @property
    def requested(self) -> int:
        return self.wanted * len(self.targets_or_none)

    @property
    def targets_or_none(self) -> Sequence[TargetGroup | None]:
        """The groups; a prompt that names no group is asked once, without one."""
        return self.targets or (None,)


@dataclass(frozen=True, slots=True)
class Plan:
    """Runs that share a provider and its budget. `skipped` says which could not be planned, and why."""

    suite: Suite
    runs: tuple[RunPlan, ...]
    skipped: tuple[str, ...] = ()

    @property
    def requested(self) -> int:
        return sum(run.requested for run in self.runs)

    @property
    def provider(self) -> ProviderConfig:
        return self.runs[0].provider


@transaction.atomic
def make_plan(suite: Suite, options: WritingOptions, *, provider: ProviderConfig) -> Plan:
    """Put the runs of the options together and try their prompts, without asking anything.

    Refuses an unknown language, functionality or group, and options of which no run can be planned. Of several runs,
    those without a prompt, or whose prompt needs slurs that are not in the lexicon, are skipped.
    """
    load_catalogue()
    load_prompts()
    codes, keys = options.place
    languages = [find_language(suite, code) for code in dict.fromkeys(codes)]
    functionalities = _functionalities(dict.fromkeys(keys), languages)
    if len(languages) * len(functionalities) > MOST_RUNS:
        raise BadInput(
            ngettext(
                "A plan has at most %(count)s run. Choose fewer functionalities or languages.",
                "A plan has at most %(count)s runs. Choose fewer functionalities or languages.",
                MOST_RUNS,
            )
        )
    targets = {language.code: find_targets(language, list(options.groups)) for language in languages}
    runs, skipped = [], []
    for language, functionality in product(languages, functionalities):
        try:
            prompt = current_prompt(functionality, language)
            chosen = targets[language.code]
            runs.append(plan_run(suite, prompt, targets=chosen, provider=provider, **options.settings()))
        except DomainError as error:
            if len(languages) * len(functionalities) == 1:
                raise
            skipped.append(
                _(
                    "%(functionality)s, %(language)s: %(reason)s",
                    functionality=catalogue_name(functionality.title),
                    language=catalogue_name(language.name),
                    reason=error.title,
                )
            )
    if not runs:
        raise BadInput(skipped[0] if skipped else _("Choose at least one functionality."))
    return Plan(suite, tuple(runs), tuple(skipped))


def _functionalities(keys: Iterable[str], languages: list[Language]) -> list[Functionality]:
    if ALL in keys:
        return list(Functionality.objects.filter(prompts__language__in=languages).distinct())
    return [find_functionality(key) for key in keys]


def plan_run(
    suite: Suite,
    prompt: Prompt,
    *,
    targets: Sequence[TargetGroup],
    provider: ProviderConfig,
    wanted: int,
    per_request: int = 10,
    seed: int | None = None,
    **settings: Any,
) -> RunPlan:
    """Put a run together and try its prompt for each group.

    Refuses a language the suite does not have, and a prompt that needs a group or slurs that are not there.
    """
    language = prompt.language
    if not suite.languages.filter(pk=language.pk).exists():
        raise BadInput(
            _(
                "'%(suite)s' has no cases in %(language)s. Add the language to the suite first.",
                suite=suite.name,
                language=catalogue_name(language.name),
            )
        )
    plan = RunPlan(
        suite=suite,
        language=language,
        functionality=prompt.functionality,
        prompt=prompt,
        # A group that the prompt does not ask about would be a false target of the cases.
        targets=tuple(targets) if prompt.as_version().instruction.needs_group else (),
        provider=provider,
        wanted=wanted,
        per_request=min(per_request, wanted),
        seed=provider.parameters.seed if seed is None else seed,
        **settings,
    )
    filled_prompts(plan)
    return plan


def filled_prompts(plan: RunPlan) -> list[tuple[TargetGroup | None, FilledPrompt]]:
    """Return what the model will read, per group."""
    return [
        (target, fill(plan.prompt, suite=plan.suite, target=target, count=plan.per_request))
        for target in plan.targets_or_none
    ]


@dataclass(frozen=True, slots=True)
class RunEstimate(Estimate):
    """What runs take if every answer is as long as it may be and brings what it was asked for.

    A model that declines or repeats itself is asked again: `most_requests` and `most_cost` are the end of that.
    """

    most_requests: int
    most_cost: float


def estimate_plan(plan: Plan) -> RunEstimate:
    """Return what the runs of a plan would cost, without asking anything; answers that are there cost nothing."""
    estimates = [_estimate_run(run) for run in plan.runs]
    return RunEstimate(**{item.name: sum(getattr(e, item.name) for e in estimates) for item in fields(RunEstimate)})


def _estimate_run(plan: RunPlan) -> RunEstimate:
    config = plan.provider
    parameters = replace(config.parameters, seed=plan.seed)
    prompts = [prompt for _target, prompt in filled_prompts(plan)]
    store = DatabaseStore(scope=scope_of(provider_as_json(config)))
    answered = store.keys_about(prompt.sha256 for prompt in prompts)

    def estimate(count: int) -> Estimate:
        requests = (Request(prompt, config.model, parameters, n) for prompt in prompts for n in range(count))
        return estimate_cost(requests, price=config.price or Price(), answered=answered)

    usual = estimate(requests_for(plan.wanted, plan.per_request))
    most = estimate(most_requests_for(plan.wanted, plan.per_request))
    return RunEstimate(**asdict(usual), most_requests=most.requests, most_cost=most.cost)


@transaction.atomic
def start_plan(plan: Plan, *, by: User | None, notify: bool = True, keep_plan: bool = False) -> list[GenerationRun]:
    """Keep the runs and queue one job for all of them. Several runs are kept as a plan, one only with `keep_plan`.

    `by=None` is an operator at the command line. Refuses everyone but maintainers: runs may cost money.
    """
    if by is not None:
        require_maintainer(by)
    first = plan.runs[0]
    kept = None
    if keep_plan or len(plan.runs) > 1 or plan.skipped:
        kept = GenerationPlan.objects.create(suite=plan.suite, skipped=keep(plan.skipped), requested_by=by)
    runs = [_keep_run(run, plan_row=kept, by=by) for run in plan.runs]
    subject = kept or runs[0]
    title = ngettext(
        "Write %(count)s message for %(functionality)s",
        "Write %(count)s messages for %(functionality)s",
        plan.requested,
        functionality=catalogue_name(first.functionality.title),
    )
    if kept:
        title = ngettext(
            "Write %(count)s message in a plan for %(suite)s",
            "Write %(count)s messages in a plan for %(suite)s",
            plan.requested,
            suite=plan.suite.name,
        )
    job = request_job(
        "generation.plan" if kept else "generation.run",
        {"plan" if kept else "run": subject.key},
        title=title,
        by=by,
        result_url=subject.get_absolute_url(),
        ring_now=notify,
    )
    GenerationRun.objects.filter(pk__in=[run.pk for run in runs]).update(job=job)
    for run in runs:
        run.job = job
    return runs


def _keep_run(plan: RunPlan, *, plan_row: GenerationPlan | None, by: User | None) -> GenerationRun:
    run = GenerationRun.objects.create(
        plan=plan_row,
        suite=plan.suite,
        language=plan.language,
        functionality=plan.functionality,
        prompt=plan.prompt,
        provider=provider_as_json(plan.provider),
        model=plan.provider.model[:300],
        wanted=plan.wanted,
        per_request=plan.per_request,
        seed=plan.seed,
        nli_model=plan.nli_model,
        rule_set=plan.rule_set,
        threshold=plan.threshold,
        requested_by=by,
    )
    run.targets.set(plan.targets)
    audit.record(by, Action.GENERATION_REQUESTED, run, suite=plan.suite.key, functionality=plan.functionality.key)
    return run


def suggest_seed(suite: Suite) -> int:
    """Return a seed that no run of the suite has used, so that the next run does not find the same answers again."""
    used = set(GenerationRun.objects.filter(suite=suite).values_list("seed", flat=True))
    following = max(used, default=-_BETWEEN_SEEDS) + _BETWEEN_SEEDS
    if following <= MOST_SEED:
        return following
    return next(seed for seed in range(0, MOST_SEED, _BETWEEN_SEEDS) if seed not in used)


def find_functionality(key: str) -> Functionality:
    """Return the functionality of that key. Refuses an unknown one and names those there are."""
    found = Functionality.objects.filter(key=key).first()
    if found is None:
        known = list(Functionality.objects.values_list("key", flat=True))
        raise Missing(_("There is no functionality '%(key)s'. Known: %(known)s.", key=key, known=known))
    return found


def find_language(suite: Suite, code: str) -> Language:
    """Return the language of that code; without one English if the suite has it, otherwise the suite's only one.

    Refuses an unknown language, and no code where the suite has several languages without English.
    """
    if code:
        language = Language.objects.filter(code=code).first()
        if language is None:
            known = list(Language.objects.order_by("code").values_list("code", flat=True))
            raise Missing(_("There is no language '%(key)s'. Known: %(known)s.", key=code, known=known))
        return language
    known_languages = {language.code: language for language in suite.languages.all()}
    if "en" not in known_languages and len(known_languages) != 1:
        if not known_languages:
            raise BadInput(_("'%(suite)s' has no language. Add a language to the suite first.", suite=suite.key))
        raise BadInput(
            _(
                "'%(suite)s' has several languages: %(known)s. Name one of them.",
                suite=suite.key,
                known=sorted(known_languages),
            )
        )
    return known_languages.get("en") or next(iter(known_languages.values()))
