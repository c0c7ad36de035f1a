"""Check candidates: scores of hypotheses are kept, verdicts are computed from them for any threshold."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.batches import in_batches
from core.errors import BadInput
from core.inference.entailment import EntailmentScorer
from core.inference.errors import InferenceError
from core.inference.model_files import ModelFolder, locate_model, split_revision
from core.inference.settings import InferenceSettings
from core.jobs.services import request_job
from core.model_access import inference_settings
from core.models import Job
from core.permissions import require_maintainer
from core.text import _, keep, ngettext
from generation.candidates.keeping import keep_what_was_found
from generation.checks.algorithm.checking import Checks, Message, Scorer, Verdict, check_messages, decide
from generation.checks.algorithm.pass_rates import Cell, pass_rates
from generation.checks.algorithm.rule_sets import HypothesisTest, RuleSet
from generation.checks.algorithm.rules import RuleError
from generation.checks.models import RuleSetName
from generation.checks.versions import rule_set_named, rules_for
from generation.models import Candidate, GenerationRun
from generation.permissions import require_decider
from generation.runs.groups import name_in_hypotheses, words_for_each
from generation.sentences import sentence_of

KIND = "generation.check"
LONGEST_NAME = 300  # of a model
PORTION = 100  # messages whose scores are kept at once: what was scored is not lost when a worker dies
NO_GROUP = "no group"
UNCHECKED = Verdict(passed=None, answers={}, reasons=())


@lru_cache(maxsize=1)
def scorer_for(model: str, settings: InferenceSettings) -> EntailmentScorer[ModelFolder]:
    """Load an inference model. The one used last stays loaded; another takes its place: a worker has memory for few.

    Refuses what `locate_model` refuses and a model that tells no entailment.
    """
    name, revision = split_revision(model)
    return EntailmentScorer(locate_model(name, revision=revision, settings=settings), settings=settings)


def request_check(run: GenerationRun, *, model: str, by: User) -> Job:
    """Queue the check of a run's candidates by an inference model; asked for twice, it is queued once.

    Refuses everyone but maintainers, an empty or very long name, and a run that is still being written or checked.
    """
    require_maintainer(by)
    model = model.replace("\x00", "").strip()
    if not model or len(model) > LONGEST_NAME:
        raise BadInput(
            ngettext(
                "Enter the folder or the hub id of an inference model. Use at most %(count)s character.",
                "Enter the folder or the hub id of an inference model. Use at most %(count)s characters.",
                LONGEST_NAME,
            )
        )
    if run.is_under_way:
        raise BadInput(_("The run is still under way. Check its candidates when it has ended."))
    under_way = Job.objects.unfinished().filter(kind=KIND, payload__run=run.key).first()
    if under_way is not None:
        if under_way.payload["model"] == model:
            return under_way
        raise BadInput(
            _(
                "%(model)s is checking these candidates. Wait until it has finished, or stop its job.",
                model=under_way.payload["model"],
            )
        )
    facts = {"run": run.key, "model": model}
    return request_job(
        KIND, facts, title=_("Check the candidates of %(run)s", run=run.key), by=by, result_url=run.get_absolute_url()
    )


def check_again(
    run: GenerationRun,
    *,
    model: str,
    watch: Callable[[int, int, str], None] = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> int:
    """Check a run by a model and make it the run's; one that cannot be used leaves the run as it was."""
    run.nli_model = model
    checked = check_run(run, watch=watch, should_stop=should_stop)
    GenerationRun.objects.filter(pk=run.pk).update(nli_model=model)
    return checked


