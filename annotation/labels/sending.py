"""Sending cases to another annotation tool: what its annotators see, and the case id by which labels find back."""

import hashlib
import io
import zipfile
from pathlib import Path

from django.utils import translation

from annotation.campaigns.choosing import Selection, choose_cases, matching_cases
from annotation.campaigns.models import NOT_YET, Role
from annotation.campaigns.services import find_language, known_cases, selection_of
from annotation.labels.exporting import campaigns_to_export
from annotation.labels.options import ToolExportOptions
from annotation.labels.tools.base import CaseToLabel, LabellingTask
from annotation.labels.tools.registry import TOOLS
from annotation.questions import KINDS, Labels, question_of
from core.batches import in_batches
from core.errors import BadInput
from core.text import _, in_english
from curation.models import Suite, TestCase

FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)  # the same cases give the same archive
AT_ONCE = 5_000
GUIDELINE = "guideline.md"


def tool_files(suite: Suite, options: ToolExportOptions) -> dict[str, bytes]:
    """Return the files for a tool by name: the cases, its configuration where it has one, and the guideline.

    Gold labels, functionalities and templates are not in them, and cases are in no order that tells of them. Refuses a
    suite or campaign without such cases, and a campaign that asks for other answers than the labels of its suite,
    because they could not be imported again.
    """
    task = _task(suite, options)
    if not task.cases:
        raise BadInput(_("There is no case to be labelled. Choose another language or campaign."))
    files: dict[str, bytes] = TOOLS[options.tool].write(task)
    return files | ({GUIDELINE: task.guideline.encode()} if task.guideline else {})


def tool_archive(suite: Suite, options: ToolExportOptions) -> tuple[str, bytes]:
    """Return the files as one zip archive with the name it is saved under."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(tool_files(suite, options).items()):
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY_OF_ZIP), content, zipfile.ZIP_DEFLATED)
    return f"{options.campaign or suite.key}-{options.tool}.zip", out.getvalue()


def write_tool_files(suite: Suite, options: ToolExportOptions) -> list[str]:
    """Write the files into the folder `out`, or into one archive where it ends in .zip. Returns their paths."""
    out: Path = options.out
    if out.suffix == ".zip":
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(tool_archive(suite, options)[1])
        return [str(out)]
    files = tool_files(suite, options)
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
    return [str(out / name) for name in sorted(files)]


def _task(suite: Suite, options: ToolExportOptions) -> LabellingTask:
    if options.campaign:
        return _task_of_campaign(suite, options)
    language = find_language(options.language) if options.language else None
    cases = matching_cases(suite, language, Selection(only_unlabelled=options.only_unlabelled))
    with in_english():
        prompt = str(KINDS[Labels.key].usual_prompt(suite.labels))
    return LabellingTask(suite.name, prompt, tuple(suite.labels), _shown(list(cases.values_list("id", flat=True))))


def _task_of_campaign(suite: Suite, options: ToolExportOptions) -> LabellingTask:
    [campaign] = campaigns_to_export(suite, options.campaign)
    question = question_of(campaign)
    if not question.is_about_labels or not set(campaign.labels) <= set(suite.labels):
        raise BadInput(
            _(
                "This campaign asks for other answers than the labels of its suite, which could not be imported again. "
                "Choose a campaign that asks for the labels, or none."
            ),
            field="campaign",
        )
    if campaign.state in NOT_YET:
        known = [case for case in known_cases(campaign) if case]
        ids = choose_cases(
            suite, campaign.language, selection_of(campaign), seed=campaign.seed, without=known
        )  # fmt: skip
    else:
        ids = [case for case in campaign.items.filter(role=Role.LABEL).values_list("case_id", flat=True) if case]
    if options.language or options.only_unlabelled:
        language = find_language(options.language) if options.language else None
        chosen = matching_cases(suite, language, Selection(only_unlabelled=options.only_unlabelled))
        wanted = set(chosen.values_list("id", flat=True))
        ids = [case for case in ids if case in wanted]
    with translation.override(campaign.language.bcp47 if campaign.language else "en"):
        prompt = str(question.shown_prompt)
    guideline = campaign.guideline.text if campaign.guideline else ""
    return LabellingTask(campaign.title, prompt, tuple(campaign.labels), _shown(ids), guideline)


def _shown(ids: list[int]) -> list[CaseToLabel]:
    """Return what annotators may see of these cases, mixed: cases of a functionality would stand side by side."""
    rows = [
        row
        for some in in_batches(ids, AT_ONCE)
        for row in TestCase.objects.filter(pk__in=some).values_list("key", "text", "language__code")
    ]
    return [CaseToLabel(*row) for row in sorted(rows, key=lambda row: hashlib.sha256(row[0].encode()).digest())]
