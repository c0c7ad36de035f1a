"""How far the cases of a release were checked by annotators, and the sentences that say so."""

from dataclasses import asdict, dataclass

from core.text import _, ngettext


@dataclass(frozen=True, slots=True)
class Labelling:
    """The cases of a release by what annotators said about them. Every case counts once, so these add up to all.

    `disputed` cases are in although too few labels equal the gold label; `too_few_labels` have too few labels to tell;
    `no_threshold` were labelled, but the release asked for no agreement; `kept_by_decision` were kept by an expert.
    """

    validated: int = 0
    kept_by_decision: int = 0
    disputed: int = 0
    too_few_labels: int = 0
    no_threshold: int = 0
    never_labelled: int = 0

    @property
    def cases(self) -> int:
        return sum(asdict(self).values())

    def sentence(self, *, min_agree: int | None) -> str:
        """Return all counts that are not 0, as one sentence."""
        if not self.cases:
            return _("There is no case.")
        if self.never_labelled == self.cases:
            if self.cases == 1:
                return _("The only case was never labelled (gold label as written or imported).")
            return ngettext(
                "None of the %(count)s cases was labelled (gold label as written or imported).",
                "None of the %(count)s cases was labelled (gold label as written or imported).",
                self.cases,
            )
        said = self._parts(min_agree or 0)
        listed = said[0] if len(said) == 1 else _("%(first)s and %(last)s", first=said[:-1], last=said[-1])
        return ngettext("Of %(count)s case, %(parts)s.", "Of %(count)s cases, %(parts)s.", self.cases, parts=listed)

    def _parts(self, min_agree: int) -> list[str]:
        """Return what is said about each count that is not 0."""
        parts = [
            (
                self.validated,
                ngettext(
                    "%(count)s is validated (at least %(labels)s equal to the gold label)",
                    "%(count)s are validated (at least %(labels)s equal to the gold label)",
                    self.validated,
                    labels=ngettext("%(count)s label", "%(count)s labels", min_agree),
                )
                if min_agree
                else ngettext("%(count)s is validated", "%(count)s are validated", self.validated),
            ),
            (
                self.kept_by_decision,
                ngettext(
                    "%(count)s was kept by an expert's decision",
                    "%(count)s were kept by experts' decisions",
                    self.kept_by_decision,
                ),
            ),
            (
                self.disputed,
                ngettext("%(count)s is disputed and marked", "%(count)s are disputed and marked", self.disputed),
            ),
            (
                self.too_few_labels,
                ngettext(
                    "%(count)s has too few labels to tell",
                    "%(count)s have too few labels to tell",
                    self.too_few_labels,
                ),
            ),
            (
                self.no_threshold,
                ngettext(
                    "%(count)s was labelled, with no threshold",
                    "%(count)s were labelled, with no threshold",
                    self.no_threshold,
                ),
            ),
            (
                self.never_labelled,
                ngettext(
                    "%(count)s was never labelled (gold label as written or imported)",
                    "%(count)s were never labelled (gold label as written or imported)",
                    self.never_labelled,
                ),
            ),
        ]
        return [text for count, text in parts if count]
