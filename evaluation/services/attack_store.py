"""Where the files of a built attack are."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

from curation.errors import Missing, WrongState
from evaluation.attacks.values import AttackSet, Name
from evaluation.models import Attack
from evaluation.services import attack_sets, file_store


def find_attack(key: str) -> Attack:
    """The attack of that key. Refuses an unknown one and names the newest."""
    attack = Attack.objects.select_related("dataset").filter(key=key).first()
    if attack is None:
        known = ", ".join(Attack.objects.values_list("key", flat=True)[:20]) or "none yet"
        raise Missing(f"There is no attack '{key}'. Known: {known}.")
    return attack


def folder_of(attack: Attack) -> Path:
    """Where the files of a built attack are. Refuses one that is not built yet."""
    if not attack.is_built:
        raise WrongState(attack, now="not built yet", wanted="used")
    return file_store.path_of(f"attacks/{attack.key}")


def sets_of(attack: Attack) -> dict[Name, AttackSet]:
    """The sets of a built attack, checked against their checksums."""
    return attack_sets.open_sets(folder_of(attack))


def archive_of(attack: Attack) -> bytes:
    """The exchange files and the manifest as one zip archive, the same bytes every time."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder_of(attack).iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()
