"""Data statement and data sheet: filled from the records, with texts that people write until it is published."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import translation

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _, ngettext
from curation.models import Release
from curation.publishing.datasheet import datasheet
from curation.publishing.huggingface import dataset_card
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS
from curation.publishing.statement import data_statement
from curation.publishing.statistics import Moments, Statistics
from curation.releases.errors import NotInThisState
from curation.releases.frozen import IMPORTED, release_head
from curation.releases.models import ReleaseState
from curation.releases.records import records_of

LONGEST_SECTION = 20_000
SECTIONS: Mapping[str, str] = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}


def imported_documents(release: Release) -> dict[str, str]:
    """Return the documents that came with a release from another instance, by file name; empty for our own."""
    documents: dict[str, str] = release.facts.get(IMPORTED, {}).get("documents", {})
    return documents


def statement_of(release: Release, language: str = "en") -> str:
    """Return the data statement as Markdown, its headings and generated sentences in an interface language.

    A document that came with a release from another instance stays as it is.
    """
    if said := imported_documents(release).get("DATA_STATEMENT.md"):
        return said
    with translation.override(language):
        return data_statement(release_head(release), statistics_of(release), records_of(release))


def datasheet_of(release: Release, language: str = "en") -> str:
    """Return the data sheet as Markdown, its headings and generated sentences in an interface language.

    A document that came with a release from another instance stays as it is.
    """
    if said := imported_documents(release).get("DATASHEET.md"):
        return said
    with translation.override(language):
        return datasheet(release_head(release), statistics_of(release), records_of(release), sha256=release.sha256)


def card_of(release: Release, language: str = "en") -> str:
    """Return the dataset card as Markdown, its headings and generated sentences in an interface language."""
    with translation.override(language):
        return dataset_card(release_head(release), statistics_of(release), records_of(release), sha256=release.sha256)


def statistics_of(release: Release) -> Statistics:
    """Return the figures that were noted when the release was built; empty before."""
    values: dict[str, Any] = release.facts.get("statistics", {})
    if not values:
        return Statistics()
    return Statistics(
        cases=values["cases"],
        by_label=Counter(values["by_label"]),
        by_language=Counter(values["by_language"]),
        by_functionality=Counter(values["by_functionality"]),
        by_class=Counter(values["by_class"]),
        by_group=Counter(values["by_group"]),
        by_origin=Counter(values["by_origin"]),
        by_perturbation_set=Counter(values.get("by_perturbation_set", {})),
        contrast_sets={str(number) for number in range(values.get("contrast_sets", 0))},
        groups_by_language={code: Counter(counts) for code, counts in values["groups_by_language"].items()},
        words=_moments(values["words"]),
        characters=_moments(values["characters"]),
        without_target=values["without_target"],
        with_disagreement=values["with_disagreement"],
        # Which templates is not noted, only how many.
        templates={str(number) for number in range(values["templates"])},
    )


def _moments(values: Mapping[str, Any]) -> Moments:
    return Moments(values["n"], values["total"], values["squares"], values["min"], values["max"])


@transaction.atomic
def write_prose(release: Release, prose: Mapping[str, str], *, by: User) -> Release:
    """Store what people wrote for some sections; an empty text removes a section.

    Refuses a published release, unknown sections and very long texts.
    """
    require_maintainer(by)
    if release.state == ReleaseState.PUBLISHED:
        sentence = _(
            "%(release)s is published and no longer changes. Write the documents in the next version.",
            release=release.key,
        )
        raise NotInThisState(sentence, release, wanted="edited")
    if unknown := sorted(set(prose) - set(SECTIONS)):
        raise BadInput(
            ngettext(
                "There is no section %(sections)s. Known: %(known)s.",
                "There are no sections %(sections)s. Known: %(known)s.",
                len(unknown),
                sections=unknown,
                known=list(SECTIONS),
            )
        )
    if long := [SECTIONS[key] for key, text in prose.items() if len(text) > LONGEST_SECTION]:
        raise BadInput(
            _(
                "%(sections)s: a section can have at most %(most)s characters. Shorten it.",
                sections=long,
                most=LONGEST_SECTION,
            )
        )
    kept = {**release.prose, **{key: text.replace("\r\n", "\n").strip() for key, text in prose.items()}}
    release.prose = {key: text for key, text in kept.items() if text}
    release.save(update_fields=["prose"])
    audit.record(by, Action.RELEASE_DOCUMENTED, release, sections=sorted(prose))
    return release
