"""Verification: one changed character anywhere is found and named."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.publishing.errors import PublishingError
from curation.publishing.manifest import read_manifest, sums
from curation.publishing.signature import SignatureRejected, generate_key_pair, sign_file, sign_folder, verify_file
from curation.publishing.values import FrozenCase, ReleaseHead
from curation.publishing.verify import verify_folder
from tests.curation.publishing.factories import export_folder

HEAD = ReleaseHead(suite="demo", version="1.0.0", title="Demo", created="2026-11-16")
CASES = [
    FrozenCase(
        key=f"en-{number}",
        language="en",
        functionality="ident_neutral_nh",
        text=f"Sentence {number} here.",
        label="non-hateful",
        template=f"t{number}",
        direction="general",
        labels_given=("hateful",),
    )
    for number in range(1, 13)
]


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "demo"
    export_folder(HEAD, CASES, folder, formats=["jsonl", "parquet"])
    return folder


@pytest.fixture
def folder(published, tmp_path):
    return Path(shutil.copytree(published, tmp_path / "copy"))


def change(path: Path, before: bytes, after: bytes) -> None:
    content = path.read_bytes()
    assert before in content
    path.write_bytes(content.replace(before, after, 1))


KEYS = generate_key_pair()


def files_found_changed(folder: Path, *, public_key: str) -> set[str]:
    """Files with a finding; a manifest that cannot be read at all counts as found."""
    try:
        findings = verify_folder(folder, public_key=public_key).findings
    except PublishingError:
        return {"manifest.json"}
    return {finding.file.removesuffix(".minisig") for finding in findings}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(
        ["cases.csv", "cases.jsonl", "cases.parquet", "integrity.csv", "manifest.json", "CITATION.cff", "DATASHEET.md"]
    ),
    st.sampled_from(["", KEYS.public]),
    st.floats(0, 1, exclude_max=True),
    st.integers(1, 255),
)
def test_any_changed_byte_is_found_and_nothing_crashes(published, name, public_key, where, shift):
    path, signature = published / name, published / "manifest.json.minisig"
    content = path.read_bytes()
    position = int(where * len(content))
    sign_folder(published, secret=KEYS.secret, comment="x")
    try:
        changed = (content[position] + shift) % 256
        path.write_bytes(content[:position] + bytes([changed]) + content[position + 1 :])
        assert name in files_found_changed(published, public_key=public_key)
    finally:
        path.write_bytes(content)
        signature.unlink()


@pytest.mark.parametrize(
    ("member", "value"), [("title", "Another title"), ("min_agree", 1), ("licence", "MIT"), ("created", "2020-01-01")]
)
def test_a_changed_setting_in_the_manifest_is_found_without_a_key(folder, member, value):
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["release"][member] = value
    text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    (finding,) = verify_folder(folder).findings
    assert str(finding) == "manifest.json: does not fit SHA256SUMS: one of the two was changed"


def test_sums_that_were_changed_or_taken_away_are_found(folder):
    path = folder / "SHA256SUMS"
    content = path.read_text()
    path.write_text(content.replace("CITATION.cff", "CITATION.cfg"))
    assert [str(finding) for finding in verify_folder(folder).findings] == ["SHA256SUMS: does not fit manifest.json"]
    path.unlink()
    assert [str(finding) for finding in verify_folder(folder).findings] == ["SHA256SUMS: the file is missing"]


@pytest.mark.parametrize("path", ["/etc/hostname", "../other.csv"])
def test_a_manifest_cannot_point_outside_the_folder(folder, path):
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][0]["path"] = path
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(PublishingError, match="outside the folder"):
        verify_folder(folder)


@pytest.mark.parametrize("value", [b"5", b"null", b'["x"]', b"{}"])
def test_a_value_of_the_wrong_kind_is_named(folder, value):
    change(folder / "cases.jsonl", b'"test_case":"Sentence 7 here."', b'"test_case":' + value)
    (finding,) = verify_folder(folder).findings
    assert finding.problem == "cases.jsonl, line 7: cannot be read (the record of case 'en-7' has no proper test_case)"


def test_an_untouched_folder_is_intact(folder):
    result = verify_folder(folder)
    assert result.is_intact
    assert result.first is None
    assert (result.reference, result.cases) == ("demo@1.0.0", 12)


@pytest.mark.parametrize("name", ["cases.csv", "cases.jsonl"])
@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        (b"Sentence 7 here.", b"Sentence 7 hare.", "test_case"),
        (b"t7", b"t8", "templ_id"),
        (b"en-7", b"en-x", "case_id"),
    ],
)
def test_one_changed_character_is_named_with_case_and_field(folder, name, before, after, field):
    change(folder / name, before, after)
    (finding,) = verify_folder(folder).findings
    assert (finding.file, finding.case, finding.field) == (name, "en-7", field)


def test_a_changed_label_that_was_given_is_named(folder):
    change(folder / "cases.jsonl", b'"label_annotated":["hateful"]', b'"label_annotated":["hatefuL"]')
    (finding,) = verify_folder(folder).findings
    assert str(finding) == "cases.jsonl, case en-1, field label_annotated: was changed"


def test_a_changed_digest_is_named(folder):
    line = (folder / "cases.csv").read_bytes().splitlines()[1]
    digest = line.rpartition(b",")[2]
    change(folder / "cases.csv", digest, b"0" * 64)
    (finding,) = verify_folder(folder).findings
    assert (finding.case, finding.field) == ("en-1", "sha256")


def test_a_changed_parquet_file_is_named_with_case_and_field(folder):
    import pyarrow.parquet as pq

    table = pq.read_table(folder / "cases.parquet").to_pylist()
    table[4]["label_gold"] = "hateful"
    import pyarrow as pa

    schema = pq.read_schema(folder / "cases.parquet")
    pq.write_table(pa.Table.from_pylist(table, schema=schema), folder / "cases.parquet")
    (finding,) = verify_folder(folder).findings
    assert (finding.file, finding.case, finding.field) == ("cases.parquet", "en-5", "label_gold")


def test_a_missing_case_is_named(folder):
    lines = (folder / "cases.csv").read_bytes().splitlines(keepends=True)
    (folder / "cases.csv").write_bytes(b"".join(lines[:3] + lines[4:]))
    (finding,) = verify_folder(folder).findings
    assert (finding.case, finding.problem) == ("en-3", "the case is missing")


def test_cases_cut_off_at_the_end_are_noticed(folder):
    lines = (folder / "cases.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "cases.jsonl").write_bytes(b"".join(lines[:-2]))
    (finding,) = verify_folder(folder).findings
    assert finding.case == "en-11"


def test_an_added_case_is_named(folder):
    lines = (folder / "cases.jsonl").read_bytes().splitlines(keepends=True)
    added = lines[0].replace(b"en-1", b"en-99")
    (folder / "cases.jsonl").write_bytes(b"".join([*lines, added]))
    (finding,) = verify_folder(folder).findings
    assert (finding.case, finding.problem) == ("en-99", "the case was added")


def test_a_change_of_line_ends_is_told_from_a_change_of_cases(folder):
    content = (folder / "cases.csv").read_bytes()
    (folder / "cases.csv").write_bytes(content.replace(b"\n", b"\r\n"))
    (finding,) = verify_folder(folder).findings
    assert "though all cases are" in finding.problem


def test_bytes_that_are_no_text_are_named(folder):
    change(folder / "cases.csv", b"Sentence 7", b"Sentence \xff")
    (finding,) = verify_folder(folder).findings
    assert finding.file == "cases.csv"
    assert "utf-8" in finding.problem


def test_a_broken_row_is_named(folder):
    change(folder / "cases.csv", b"en-3,", b"en-3")
    (finding,) = verify_folder(folder).findings
    assert finding.problem.startswith("cases.csv, row 4: cannot be read")


@pytest.mark.parametrize("name", ["CITATION.cff", "DATA_STATEMENT.md", "statistics.json", "integrity.csv"])
def test_any_other_changed_file_is_named(folder, name):
    with (folder / name).open("ab") as file:
        file.write(b" ")
    (finding,) = verify_folder(folder).findings
    assert (finding.file, finding.problem) == (name, "the file is not the published one")


def test_missing_and_foreign_files_are_named(folder):
    (folder / "statistics.json").unlink()
    (folder / "notes.txt").write_text("mine")
    assert [str(finding) for finding in verify_folder(folder).findings] == [
        "statistics.json: the file is missing",
        "notes.txt: the file does not belong to the release",
    ]


def test_a_missing_case_file_is_named_and_nothing_crashes(folder):
    (folder / "cases.csv").unlink()
    (finding,) = verify_folder(folder).findings
    assert str(finding) == "cases.csv: the file is missing"


def test_a_rewritten_manifest_does_not_hide_a_changed_case(folder, tmp_path):
    """Somebody changes a case and the digests of the files, but not the checksum of the release."""
    changed = [*CASES[:-1], FrozenCase(key="en-12", language="en", functionality="x", text="other", label="hateful")]
    export_folder(HEAD, changed, tmp_path / "forged")
    manifest = json.loads((tmp_path / "forged/manifest.json").read_text())
    manifest["sha256"] = verify_folder(folder).sha256
    (tmp_path / "forged/manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "forged/SHA256SUMS").write_bytes(sums(read_manifest(tmp_path / "forged"), tmp_path / "forged"))
    (finding,) = verify_folder(tmp_path / "forged").findings
    assert finding.problem == "the cases give another checksum than manifest.json names"


def test_a_wholly_rewritten_folder_does_not_fit_the_published_checksum(folder, tmp_path):
    export_folder(HEAD, CASES[:-1], tmp_path / "forged")
    published = verify_folder(folder).sha256
    assert verify_folder(tmp_path / "forged").is_intact
    assert not verify_folder(tmp_path / "forged", expected_sha256=published).is_intact


def test_a_folder_without_manifest_is_refused(tmp_path):
    with pytest.raises(PublishingError, match=r"has no manifest\.json"):
        verify_folder(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"format": "other/9"}', '{"format": "touchstone-release/1"}', "\xff"])
def test_a_broken_manifest_is_refused(folder, content):
    (folder / "manifest.json").write_text(content, encoding="latin-1")
    with pytest.raises(PublishingError, match=r"manifest\.json"):
        verify_folder(folder)


def test_a_signed_release_is_proven_by_its_public_key(folder):
    keys = generate_key_pair()
    sign_folder(folder, secret=keys.secret, comment="demo@1.0.0")
    result = verify_folder(folder, public_key=keys.public)
    assert result.is_intact
    assert result.signed_by == "demo@1.0.0"


def test_a_manifest_changed_after_signing_is_found(folder):
    keys = generate_key_pair()
    sign_folder(folder, secret=keys.secret, comment="demo@1.0.0")
    change(folder / "manifest.json", b'"title": "Demo"', b'"title": "Domo"')
    assert str(verify_folder(folder, public_key=keys.public).first) == (
        "manifest.json.minisig: manifest.json was changed after it was signed"
    )


def test_a_missing_signature_is_found_when_a_key_is_given(folder):
    first = verify_folder(folder, public_key=generate_key_pair().public).first
    assert first is not None
    assert "the signature is missing" in first.problem


MINISIGN_KEY = """untrusted comment: minisign public key A8BC92C4AF2519EB
RWTrGSWvxJK8qKBxd/HDrDg9vHJDUv35UkkNB010TiggdM5Bq1SQ+9Bp
"""
MINISIGN_SIGNATURE = """untrusted comment: signature from minisign secret key
RUTrGSWvxJK8qLjVI14ZPXVn7ceSwPtpPWdk0MdLD5qxzCM/fCNsdZBmShJkHJyZXL66ei2dRlEWfWsPDuAGJRVTnusSz3UaVw4=
trusted comment: demo@1.0.0
CLrtP7Fh/FSLdZBBC3wym97WfVZNE+FBldvfW+gtzQh0vF5Lx8QPV0iN0+KxhMXE7XMhda6g0fE8FklGbaQJDg==
"""


@pytest.fixture
def signed_elsewhere(tmp_path):
    path = tmp_path / "f.txt"
    path.write_bytes(b"touchstone\n")
    return path


def test_a_signature_made_by_minisign_itself_is_accepted(signed_elsewhere):
    assert verify_file(signed_elsewhere, signature=MINISIGN_SIGNATURE, public=MINISIGN_KEY) == "demo@1.0.0"


@pytest.mark.parametrize(
    ("signature", "key", "why"),
    [
        (MINISIGN_SIGNATURE.replace("demo@1.0.0", "demo@2.0.0"), MINISIGN_KEY, "the comment was changed"),
        (MINISIGN_SIGNATURE, generate_key_pair().public, "another key"),
        (MINISIGN_SIGNATURE.replace("RUTr", "RWTr"), MINISIGN_KEY, "another algorithm"),
        (MINISIGN_SIGNATURE.replace("RUTr", "RU*r"), MINISIGN_KEY, "damaged"),
        ("nonsense", MINISIGN_KEY, "not a minisign"),
        (MINISIGN_SIGNATURE, "", "not a minisign"),
    ],
)
def test_a_signature_that_does_not_fit_is_rejected_with_the_reason(signed_elsewhere, signature, key, why):
    with pytest.raises(SignatureRejected, match=why):
        verify_file(signed_elsewhere, signature=signature, public=key)


def test_a_secret_key_can_be_protected_by_a_password(signed_elsewhere):
    keys = generate_key_pair(password="correct horse")
    with pytest.raises(PublishingError, match="check file and password"):
        sign_file(signed_elsewhere, secret=keys.secret, comment="x", password="wrong")
    with pytest.raises(PublishingError, match="check file and password"):
        sign_file(signed_elsewhere, secret=keys.secret, comment="x")
    signature = sign_file(signed_elsewhere, secret=keys.secret, comment="x", password="correct horse")
    assert verify_file(signed_elsewhere, signature=signature, public=keys.public) == "x"
