"""What proves a release: checksums that ignore order and database, guards, tampering found and named, signatures."""

import csv
import json
import random

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from core.errors import BadInput
from core.guards import drop_guards
from curation.formats.values import CaseValue, SuiteValues
from curation.importing.services import import_values
from curation.models import (
    Functionality,
    LexiconEntry,
    Release,
    ReleaseAnnex,
    ReleaseCase,
    ReleaseExclusion,
    Suite,
    TestCase,
)
from curation.publishing.canonical import release_sha256
from curation.publishing.citation import cite_as
from curation.publishing.signature import generate_key_pair
from curation.publishing.values import FrozenCase
from curation.releases.documents import write_prose
from curation.releases.export import export_release, public_key
from curation.releases.frozen import release_head
from curation.releases.records import records_from
from curation.releases.services import ReleaseMoved, publish_release
from curation.releases.verifying import stored_checksum, verify_release
from tests.curation.releases.factories import cases_of, make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(mira):
    return make_suite(by=mira)


@pytest.fixture
def published(suite, mira):
    return make_release(suite, by=mira)


def test_the_checksum_is_that_of_the_plain_values_in_any_order(suite, mira):
    release = make_release(suite, by=mira, policy="mark")
    cases = list(cases_of(release))
    random.Random(5).shuffle(cases)
    assert release_sha256(cases) == release.sha256 == stored_checksum(release)


def test_the_checksum_does_not_depend_on_the_order_of_insertion(suite, mira):
    first = make_candidate(suite, "1.0.0", by=mira, policy="mark")
    for number, pk in enumerate(TestCase.objects.of(suite).order_by("-text").values_list("pk", flat=True)):
        TestCase.objects.filter(pk=pk).update(position=number)
    second = make_candidate(suite, "1.1.0", by=mira, policy="mark")
    order = [list(r.cases.order_by("position").values_list("key", flat=True)) for r in (first, second)]
    assert order[0] != order[1]
    assert first.sha256 == second.sha256


def test_the_checksum_is_that_of_values_written_down_by_hand_on_either_database(mira):
    """Texts that databases like to trip over: composed and decomposed letters, emoji, quotes, right-to-left, blanks."""
    texts = [
        "Cafe\u0301 für alle 🎉",
        "Café für manche 🎉",
        "مرحبا بالجميع",
        '"quoted", and\ttabbed',
        " blanks around ",
    ]
    rows = [
        CaseValue(f"x-{n}", "en", "ident_pos_nh", text, "non-hateful", target="women", extra=(("column", f"v{n}"),))
        for n, text in enumerate(texts)
    ]
    import_values("plain", SuiteValues(cases=rows), format_name="csv")
    release = make_release(Suite.objects.get(key="plain"), by=mira)
    by_hand = [
        FrozenCase(
            key=f"x-{n}",
            language="en",
            functionality="ident_pos_nh",
            functionality_class="identifier",
            provenance='{"imported":true}',
            text=text,
            label="non-hateful",
            targets=("women",),
            origin="import",
            extra=(("column", f"v{n}"),),
        )
        for n, text in enumerate(texts)
    ]
    assert list(cases_of(release)) == by_hand
    assert release.sha256 == release_sha256(reversed(by_hand))


REFUSED_BY_ORM = {
    "update": lambda r: Release.objects.filter(pk=r.pk).update(notes="x"),
    "delete": lambda r: Release.objects.filter(pk=r.pk)._raw_delete("default"),
    "case update": lambda r: r.cases.update(text="x"),
    "case bulk update": lambda r: ReleaseCase.objects.bulk_update([_with_text(r.cases.first())], ["text"]),
    "case delete": lambda r: r.cases.all().delete(),
    "case insert": lambda r: ReleaseCase.objects.bulk_create([_copy_of(r.cases.first())]),
    "case moved away": lambda r: r.cases.update(release=_another(r)),
    "exclusion update": lambda r: r.exclusions.update(reason="x"),
    "exclusion delete": lambda r: r.exclusions.all().delete(),
    "annex update": lambda r: r.annexes.update(rows=[]),
    "annex delete": lambda r: r.annexes.all().delete(),
}


