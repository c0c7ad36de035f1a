"""A small file in the layout of HatemojiCheck: seven functionalities, each with one contrast set of mild cases."""

from pathlib import Path

from core.tables.writing import csv_bytes
from curation.formats.hatemojicheck import COLUMNS

FUNCTIONALITIES = (
    "direct_threat_emoji", "emoji_as_word", "emoji_as_letters", "emoji_flips_meaning", "emoji_reclaimed",
    "emoji_in_counter_speech", "emoji_as_emphasis",
)  # fmt: skip
# The set, the text, the group and the label of each member; "polarity" turns the label round, the others keep it.
MEMBERS = (
    ("original", "I dislike those [G1] 🐍 ({})", "women", "1"),
    ("identity perturbation", "I dislike those [G2] 🐍 ({})", "Muslims", "1"),
    ("polarity perturbation", "I admire those [G1] 🌷 ({})", "women", "0"),
    ("no emoji perturbation", "I dislike those [G1] ({})", "women", "1"),
)


def rows() -> list[dict[str, str]]:
    found = []
    for group, functionality in enumerate(FUNCTIONALITIES, 1):
        for place, (kind, text, target, label) in enumerate(MEMBERS):
            found.append(
                {
                    "case_id": str(100 * group + place), "templ_id": str(group), "test_group_id": f"g{group}",
                    "text": text.format(group), "target": target, "functionality": functionality, "set": kind,
                    "label_gold": label, "unrealistic_flags": "0", "included_in_test_suite": "1",
                }
            )  # fmt: skip
    left_out = found[0] | {"case_id": "999", "text": "Left out.", "included_in_test_suite": "0"}
    return [*found, left_out]


def write(path: Path, changed: list[dict[str, str]] | None = None) -> Path:
    path.write_bytes(csv_bytes([COLUMNS, *(tuple(row[name] for name in COLUMNS) for row in changed or rows())]))
    return path
