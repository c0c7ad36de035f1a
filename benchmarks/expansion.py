"""Templates expanded through parsing, lookup and spelling rules, beside CheckList and a plain replacement loop.

    python -m benchmarks.expansion --data FOLDER [--checklist PYTHON] [--repeat N]

The claims, on the same templates and words (HateCheck, and Multilingual HateCheck in French): at least 5 times as fast
as CheckList's `Editor.template`, and within 3 times of a loop over `str.replace`. The loop knows no grammar, no missing
forms and no spelling rule; it only makes a text and says which word and group are in it, as we do.

"ready" expands templates with an expander that has seen them before, which is what previews and repeated generation
do: reading and lookup happen once per template, rendering once per case. "first time" also reads every template and
looks up every word anew; it is shown beside and carries no claim. Times are processor time, the best of several runs.
CheckList pins old packages: let `--checklist` name the interpreter of an environment of its own in which
`import checklist.editor` works.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from curation.formats.hatecheck import read_hatecheck
from curation.formats.mhc import read_mhc
from curation.formats.values import SuiteValues, TemplateValue
from curation.morphology.expand import Expander
from curation.morphology.lexicon import Lexicon
from curation.morphology.orthography import load_orthography
from curation.morphology.placeholders import parsing

FASTER_THAN_CHECKLIST = 5.0
WITHIN_REPLACE = 3.0

IN_CHECKLIST = """
import json, sys, time
from checklist.editor import Editor
work, editor, best, cases = json.load(sys.stdin), Editor(), None, 0
for _ in range(work["repeat"]):
    start, cases = time.process_time(), 0
    for text, words in work["templates"]:
        cases += len(editor.template(text, word=words, remove_duplicates=False).data)
    seconds = time.process_time() - start
    best = seconds if best is None else min(best, seconds)
print(json.dumps({"seconds": best, "cases": cases}))
"""


class Work(NamedTuple):
    """One suite: its templates with placeholders, and the words of each token in order."""

    name: str
    language: str
    values: SuiteValues
    templates: list[TemplateValue]
    words: dict[str, list[tuple[str, str]]]  # token -> (text, entry)
    targets: dict[str, str]


def prepare(name: str, language: str, values: SuiteValues) -> Work:
    words: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for form in values.forms:
        words[form.token].append((form.text, form.entry))
    templates = [
        template for template in values.templates if any(token in v.text for v in template.variants for token in words)
    ]
    targets = {entry.key: entry.target for entry in values.entries}
    return Work(name, language, values, templates, dict(words), targets)


def token_in(text: str, work: Work) -> str | None:
    return next((token for token in work.words if token in text), None)


def fastest(run: Callable[[], int], repeat: int) -> tuple[float, int]:
    best, cases = float("inf"), 0
    for _ in range(repeat):
        start = time.process_time()
        cases = run()
        best = min(best, time.process_time() - start)
    return best, cases


def by_replacement(work: Work, repeat: int) -> tuple[float, int]:
    """The token of each text is known beforehand: the loop does nothing but replace."""
    plan = [
        (v.text, token) for template in work.templates for v in template.variants if (token := token_in(v.text, work))
    ]

    def run() -> int:
        count = 0
        for text, token in plan:
            for word, entry in work.words[token]:
                _case = (text.replace(token, word), entry, work.targets[entry])
                count += 1
        return count

    return fastest(run, repeat)


def by_expander(work: Work, repeat: int, *, ready: bool) -> tuple[float, int]:
    lexicon = Lexicon.from_values(work.values.entries, work.values.forms)
    orthography = load_orthography(work.language)
    seasoned = Expander(lexicon, orthography)

    def run() -> int:
        if not ready:
            parsing._parse.cache_clear()
        expander = seasoned if ready else Expander(lexicon, orthography)
        count = 0
        for template in work.templates:
            for _case in expander.expand(template.variants, template.defaults):
                count += 1
        return count

    return fastest(run, repeat)


def by_checklist(work: Work, python: str) -> tuple[float, int] | None:
    templates = []
    for template in work.templates:
        for variant in template.variants:
            if token := token_in(variant.text, work):
                text = variant.text.replace("{", "{{").replace("}", "}}").replace(token, "{word}")
                templates.append((text, [word for word, _ in work.words[token]]))
    answer = subprocess.run(
        [python, "-c", IN_CHECKLIST],
        input=json.dumps({"templates": templates, "repeat": 3}),
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"  CheckList is absent from {python} ({reason}); name another interpreter with --checklist")
        return None
    result = json.loads(answer.stdout.strip().splitlines()[-1])
    return result["seconds"], result["cases"]


def report(work: Work, arguments: argparse.Namespace) -> bool:
    print(f"{work.name}: {len(work.templates)} templates")
    replacing, cases = by_replacement(work, arguments.repeat)
    ready, ready_cases = by_expander(work, arguments.repeat, ready=True)
    anew, _ = by_expander(work, arguments.repeat, ready=False)
    for name, seconds, count in (
        ("str.replace loop", replacing, cases),
        ("ours, ready", ready, ready_cases),
        ("ours, first time", anew, ready_cases),
    ):
        print(f"  {name:22} {seconds * 1000:9.2f} ms  {count:6} cases  {count / seconds:12,.0f} cases/s")
    ratio = (ready / ready_cases) / (replacing / cases)
    held = ratio <= WITHIN_REPLACE
    verdict = "ok" if held else "MISSED"
    print(f"  ready: {ratio:.2f} times the replacement loop (claim: within {WITHIN_REPLACE:g}) {verdict}")
    print(f"  first time: {(anew / ready_cases) / (replacing / cases):.1f} times the replacement loop (no claim)")
    peer = by_checklist(work, arguments.checklist)
    if peer is not None:
        seconds, count = peer
        print(f"  {'CheckList':22} {seconds * 1000:9.2f} ms  {count:6} cases  {count / seconds:12,.0f} cases/s")
        factor = (seconds / count) / (ready / ready_cases)
        held = held and factor >= FASTER_THAN_CHECKLIST
        verdict = "ok" if factor >= FASTER_THAN_CHECKLIST else "MISSED"
        print(f"  ready: {factor:.1f} times as fast as CheckList (claim: at least {FASTER_THAN_CHECKLIST:g}) {verdict}")
        print(f"  first time: {(seconds / count) / (anew / ready_cases):.1f} times as fast as CheckList (no claim)")
    return held


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--checklist", default=sys.executable, help="interpreter that can import checklist.editor")
    parser.add_argument("--repeat", type=int, default=60)
    arguments = parser.parse_args()
    if not (arguments.data / "hatecheck").is_dir():
        print(f"there is no hatecheck folder in {arguments.data}; name the published data with --data")
        return 2
    suites = [
        prepare("HateCheck", "en", read_hatecheck(arguments.data / "hatecheck", templates_only=True)),
        prepare("MHC French", "fr", read_mhc(arguments.data / "mhc" / "french", language="fr", templates_only=True)),
    ]
    held = [report(work, arguments) for work in suites]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
