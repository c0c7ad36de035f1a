"""A data statement with the sections of Bender and Friedman (2018), filled from records, merged with people's prose."""

from curation.publishing.demographics import SMALLEST_SHOWN, suppress_small_cells
from curation.publishing.markdown import document, merged, number, table
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS, ReleaseRecords, UnidentifiedLabels
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead

COVERAGE = (
    "Agreement is measured on the cases that were labelled in closed campaigns, also on those that were left out; it "
    "says nothing about cases that were never labelled. Intervals draw whole templates with replacement."
)


def data_statement(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    """Return the document as Markdown."""
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
    """Return the sections that only a person can write and that are still empty, by key."""
    by_hand = ("curation_rationale", "speaker_demographic", "speech_situation", "motivation", "uses", "maintenance")
    known = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}
    return [key for key in by_hand if key in known and not records.prose.get(key, "").strip()]


def _rationale(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    lines = [
        f"Cases: {statistics.cases:,}. Templates: {len(statistics.templates):,}. "
        f"Functionalities: {len(statistics.by_functionality)}. {_policy(head, statistics, records)}",
        _waiting(head, records),
        "" if records.is_unlabelled(statistics.cases) else labelling_facts(head, records),
        table(("origin of the case", "cases"), sorted(statistics.by_origin.items())),
    ]
    if records.excluded_by_reason:
        lines.append(table(("left out because of", "cases"), sorted(records.excluded_by_reason.items())))
    return "\n\n".join(line for line in lines if line)


def _waiting(head: ReleaseHead, records: ReleaseRecords) -> str:
    is_out = head.without_labels == "exclude" or records.excluded_by_reason.get("unlabelled")
    return "Cases that were never labelled were left out." if is_out else ""


def _policy(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    if records.is_unlabelled(statistics.cases):
        return "The cases were not labelled here: their labels are those they were written or imported with."
    if head.policy == "mark":
        return "Labelled cases on which annotators disagreed were kept and marked."
    if head.min_agree is None:
        return "Labelled cases that annotators did not confirm were left out."
    if not head.min_agree:
        return "No minimum agreement was asked for: no case was left out for disagreement."
    return (
        f"Labelled cases with fewer than {head.min_agree} labels equal to the gold label were left out, "
        f"unless {exceptions(records)}."
    )


def exceptions(records: ReleaseRecords) -> str:
    """Why a labelled case may be in although the labels do not confirm it."""
    kept = "an expert decided to keep them"
    has_too_few = records.labelling is not None and records.labelling.too_few_labels
    return f"{kept} or they had too few labels to tell" if has_too_few else kept


def labelling_facts(head: ReleaseHead, records: ReleaseRecords) -> str:
    """Return how many cases are validated, kept by decision and never labelled; as far as it was counted."""
    if records.labelling is not None:
        return records.labelling.sentence(min_agree=head.min_agree)
    if records.unlabelled:
        cases = "1 case" if records.unlabelled == 1 else f"{records.unlabelled:,} cases"
        return f"Never labelled when the release was built: {cases} of the suite."
    return ""


def _languages(statistics: Statistics, records: ReleaseRecords) -> str:
    rows = [(code, records.languages.get(code), count) for code, count in sorted(statistics.by_language.items())]
    return table(("code", "language", "cases"), rows)


def annotator_facts(records: ReleaseRecords) -> str:
    """Who labelled, their pay, when, by which guidelines, and how well they agreed; small cells suppressed."""
    lines: list[str] = []
    if records.annotators is not None:
        lines.append(f"{records.annotators} annotator{'' if records.annotators == 1 else 's'}.")
    if records.unidentified is not None:
        lines.append(_unidentified(records.unidentified))
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


def _unidentified(found: UnidentifiedLabels) -> str:
    if found.fewest == found.most:
        each = f"{found.most} label{'' if found.most == 1 else 's'} per case"
    else:
        each = f"{found.fewest} to {found.most} labels per case"
    return f"{each} by annotators the source does not identify; their number is unknown."


def _agreement(records: ReleaseRecords) -> str:
    rows = [
        (
            row.part,
            row.cases,
            row.labels_per_case,
            number(row.fleiss_kappa),
            row.fleiss_kappa_ci95 and " to ".join(f"{bound:.2f}" for bound in row.fleiss_kappa_ci95),
            number(row.krippendorff_alpha),
        )
        for row in records.agreement
    ]
    header = ("part", "cases", "labels per case", "Fleiss' kappa", "95% interval of kappa", "Krippendorff's alpha")
    return f"{table(header, rows)}\n\n{COVERAGE}"


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