def _with_text(case):
    case.text = "x"
    return case


def _copy_of(case):
    case.pk, case.key, case.position = None, "another", 99
    return case


def _another(release):
    return Release.objects.create(suite=release.suite, version="9.0.0", min_agree=1)


@pytest.mark.parametrize("step", REFUSED_BY_ORM)
def test_the_database_refuses_to_change_a_published_release(published, step):
    with pytest.raises(DatabaseError, match="the release is published"), transaction.atomic():
        REFUSED_BY_ORM[step](published)
    assert verify_release(published).is_intact


STATEMENTS = [
    "UPDATE curation_release SET sha256 = 'x'",
    "UPDATE curation_release SET state = 'draft'",
    "DELETE FROM curation_release",
    "UPDATE curation_releasecase SET text = 'x'",
    "DELETE FROM curation_releasecase",
    "INSERT INTO curation_releasecase SELECT * FROM curation_releasecase",
    "UPDATE curation_releaseexclusion SET reason = 'x'",
    "DELETE FROM curation_releaseexclusion",
    "DELETE FROM curation_releaseannex",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_database_refuses_sql_on_a_published_release(published, statement):
    with (
        pytest.raises(DatabaseError, match="the release is published"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def _columns(table: str, **changed: str) -> str:
    """The columns of a table, some of them with other values, as a SELECT names them."""
    with connection.cursor() as cursor:
        names = [column.name for column in connection.introspection.get_table_description(cursor, table)]
    return ", ".join(changed.get(name, name) for name in names)


def _refuses(statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="the release is published"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.parametrize("other", [{"id": "id + 99", "version": "'2.0.0'"}, {"id": "id + 99", "state": "'draft'"}])
def test_no_row_comes_in_as_a_published_release_or_under_its_version(published, other):
    columns = _columns("curation_release", **other)
    _refuses(f"INSERT INTO curation_release SELECT {columns} FROM curation_release WHERE version = '1.0.0'")


@pytest.mark.parametrize("through_us", [True, False])
@pytest.mark.parametrize(
    ("table", "other"),
    [
        ("curation_release", {"state": "'draft'"}),
        ("curation_release", {"id": "id + 99", "state": "'draft'"}),
        ("curation_release", {"version": "'9.9.9'", "state": "'draft'"}),
        ("curation_releasecase", {"release_id": "{candidate}", "key": "'z'", "position": "99"}),
        ("curation_releaseexclusion", {"release_id": "{candidate}", "key": "'z'"}),
        ("curation_releaseannex", {"release_id": "{candidate}", "name": "'z'"}),
    ],
)
def test_nothing_published_is_replaced_by_another_row(published, suite, mira, table, other, through_us):
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has INSERT OR REPLACE")
    candidate = make_candidate(suite, "1.1.0", by=mira)
    columns = _columns(table, **{name: value.format(candidate=candidate.pk) for name, value in other.items()})
    with connection.cursor() as cursor:  # a shell of SQLite's own leaves this off
        cursor.execute(f"PRAGMA recursive_triggers={'ON' if through_us else 'OFF'}")
    where = "version = '1.0.0'" if table == "curation_release" else f"release_id = {published.pk}"
    _refuses(f"INSERT OR REPLACE INTO {table} SELECT {columns} FROM {table} WHERE {where}")


def test_a_candidate_can_still_be_changed(suite, mira):
    release = make_candidate(suite, by=mira)
    assert release.cases.update(text="x") == 3


def tamper(statement: str, *values: object) -> None:
    """As somebody with the database file would: guards away, then SQL."""
    drop_guards(connection)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.mark.parametrize(
    ("column", "value", "field"),
    [
        ("text", "I dislike womem.", "text"),
        ("label", "non-hateful", "label"),
        ("functionality", "ident_pos_nh", "functionality"),
        ("majority", "non-hateful", "majority"),
        ("template_text", "Something else.", "template text"),
    ],
)
def test_a_changed_field_in_the_database_is_found_and_named(published, column, value, field):
    key = published.cases.get(text="I dislike women.").key
    tamper(f"UPDATE curation_releasecase SET {column} = %s WHERE text = 'I dislike women.'", value)
    found = verify_release(published)
    assert not found.is_intact
    assert found.case == key
    assert f"case '{key}': its {field} was changed" in found.difference
    with pytest.raises(CommandError, match=f"case '{key}': its {field} was changed"):
        call_command("verify_release", "small@1.0.0")


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "UPDATE curation_releaseexclusion SET reason = 'template' WHERE reason = 'disagreement'",
            "annexes/excluded.csv",
        ),
        ("UPDATE curation_releaseexclusion SET text = text || '.'", "annexes/excluded.csv"),
        ("DELETE FROM curation_releaseexclusion", "annexes/excluded.csv"),
        ("DELETE FROM curation_releaseannex WHERE name = 'lexicon'", "annexes/lexicon.csv"),
        (
            "UPDATE curation_releaseannex SET rows = replace(rows{text}, 'like', 'love'){json} "
            "WHERE name = 'templates'",
            "annexes/templates.csv",
        ),
        ("UPDATE annotation_annotation SET label = 'hateful' WHERE label = 'non-hateful'", "annexes/labels.csv"),
        ("UPDATE curation_releasecase SET text_hash = 'x' WHERE text = 'I dislike women.'", "the hash of its text"),
        (
            "UPDATE curation_releasecase SET is_about_identity = {no} WHERE text = 'I dislike women.'",
            "other cases than when it was built count as being about an identity",
        ),
        ("UPDATE curation_release SET title = 'Another'", "its title was changed"),
        ("UPDATE curation_release SET min_agree = 1", "its minimum agreement was changed"),
        ("UPDATE curation_release SET notes = 'x'", "its release notes were changed"),
        ("UPDATE curation_release SET access = 'private'", "its access was changed"),
        ("UPDATE curation_release SET published_at = '2020-01-01'", "its time of publication was changed"),
        (
            "UPDATE curation_release SET facts = replace(facts{text}, 'CC-BY', 'CC-XX'){json}",
            "record of figures",
        ),
        ("UPDATE curation_release SET sha256 = replace(sha256, 'a', 'b')", "its checksum was changed"),
    ],
)
def test_a_change_beside_the_cases_is_found_and_named(published, statement, says):
    is_postgresql = connection.vendor == "postgresql"
    casts = {"text": "::text", "json": "::jsonb"} if is_postgresql else {"text": "", "json": ""}
    tamper(statement.format(**casts, no="false" if is_postgresql else "0"))
    published.refresh_from_db()
    assert says in verify_release(published).difference
    with pytest.raises(CommandError, match="is not intact"):
        call_command("verify_release", "small@1.0.0")


def test_a_release_from_before_there_were_seals_is_still_verified(suite, mira):
    release = make_candidate(suite, by=mira)
    facts = {name: value for name, value in release.facts.items() if name != "seal"}
    Release.objects.filter(pk=release.pk).update(facts=facts, state="published")
    release.refresh_from_db()
    assert verify_release(release).is_intact


@pytest.mark.parametrize("model", [ReleaseExclusion, ReleaseAnnex])
def test_publishing_refuses_when_anything_beside_the_cases_moved(suite, mira, model):
    release = make_candidate(suite, by=mira)
    model.objects.filter(release=release).order_by("pk").first().delete()
    with pytest.raises(ReleaseMoved, match=r"annexes|changed after it was built"):
        publish_release(release, by=mira, reason="For a test.")
    release.refresh_from_db()
    assert release.state == "candidate"


def test_what_somebody_wrote_meanwhile_is_published_and_sealed(suite, mira):
    release = make_candidate(suite, by=mira)
    write_prose(Release.objects.get(pk=release.pk), {"uses": "For tests."}, by=mira)
    published = publish_release(release, by=mira, reason="For a test.")
    assert published.prose == {"uses": "For tests."}
    assert verify_release(published).is_intact


def test_a_text_changed_with_its_checksums_is_still_found(published):
    tamper("UPDATE curation_releasecase SET text = 'x', sha256 = %s", "0" * 64)
    assert not verify_release(published).is_intact


def test_a_removed_case_is_found_and_counted(published):
    tamper("DELETE FROM curation_releasecase WHERE text = 'I dislike women.'")
    assert "1 of 3 cases was removed" in verify_release(published).difference


def test_a_release_is_cited_with_its_address_where_others_can_reach_it(suite, mira, settings):
    assert release_head(make_release(suite, by=mira)).url == ""
    settings.SITE_URL = "https://touchstone.example.org"
    head = release_head(make_release(suite, "1.1.0", by=mira))
    assert cite_as(head).endswith("version 1.1.0. https://touchstone.example.org/releases/small/1.1.0/")
    settings.SITE_URL = "https://moved.example.org"
    assert release_head(Release.objects.get(version="1.1.0")).url == head.url, "what is published does not move"


def test_what_the_workshop_does_later_does_not_move_a_release(published, suite, tmp_path):
    first = export_release(published, tmp_path / "first", formats=["csv", "jsonl"])
    suite.description, suite.licence, suite.raters, suite.name = "Another.", "MIT", 7, "Renamed"
    suite.save()
    suite.entries.update(lemma="changed")
    suite.templates.update(refers_to="")
    TestCase.objects.of(suite).update(text="changed")
    published.refresh_from_db()
    again = Release.objects.select_related("suite").get(pk=published.pk)
    assert export_release(again, tmp_path / "second", formats=["csv", "jsonl"]) == first


def test_one_changed_character_in_an_exported_folder_is_named(published, tmp_path):
    export_release(published, tmp_path / "out", formats=["csv"])
    call_command("verify_release", str(tmp_path / "out"))
    file = tmp_path / "out" / "cases.csv"
    file.write_bytes(file.read_bytes().replace(b"I dislike women.", b"I dislike womem."))
    key = published.cases.get(text="I dislike women.").key
    with pytest.raises(CommandError, match=f"cases.csv.*{key}.*test_case"):
        call_command("verify_release", str(tmp_path / "out"))


def test_every_changed_file_of_a_folder_is_named(published, tmp_path):
    export_release(published, tmp_path / "out", formats=["csv"])
    for name in ("cases.csv", "annexes/lexicon.csv"):
        file = tmp_path / "out" / name
        file.write_bytes(file.read_bytes().replace(b"women", b"womem"))
    with pytest.raises(CommandError) as refused:
        call_command("verify_release", str(tmp_path / "out"))
    assert "cases.csv" in str(refused.value)
    assert "annexes/lexicon.csv" in str(refused.value)


def test_formats_may_be_named_one_by_one(published, tmp_path):
    call_command(
        "export_release", "small@1.0.0", "--out", str(tmp_path / "out"), "--format", "jsonl", "--format", "mhc"
    )
    assert (tmp_path / "out" / "cases.jsonl").exists()
    assert (tmp_path / "out" / "mhc" / "en.csv").exists()


def test_annexes_hold_what_was_left_out_the_words_and_the_templates(published, tmp_path):
    export_release(published, tmp_path / "out", formats=["csv"])
    tables = {
        name: list(csv.DictReader((tmp_path / "out" / "annexes" / f"{name}.csv").open(encoding="utf-8", newline="")))
        for name in ("excluded", "lexicon", "templates")
    }
    assert {row["reason"] for row in tables["excluded"]} == {"disagreement", "template", "reference"}
    assert all(len(json.loads(row["labels"])) == 5 for row in tables["excluded"])
    assert {row["form"] for row in tables["lexicon"]} >= {"women", "immigrants"}
    assert [row["template"] for row in tables["templates"]] == ["1", "2", "3", "4"]


def test_a_release_says_what_its_functionalities_test_as_it_was_when_it_was_built(published, tmp_path):
    tested = sorted(set(published.cases.values_list("functionality", flat=True)))
    [changed, *_rest] = Functionality.objects.filter(key__in=tested).order_by("position")
    title, number = changed.title, changed.number
    Functionality.objects.filter(pk=changed.pk).update(title="Renamed later")
    export_release(published, tmp_path / "out", formats=["csv", "huggingface"])
    with (tmp_path / "out" / "annexes" / "functionalities.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["functionality"]: row for row in csv.DictReader(file)}
    assert sorted(rows) == tested
    about = rows[changed.key]
    assert (about["number"], about["title"], about["gold_label"]) == (number, title, changed.gold_label)
    assert about["example"] == changed.example
    assert "HateCheck: Functional Tests" in about["references"]
    datasheet = (tmp_path / "out" / "DATASHEET.md").read_text(encoding="utf-8")
    assert f"| {number} {title} | " in datasheet
    assert changed.key not in datasheet
    assert records_from({}, {}).functionalities == {}  # releases of earlier versions keep their keys


def test_annexes_hold_all_that_is_needed_to_make_the_cases_again(suite, tmp_path, settings):
    settings.VAR = tmp_path / "var"
    LexiconEntry.objects.filter(lemma="woman").update(inherent="Gender=Fem", properties={"article": "a"})
    release = make_release(suite, "2.0.0")
    export_release(release, tmp_path / "out", formats=["csv"])
    with (tmp_path / "out" / "annexes" / "lexicon.csv").open(encoding="utf-8", newline="") as file:
        words = {row["form"]: (row["inherent"], row["properties"]) for row in csv.DictReader(file)}
    assert (words["women"], words["immigrants"]) == (("Gender=Fem", "article=a"), ("", ""))
    with (tmp_path / "out" / "annexes" / "templates.csv").open(encoding="utf-8", newline="") as file:
        assert {row["defaults"] for row in csv.DictReader(file)} == {""}


def test_a_checksum_published_elsewhere_is_compared(published, tmp_path):
    export_release(published, tmp_path / "out", formats=["csv"])
    for subject in ("small@1.0.0", str(tmp_path / "out")):
        call_command("verify_release", subject, sha256=published.sha256.upper())
        with pytest.raises(CommandError, match=f"but {'0' * 64} was published"):
            call_command("verify_release", subject, sha256="0" * 64)


def test_an_export_is_signed_with_the_publishers_key(published, tmp_path, settings, capsys):
    pair = generate_key_pair()
    (tmp_path / "key.pem").write_bytes(pair.secret)
    (tmp_path / "key.pub").write_text(pair.public)
    settings.SIGNING_KEY_FILE = str(tmp_path / "key.pem")
    assert public_key() == pair.public
    export_release(published, tmp_path / "out", formats=["csv"])
    call_command("verify_release", str(tmp_path / "out"), public_key=str(tmp_path / "key.pub"))
    call_command("verify_release", str(tmp_path / "out"))
    told = capsys.readouterr().out
    assert "signature: valid" in told
    assert "signature: not checked, give --public-key" in told
    manifest = tmp_path / "out" / "manifest.json"
    manifest.write_text(manifest.read_text().replace("mild", "wild"))
    with pytest.raises(CommandError, match="changed after it was signed"):
        call_command("verify_release", str(tmp_path / "out"), public_key=str(tmp_path / "key.pub"))


def test_a_signing_key_that_cannot_be_used_is_said(published, tmp_path, settings):
    settings.SIGNING_KEY_FILE = str(tmp_path / "missing.pem")
    with pytest.raises(BadInput, match="SIGNING_KEY_FILE"):
        export_release(published, tmp_path / "out", formats=["csv"])


def test_nothing_is_signed_without_a_key(published, tmp_path):
    export_release(published, tmp_path / "out", formats=["csv"])
    assert public_key() == ""
    assert not (tmp_path / "out" / "manifest.json.minisig").exists()


def test_a_release_is_copied_with_its_annexes_and_exclusions(published):
    assert set(ReleaseAnnex.objects.filter(release=published).values_list("name", flat=True)) == {
        "functionalities",
        "groups",
        "lexicon",
        "templates",
    }
    assert ReleaseExclusion.objects.filter(release=published).count() == 4
