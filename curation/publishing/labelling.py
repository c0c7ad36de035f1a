"""How far the cases of a release were checked by annotators, and the sentences that say so."""

from dataclasses import asdict, dataclass

UNCHECKED = " (gold label as written or imported)"


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
            return "There is no case."
        if self.never_labelled == self.cases:
            none = (
                "The only case was never labelled"
                if self.cases == 1
                else f"None of the {self.cases:,} cases was labelled"
            )
            return f"{none}{UNCHECKED}."
        enough = f" (at least {'1 label' if min_agree == 1 else f'{min_agree} labels'} equal to the gold label)"
        parts = [
            (self.validated, "is validated", "are validated", enough if min_agree else ""),
            (self.kept_by_decision, "was kept by an expert's decision", "were kept by experts' decisions", ""),
            (self.disputed, "is disputed and marked", "are disputed and marked", ""),
            (self.too_few_labels, "has too few labels to tell", "have too few labels to tell", ""),
            (self.no_threshold, "was labelled, with no threshold", "were labelled, with no threshold", ""),
            (self.never_labelled, "was never labelled", "were never labelled", UNCHECKED),
        ]
        said = [f"{count:,} {one if count == 1 else many}{more}" for count, one, many, more in parts if count]
        listed = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
        return f"Of {self.cases:,} {'case' if self.cases == 1 else 'cases'}, {listed}."