def check_run(
    run: GenerationRun,
    *,
    scorer: Scorer | None = None,
    watch: Callable[[int, int, str], None] = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> int:
    """Put the hypotheses of the run's functionality to its model and keep the scores; returns how many were checked.

    Candidates whose scores by this model are there are left alone. Refuses a model that cannot be loaded or tells no
    entailment. A functionality without a rule is left unchecked, with the reason.
    """
    rules = rules_for(run.functionality, run.language, run.rule_set)
    proposed = run.candidates.proposed().select_related("target__language").prefetch_related("target__groups")
    proposed = proposed.order_by("number")
    candidates = [candidate for candidate in proposed if _lacks_scores(candidate, run, rules)]
    if not candidates:
        return 0
    terms = words_for_each(run.suite, {candidate.target for candidate in candidates})
    checked = 0
    for number, portion in enumerate(in_batches(candidates, PORTION)):

        def progress(done: int, total: int, before: int = number * PORTION, size: int = len(portion)) -> None:
            watch(before + size * done // total, len(candidates), _("messages checked"))

        messages = [_message(candidate, run, terms[candidate.target]) for candidate in portion]
        try:
            found = check_messages(
                messages,
                rules,
                scorer=scorer or scorer_for(run.nli_model, inference_settings()),
                on_progress=progress,
                should_stop=should_stop,
            )
        except RuleError as error:
            reason = keep({"reason": sentence_of(error)})
            Candidate.objects.filter(pk__in=[item.pk for item in candidates]).update(checks=reason)
            return 0
        except InferenceError as error:
            raise BadInput(sentence_of(error)) from error
        except (OSError, ValueError) as error:
            problem = sentence_of(error)
            raise BadInput(
                _("The inference model '%(model)s' cannot be used: %(problem)s", model=run.nli_model, problem=problem)
            ) from error
        for candidate, checks in zip(portion, found, strict=True):
            candidate.checks = {
                "model": run.nli_model,
                "rule_set": rules.name,
                "scores": dict(checks.scores),
                "rule_tests": dict(checks.rule_tests),
            }
        keep_what_was_found(portion, "checks")
        checked += len(portion)
        if should_stop():
            break
    return checked


def _message(candidate: Candidate, run: GenerationRun, terms: tuple[str, ...]) -> Message:
    return Message(
        key=str(candidate.number),
        text=candidate.text,
        functionality=run.functionality.key,
        language=run.language.code,
        group=name_in_hypotheses(candidate.target),
        terms=terms,
    )


def _lacks_scores(candidate: Candidate, run: GenerationRun, rules: RuleSet) -> bool:
    """Return whether the model was not asked everything that the rule asks today."""
    if (candidate.checks.get("model"), candidate.checks.get("rule_set")) != (run.nli_model, rules.name):
        return True
    asked = {test.key for test in rules.hypotheses_for(run.functionality.key)}
    return None in candidate.scores.values() or not asked <= candidate.scores.keys()


def verdict_of(checks: dict[str, Any], run: GenerationRun, *, threshold: float | None = None) -> Verdict:
    """Return whether a candidate of a run passes, from its kept scores; undecided where it was not checked.

    `threshold` takes the place of the run's; hypotheses with a threshold of their own keep it.
    """
    limit = run.threshold if threshold is None else threshold
    return _verdict(checks, run.functionality.key, limit, run.thresholds)


def _verdict(checks: dict[str, Any], functionality: str, threshold: float, thresholds: dict[str, float]) -> Verdict:
    if "scores" not in checks:
        return UNCHECKED
    kept = Checks(key="", functionality=functionality, scores=checks["scores"], rule_tests=checks.get("rule_tests", {}))
    rules = rule_set_named(checks.get("rule_set", RuleSetName.TOUCHSTONE))
    try:
        return decide(kept, rules, threshold=threshold, thresholds=thresholds)
    except ValueError as error:  # a rule that cannot be read, or a threshold outside 0 to 1
        raise BadInput(sentence_of(error)) from error


def tests_of(run: GenerationRun) -> list[HypothesisTest]:
    """Return the hypotheses that the rule of a run's functionality asks about; none where it has no rule."""
    try:
        rules = rules_for(run.functionality, run.language, run.rule_set)
        return rules.hypotheses_for(run.functionality.key)
    except (RuleError, BadInput):
        return []


@transaction.atomic
def set_thresholds(run: GenerationRun, *, threshold: float, thresholds: Mapping[str, float], by: User) -> None:
    """Keep other thresholds for a run, one for all hypotheses and others for single ones; verdicts move with them.

    Refuses people without the role in the language, values outside 0 to 1, and hypotheses the rule does not ask.
    """
    require_decider(by, run)
    if not all(0 <= value <= 1 for value in (threshold, *thresholds.values())):
        raise BadInput(_("Use a threshold between 0 and 1."))
    known = [test.key for test in tests_of(run)]
    if strange := sorted(set(thresholds) - set(known)):
        raise BadInput(
            _(
                "The rule of '%(functionality)s' has no hypothesis '%(test)s'. Known: %(known)s.",
                functionality=run.functionality.key,
                test=ascii(strange[0])[1:-1],
                known=known,
            )
        )
    run.threshold, run.thresholds = threshold, dict(thresholds)
    run.save(update_fields=["threshold", "thresholds"])
    audit.record(by, Action.CANDIDATES_DECIDED, run, decision="thresholds", threshold=threshold, own=dict(thresholds))


def pass_rate_cells(runs: Iterable[GenerationRun], *, threshold: float) -> list[Cell]:
    """Return pass rates by functionality and group over the candidates of runs; those not checked are undecided.

    Hypotheses to which a run gives a threshold of their own keep it.
    """
    rows = Candidate.objects.filter(run__in=list(runs)).order_by("run__functionality__position", "target__name")
    found = rows.values_list("run__functionality__key", "target__name", "checks", "run__thresholds")
    return pass_rates(
        (functionality, group or NO_GROUP, _verdict(checks, functionality, threshold, own).passed)
        for functionality, group, checks, own in found
    )
