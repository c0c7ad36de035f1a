"""What the template language has to say about the templates of a file, as located warnings."""

from collections.abc import Mapping

from core.tables.reading import Table
from core.text import _
from curation.formats.values import VariantValue
from curation.morphology.linting import check_template

# Doubled blanks and the like are a matter for the editor, not for an import.
REPORTED = frozenset({"syntax", "features", "gender", "kinds", "no_placeholder"})


def warn_of_findings(table: Table, row: int, texts: Mapping[str, VariantValue]) -> None:
    """Warn of faults in the variants of one template, each of which stands in the column that is its key."""
    if not any("[" in variant.text or "{" in variant.text or "]" in variant.text for variant in texts.values()):
        return
    columns = list(texts)
    for finding in check_template(list(texts.values())):
        if finding.code in REPORTED:
            problem = _("character %(position)s: %(problem)s", position=finding.position, problem=finding.message)
            table.warn(row, columns[finding.variant], problem, finding.fix)
