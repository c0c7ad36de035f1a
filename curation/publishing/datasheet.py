"""A datasheet with the sections of Gebru and others (2021), filled from records and merged with what people wrote."""

from __future__ import annotations

from curation.publishing.markdown import document, merged, table
from curation.publishing.records import DATASHEET_SECTIONS, ReleaseRecords
from curation.publishing.statement import annotator_facts, text_facts
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead

NO_LICENCE = "not stated, so ask before you use it"


def datasheet(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords, *, sha256: str) -> str:
    """The document as Markdown."""
    facts = {
        "motivation": head.description,
        "composition": _composition(head, statistics, records),
        "collection_process": annotator_facts(records),
        "preprocessing": _preprocessing(head, is_labelled=records.unlabelled != statistics.cases),
        "uses": (
            "Made to test detection models, case by case. Not made to train them: a model that has seen the cases "
            "can no longer be tested with them."
        ),
        "distribution": f"Licence: {head.licence or NO_LICENCE}. Checksum over all cases (SHA-256): `{sha256}`.",
        "maintenance": f"Version {head.version}. A published version never changes; corrections make a new version.",
    }
    sections = {title: merged(facts.get(key, ""), records.prose.get(key)) for key, title in DATASHEET_SECTIONS.items()}
    introduction = f"Release `{head.reference}` of {head.created[:10]}. {head.warning}"
    return document(f"Datasheet: {head.title} {head.version}", introduction, sections)


def _composition(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    labelled = (
        "nobody labelled them here"
        if records.unlabelled == statistics.cases
        else f"too few annotators agreed with the gold label of {statistics.with_disagreement:,} of them"
    )
    balance = [
        (language, len(statistics.groups_by_language[language]), None if value is None else f"{value:.2f}")
        for language, value in statistics.group_balance().items()
    ]
    parts = [
        f"{statistics.cases:,} texts, each with one gold label ({', '.join(head.labels)}); "
        f"{statistics.without_target:,} name no protected group; "
        f"{labelled}.",
        text_facts(statistics),
        table(("functionality", "cases"), sorted(statistics.by_functionality.items())),
    ]
    if balance:
        parts.append(table(("language", "groups", "smallest group over largest"), balance))
    return "\n\n".join(parts)


def _preprocessing(head: ReleaseHead, *, is_labelled: bool) -> str:
    if not is_labelled:
        return "No case was left out for disagreement. Texts are published as they were written or imported."
    cascade = {
        "closure": "with all cases of their templates and of templates that refer to those",
        "template": "with all cases of their templates",
        "none": "and nothing else",
    }[head.cascade]
    if head.policy == "mark":
        return "No case was left out for disagreement; `disagreement_in_case` and `disagreement_in_template` mark it."
    return f"Cases that annotators did not confirm were left out, {cascade}. Texts are published as they were written."
