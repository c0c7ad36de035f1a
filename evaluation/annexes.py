"""What evaluation adds to a release when it is built: the files of the split it was made from."""

from __future__ import annotations

from collections.abc import Iterator

from curation.publishing.annexes import Annex, AnnexDocument
from curation.publishing.values import ReleaseHead


def split_annexes(head: ReleaseHead) -> Iterator[Annex]:
    """Rows, JSONL in GenBench's form and the evaluation card, where the suite is a split."""
    from evaluation.models import Split
    from evaluation.services.split_releases import ANNEXES, annex_texts

    split = Split.objects.filter(suite__key=head.suite).first()
    if split is not None:
        for name, text in annex_texts(split):
            yield AnnexDocument(f"split/{name}", ANNEXES[name], text)
