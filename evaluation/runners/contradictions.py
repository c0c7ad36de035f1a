"""Labels and scores of an uploaded file that do not fit each other."""

from collections.abc import Mapping
from typing import Literal

from core.tables.problems import Problem
from core.text import _, ngettext
from evaluation.runners.answers import Answer
from evaluation.runners.settings import RunnerSettings

HALF = 0.5


def contradictions(
    file: str, rows: Mapping[str, int], answers: Mapping[str, Answer], settings: RunnerSettings
) -> list[Problem]:
    """Return what is wrong with scores that say another label than the one beside them.

    Labels that follow from the scores at another threshold are only noted, and so are few of them; where most scores
    say the other label, the file is refused.
    """
    if not settings.is_binary:
        return []
    scores = {case: answer.score for case, answer in answers.items() if answer.score is not None}
    wrong = [case for case, score in scores.items() if settings.cut(score, HALF) != answers[case].label]
    if not wrong:
        return []
    first = answers[wrong[0]]
    positive = [score for case, score in scores.items() if answers[case].label == settings.positive]
    negative = [score for case, score in scores.items() if answers[case].label != settings.positive]
    if positive and negative and min(positive) > max(negative):
        problem = _(
            "the labels follow from the scores at a threshold of about %(threshold)s, not at 0.5",
            threshold=f"{min(positive):g}",
        )
        fix = _("Give that threshold, so that results say where the scores are cut.")
        return [Problem(file, rows[wrong[0]], "score", problem, fix, "warning")]
    severity: Literal["error", "warning"] = "error" if 2 * len(wrong) > len(scores) else "warning"
    problem = ngettext(
        "%(count)s score contradicts the label beside it: %(label)s with %(score)s",
        "%(count)s scores contradict the label beside them: first %(label)s with %(score)s",
        len(wrong),
        label=first.label,
        score=f"{first.score:g}",
    )
    fix = _(
        "A score is how sure the model is of '%(label)s', from 0 to 1. Correct the scores, or leave them out.",
        label=settings.positive,
    )
    return [Problem(file, rows[wrong[0]], "score", problem, fix, severity)]
