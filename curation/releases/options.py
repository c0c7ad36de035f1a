"""The options of the verbs about releases; page, API and command line are made from them."""

from typing import Any, Self

from django.conf import settings
from pydantic import model_validator

from core.options import COMMAND, PAGE, Options, only, option, refuse
from core.text import _
from curation.catalogue.models import Policy
from curation.catalogue.options import LONGEST_LICENCE
from curation.publishing.export import ALL, FORMATS
from curation.publishing.records import QUESTIONS
from curation.releases.documents import LONGEST_SECTION, SECTIONS
from curation.releases.models import Access, Cascade, WithoutLabels
from curation.releases.services import LONGEST_VERSION

SHORTEST_REASON = 10
DECIDED = _("as in the last decision, or else as in the suite")
RULES, ACCESS = _("Rules"), _("Access")


class RuleOptions(Options):
    """The rules that say which cases a release holds."""

    policy: Policy | None = option(
        None, label=_("Cases with a disagreement"),
        help=_("Whether cases that annotators disagree on are excluded or marked."), unless_given=DECIDED, group=RULES,
    )  # fmt: skip
    min_agree: int | None = option(
        None, label=_("Minimum agreement"),
        help=_("Minimum number of labels that equal the gold label, for example 4. 0 asks for none."), least=0,
        metavar="N", unless_given=DECIDED, group=RULES,
    )  # fmt: skip
    cascade: Cascade | None = option(
        None, label=_("Cascade"), help=_("Which other cases an excluded case takes with it."), unless_given=DECIDED,
        group=RULES,
    )  # fmt: skip
    without_labels: WithoutLabels | None = option(
        None, label=_("Cases that were never labelled"),
        help=_(
            "Whether a release may hold them. The cases of an imported suite count as checked while it has no labels "
            "here."
        ),
        unless_given=_("as in the last decision, or else exclude them, except in an imported suite without labels"),
        group=RULES,
    )  # fmt: skip

    def rules(self) -> dict[str, Any]:
        """Return the four rules; None where the standing ones are meant."""
        return {name: getattr(self, name) for name in RuleOptions.model_fields}


class PreviewOptions(RuleOptions):
    """What a release would hold. Writes nothing."""

    verb = "freeze preview"
    without = {PAGE: "the form of the freeze shows the preview", COMMAND: "freeze --preview does it"}

    suite: str = option(help=_("Key of the suite."))


class ReleaseOptions(Options):
    """Which release is made, and how it is credited."""

    suite: str = option(label=_("Suite"), help=_("Key of the suite."), positional=True)
    version: str = option(
        label=_("Version"), help=_("A semantic version: 1.0.0, then 1.1.0 when cases change."), flag="--release",
        metavar="VERSION", longest=LONGEST_VERSION,
    )  # fmt: skip
    title: str = option(
        "", label=_("Title"), help=_("Title of the release."), unless_given=_("the name of the suite"), longest=200
    )
    licence: str = option(
        "", label=_("Licence"), help=_("Licence of the cases, kept with the suite. Example: CC-BY-4.0."),
        unless_given=_("the licence of the suite"), longest=LONGEST_LICENCE,
    )  # fmt: skip
    authors: tuple[str, ...] = option(
        (), label=_("Authors"), help=_("Names as they are cited, one per line, kept with the suite."),
        unless_given=_("the authors of the suite"), longest=200, rows=3, metavar="NAME",
    )  # fmt: skip


class FreezeOptions(RuleOptions, ReleaseOptions):  # in this order the suite comes first on the page
    """What is frozen, and by which rules."""

    verb = "freeze"

    access: Access | None = option(
        None, label=_("Access"), help=_("Who may read and download the cases."), group=ACCESS,
        unless_given=_("that of the last release, otherwise public"),
    )  # fmt: skip
    terms: str | None = option(
        None, label=_("Terms"), help=_("For access on request: what people must accept first."),
        unless_given=_("those of the last release"), rows=3, group=ACCESS,
    )  # fmt: skip
    include_unlabelled: bool = option(
        False, help=_("Include cases that were never labelled; short for --without-labels include."),
        without=only(COMMAND, "without_labels says it"),
    )  # fmt: skip
    notes: str = option("", help=_("What changed."), without=only(COMMAND, "the step of publishing asks for it"))
    reason: str = option(
        "", help=_("Why it is published although points of the checklist are open."), aliases=("undocumented",),
        metavar="REASON", without=only(COMMAND, "the step of publishing asks for it"),
    )  # fmt: skip
    candidate: bool = option(
        False, help=_("Build, but leave publishing to a maintainer."),
        without=only(COMMAND, "publishing is a step of its own"),
    )  # fmt: skip
    reserve_doi: bool = option(
        False, help=_("Reserve a DOI at Zenodo first, so that the files name it."),
        without=only(COMMAND, "the page of the release has a button for it, the API an address"),
    )  # fmt: skip
    preview: bool = option(
        False, help=_("Show what would be included and excluded, without changing anything."),
        without=only(COMMAND, "the preview has a place of its own"),
    )  # fmt: skip

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.include_unlabelled and self.without_labels not in (None, WithoutLabels.INCLUDE):
            refuse(_("--include-unlabelled and --without-labels contradict each other. Leave one out."))
        return self

    def rules(self) -> dict[str, Any]:
        """Return the four rules; None where the standing ones are meant."""
        return super().rules() | ({"without_labels": WithoutLabels.INCLUDE.value} if self.include_unlabelled else {})

    def said(self) -> dict[str, Any]:
        """Return what is said about the release beside its rules."""
        return {name: getattr(self, name) for name in ("title", "licence", "authors", "access", "terms", "notes")}


