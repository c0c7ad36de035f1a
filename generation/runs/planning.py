"""Planning a run: what it will ask, what it may cost, and queueing it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.inference.servers import MOST_SEED, Price
from core.jobs.services import request_job
from core.permissions import require_maintainer
from curation.models import Functionality, Language, Suite, TargetGroup
from generation.checks.algorithm.checking import DEFAULT_THRESHOLD
from generation.checks.validating import LONGEST_NAME
from generation.models import GenerationRun, Prompt
from generation.prompts.algorithm.values import FilledPrompt
from generation.prompts.services import current_prompt, fill
from generation.runs.algorithm.collecting import Estimate, estimate_cost, most_requests_for, requests_for
from generation.runs.algorithm.config import ProviderConfig
from generation.runs.algorithm.values import Request
from generation.runs.models import scope_of
from generation.runs.providers import provider_as_json
from generation.runs.stores import DatabaseStore

MOST_WANTED = 10_000
MOST_PER_REQUEST = 50
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
        return self.wanted * max(1, len(self.targets))

    @property
    def targets_or_none(self) -> Sequence[TargetGroup | None]:
        """A prompt that names no group is asked once, about nobody."""
        return self.targets or (None,)


def plan_run(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    targets: Sequence[TargetGroup],
    provider: ProviderConfig,
    wanted: int,
    per_request: int = 10,
    seed: int | None = None,
    prompt: Prompt | None = None,
    nli_model: str = "",
    threshold: float = DEFAULT_THRESHOLD,
) -> RunPlan:
    """Put a run together and try its prompts, without asking anything.

    Refuses a language the suite does not have, numbers out of range, a missing prompt, and a prompt that needs a group
    or slurs that are not there.
    """
    if not suite.languages.filter(pk=language.pk).exists():
        raise BadInput(f"'{suite}' has no cases in {language}. Add the language to the suite first.")
    if not 1 <= wanted <= MOST_WANTED:
        raise BadInput(f"Ask for 1 to {MOST_WANTED:,} messages per group, not {wanted}.")
    if not 1 <= per_request <= MOST_PER_REQUEST:
        raise BadInput(f"Ask for 1 to {MOST_PER_REQUEST} messages per request, not {per_request}.")
    if len(nli_model.strip()) > LONGEST_NAME:
        raise BadInput(f"The name of the inference model has at most {LONGEST_NAME} characters.")
    if not 0 <= threshold <= 1:
        raise BadInput("The threshold lies between 0 and 1.")
    if seed is not None and not 0 <= seed <= MOST_SEED:
        raise BadInput(f"The seed lies between 0 and {MOST_SEED:,}, not {seed}.")
    plan = RunPlan(
        suite=suite,
        language=language,
        functionality=functionality,
        prompt=prompt or current_prompt(functionality, language),
        targets=tuple(targets),
        provider=provider,
        wanted=wanted,
        per_request=min(per_request, wanted),
        seed=provider.parameters.seed if seed is None else seed,
        nli_model=nli_model.strip(),
        threshold=threshold,
    )
    if not plan.prompt.as_version().instruction.needs_group:
        # A group nobody asks about would only be a false target of the cases.
        plan = replace(plan, targets=())
    filled_prompts(plan)
    return plan


def filled_prompts(plan: RunPlan) -> list[tuple[TargetGroup | None, FilledPrompt]]:
    """What the model will read, per group."""
    return [
        (target, fill(plan.prompt, suite=plan.suite, target=target, count=plan.per_request))
        for target in plan.targets_or_none
    ]


@dataclass(frozen=True, slots=True)
class RunEstimate(Estimate):
    """What a run takes if every answer is as long as it may be and brings what it was asked for.

    A model that declines or repeats itself is asked again: `most_requests` and `most_cost` are the end of that.
    """

    most_requests: int
    most_cost: float


def estimate_run(plan: RunPlan) -> RunEstimate:
    """What the run would cost, without asking anything; answers that are there cost nothing."""
    config = plan.provider
    parameters = replace(config.parameters, seed=plan.seed)
    prompts = [prompt for _, prompt in filled_prompts(plan)]
    store = DatabaseStore(scope=scope_of(provider_as_json(config)))
    answered = store.keys_about(prompt.sha256 for prompt in prompts)

    def estimate(count: int) -> Estimate:
        requests = (Request(prompt, config.model, parameters, n) for prompt in prompts for n in range(count))
        return estimate_cost(requests, price=config.price or Price(), answered=answered)

    usual = estimate(requests_for(plan.wanted, plan.per_request))
    most = estimate(most_requests_for(plan.wanted, plan.per_request))
    return RunEstimate(**asdict(usual), most_requests=most.requests, most_cost=most.cost)


@transaction.atomic
def start_run(plan: RunPlan, *, by: User | None, ring_now: bool = True) -> GenerationRun:
    """Keep the plan as a run and queue its job. `by=None` is an operator at the command line.

    Refuses everybody but maintainers: a run may cost money.
    """
    if by is not None:
        require_maintainer(by)
    run = GenerationRun.objects.create(
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
    run.job = request_job(
        "generation.run",
        {"run": run.key},
        title=f"Write {plan.requested} messages for {plan.functionality.key}",
        by=by,
        result_url=run.get_absolute_url(),
        ring_now=ring_now,
    )
    run.save(update_fields=["job"])
    audit.record(by, Action.GENERATION_REQUESTED, run, suite=plan.suite.key, functionality=plan.functionality.key)
    return run


def suggest_seed(suite: Suite, functionality: Functionality) -> int:
    """A seed no run of the functionality has used, so that the next one does not find the same answers again."""
    runs = GenerationRun.objects.filter(suite=suite, functionality=functionality)
    used = set(runs.values_list("seed", flat=True))
    following = max(used, default=-_BETWEEN_SEEDS) + _BETWEEN_SEEDS
    if following <= MOST_SEED:
        return following
    return next(seed for seed in range(0, MOST_SEED, _BETWEEN_SEEDS) if seed not in used)


def find_functionality(key: str) -> Functionality:
    """The functionality of that key. Refuses an unknown one and names those there are."""
    found = Functionality.objects.filter(key=key).first()
    if found is None:
        known = ", ".join(Functionality.objects.values_list("key", flat=True))
        raise Missing(f"There is no functionality '{key}'. Known: {known}.")
    return found
