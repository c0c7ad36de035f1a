"""A suite travels whole: what an empty instance imports, it exports again byte for byte."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Guideline
from core.errors import BadInput
from core.jobs import services as jobs
from core.models import Job
from curation.authoring.services import create_template, save_draft
from curation.authoring.wording_checks import VariantText
from curation.bundles.archive import CONTENTS, schema
from curation.bundles.parts import all_parts
from curation.bundles.services import export_bundle, import_bundle
from curation.cases.generating import generate_cases
from curation.cases.models import CaseState
from curation.models import (
    CaseVerdict,
    Decision,
    Exclusion,
    Form,
    Functionality,
    Language,
    LexiconEntry,
    ProtectedGroup,
    Suite,
    TargetGroup,
    Template,
    TestCase,
)
from generation.models import Prompt
from tests.curation.authoring.factories import approve_template, functionality, german, make_suite, write_template
from tests.curation.bundles.round_trip import bundle_of_a_lost_suite, bytes_there_and_back

pytestmark = pytest.mark.django_db
DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.fixture
def written(emil, mira):
    """A suite with everything: variants, history, a relation, cases of three kinds, guidelines and prompts."""

    def make() -> Suite:
        suite = make_suite()
        approved = write_template(suite, "Ich mag [identity:Number=Plur] nicht.", by=emil)
        approve_template(approved, author=emil, reviewer=mira)
        variants = [
            VariantText("Gender=Fem", "Sie ist eine [identity:Number=Sing]."),
            VariantText("Gender=Masc", "Er ist ein [identity:Number=Sing]."),
        ]
        create_template(
            suite, german(), functionality("ident_neutral_nh"), by=emil, variants=variants,
            refers_to=approved.key, relation="contrasts",
        )  # fmt: skip
        generate_cases(suite)
        Guideline.objects.get_or_create(language=german(), version=91, defaults={"title": "Leitfaden", "text": "Lies."})
        case = TestCase.objects.of(suite).first()
        CaseVerdict.objects.create(
            case=case, source="campaign:x", labels=["hateful", "non-hateful"], raters=2, agreeing=1
        )
        Exclusion.objects.create(case=case, reason="disagreement", note="Zwei Meinungen.")
        TestCase.objects.filter(pk=case.pk).update(state=CaseState.EXCLUDED)
        Decision.objects.create(suite=suite, policy="exclude", min_agree=2, cascade="closure", without_labels="include")
        return suite

    return make


@pytest.mark.parametrize("with_labels", [False, True])
def test_what_an_empty_instance_imports_it_exports_again_byte_for_byte(written, tmp_path, with_labels):
    first, second = bytes_there_and_back(written, tmp_path, with_labels=with_labels)
    assert first == second


def test_the_same_suite_gives_the_same_bundle(written, tmp_path):
    suite = written()
    export_bundle(suite, tmp_path / "a.zip")
    export_bundle(suite, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_templates_keep_variants_relations_and_history(written, tmp_path, emil):
    path = bundle_of_a_lost_suite(written, tmp_path / "x.zip")
    import_bundle(path, suite="mild")
    template = Template.objects.exclude(refers_to="").get()
    assert template.refers_to == Template.objects.filter(refers_to="").get().key
    assert {variant.features for variant in template.versions.get().variants.all()} == {"Gender=Fem", "Gender=Masc"}
    assert Form.objects.filter(features="Case=Dat|Number=Plur", text="Muslimen").exists()
    assert generate_cases(Suite.objects.get(key="mild")).generated == 0


def test_without_labels_nothing_is_said_to_be_validated_or_excluded(written, tmp_path):
    path = bundle_of_a_lost_suite(written, tmp_path / "x.zip")
    import_bundle(path, suite="mild")
    assert set(TestCase.objects.values_list("state", flat=True)) == {"ready"}
    assert not CaseVerdict.objects.exists()


def test_names_of_people_are_in_no_bundle(written, tmp_path, emil, mira):
    export_bundle(written(), tmp_path / "x.zip", with_labels=True)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        content = b"".join(archive.read(name) for name in archive.namelist()).decode()
    for person in (emil, mira):
        assert person.email not in content
        assert person.name not in content


def test_importing_twice_changes_nothing(written, tmp_path):
    path = bundle_of_a_lost_suite(written, tmp_path / "x.zip", with_labels=True)
    import_bundle(path, suite="mild")
    again = import_bundle(path, suite="mild")
    assert (again.new, again.changed) == ({}, {})
    assert all(part.unchanged and not part.conflicts for part in again.parts)


@pytest.fixture
def changed_here(written, tmp_path):
    """A bundle, and its suite here with a word and a template that were changed since."""
    suite = written()
    export_bundle(suite, tmp_path / "x.zip")
    LexiconEntry.objects.filter(key="frau").update(lemma="Dame")
    Template.objects.filter(refers_to="").update(focus_words="nicht")
    return tmp_path / "x.zip"


def test_conflicts_are_refused_and_named(changed_here):
    with pytest.raises(BadInput) as refused:
        import_bundle(changed_here, suite="mild")
    assert [(problem["file"], "differs" in problem["problem"]) for problem in refused.value.problems] == [
        ("lexicon.jsonl", True),
        ("templates.jsonl", True),
    ]
    assert "another key" in str(refused.value)


def test_a_preview_tells_what_would_be_added_and_what_is_in_conflict(changed_here):
    LexiconEntry.objects.filter(key="muslim").delete()
    report = import_bundle(changed_here, suite="mild", on_conflict="keep", dry_run=True)
    told = {part.part: (part.added, part.conflicts, part.examples) for part in report.parts}
    assert told["lexicon"] == (1, 1, ["de frau"])
    assert told["templates"][1] == 1
    assert report.dry_run
    assert not LexiconEntry.objects.filter(key="muslim").exists()


def test_keep_leaves_what_is_here_and_replace_takes_what_comes(changed_here):
    import_bundle(changed_here, suite="mild", on_conflict="keep")
    assert LexiconEntry.objects.get(key="frau").lemma == "Dame"
    import_bundle(changed_here, suite="mild", on_conflict="replace")
    assert LexiconEntry.objects.get(key="frau").lemma == "Frau"
    assert Template.objects.get(refers_to="").focus_words == ""


def test_a_replaced_wording_is_a_new_version_and_the_old_one_stays(written, tmp_path, emil, mira):
    suite = written()
    export_bundle(suite, tmp_path / "x.zip")
    template = Template.objects.get(refers_to="")
    save_draft(template, [VariantText("", "Ich hasse [identity:Number=Plur].")], by=emil)
    approve_template(template, author=emil, reviewer=mira)
    import_bundle(tmp_path / "x.zip", suite="mild", on_conflict="replace")
    approved = template.versions.approved().get()
    assert (approved.number, approved.variants.get().text) == (3, "Ich mag [identity:Number=Plur] nicht.")
    assert template.versions.count() == 3


def rewritten(path: Path, name: str, change) -> Path:
    """A copy of a bundle in which one file is changed."""
    out = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(out, "w") as target:
        for member in source.namelist():
            content = source.read(member)
            changed = change(content) if member == name else content
            if changed is not None:
                target.writestr(member, changed)
    return out


def first_line_without(field: str):
    def change(content: bytes) -> bytes:
        first, *rest = content.splitlines(keepends=True)
        row = json.loads(first)
        del row[field]
        return b"".join([json.dumps(row).encode() + b"\n", *rest])

    return change


@pytest.mark.parametrize(
    ("name", "change", "place"),
    [
        ("lexicon.jsonl", first_line_without("lemma"), ("lexicon.jsonl", 1, "lemma")),
        ("lexicon.jsonl", lambda content: b'{"x": 1}\n' + content, ("lexicon.jsonl", 1, "language")),
        ("cases.jsonl", lambda content: b"not json\n" + content, ("cases.jsonl", 1, None)),
        ("cases.jsonl", lambda content: content + content, ("cases.jsonl", 3, None)),
        ("cases.jsonl", lambda content: None, ("cases.jsonl", None, None)),
        ("functionalities.jsonl", lambda content: b"", ("coverage.jsonl", 1, "functionality")),
        ("targets.jsonl", lambda content: b"", ("lexicon.jsonl", 1, "target")),
        ("groups.jsonl", lambda content: b"", ("targets.jsonl", 1, "groups")),
        ("suite.jsonl", lambda content: b"", ("suite.jsonl", None, None)),
        (CONTENTS, lambda content: content.replace(b'"version": 1', b'"version": 2'), (CONTENTS, None, "version")),
        (CONTENTS, lambda content: b"[]", (CONTENTS, None, None)),
        (CONTENTS, lambda content: b"\xff", (CONTENTS, None, None)),
    ],
)
def test_what_is_wrong_is_named_with_file_row_field_and_fix_and_nothing_is_imported(
    written, tmp_path, name, change, place
):
    path = rewritten(bundle_of_a_lost_suite(written, tmp_path / "x.zip"), name, change)
    with pytest.raises(BadInput) as refused:
        import_bundle(path, suite="mild")
    first = next(problem for problem in refused.value.problems if problem["severity"] == "error")
    assert (first["file"], first["row"], first["column"]) == place
    assert first["fix"]
    assert not Suite.objects.filter(key="mild").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"plain text"])
def test_a_file_that_is_no_archive_is_refused(tmp_path, content):
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(BadInput, match="no zip archive"):
        import_bundle(tmp_path / "x.zip", suite="mild")


def test_a_changed_line_is_imported_with_a_warning(written, tmp_path):
    path = bundle_of_a_lost_suite(written, tmp_path / "x.zip")
    path = rewritten(path, "lexicon.jsonl", lambda content: content.replace(b'"lemma":"Frau"', b'"lemma":"Dame"'))
    report = import_bundle(path, suite="mild")
    assert [(problem.file, problem.severity) for problem in report.problems] == [("lexicon.jsonl", "warning")]
    assert LexiconEntry.objects.get(key="frau").lemma == "Dame"


def test_an_own_language_and_functionality_travel_with_the_suite(tmp_path, mira):
    def make() -> Suite:
        suite = make_suite()
        swedish = Language.objects.create(
            code="sv", bcp47="sv", name="Swedish", features={"declared": {"Number": ["Sing", "Plur"]}, "rules": []}
        )
        suite.languages.add(swedish)
        own = Functionality.objects.get(key="derog_neg_emote_h")
        own.pk, own.key, own.title = None, "own_one", "Own functionality"
        own.save()
        Template.objects.create(suite=suite, language=swedish, functionality=own, key="sv-1")
        return suite

    path = bundle_of_a_lost_suite(make, tmp_path / "x.zip")
    assert not Language.objects.filter(code="sv").exists()
    import_bundle(path, suite="mild")
    assert Language.objects.get(code="sv").features["declared"] == {"Number": ["Sing", "Plur"]}
    assert Functionality.objects.get(key="own_one").title == "Own functionality"


def test_a_czech_suite_with_its_own_spelling_travels_byte_for_byte(tmp_path, emil, mira):
    features = {
        "declared": {"Case": ["Nom", "Gen", "Dat", "Acc", "Loc", "Ins"], "Number": ["Sing", "Plur"]},
        "rules": ["s -> se before s, z, š, ž", "k -> ke before k, g"],
        "examples": ["s sousedem => se sousedem"],
    }

    def make() -> Suite:
        suite = make_suite()
        czech = Language.objects.create(code="cs", bcp47="cs", name="Czech", autonym="čeština", features=features)
        suite.languages.add(czech)
        target = TargetGroup.objects.create(language=czech, name="immigrants", local_name="přistěhovalci")
        target.groups.add(ProtectedGroup.objects.get(key="immigrants"))
        word = LexiconEntry.objects.create(
            suite=suite, language=czech, key="soused", kind="identity", lemma="soused", target=target,
            properties={"animate": "yes"},
        )  # fmt: skip
        Form.objects.bulk_create(
            Form(entry=word, features=f"Case={case}|Number=Sing", text=text)
            for case, text in {"Nom": "soused", "Gen": "souseda", "Ins": "sousedem"}.items()
        )
        template = Template.objects.create(
            suite=suite, language=czech, functionality=functionality(), key="cs-001", focus_words="mluvím"
        )
        version = template.versions.create(number=1, author=emil)
        version.variants.create(text="Nemluvím s [identity:Case=Ins].")
        template.versions.update(state="approved", reviewer=mira)
        generate_cases(suite)
        assert TestCase.objects.get(language=czech).text == "Nemluvím se sousedem."
        return suite

    first, second = bytes_there_and_back(make, tmp_path)
    assert first == second


def test_prompts_and_hypotheses_of_the_suite_are_in_it(written, tmp_path):
    def make() -> Suite:
        suite = written()
        Prompt.objects.update_or_create(
            language=german(), functionality=functionality(), number=91,
            defaults={"system": "s", "skeleton": {}, "instruction": "Schreibe.", "sha256": "0" * 64},
        )  # fmt: skip
        return suite

    import_bundle(bundle_of_a_lost_suite(make, tmp_path / "x.zip"), suite="mild")
    assert Prompt.objects.get(number=91).instruction == "Schreibe."


def test_the_commands_write_and_read_bundles(written, tmp_path):
    path = tmp_path / "mild.zip"

    def make() -> Suite:
        suite = written()
        call_command("export_suite", "mild", "--out", str(path), stdout=io.StringIO())
        return suite

    bundle_of_a_lost_suite(make, tmp_path / "unused.zip")
    out = io.StringIO()
    call_command("import_suite", "copy", "--format", "bundle", "--path", str(path), "--json", stdout=out)
    report = json.loads(out.getvalue())
    assert (report["suite"], report["cases"], report["templates"], report["entries"]) == ("copy", 2, 2, 2)
    assert {part["part"] for part in report["parts"]} >= {"suite", "lexicon", "templates", "cases"}


def test_a_maintainer_downloads_and_uploads_a_bundle_on_pages(written, tmp_path, mira, settings):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    written()
    client = Client()
    client.force_login(mira)
    assert "?as=bundle" in client.get(reverse("curation:suite", args=["mild"])).content.decode()
    answer = client.get(reverse("curation:suite-download", args=["mild"]), {"as": "bundle"})
    content = b"".join(answer.streaming_content)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="mild-bundle.zip"'
    upload = io.BytesIO(content)
    upload.name = "mild-bundle.zip"
    sent = {"file": upload, "suite": "copy", "format": "bundle", "on_conflict": "keep"}
    answer = client.post(reverse("curation:import"), sent)
    assert answer.status_code == 302, answer.content.decode()
    job = Job.objects.get()
    jobs.perform(job.key, worker="test")
    job.refresh_from_db()
    assert (job.state, job.result["cases"]) == ("done", 2), job.error


def test_a_visitor_gets_no_bundle(written, client, vic):
    written()
    client.force_login(vic)
    assert client.get(reverse("curation:suite-download", args=["mild"]), {"as": "bundle"}).status_code in (403, 404)


def test_the_schema_in_the_documents_is_that_of_the_code():
    """`make schema` writes it anew."""
    wanted = schema([(part.file, part.row) for part in all_parts()])
    assert json.loads((DOCS / "suite-bundle.schema.json").read_text(encoding="utf-8")) == json.loads(json.dumps(wanted))
