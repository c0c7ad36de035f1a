"""The cases as harnesses read them: one JSON object per line, one file per language, texts as they are."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from curation.publishing.blocks import Block
from curation.publishing.harnesses.task import LABEL, POSITIVE, TEXT
from curation.publishing.writers.csv_files import file_stem


def write_cases(folder: Path, blocks: Iterable[Block], labels: tuple[str, ...]) -> list[str]:
    """Write `<language>.jsonl` into the folder and return the languages, sorted.

    Where there are two labels, `unsafe` says whether the gold label is the positive one: guard models know no other.
    """
    folder.mkdir(parents=True)
    files: dict[str, BinaryIO] = {}
    with ExitStack() as stack:
        for block in blocks:
            for language, part in block.by_language():
                if language not in files:
                    path = folder / f"{file_stem(language, part)}.jsonl"
                    files[language] = stack.enter_context(path.open("wb"))
                files[language].writelines(_lines(part, labels))
    return sorted(files)


def _lines(block: Block, labels: tuple[str, ...]) -> Iterator[bytes]:
    columns = (block[name] for name in ("key", "language", "functionality", "text", "label"))
    for key, language, functionality, text, label in zip(*columns, strict=True):
        case = {"case_id": key, "language": language, "functionality": functionality, TEXT: text, LABEL: label}
        if len(labels) == 2:
            case[POSITIVE] = label == labels[0]
        yield (json.dumps(case, ensure_ascii=False) + "\n").encode()
