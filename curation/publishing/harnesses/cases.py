"""The cases as harnesses read them: one JSON object per line, texts as they are."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from curation.publishing.blocks import Block
from curation.publishing.harnesses.task import LABEL, POSITIVE, TEXT


def write_cases(path: Path, blocks: Iterable[Block], labels: tuple[str, ...]) -> list[str]:
    """Write all cases into a file and return their languages, sorted.

    Where there are two labels, `unsafe` says whether the gold label is the positive one: guard models know no other.
    """
    languages: set[str] = set()
    with path.open("wb") as file:
        for block in blocks:
            languages.update(block["language"])
            file.writelines(_lines(block, labels))
    return sorted(languages)


def _lines(block: Block, labels: tuple[str, ...]) -> Iterator[bytes]:
    columns = (block[name] for name in ("key", "language", "functionality", "text", "label"))
    for key, language, functionality, text, label in zip(*columns, strict=True):
        case = {"case_id": key, "language": language, "functionality": functionality, TEXT: text, LABEL: label}
        if len(labels) == 2:
            case[POSITIVE] = label == labels[0]
        yield (json.dumps(case, ensure_ascii=False) + "\n").encode()
