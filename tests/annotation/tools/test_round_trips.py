"""Cases go out to each tool, people label them there, and what comes back is what they gave."""

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from annotation.labels.files import read_label_file
from annotation.labels.tools.base import CaseToLabel, LabellingTask
from annotation.labels.tools.registry import READ, TOOLS
from core.tables.recognising import recognise
from tests.annotation.tools.simulating import SIMULATED, Given

WORDS = some.text(some.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=30)
TEXTS = WORDS.map(lambda text: f'«{text}» & <b>"good" morning, 🙂</b>\nbye')
LABELS = ("hateful", "non-hateful", 'can\'t say, "really" & <maybe>')
STARTS = datetime(2026, 3, 2, tzinfo=UTC)


@some.composite
def studies(draw: some.DrawFn) -> tuple[LabellingTask, list[Given]]:
    keys = draw(
        some.lists(some.from_regex(r"[a-z]{1,3}-[0-9]{1,4}", fullmatch=True), min_size=1, max_size=5, unique=True)
    )
    cases = [CaseToLabel(key, draw(TEXTS), "en") for key in keys]
    names = draw(
        some.lists(some.sampled_from(["ana", "bo", "A3F9", "5e90", "é_1"]), min_size=1, max_size=4, unique=True)
    )
    pairs = draw(
        some.lists(some.tuples(some.sampled_from(keys), some.sampled_from(names)), min_size=1, max_size=12, unique=True)
    )
    labels = [
        Given(
            case,
            person,
            draw(some.sampled_from(LABELS)),
            STARTS + timedelta(seconds=draw(some.integers(0, 10**7))),
            draw(some.sampled_from(["", "an irony, I think"])),
        )
        for case, person in pairs
    ]
    return LabellingTask("Pilot", 'Is this "hateful"?', LABELS, cases, "# Decide"), labels


def test_each_tool_that_sends_labels_is_simulated():
    assert set(SIMULATED) == set(READ) == set(TOOLS) - {"prolific"}


@pytest.mark.parametrize("tool", sorted(SIMULATED))
@settings(max_examples=40, deadline=None)
@given(study=studies())
def test_what_people_gave_comes_back(tool, study):
    task, labels = study
    simulated = SIMULATED[tool]
    with tempfile.TemporaryDirectory() as folder:
        path = simulated.export(TOOLS[tool].write(task), labels, Path(folder))
        assert recognise(path) == tool
        found = read_label_file(path, cases={case.key for case in task.cases}, labels=LABELS)
    assert found.problems == []
    assert found.layout == tool
    read = {(one.case, one.annotator, one.label, one.time, one.comment) for one in found.labels}
    assert read == simulated.expected(labels, tool)
    assert all(one.is_identified for one in found.labels)


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_the_same_cases_give_the_same_files(tool):
    task = LabellingTask("Pilot", "Is it?", LABELS, [CaseToLabel("a-1", "Good morning", "en")])
    assert TOOLS[tool].write(task) == TOOLS[tool].write(task)
