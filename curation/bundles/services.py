"""Write a suite as a bundle, say what a bundle would change, and import it: everything or nothing."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.tables.problems import Problem
from core.text import _
from curation.bundles.archive import read_archive, write_archive
from curation.bundles.options import BUNDLE, CONFLICTS, REFUSE, REPLACE
from curation.bundles.parts import Part, Place, Scope, all_parts
from curation.bundles.rows import Row
from curation.catalogue import loading as catalogue
from curation.catalogue.suites import require_suite_key
from curation.importing.services import ImportReport, PartChange, refuse_errors
from curation.models import LexiconEntry, Suite, TargetGroup, Template, TestCase
from curation.releases.following import follow_decision

SHOWN_CONFLICTS = 50


def scope_of(suite: Suite, *, with_labels: bool = False) -> Scope:
    """Return what belongs to a suite: its languages, and the functionalities and groups it uses."""
    scope = Scope(suite, languages=set(suite.languages.values_list("code", flat=True)), with_labels=with_labels)
    targets: set[int] = set()
    holders: tuple[QuerySet[Any], ...] = (
        Template.objects.of(suite),
        TestCase.objects.of(suite),
        LexiconEntry.objects.of(suite),
    )
    for rows in holders:
        scope.languages.update(rows.order_by().values_list("language__code", flat=True).distinct())
        targets.update(rows.order_by().exclude(target=None).values_list("target", flat=True).distinct())
    for rows in holders[:2]:
        scope.functionalities.update(rows.order_by().values_list("functionality__key", flat=True).distinct())
    found = TargetGroup.objects.filter(pk__in=targets)
    scope.targets = set(found.values_list("language__code", "name"))
    scope.groups = set(found.exclude(groups=None).values_list("groups__key", flat=True))
    return scope


def written_parts(*, with_labels: bool) -> list[Part]:
    """Return the parts of a bundle with or without labels."""
    return [part for part in all_parts() if with_labels or not part.holds_labels]


def export_bundle(suite: Suite, out: Path, *, with_labels: bool = False) -> dict[str, int]:
    """Write a suite as a bundle, and return how many rows each part has. The file appears only when it is whole."""
    if out.exists() and not out.is_file():
        raise BadInput(_("'%(path)s' is not a file. Name the zip file to write.", path=str(out)))
    out.parent.mkdir(parents=True, exist_ok=True)
    scope = scope_of(suite, with_labels=with_labels)
    parts = written_parts(with_labels=with_labels)
    with tempfile.NamedTemporaryFile(dir=out.parent, suffix=".partial", delete=False) as partial:
        path = Path(partial.name)
    try:
        counts = write_archive(path, suite.key, ((part.file, part.rows(scope)) for part in parts))
        path.chmod(0o644)
        path.replace(out)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return {part.name: counts[part.file] for part in parts}


def import_bundle(
    path: Path, *, suite: str, on_conflict: str = REFUSE, by: User | None = None, dry_run: bool = False
) -> ImportReport:
    """Bring a bundle into the suite of that key, which may be new.

    Rows that are there already and differ are conflicts: `refuse` imports nothing then, `keep` leaves what is there,
    `replace` takes the bundle's words, templates and settings. Cases, groups, functionalities and what annotators said
    are never overwritten. Refuses damaged bundles, and rows that refer to nothing.
    """
    if on_conflict not in CONFLICTS:
        raise BadInput(_("Conflicts are handled by one of: %(known)s.", known=list(CONFLICTS)), field="on_conflict")
    require_suite_key(suite)
    parts = all_parts()
    _key, files, problems = read_archive(path, {part.file: part.row for part in parts})
    rows: dict[str, list[Any]] = {part.name: files.get(part.file, []) for part in parts}
    if not any(problem.is_error for problem in problems):
        problems.extend(_loose_ends(rows))
    refuse_errors(problems)
    rows["suite"] = [row.model_copy(update={"key": suite}) for row in rows["suite"]]
    with transaction.atomic():
        catalogue.load_catalogue()
        known = Suite.objects.filter(key=suite).first()
        plans = [_compare(part, rows[part.name], _scope_of_rows(rows, known)) for part in parts if rows[part.name]]
        _refuse_conflicts(plans, on_conflict)
        place = Place(suite, by, timezone.now())
        changes: list[PartChange] = []
        for plan in plans:
            changes.append(_store(plan, place, replace=on_conflict == REPLACE))
        new = {change.part: change.added for change in changes if change.added}
        changed = {change.part: change.replaced for change in changes if change.replaced}
        if new or changed:
            if not rows["decisions"]:
                follow_decision(place.suite, by=by)
            audit.record(by, Action.SUITE_IMPORTED, place.suite, format=BUNDLE, new=new, changed=changed)
        if dry_run:
            transaction.set_rollback(True)
    return ImportReport(
        suite=suite,
        languages=sorted(row.code for row in rows["languages"]),
        functionalities=len(rows["functionalities"]),
        entries=len(rows["lexicon"]),
        forms=sum(len(row.forms) for row in rows["lexicon"]),
        templates=len(rows["templates"]),
        cases=len(rows["cases"]),
        annotations=sum(row.raters for row in rows["verdicts"]),
        problems=problems,
        new=new,
        changed=changed,
        parts=changes,
        dry_run=dry_run,
    )


@dataclass(slots=True)
class _Plan:
    part: Part
    added: list[Row] = field(default_factory=list)
    conflicts: list[Row] = field(default_factory=list)
    unchanged: int = 0


def _compare(part: Part, rows: Sequence[Row], scope: Scope) -> _Plan:
    """Tell new rows from those that are there, alike or different."""
    known = {part.key_of(row): row.written() for row in part.rows(scope)}
    plan = _Plan(part)
    for row in rows:
        there = known.get(part.key_of(row))
        if there is None:
            plan.added.append(row)
        elif there == row.written():
            plan.unchanged += 1
        else:
            plan.conflicts.append(row)
    return plan


def _store(plan: _Plan, place: Place, *, replace: bool) -> PartChange:
    part = plan.part
    change = PartChange(
        part.name, part.title, len(plan.added), plan.unchanged, len(plan.conflicts),
        examples=[_name_of(part, row) for row in plan.conflicts[:SHOWN_CONFLICTS]],
    )  # fmt: skip
    if plan.added:
        part.add(place, plan.added)
    if plan.conflicts and replace and part.replace is not None:
        part.replace(place, plan.conflicts)
        change.replaced = len(plan.conflicts)
    return change


def _name_of(part: Part, row: Row) -> str:
    return " ".join(str(value) for value in part.key_of(row)) or part.name


def _refuse_conflicts(plans: Iterable[_Plan], on_conflict: str) -> None:
    if on_conflict != REFUSE:
        return
    found = [(plan.part, row) for plan in plans for row in plan.conflicts]
    if not found:
        return
    fix = _("Import it under another key, or choose whether to keep what is here or to replace it.")
    problems = [
        Problem(part.file, None, None, _("'%(key)s' is here already and differs", key=_name_of(part, row)), fix)
        for part, row in found[:SHOWN_CONFLICTS]
    ]
    part, row = found[0]
    raise BadInput(
        _(
            "Nothing was imported. %(count)s rows differ from what is here, first '%(key)s' in %(file)s. %(fix)s",
            count=len(found), key=_name_of(part, row), file=part.file, fix=fix,
        ),
        problems=[asdict(problem) for problem in problems],
    )  # fmt: skip


def _scope_of_rows(rows: Mapping[str, Sequence[Any]], suite: Suite | None) -> Scope:
    """Return the scope of what a bundle holds, to look up what an instance has of it."""
    return Scope(
        suite,
        languages={row.code for row in rows["languages"]},
        functionalities={row.key for row in rows["functionalities"]},
        targets={(row.language, row.name) for row in rows["targets"]},
        groups={row.key for row in rows["groups"]},
        with_labels=bool(rows["verdicts"] or rows["exclusions"] or rows["decisions"]),
    )


def _loose_ends(rows: Mapping[str, Sequence[Any]]) -> list[Problem]:
    """Find rows that stand there twice, and rows that refer to what is not in the bundle."""
    problems: list[Problem] = []
    known = {
        "language": {row.code for row in rows["languages"]},
        "functionality": {row.key for row in rows["functionalities"]},
        "case": {row.key for row in rows["cases"]},
    }
    targets = {(row.language, row.name) for row in rows["targets"]}
    groups = {row.key for row in rows["groups"]}
    if len(rows["suite"]) != 1:
        problems.append(Problem("suite.jsonl", None, None, _("it does not describe one suite"), _("Write one line.")))
    for part in all_parts():
        seen: set[tuple[Any, ...]] = set()
        for number, row in enumerate(rows[part.name], 1):
            if (key := part.key_of(row)) in seen:
                told = _("'%(key)s' stands there twice", key=_name_of(part, row))
                problems.append(Problem(part.file, number, None, told, _("Remove one of the two.")))
            seen.add(key)
            for name, found in known.items():
                value = getattr(row, name, None)
                if value is not None and value not in found:
                    told = _("'%(value)s' is not in the bundle", value=str(value))
                    problems.append(Problem(part.file, number, name, told, _("Add it, or correct the name.")))
            target = getattr(row, "target", "")
            if target and (getattr(row, "language", ""), target) not in targets:
                told = _("'%(value)s' is not in the bundle", value=target)
                problems.append(Problem(part.file, number, "target", told, _("Add it to targets.jsonl.")))
            if part.name == "targets" and (missing := set(row.groups) - groups):
                told = _("'%(value)s' is not in the bundle", value=min(missing))
                problems.append(Problem(part.file, number, "groups", told, _("Add it to groups.jsonl.")))
    return problems
