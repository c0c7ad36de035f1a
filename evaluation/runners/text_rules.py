"""Answers that models of moderation write in a format of their own: a verdict, and the categories it is about."""

import re
from collections.abc import Sequence

from pydantic import Field

from core.inference.descriptions import Section
from core.inference.refusals import begins_by_declining
from core.text import _
from evaluation.runners.answers import Answer
from evaluation.runners.chat_parsing import without_thoughts
from evaluation.runners.settings import RunnerSettings

SEPARATORS = re.compile(r"[,;\n]")


class TextRule(Section):
    """Where the verdict stands in a text, what its words mean, and which categories count.

    `unsafe\\nS1,S10` is `violation: [unsafe]`, `harmless: [safe]`, `counted: [S10]`: a text is hateful if S10 is named.
    """

    field: str = Field(
        default="", description=_("the word before the colon in the line with the verdict, such as Safety")
    )
    tag: str = Field(default="", description=_("the name of the tag around the verdict, such as score"))
    violation: list[str] = Field(min_length=1, description=_("a list of words for a violation, such as [unsafe]"))
    harmless: list[str] = Field(min_length=1, description=_("a list of words for no violation, such as [safe]"))
    categories: str = Field(
        default="", description=_("the word before the colon in the line with the categories, such as Categories")
    )
    counted: list[str] = Field(
        default=[], description=_("a list of the categories that count, such as [S10]; none: every violation counts")
    )

    def read(self, written: str, settings: RunnerSettings) -> Answer:
        """Return the label that a text stands for. What fits neither word list is a refusal or an error."""
        text = without_thoughts(written)
        verdict = self._verdict(text)
        if _is_one_of(verdict, self.harmless):
            return Answer(label=settings.label_if(False), raw=written)
        if not _is_one_of(verdict, self.violation):
            return self._unread(text, written)
        if not self.counted:
            return Answer(label=settings.label_if(True), raw=written)
        named = self._categories(text)
        if not named:
            problem = _("the answer says '%(verdict)s' and names no category", verdict=verdict[:60])
            return Answer(label=None, raw=written, error=problem)
        wanted = {_plain(category) for category in self.counted}
        return Answer(label=settings.label_if(bool(wanted & named)), raw=written)

    def _verdict(self, text: str) -> str:
        if self.tag:
            found = re.findall(rf"<{re.escape(self.tag)}>\s*(.*?)\s*</{re.escape(self.tag)}>", text, re.I | re.S)
            return found[-1] if found else ""
        return _line_of(self.field, text) if self.field else text.strip().partition("\n")[0]

    def _categories(self, text: str) -> set[str]:
        listed = _line_of(self.categories, text) if self.categories else text.strip().partition("\n")[2]
        # Some servers write the code with its title: "S10: Hate."
        return {_plain(part.partition(":")[0]) for part in SEPARATORS.split(listed)} - {"", "none"}

    def _unread(self, text: str, written: str) -> Answer:
        if begins_by_declining(text):
            return Answer(label=None, refusal=True, raw=written)
        words = [*self.violation, *self.harmless]
        problem = _("the answer has none of the words %(words)s where the verdict stands", words=words)
        return Answer(label=None, raw=written, error=problem if text else _("the answer is empty"))


def _line_of(name: str, text: str) -> str:
    found = re.search(rf"^\W*{re.escape(name)}\W*:\s*(.*)$", text, re.IGNORECASE | re.MULTILINE)
    return found[1].strip() if found else ""


def _is_one_of(verdict: str, words: Sequence[str]) -> bool:
    return any(re.match(rf"\W*{re.escape(word)}(?!\w)", verdict, re.IGNORECASE) for word in words)


def _plain(category: str) -> str:
    return category.strip().strip(".*[]\"'").casefold()
