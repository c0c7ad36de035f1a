"""Releases of the published suites are, byte for byte, what they were before cases had a gold label of their own.

The checksums were taken from commit bc5b5e5. Documents are left out: they name the day and the points that were open.
"""

import hashlib
import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

pytestmark = pytest.mark.django_db

SUITES = {
    "hatecheck": ("hatecheck", "hatecheck", None, "3a69d85bd94f2e1bfa6885a0b28fa6c13eed065122fcbe5bfcad9f503e665251"),
    "mhc-german": ("mhc", "mhc", "de", "01094cc25f76bb0c3530fdce613fee5065b47f0468a03af096caa3f29819dc9f"),
}
FILES = {
    "hatecheck": {
        "cases.csv": "1ef41afac576f95f965aaa21220a2b04a8d1a3e740d9b8fd8ae9ad82efd7a3c7",
        "cases.jsonl": "e12c62de7dd6951ed7e141aca0a87402afdf3c420907828f472899f8caa7d2e6",
        "integrity.csv": "9e77e502195935dd66b88812497f46c906390e6139a05278d7c022db294788ad",
        "statistics.json": "2e1dbf676e1eaddfada349e2927f5f1d92e3c56dde775e31e3b18816bdbaf455",
        "annexes/excluded.csv": "19fdb1a49796e6bc7b2fdec255ab5697ba76328b0de66a7067405348a210b45e",
        "annexes/labels.csv": "8b3b2f4abef49338bc13a7f8971d0341dc707a0aaff52ce10b3ec6f55766e38e",
        "annexes/lexicon.csv": "578c59178bd757328e2ef234a5e8a0b9d413185eeab3652276d29ff3ad393867",
        "annexes/templates.csv": "9adfc77c40a922392c56acbc620b958c80110a592705f9414c6cf27f8eefa1e0",
        "working set": "9a2fa88ada2f902cccd2cf2a92a9ab8996a60fe8def2ccd812464a3c2386c8d6",
    },
    "mhc-german": {
        "cases.csv": "094996cd4584e4b89d75be59d8c0e8dceb6ee9a06598b12168f175af5f214f7b",
        "cases.jsonl": "4d0356350a09b7e63fe4b15e00978260830851afd631843ad37bf9217caa5253",
        "integrity.csv": "47cafae41ee699b2640d109081abbb1ba85b1453c9b6f298dc58d0f7108a59c8",
        "statistics.json": "6995e2b2d15fd076137a53ff06180f34457a3df76a4aab9513daaef8cdfbc93d",
        "annexes/labels.csv": "5a449cafae3aff63ed7f14a06279fce0af87fa86b650cac42d71f2f4d69b6542",
        "annexes/lexicon.csv": "f9baa3199d78d6480cf435307f34c5682f17797464fd0b85a15c0520b92c6d06",
        "annexes/templates.csv": "9abeb68344c64e84461e2e3926b70aa2a5e2c0e1a0e12ec2b52decc158c31f06",
        "working set": "be5112859dd5824d98461960b46c2827b9626636dc13199b90c24758ea01075c",
    },
}


def run(*arguments: object) -> dict:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("suite", SUITES)
def test_a_release_has_the_bytes_it_always_had(suite, shared_data, tmp_path):
    format_name, folder, language, sha256 = SUITES[suite]
    chosen = ["--language", language] if language else []
    run("import_suite", suite, "--format", format_name, "--path", shared_data / folder, *chosen)
    # The rule about cases without labels was changed on purpose; these suites have none.
    assert run("freeze", suite, "--release", "1.0", "--without-labels", "include")["sha256"] == sha256
    run("export_release", f"{suite}@1.0", "--out", tmp_path / "release", "--format", "csv", "jsonl")
    run("export_cases", suite, "--out", tmp_path / "working set")
    found = {name: checksum(tmp_path / "release" / name) for name in FILES[suite] if name != "working set"}
    assert found | {"working set": checksum(tmp_path / "working set")} == FILES[suite]
