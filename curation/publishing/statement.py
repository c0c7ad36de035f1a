"""A data statement with the sections of Bender and Friedman (2018), filled from records, merged with people's prose."""

from core.text import _, ngettext
from curation.publishing.demographics import SMALLEST_SHOWN, suppress_small_cells
from curation.publishing.markdown import document, merged, number, paragraphs, table
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS, ReleaseRecords, UnidentifiedLabels
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead

COVERAGE = _(
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
        "recording_quality": _("Not applicable: the data are written texts."),
    }
    sections = {title: merged(facts.get(key, ""), records.prose.get(key)) for key, title in STATEMENT_SECTIONS.items()}
    title = _("Data statement: %(title)s %(version)s", title=head.title, version=head.version)
    return document(title, introduction(head), sections)


def introduction(head: ReleaseHead) -> str:
    """Return the first lines of a document: which release it is about, its DOI, and what its texts are like."""
    release = _("Release `%(release)s` of %(date)s.", release=head.reference, date=head.created[:10])
    doi = _("DOI: https://doi.org/%(doi)s.", doi=head.doi) if head.doi else ""
    return " ".join(str(part) for part in (release, doi, head.warning) if part)


def missing_sections(records: ReleaseRecords) -> list[str]:
    """Return the sections that only a person can write and that are still empty, by key."""
    by_hand = ("curation_rationale", "speaker_demographic", "speech_situation", "motivation", "uses", "maintenance")
    known = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}
    return [key for key in by_hand if key in known and not records.prose.get(key, "").strip()]