class PublishOptions(Options):
    """How a candidate becomes public and unchangeable."""

    verb = "publish"

    release: str = option(
        "", help=_("The candidate."), positional=True, metavar="SUITE@VERSION", needed=(COMMAND,),
        without=only(COMMAND, "the address names it"),
    )  # fmt: skip
    notes: str | None = option(
        None, label=_("Release notes"), help=_("What changed since the last release, in Markdown."),
        unless_given=_("the notes of the candidate"), rows=12,
    )  # fmt: skip
    reason: str = option(
        "", label=_("Reason for publishing with open points"),
        help=_("Needed while points of the checklist are open. It is kept and shown with the release."), rows=3,
        longest=2_000,
    )  # fmt: skip


class WithdrawOptions(Options):
    """Why a published release should no longer be used."""

    verb = "withdraw"
    without = {COMMAND: "a signed-in maintainer withdraws"}

    reason: str = option(
        label=_("Reason"), help=_("It is shown on the page of the release, for everyone who cites it."), rows=4
    )


class AccessOptions(Options):
    """Ask for a release that is given on request."""

    verb = "request_access"
    without = {COMMAND: "a signed-in person asks"}

    reason: str = option(
        label=_("Intended use"), help=_("Say in a sentence what you want to use the release for."), rows=4,
        longest=4_000,
    )  # fmt: skip
    accepts_terms: bool = option(
        False, label=_("I accept the terms"), help=_("You can get the release only if you accept them.")
    )

    @model_validator(mode="after")
    def _says_enough(self) -> Self:
        if len(self.reason.strip()) < SHORTEST_REASON:
            refuse(_("Say in a sentence what you want to use the release for."), about="reason")
        if not self.accepts_terms:
            refuse(
                _("Accept the terms to continue. You can get the release only if you accept them."),
                about="accepts_terms",
            )
        return self


def _section(key: str) -> Any:
    return option("", label=SECTIONS[key], help=QUESTIONS[key], rows=5, longest=LONGEST_SECTION)


class ProseOptions(Options):
    """What people write in the documents of a release, by section. An empty text removes a section."""

    verb = "write_prose"
    without = {COMMAND: "documents are written on the page of a release"}

    curation_rationale: str = _section("curation_rationale")
    language_variety: str = _section("language_variety")
    speaker_demographic: str = _section("speaker_demographic")
    annotator_demographic: str = _section("annotator_demographic")
    speech_situation: str = _section("speech_situation")
    text_characteristics: str = _section("text_characteristics")
    recording_quality: str = _section("recording_quality")
    other: str = _section("other")
    provenance_appendix: str = _section("provenance_appendix")
    motivation: str = _section("motivation")
    composition: str = _section("composition")
    collection_process: str = _section("collection_process")
    preprocessing: str = _section("preprocessing")
    uses: str = _section("uses")
    distribution: str = _section("distribution")
    maintenance: str = _section("maintenance")


class ReleaseDocumentOptions(Options):
    """In which language the documents of a release are shown."""

    verb = "release documents"
    without = {COMMAND: "export_release writes the documents, always in English"}

    language: str = option(
        "en", label=_("Language"),
        help=_("The language of headings and generated sentences. What people wrote stays as they wrote it."),
        choices=dict(settings.LANGUAGES), metavar="CODE",
    )  # fmt: skip


class DownloadOptions(Options):
    """Which file of a release a worker writes."""

    verb = "download"
    without = {PAGE: "every format has a link of its own", COMMAND: "export_release writes a folder"}

    format: str = option(help=_("One format, or all in one archive."), choices={name: name for name in (*FORMATS, ALL)})
