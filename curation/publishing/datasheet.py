"""A datasheet with the sections of Gebru and others (2021), filled from records and merged with what people wrote."""

from curation.publishing.markdown import document, merged, table
from curation.publishing.records import DATASHEET_SECTIONS, ReleaseRecords
from curation.publishing.statement import annotator_facts, exceptions, labelling_facts, text_facts
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead

NO_LICENCE = "not stated, so ask before you use it"


def datasheet(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords, *, sha256: str) -> str:
    """Return the document as Markdown."""
    facts = {
        "motivation": head.description,
        "composition": _composition(head, statistics, records),
        "collection_process": annotator_facts(records),
        "preprocessing": _preprocessing(head, statistics, records),
        "uses": (
            "Made to test detection models, case by case. Not made to train them: a model that has seen the cases "
            "can no longer be tested with them."
        ),
        "distribution": f"Licence: {head.licence or NO_LICENCE}. Checksum over all cases (SHA-256): `{sha256}`.",
        "maintenance": (
            f"Version {head.version}. A published version never changes; corrections make a new version."
            f"{_open_points(records)}"
        ),
    }
    sections = {title: merged(facts.get(key, ""), records.prose.get(key)) for key, title in DATASHEET_SECTIONS.items()}
    introduction = f"Release `{head.reference}` of {head.created[:10]}. {head.warning}"
    return document(f"Datasheet: {head.title} {head.version}", introduction, sections)


def _open_points(records: ReleaseRecords) -> str:
    if not (despite := records.published_despite):
        return ""
    reason = despite["reason"] or "none was given."
    return f" Open when it was published: {', '.join(despite['open']).lower()}. Reason for publishing: {reason}"


def _composition(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    balance = [
        (language, len(statistics.groups_by_language[language]), None if value is None else f"{value:.2f}")
        for language, value in statistics.group_balance().items()
    ]
    parts = [
        f"{statistics.cases:,} texts, each with one gold label ({', '.join(head.labels)}); "
        f"{statistics.without_target:,} name no protected group.",
        _labelled(head, statistics, records),
        text_facts(statistics),
        table(("functionality", "cases"), sorted(statistics.by_functionality.items())),
    ]
    if balance:
        parts.append(table(("language", "groups", "smallest group over largest"), balance))
    return "\n\n".join(part for part in parts if part)


def _labelled(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    if records.is_unlabelled(statistics.cases):
        return "The cases were not labelled here."
    if records.labelling is None and statistics.with_disagreement:
        disputed = f"Cases with too few labels equal to the gold label: {statistics.with_disagreement:,}."
        return f"{disputed} {labelling_facts(head, records)}".strip()
    return labelling_facts(head, records)


def _preprocessing(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    if records.is_unlabelled(statistics.cases):
        return "No case was left out for disagreement. Texts are published as they were written or imported."
    cascade = {
        "closure": "with all cases of their templates and of templates that refer to those",
        "template": "with all cases of their templates",
        "none": "and nothing else",
    }[head.cascade]
    if head.policy == "mark":
        return "No case was left out for disagreement; `disagreement_in_case` and `disagreement_in_template` mark it."
    if head.min_agree == 0:
        return "No case was left out for disagreement: no minimum agreement was asked for."
    return (
        f"Labelled cases that annotators did not confirm were left out, {cascade}, unless {exceptions(records)}. "
        "Texts are published as they were written."
    )
