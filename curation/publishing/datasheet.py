"""A datasheet with the sections of Gebru and others (2021), filled from records and merged with what people wrote."""

from core.text import _, ngettext
from curation.publishing.markdown import document, merged, paragraphs, table
from curation.publishing.records import DATASHEET_SECTIONS, OPEN_POINTS, ReleaseRecords
from curation.publishing.statement import (
    annotator_facts,
    functionality_table,
    has_too_few_labels,
    introduction,
    labelling_facts,
    text_facts,
)
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead

NO_LICENCE = _("not stated, so ask before you use it")

# What was left out, by the cascade, and whether labelled cases with too few labels to tell are in.
LEFT_OUT = {
    ("closure", False): _(
        "Labelled cases that annotators did not confirm were left out, with all cases of their templates and of "
        "templates that refer to those, unless an expert decided to keep them. "
        "Texts are published as they were written."
    ),
    ("closure", True): _(
        "Labelled cases that annotators did not confirm were left out, with all cases of their templates and of "
        "templates that refer to those, unless an expert decided to keep them or they had too few labels to tell. "
        "Texts are published as they were written."
    ),
    ("template", False): _(
        "Labelled cases that annotators did not confirm were left out, with all cases of their templates, unless an "
        "expert decided to keep them. Texts are published as they were written."
    ),
    ("template", True): _(
        "Labelled cases that annotators did not confirm were left out, with all cases of their templates, unless an "
        "expert decided to keep them or they had too few labels to tell. Texts are published as they were written."
    ),
    ("none", False): _(
        "Labelled cases that annotators did not confirm were left out, and nothing else, unless an expert decided to "
        "keep them. Texts are published as they were written."
    ),
    ("none", True): _(
        "Labelled cases that annotators did not confirm were left out, and nothing else, unless an expert decided to "
        "keep them or they had too few labels to tell. Texts are published as they were written."
    ),
}


MADE_TO_TEST = _(
    "Made to test detection models, case by case. Not made to train them: a model that has seen the cases "
    "can no longer be tested with them."
)


def datasheet(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords, *, sha256: str) -> str:
    """Return the document as Markdown."""
    facts = {
        "motivation": head.description,
        "composition": _composition(head, statistics, records),
        "collection_process": annotator_facts(records),
        "preprocessing": preprocessing_facts(head, statistics, records),
        "uses": MADE_TO_TEST,
        "distribution": _(
            "Licence: %(licence)s. Checksum over all cases (SHA-256): `%(sha256)s`.",
            licence=head.licence or NO_LICENCE,
            sha256=sha256,
        ),
        "maintenance": maintenance_facts(head, records),
    }
    sections = {title: merged(facts.get(key, ""), records.prose.get(key)) for key, title in DATASHEET_SECTIONS.items()}
    title = _("Datasheet: %(title)s %(version)s", title=head.title, version=head.version)
    return document(title, introduction(head), sections)


def maintenance_facts(head: ReleaseHead, records: ReleaseRecords) -> str:
    """Return how versions are kept, and what was open when this one was published."""
    rule = _(
        "Version %(version)s. A published version never changes; corrections make a new version.", version=head.version
    )
    if not (despite := records.published_despite):
        return rule
    points = [OPEN_POINTS.get(name, name.lower()) for name in despite["open"]]
    said = (
        _(
            "Open when it was published: %(points)s. Reason for publishing: %(reason)s",
            points=points,
            reason=despite["reason"],
        )
        if despite["reason"]
        else _("Open when it was published: %(points)s. Reason for publishing: none was given.", points=points)
    )
    return f"{rule} {said}"


def _composition(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    balance = [
        (language, len(statistics.groups_by_language[language]), None if value is None else f"{value:.2f}")
        for language, value in statistics.group_balance().items()
    ]
    parts = [
        ngettext(
            "%(count)s texts, each with one gold label (%(labels)s); %(without)s name no protected group.",
            "%(count)s texts, each with one gold label (%(labels)s); %(without)s name no protected group.",
            statistics.cases,
            labels=list(head.labels),
            without=statistics.without_target,
        ),
        _labelled(head, statistics, records),
        text_facts(statistics),
        functionality_table(statistics, records),
    ]
    if balance:
        parts.append(table((_("language"), _("groups"), _("smallest group over largest")), balance))
    return paragraphs(parts)


def _labelled(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    if records.is_unlabelled(statistics.cases):
        return _("The cases were not labelled here.")
    if records.labelling is None and statistics.with_disagreement:
        disputed = _(
            "Cases with too few labels equal to the gold label: %(cases)s.", cases=statistics.with_disagreement
        )
        return f"{disputed} {labelling_facts(head, records)}".strip()
    return labelling_facts(head, records)


def preprocessing_facts(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    """Return what was left out, and whether texts were changed."""
    if records.is_unlabelled(statistics.cases):
        return _("No case was left out for disagreement. Texts are published as they were written or imported.")
    if head.policy == "mark":
        return _(
            "No case was left out for disagreement; `disagreement_in_case` and `disagreement_in_template` mark it."
        )
    if head.min_agree == 0:
        return _("No case was left out for disagreement: no minimum agreement was asked for.")
    return LEFT_OUT[head.cascade, has_too_few_labels(records)]
