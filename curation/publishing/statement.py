"""A data statement with the sections of Bender and Friedman (2018), filled from records, merged with people's prose."""

from __future__ import annotations

from curation.publishing.demographics import SMALLEST_SHOWN, suppress_small_cells
from curation.publishing.markdown import document, merged, number, table
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS, ReleaseRecords
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead


def data_statement(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    """The document as Markdown."""
    facts = {
        "curation_rationale": _rationale(head, statistics, records),
        "language_variety": _languages(statistics, records),
        "annotator_demographic": annotator_facts(records),
        "text_characteristics": text_facts(statistics),
        "recording_quality": "Not applicable: the data are written texts.",
    }
    sections = {title: merged(facts.get(key, ""), records.prose.get(key)) for key, title in STATEMENT_SECTIONS.items()}
    introduction = f"Release `{head.reference}` of {head.created[:10]}. {head.warning}"
    return document(f"Data statement: {head.title} {head.version}", introduction, sections)


def missing_sections(records: ReleaseRecords) -> list[str]:
    """Sections that only a person can write and nobody has written yet, by key."""
    by_hand = ("curation_rationale", "speaker_demographic", "speech_situation", "motivation", "uses", "maintenance")
    known = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}
    return [key for key in by_hand if key in known and not records.prose.get(key, "").strip()]


def _rationale(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    if records.unlabelled == statistics.cases:
        policy = "Nobody labelled the cases here: their labels are those they were written or imported with."
    elif head.policy == "mark":
        policy = "Cases on which annotators disagreed were kept and marked."
    elif head.min_agree is None:
        policy = "Cases that annotators did not confirm were left out."
    else:
        policy = f"Cases with fewer than {head.min_agree} labels equal to the gold label were left out."
    lines = [
        f"Cases: {statistics.cases:,}. Templates: {len(statistics.templates):,}. "
        f"Functionalities: {len(statistics.by_functionality)}. {policy}",
        table(("origin of the case", "cases"), sorted(statistics.by_origin.items())),
    ]
    if records.excluded_by_reason:
        lines.append(table(("left out because of", "cases"), sorted(records.excluded_by_reason.items())))
    return "\n\n".join(lines)


def _languages(statistics: Statistics, records: ReleaseRecords) -> str:
    rows = [(code, records.languages.get(code), count) for code, count in sorted(statistics.by_language.items())]
    return table(("code", "language", "cases"), rows)


def annotator_facts(records: ReleaseRecords) -> str:
    """Who labelled, their pay, when, by which guidelines, and how well they agreed; small cells suppressed."""
    lines: list[str] = []
    if records.annotators is not None:
        lines.append(f"{records.annotators} annotators.")
    for question, counts in sorted(records.demographics.items()):
        shown = suppress_small_cells(counts)
        rows: list[tuple[str, object]] = [(answer, people) for answer, people in shown.items() if people is not None]
        if len(rows) < len(shown):  # without the answers themselves: what one person wrote can name them
            rows.append(("other answers", "too few to show"))
        lines.append(table((question, "people"), rows))
    if records.demographics:
        lines.append(
            f"Cells with fewer than {SMALLEST_SHOWN} people, and cells that would give them away, are not shown."
        )
        if records.campaigns > 1:
            lines.append("Answers cannot be led back to people: who took part in several campaigns counts in each.")
    if records.labelled_from:
        lines.append(f"Labelled from {records.labelled_from} to {records.labelled_until or 'now'}.")
    if records.pay:
        lines.append(f"Pay: {records.pay}")
    if records.wellbeing:
        lines.append(f"Wellbeing: {records.wellbeing}")
    if records.guidelines:
        guidelines = [(guideline.language, guideline.version, guideline.title) for guideline in records.guidelines]
        lines.append(table(("guidelines in", "version", "title"), guidelines))
    if records.agreement:
        lines.append(_agreement(records))
    return "\n\n".join(lines)


def _agreement(records: ReleaseRecords) -> str:
    rows = [
        (row.part, row.cases, row.raters, number(row.fleiss_kappa), number(row.krippendorff_alpha))
        for row in records.agreement
    ]
    return table(("part", "cases", "labels per case", "Fleiss' kappa", "Krippendorff's alpha"), rows)


def text_facts(statistics: Statistics) -> str:
    """Lengths, labels and groups."""
    rows = [
        (name, number(moments.mean), number(moments.sd), moments.smallest, moments.largest)
        for name, moments in (("words", statistics.words), ("characters", statistics.characters))
    ]
    shares = statistics.label_shares()
    labels = [(label, count, f"{100 * shares[label]:.1f} %") for label, count in sorted(statistics.by_label.items())]
    parts = [
        table(("length in", "mean", "sd", "shortest", "longest"), rows),
        "Words are what blanks separate, and undefined in languages written without them; characters are code points.",
        table(("label", "cases", "share"), labels),
    ]
    if statistics.by_group:
        parts.append(table(("protected group", "cases"), sorted(statistics.by_group.items())))
    return "\n\n".join(parts)
