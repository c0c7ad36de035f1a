"""Running case ids, in the style of the format a suite came from."""

import re

from curation.formats.registry import format_of
from curation.models import Language, Suite, TestCase

LAST_NUMBER = re.compile(r"(\d+)\Z")


class KeyMaker:
    """Hands out the next free id: `17` (HateCheck), `french-17` (MHC), `fr-00017` (ours)."""

    def __init__(self, suite: Suite, language: Language) -> None:
        self._pattern = format_of(suite.format).case_key(language.code)
        prefix = self._pattern.partition("{")[0]
        taken = TestCase.objects.of(suite).filter(key__startswith=prefix).values_list("key", flat=True)
        numbers = [int(match[1]) for key in taken if (match := LAST_NUMBER.search(key))]
        self._number = max(numbers, default=0)

    def next(self) -> str:
        self._number += 1
        return self._pattern.format(number=self._number)
