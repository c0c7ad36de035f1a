"""Send cases to another annotation tool."""

from typing import Any

from annotation.labels.options import ToolExportOptions
from annotation.labels.sending import write_tool_files
from core.commands import DomainCommand
from curation.finding import find_suite


class Command(DomainCommand):
    help = (
        "Write cases for Label Studio, doccano, Argilla, Prodigy, Mechanical Turk or Prolific, without anything that "
        "tells the right label. import_labels reads the labels that come back."
    )

    options = ToolExportOptions

    def perform(self, options: ToolExportOptions) -> dict[str, Any]:
        suite = find_suite(options.suite)
        return {"suite": suite.key, "tool": options.tool, "files": write_tool_files(suite, options)}

    def describe(self, result: dict[str, Any]) -> str:
        return "\n".join(result["files"])
