"""Running case ids, in the style of the format a suite came from."""

from __future__ import annotations

import re

from curation.formats.mhc import NAMES
from curation.models import Language, Suite, TestCase

LAST_NUMBER = re.compile(r"(\d+)\Z")


class KeyMaker:
    """Hands out the next free id: `17` (HateCheck), `french-17` (MHC), `fr-00017` (ours)."""

    def __init__(self, suite: Suite, language: Language) -> None:
        if suite.format == "hatecheck":
            self._pattern = "{number}"
        elif suite.format == "mhc":
            self._pattern = NAMES.get(language.code, language.code) + "-{number}"
        else:
            self._pattern = language.code + "-{number:05d}"
        prefix = self._pattern.partition("{")[0]
        taken = TestCase.objects.of(suite).filter(key__startswith=prefix).values_list("key", flat=True)
        numbers = [int(match[1]) for key in taken if (match := LAST_NUMBER.search(key))]
        self._number = max(numbers, default=0)

    def next(self) -> str:
        self._number += 1
        return self._pattern.format(number=self._number)
