"""The annotation tools we know. A new one is a module with an `AnnotationTool`, and a line here."""

from annotation.labels.tools import argilla, doccano, label_studio, mturk, prodigy, prolific

TOOLS = {
    module.TOOL.name: module.TOOL for module in (label_studio, doccano, argilla, prodigy, mturk, prolific)
}  # fmt: skip
READ = {name: tool for name, tool in TOOLS.items() if tool.read}
