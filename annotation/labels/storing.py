"""Storing labels made elsewhere: each file becomes a closed campaign of its own."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from annotation.agreement.verdicts import source_of, verdict_of, why_too_few, without_strays
from annotation.campaigns.models import CampaignState, Mode
from annotation.labels.files import ALREADY_HERE, GivenLabel, LabelFile, Layout, read_label_file
from annotation.labels.imported import annotators_of, free_key, write_labels
from annotation.labels.repeated import refuse_half_known
from annotation.labels.skipped import skipped_text
from annotation.labels.tools.registry import READ
from annotation.models import Assignment, Campaign
from annotation.permissions import require_manager
from core.errors import BadInput
from core.text import _, ngettext
from curation.cases.verdicts import record_verdicts
from curation.models import Suite, TestCase
from curation.releases.following import follow_decision


def import_label_file(
    suite: Suite,
    path: Path,
    *,
    by: User | None,
    title: str = "",
    layout: Layout | None = None,
    name: str = "",
    dry_run: bool = False,
) -> dict[str, Any]:
    """Read a file and store its labels and verdicts, everything or nothing. The same file twice adds nothing.

    Labels of several campaigns, as our own exports hold them, become one campaign each, the one with the newest
    label last, so that its verdicts count; those that the suite has already are skipped. In the report, `tool` is the
    annotation tool that wrote the file, "" where none did, `annotators` is None where the file does not say who gave
    the labels, `too_few` says why its labels settle no case, where each has fewer than the suite needs, and `skipped`
    how many rows were left out and why. Refuses a file with even one error, and names all of them, one without a new
    label, and a newer export of a tool of which an older one was imported.
    """
    if by is not None:
        require_manager(by)
    cases = dict(TestCase.objects.of(suite).in_use().values_list("key", "id"))
    found = read_label_file(path, cases=cases, labels=suite.labels, layout=layout, name=name or path.name)
    problems = [asdict(problem) for problem in found.problems]
    if any(problem["severity"] == "error" for problem in problems):
        raise BadInput(
            ngettext(
                "Nothing was imported: %(count)s problem in %(file)s.",
                "Nothing was imported: %(count)s problems in %(file)s.",
                len(problems),
                file=name or path.name,
            )
            if found.layout not in READ
            else ngettext(
                "Nothing was imported. %(file)s looks like a %(tool)s export with %(count)s problem.",
                "Nothing was imported. %(file)s looks like a %(tool)s export with %(count)s problems.",
                len(problems),
                file=name or path.name,
                tool=READ[found.layout].title,
            ),
            problems=problems,
        )
    _skip_known(suite, found)
    if found.layout in READ:
        refuse_half_known(suite, found, name=name or path.name)
    if not found.labels:
        raise BadInput(
            _(
                "Nothing was imported: %(file)s holds no new label. %(skipped)s",
                file=name or path.name,
                skipped=skipped_text(found.skipped),
            )
            if found.skipped
            else _("Nothing was imported: %(file)s holds no label.", file=name or path.name)
        )
    most = max(Counter((label.campaign, label.case) for label in found.labels).values())
    report = {
        "suite": suite.key,
        "layout": found.layout,
        "tool": READ[found.layout].title if found.layout in READ else "",
        "by_label": dict(Counter(label.label for label in found.labels).most_common()),
        "labels": len(found.labels),
        "cases": len({label.case for label in found.labels}),
        "annotators": len({label.annotator for label in found.labels}) if _are_identified(found) else None,
        "problems": problems,
        "skipped": dict(found.skipped),
        "too_few": why_too_few(suite, most),
        "dry_run": dry_run,
        "campaign": None,
        "campaigns": [],
        "new": 0,
    }
    if dry_run:
        return report
    stored = _store_campaigns(suite, found, case_ids=cases, by=by, title=title or f"Labels from {path.stem}")
    keys = [campaign.key for campaign, _written in stored]
    return report | {"campaign": keys[-1], "campaigns": keys, "new": sum(written for _campaign, written in stored)}


def import_uploaded_labels(
    suite: Suite, upload: File[bytes], *, by: User, title: str = "", layout: Layout | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Import a file that was sent by a page or a program."""
    name = upload.name or "labels.csv"
    with tempfile.NamedTemporaryFile(suffix=".csv") as copy:
        copy.writelines(upload.chunks())
        copy.flush()
        return import_label_file(
            suite, Path(copy.name), by=by, title=title or f"Labels from {Path(name).stem}", layout=layout, name=name,
            dry_run=dry_run,
        )  # fmt: skip


