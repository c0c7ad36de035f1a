"""The vocabulary of responsible AI (RAI) of a Croissant file, filled from what the platform knows about a release.

What is not known is left out: a reader can then ask, instead of believing a phrase.
"""

from collections.abc import Iterable
from typing import Any

from core.text import _, ngettext
from curation.publishing.datasheet import MADE_TO_TEST, maintenance_facts, preprocessing_facts
from curation.publishing.demographics import suppress_small_cells
from curation.publishing.markdown import number
from curation.publishing.records import ReleaseRecords
from curation.publishing.statement import COVERAGE, labelling_facts, policy_facts
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead

CONFORMS_TO = "http://mlcommons.org/croissant/RAI/1.0"
PLATFORM = "Touchstone"
# The kinds of collection that the vocabulary recommends, by the origin of cases.
COLLECTED = {
    "template": "Manual Human Curator",
    "hand": "Manual Human Curator",
    "llm": "Software Collection",
    "attack": "Software Collection",
    "import": "Secondary Data analysis",
}


def rai_properties(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> dict[str, Any]:
    """Return the properties with their prefix; lists where the vocabulary allows several values."""
    prose = records.prose
    unlabelled = records.is_unlabelled(statistics.cases)
    frame = [day[:10] for day in (records.labelled_from, records.labelled_until) if day]
    found: dict[str, Any] = {
        "dataCollection": _joined(
            prose.get("collection_process"), prose.get("curation_rationale"), _origins(statistics)
        ),
        "dataCollectionType": sorted({COLLECTED.get(origin, "Others") for origin in statistics.by_origin}),
        "dataCollectionRawData": _joined(prose.get("speech_situation"), prose.get("provenance_appendix")),
        "dataCollectionMissingData": _missing(records),
        "dataCollectionTimeframe": frame,
        "dataCollectionTimeFrame": frame,  # as mlcroissant spells it
        "dataImputationProtocol": _("No value was imputed: what is not known is empty."),
        "dataManipulationProtocol": _manipulation(statistics),
        "dataDataManipulationProtocol": _manipulation(statistics),  # as mlcroissant spells it
        "dataPreprocessingProtocol": _texts(prose.get("preprocessing"), preprocessing_facts(head, statistics, records)),
        "dataAnnotationProtocol": "" if unlabelled else _protocol(head, statistics, records),
        "dataAnnotationPlatform": [PLATFORM] if records.labelled_from else [],
        "dataAnnotationAnalysis": [] if unlabelled else _texts(*_agreement(records), labelling_facts(head, records)),
        "annotationsPerItem": "0" if unlabelled else _labels_per_case(records),
        "annotatorDemographics": _texts(prose.get("annotator_demographic"), *_annotators(records)),
        "dataBiases": _biases(statistics),
        "dataUseCases": _texts(prose.get("uses"), MADE_TO_TEST),
        "dataLimitations": _limitations(statistics, records, unlabelled=unlabelled),
        "dataSocialImpact": _joined(head.warning, records.wellbeing),
        "personalSensitiveInformation": _sensitive(statistics),
        "dataReleaseMaintenancePlan": _joined(prose.get("maintenance"), maintenance_facts(head, records)),
    }
    return {f"rai:{name}": _plain(value) for name, value in found.items() if value}


def _plain(value: Any) -> Any:
    return [str(one) for one in value] if isinstance(value, list) else str(value)


def _texts(*parts: str | None) -> list[str]:
    return [part.strip() for part in parts if part and part.strip()]


def _joined(*parts: str | None) -> str:
    return " ".join(_texts(*parts))


def _counts(counts: Iterable[tuple[str, int]]) -> list[str]:
    return [f"{name} {count}" for name, count in counts]


def _origins(statistics: Statistics) -> str:
    return _("Cases by origin: %(origins)s.", origins=_counts(sorted(statistics.by_origin.items())))


def _missing(records: ReleaseRecords) -> str:
    if not records.excluded_by_reason:
        return ""
    reasons = _counts(sorted(records.excluded_by_reason.items()))
    return _("Cases that were left out, by reason: %(reasons)s.", reasons=reasons)


def _manipulation(statistics: Statistics) -> str:
    said = []
    if statistics.by_origin.get("template"):
        said.append(_("Cases were made from templates by filling in words of the lexicon."))
    if statistics.by_perturbation_set:
        kinds = _counts(sorted(statistics.by_perturbation_set.items()))
        said.append(_("Cases by perturbation set: %(kinds)s.", kinds=kinds))
    return _joined(*said)


def _protocol(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    guidelines = [f"{one.title or one.language} ({one.language}, {one.version})" for one in records.guidelines]
    return _joined(
        _("Annotators chose one label per case: %(labels)s.", labels=list(head.labels)),
        _("Guidelines: %(guidelines)s.", guidelines=guidelines) if guidelines else "",
        policy_facts(head, statistics, records),
        _("Pay: %(pay)s", pay=records.pay) if records.pay else "",
    )


def _agreement(records: ReleaseRecords) -> list[str]:
    return [
        _(
            "%(part)s: %(cases)s cases with %(labels)s labels each; Fleiss' kappa %(kappa)s, Krippendorff's alpha "
            "%(alpha)s.",
            part=row.part,
            cases=row.cases,
            labels=row.labels_per_case,
            kappa=number(row.fleiss_kappa) or "-",
            alpha=number(row.krippendorff_alpha) or "-",
        )
        for row in records.agreement
    ]


def _labels_per_case(records: ReleaseRecords) -> str:
    if whole := next((row for row in records.agreement if row.part == "all"), None):
        return whole.labels_per_case
    if (found := records.unidentified) is None:
        return ""
    return str(found.most) if found.fewest == found.most else f"{found.fewest}-{found.most}"


def _annotators(records: ReleaseRecords) -> list[str]:
    said: list[str] = []
    if records.annotators is not None:
        people = str(records.annotators)
        said.append(ngettext("%(people)s annotator.", "%(people)s annotators.", records.annotators, people=people))
    for question, answers in sorted(records.demographics.items()):
        shown = suppress_small_cells(answers)
        known = _counts((answer, people) for answer, people in shown.items() if people is not None)
        hidden = [_("other answers: too few to show")] if len(known) < len(shown) else []
        said.append(_("%(question)s: %(answers)s", question=question, answers=[*known, *hidden]))
    return said


def _biases(statistics: Statistics) -> list[str]:
    shares = [f"{label} {100 * share:.1f} %" for label, share in statistics.label_shares().items()]
    said: list[str] = [_("Gold labels: %(shares)s.", shares=shares)]
    for language, balance in statistics.group_balance().items():
        if balance is not None:
            counts = _counts(sorted(statistics.groups_by_language[language].items()))
            said.append(
                _(
                    "Cases by protected group in %(language)s: %(counts)s; smallest over largest %(balance)s.",
                    language=language,
                    counts=counts,
                    balance=f"{balance:.2f}",
                )
            )
    return said


def _limitations(statistics: Statistics, records: ReleaseRecords, *, unlabelled: bool) -> list[str]:
    said: list[str] = [
        _("A functional test finds weaknesses of a model; passing it does not show that the model is good."),
        _(
            "Languages of the texts: %(languages)s. Results do not carry over to other languages, groups and "
            "functionalities.",
            languages=[records.languages.get(code, code) for code in sorted(statistics.by_language)],
        ),
    ]
    if unlabelled:
        said.append(_("The cases were not labelled here: their labels are those they were written or imported with."))
    elif records.agreement:
        said.append(COVERAGE)
    return said


def _sensitive(statistics: Statistics) -> list[str]:
    said: list[str] = []
    if statistics.by_group:
        said.append(_("The texts speak about protected groups: %(groups)s.", groups=sorted(statistics.by_group)))
    said.append(_("Annotators appear under pseudonyms, and answers about them only in sums."))
    return said