def _rationale(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    counts = _(
        "Cases: %(cases)s. Templates: %(templates)s. Functionalities: %(functionalities)s.",
        cases=statistics.cases,
        templates=len(statistics.templates),
        functionalities=str(len(statistics.by_functionality)),
    )
    lines = [
        f"{counts} {policy_facts(head, statistics, records)}",
        _waiting(head, records),
        "" if records.is_unlabelled(statistics.cases) else labelling_facts(head, records),
        table((_("origin of the case"), _("cases")), sorted(statistics.by_origin.items())),
    ]
    if records.excluded_by_reason:
        lines.append(table((_("left out because of"), _("cases")), sorted(records.excluded_by_reason.items())))
    return paragraphs(lines)


def _waiting(head: ReleaseHead, records: ReleaseRecords) -> str:
    is_out = head.without_labels == "exclude" or records.excluded_by_reason.get("unlabelled")
    return _("Cases that were never labelled were left out.") if is_out else ""


def policy_facts(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords) -> str:
    """Return which cases stay out because of their labels."""
    if records.is_unlabelled(statistics.cases):
        return _("The cases were not labelled here: their labels are those they were written or imported with.")
    if head.policy == "mark":
        return _("Labelled cases on which annotators disagreed were kept and marked.")
    if head.min_agree is None:
        return _("Labelled cases that annotators did not confirm were left out.")
    if not head.min_agree:
        return _("No minimum agreement was asked for: no case was left out for disagreement.")
    if has_too_few_labels(records):
        return ngettext(
            "Labelled cases with fewer than %(count)s labels equal to the gold label were left out, unless an expert "
            "decided to keep them or they had too few labels to tell.",
            "Labelled cases with fewer than %(count)s labels equal to the gold label were left out, unless an expert "
            "decided to keep them or they had too few labels to tell.",
            head.min_agree,
        )
    return ngettext(
        "Labelled cases with fewer than %(count)s labels equal to the gold label were left out, unless an expert "
        "decided to keep them.",
        "Labelled cases with fewer than %(count)s labels equal to the gold label were left out, unless an expert "
        "decided to keep them.",
        head.min_agree,
    )


def has_too_few_labels(records: ReleaseRecords) -> bool:
    """Tell whether a labelled case may be in that has too few labels to tell."""
    return records.labelling is not None and bool(records.labelling.too_few_labels)


def labelling_facts(head: ReleaseHead, records: ReleaseRecords) -> str:
    """Return how many cases are validated, kept by decision and never labelled; as far as it was counted."""
    if records.labelling is not None:
        return records.labelling.sentence(min_agree=head.min_agree)
    if records.unlabelled:
        return ngettext(
            "Never labelled when the release was built: %(count)s case of the suite.",
            "Never labelled when the release was built: %(count)s cases of the suite.",
            records.unlabelled,
        )
    return ""


def _languages(statistics: Statistics, records: ReleaseRecords) -> str:
    rows = [(code, records.languages.get(code), count) for code, count in sorted(statistics.by_language.items())]
    return table((_("code"), _("language"), _("cases")), rows)


def annotator_facts(records: ReleaseRecords) -> str:
    """Who labelled, their pay, when, by which guidelines, and how well they agreed; small cells suppressed."""
    lines: list[str] = []
    if records.annotators is not None:
        people = str(records.annotators)
        lines.append(ngettext("%(people)s annotator.", "%(people)s annotators.", records.annotators, people=people))
    if records.unidentified is not None:
        lines.append(_unidentified(records.unidentified))
    for question, counts in sorted(records.demographics.items()):
        shown = suppress_small_cells(counts)
        rows: list[tuple[str, object]] = [(answer, people) for answer, people in shown.items() if people is not None]
        if len(rows) < len(shown):  # without the answers themselves: what one person wrote can name them
            rows.append((_("other answers"), _("too few to show")))
        lines.append(table((question, _("people")), rows))
    if records.demographics:
        lines.append(
            _(
                "Cells with fewer than %(people)s people, and cells that would give them away, are not shown.",
                people=SMALLEST_SHOWN,
            )
        )
        if records.campaigns > 1:
            lines.append(_("Answers cannot be led back to people: who took part in several campaigns counts in each."))
    if records.labelled_from:
        begin, end = records.labelled_from, records.labelled_until
        lines.append(
            _("Labelled from %(begin)s to %(end)s.", begin=begin, end=end)
            if end
            else _("Labelled from %(begin)s to now.", begin=begin)
        )
    if records.pay:
        lines.append(_("Pay: %(pay)s", pay=records.pay))
    if records.wellbeing:
        lines.append(_("Wellbeing: %(wellbeing)s", wellbeing=records.wellbeing))
    if records.guidelines:
        guidelines = [(guideline.language, guideline.version, guideline.title) for guideline in records.guidelines]
        lines.append(table((_("guidelines in"), _("version"), _("title")), guidelines))
    if records.agreement:
        lines.append(_agreement(records))
    return paragraphs(lines)


def _unidentified(found: UnidentifiedLabels) -> str:
    if found.fewest == found.most:
        return ngettext(
            "%(count)s label per case by annotators the source does not identify; their number is unknown.",
            "%(count)s labels per case by annotators the source does not identify; their number is unknown.",
            found.most,
        )
    return ngettext(
        "%(fewest)s to %(count)s labels per case by annotators the source does not identify; their number is unknown.",
        "%(fewest)s to %(count)s labels per case by annotators the source does not identify; their number is unknown.",
        found.most,
        fewest=found.fewest,
    )


def _agreement(records: ReleaseRecords) -> str:
    rows = [
        (
            _("all") if row.part == "all" else row.part,
            row.cases,
            row.labels_per_case,
            number(row.fleiss_kappa),
            row.fleiss_kappa_ci95 and _range(*row.fleiss_kappa_ci95),
            number(row.krippendorff_alpha),
        )
        for row in records.agreement
    ]
    header = (
        _("part"),
        _("cases"),
        _("labels per case"),
        _("Fleiss' kappa"),
        _("%(level)s interval of kappa", level="95%"),
        _("Krippendorff's alpha"),
    )
    return paragraphs([table(header, rows), COVERAGE])


def _range(low: float, high: float) -> str:
    return _("%(low)s to %(high)s", low=f"{low:.2f}", high=f"{high:.2f}")


def text_facts(statistics: Statistics) -> str:
    """Lengths, labels and groups."""
    rows = [
        (name, number(moments.mean), number(moments.sd), moments.smallest, moments.largest)
        for name, moments in ((_("words"), statistics.words), (_("characters"), statistics.characters))
    ]
    shares = statistics.label_shares()
    labels = [(label, count, f"{100 * shares[label]:.1f} %") for label, count in sorted(statistics.by_label.items())]
    parts = [
        table((_("length in"), _("mean"), _("sd"), _("shortest"), _("longest")), rows),
        _(
            "Words are what blanks separate, and undefined in languages written without them; "
            "characters are code points."
        ),
        table((_("label"), _("cases"), _("share")), labels),
    ]
    if statistics.by_group:
        parts.append(table((_("protected group"), _("cases")), sorted(statistics.by_group.items())))
    return paragraphs(parts)


def functionality_table(statistics: Statistics, records: ReleaseRecords) -> str:
    """Return what each functionality tests and its number of cases, in the order of the catalogue.

    Releases that were built before titles were kept name functionalities by their keys, as they did.
    """
    counts = statistics.by_functionality
    if not records.functionalities:
        return table((_("functionality"), _("cases")), sorted(counts.items()))
    known = [key for key in records.functionalities if key in counts]
    rows: list[tuple[object, ...]] = []
    for key in (*known, *sorted(set(counts) - set(known))):
        facts = records.functionalities.get(key, {})
        title = f"{facts.get('number', '')} {facts.get('title', key)}".strip()
        label = facts.get("label") or _("mixed")
        rows.append((title, facts.get("class"), label, facts.get("example"), counts[key]))
    heads = _("functionality"), _("class"), _("gold label"), _("example"), _("cases")
    return table(heads, rows)