def _skip_known(suite: Suite, found: LabelFile) -> None:
    """Skip what the suite's own campaigns hold: an export that is imported where it came from adds nothing."""
    campaigns = {label.campaign for label in found.labels if label.campaign}
    if not campaigns:
        return
    rows = Assignment.objects.filter(campaign__suite=suite, campaign__key__in=campaigns, label__isnull=False)
    rows = rows.exclude(campaign__in=Campaign.objects.taken_back())
    known = {
        (campaign, case, annotator if is_identified else "")
        for campaign, case, annotator, is_identified in rows.values_list(
            "campaign__key", "item__case__key", "annotator__pseudonym", "annotator__is_identified"
        ).iterator(chunk_size=5000)
    }
    new = [
        label
        for label in found.labels
        if (label.campaign, label.case, label.annotator if label.is_identified else "") not in known
    ]
    if len(new) < len(found.labels):
        found.skipped[ALREADY_HERE] = len(found.labels) - len(new)
        found.labels = new


@transaction.atomic
def _store_campaigns(
    suite: Suite, found: LabelFile, *, case_ids: Mapping[str, int], by: User | None, title: str
) -> list[tuple[Campaign, int]]:
    groups: dict[str, list[GivenLabel]] = defaultdict(list)
    for label in found.labels:
        groups[label.campaign].append(label)
    beginning = datetime.min.replace(tzinfo=UTC)
    newest = {
        key: max((label.time or beginning for label in given), default=beginning) for key, given in groups.items()
    }
    stored = []
    for key in sorted(groups, key=newest.__getitem__):
        named = f"{title[: 155 - len(key)]} ({key})" if len(groups) > 1 and key else title
        stored.append(store_labels(suite, replace(found, labels=groups[key]), case_ids=case_ids, by=by, title=named))
    return stored


# No savepoint of its own, as in `take_in_labels`: 292,656 labels take 13 s of processor time on SQLite instead of 23 s.
@transaction.atomic(savepoint=False)
def store_labels(
    suite: Suite, found: LabelFile, *, case_ids: Mapping[str, int], by: User | None, title: str
) -> tuple[Campaign, int]:
    """The labels as a closed campaign with one verdict per case. Returns it and how many labels are new."""
    told = repr(sorted(found.labels, key=repr)) + found.labels[0].campaign
    key, key_here = (free_key(_key_for(suite, title, content)) for content in (told, f"{suite.key} {told}"))
    existing = Campaign.objects.filter(suite=suite, key__in=(key, key_here)).first()
    if existing is not None:
        return existing, 0
    if Campaign.objects.filter(key=key).exists():  # the same file was imported into a copy of the suite
        key = key_here
    by_case: defaultdict[int, list[GivenLabel]] = defaultdict(list)
    for label in found.labels:
        by_case[case_ids[label.case]].append(label)
    usual = Counter(len(given) for given in by_case.values()).most_common(1)[0][0]
    now = timezone.now()
    times = [label.time for label in found.labels if label.time]
    campaign = Campaign.objects.create(
        key=key,
        title=title[:160],
        suite=suite,
        labels=suite.labels,
        raters=usual,
        threshold=min(suite.threshold, usual),
        mode=Mode.TEAM,
        state=CampaignState.CLOSED,
        created_by=by,
        opened_at=min(times, default=now),
        closed_at=now,
    )
    write_labels(campaign, by_case, annotators_of(suite, by_case, has_public_names=False))
    gold = dict(TestCase.objects.of(suite).values_list("id", "gold_label"))
    verdicts = (
        verdict_of(
            case, [label.label for label in given], gold[case], flagged=sum(label.is_unrealistic for label in given)
        )
        for case, given in by_case.items()
        if len(given) >= usual
    )
    record_verdicts(
        without_strays(verdicts, suite),
        source=source_of(campaign),
    )
    follow_decision(suite, by=by)
    audit.record(by, Action.LABELS_IMPORTED, campaign, labels=len(found.labels))
    return campaign, len(found.labels)


def _key_for(suite: Suite, title: str, content: str) -> str:
    return f"{slugify(title)[:60] or suite.key}-{hashlib.sha256(content.encode()).hexdigest()[:10]}"


def _are_identified(found: LabelFile) -> bool:
    """Whether the file says who gave the labels. All of a file do, or none."""
    return all(label.is_identified for label in found.labels)
