"""What a release tests, and about whom: the annexes `functionalities.csv` and `groups.csv`.

With them the folder alone gives the first table of a paper about the suite and its appendices. The catalogue goes on
changing, so they are copied when the release is built.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping

from django.db.models import Count, Min

from curation.catalogue.group_names import group_names
from curation.catalogue.references import written_out
from curation.models import Functionality, ProtectedGroup, Release, ReleaseCase, TargetGroup
from curation.publishing.annexes import AnnexTable
from curation.publishing.groups import groups_of

FUNCTIONALITIES = (
    ("functionality", "key, as in cases.csv"),
    ("number", "its number in the catalogue, such as F7"),
    ("class", "key of its class, as in cases.csv"),
    ("class_title", "what the class is called"),
    ("title", "what it is called"),
    ("definition", "what its cases test"),
    ("example", "an example"),
    ("example_language", "language code of the example"),
    ("gold_label", "gold label of its cases; empty where they have several"),
    ("references", "the works it goes back to, a JSON list"),
    ("cases", "number of cases in the release"),
    ("cases_by_label", "number of cases by gold label, a JSON object"),
)
GROUPS = (
    ("language", "language code"),
    ("target", "the target group as cases.csv spells it"),
    ("local_name", "what it is called in the language"),
    ("group", "the protected groups it stands for, separated by '; '"),
    ("characteristic", "what the groups have in common, such as religion"),
    ("cases", "number of cases in the release"),
)


def catalogue_tables(release: Release) -> Iterator[AnnexTable]:
    """Yield the tables of the functionalities and target groups that the cases of a release have."""
    title = "What the cases test, with definitions, examples and references"
    yield AnnexTable("functionalities", title, FUNCTIONALITIES, _functionality_rows(release))
    if rows := _group_rows(release):
        yield AnnexTable("groups", "The target groups of the cases", GROUPS, rows)


def _functionality_rows(release: Release) -> list[list[str]]:
    cases = ReleaseCase.objects.filter(release=release).order_by()
    labels: dict[str, dict[str, int]] = {}
    for key, label, count in cases.values_list("functionality", "label").annotate(count=Count("id")):
        labels.setdefault(key, {})[label] = count
    known = Functionality.objects.select_related("functionality_class", "example_language").in_bulk(
        list(labels), field_name="key"
    )
    first = cases.values("functionality").annotate(first=Min("position")).values("first")
    examples = {
        key: (text, language)
        for key, text, language in cases.filter(position__in=first).values_list("functionality", "text", "language")
    }
    ordered = sorted(labels, key=lambda key: _place(known.get(key), key))
    return [_functionality_row(key, known.get(key), labels[key], examples[key]) for key in ordered]


def _place(found: Functionality | None, key: str) -> tuple[int, int, str]:
    if found is None:
        return (1_000_000, 0, key)
    return (found.functionality_class.position, found.position, key)


def _functionality_row(
    key: str, found: Functionality | None, labels: Mapping[str, int], first: tuple[str, str]
) -> list[str]:
    counts = str(sum(labels.values())), _json(dict(sorted(labels.items())))
    if found is None:  # removed from the catalogue since its cases were written
        return [key, "", "", "", key, "", *first, "", "[]", *counts]
    code = found.example_language.code if found.example_language else ""
    example = (found.example, code) if found.example else first
    return [
        key, found.number, found.functionality_class.key,
        found.functionality_class.title, found.title, found.definition, *example, found.gold_label,
        _json([written_out(str(reference)) for reference in found.references]), *counts,
    ]  # fmt: skip


def _group_rows(release: Release) -> list[list[str]]:
    counts: Counter[tuple[str, str]] = Counter()
    found = ReleaseCase.objects.filter(release=release).order_by().values_list("language", "targets")
    for language, targets, count in found.annotate(count=Count("id")):
        for target in targets:
            counts[language, target] += count
    names = group_names(release.suite)
    characteristics = dict(ProtectedGroup.objects.values_list("name", "characteristic"))
    spelt = TargetGroup.objects.filter(language__code__in={language for language, _target in counts})
    local = {(code, name): said for code, name, said in spelt.values_list("language__code", "name", "local_name")}
    rows = []
    for (language, target), count in sorted(counts.items()):
        groups = groups_of([target], language, names)
        shared = dict.fromkeys(filter(None, (characteristics.get(group) for group in groups)))
        rows.append(
            [language, target, local.get((language, target), ""), "; ".join(groups), "; ".join(shared), str(count)]
        )
    return rows


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
