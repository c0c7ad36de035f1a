"""Templates expanded through parsing, lookup and spelling rules, beside CheckList and a plain replacement loop.

    python -m benchmarks.expansion --data FOLDER [--checklist PYTHON] [--repeat N]

The claims, on the same templates and words (HateCheck, and Multilingual HateCheck in French): at least 5 times as fast
as CheckList's `Editor.template`, and within 3 times of a loop over `str.replace`. The loop knows no grammar, no missing
forms and no spelling rule; it only makes a text and says which word and group are in it, as we do.

"ready" expands templates that the expander has seen before, as previews and repeated generation do; its peer knows
which token is in each text. "new templates" reads every template for the first time, with the words of the tokens
looked up, as CheckList and the loop have them; its peer has to look for the token too. "all anew" also looks up the
words; it is shown beside and carries no claim. Times are processor time, the best of several runs in turn; to forget
what an earlier run has left behind is not measured.
CheckList asks for old packages, and its set-up for a notebook. `Editor.template` needs little: make an environment of
its own (`python3 -m venv E`, `E/bin/pip install numpy munch iso-639`), take the archive checklist-0.0.11.tar.gz from
pypi.org/project/checklist, unpack its folder `checklist` into the environment's site-packages without installing it,
and let `--checklist E/bin/python` name the interpreter.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from curation.formats.hatecheck import read_hatecheck
from curation.formats.mhc import read_mhc
from curation.formats.values import SuiteValues, TemplateValue
from curation.morphology.expand import Expander
from curation.morphology.orthography import load_orthography
from curation.morphology.placeholders import parsing
from tests.curation.morphology.factories import make_lexicon

FASTER_THAN_CHECKLIST = 5.0
WITHIN_REPLACE = 3.0

IN_CHECKLIST = """
import json, sys, time, types
# The viewer of notebooks is not measured and refuses to load outside of one.
sys.modules["checklist.viewer"] = types.ModuleType("viewer")
sys.modules["checklist.viewer.template_editor"] = types.SimpleNamespace(TemplateEditor=None)
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


class Run(NamedTuple):
    """What is measured, and what has to be done before it each time."""

    work: Callable[[], int]
    before: Callable[[], object] = object


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


def enlarged(values: SuiteValues, times: int) -> SuiteValues:
    """The same suite with a lexicon so many times as large, each copy of a word a word of its own."""
    size = len(values.entries)
    return replace(
        values,
        entries=tuple(
            replace(entry, key=f"{entry.key}~{copy}", position=copy * size + entry.position)
            for copy in range(times)
            for entry in values.entries
        ),
        forms=tuple(replace(form, entry=f"{form.entry}~{copy}") for copy in range(times) for form in values.forms),
    )


def token_in(text: str, work: Work) -> str | None:
    return next((token for token in work.words if token in text), None)


def fastest(runs: dict[str, Run], repeat: int) -> dict[str, tuple[float, int]]:
    """Seconds and cases of each; they take turns, so that whatever else the machine does hits all of them."""
    best = dict.fromkeys(runs, float("inf"))
    cases = dict.fromkeys(runs, 0)
    for _ in range(repeat):
        for name, run in runs.items():
            run.before()
            start = time.process_time()
            cases[name] = run.work()
            best[name] = min(best[name], time.process_time() - start)
    return {name: (best[name], cases[name]) for name in runs}


def replace_known(work: Work) -> Run:
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

    return Run(run)


def replace_found(work: Work) -> Run:
    """The same for texts that it has not seen before."""

    def run() -> int:
        count = 0
        for template in work.templates:
            for variant in template.variants:
                text = variant.text
                for token, words in work.words.items():
                    if token in text:
                        for word, entry in words:
                            _case = (text.replace(token, word), entry, work.targets[entry])
                            count += 1
                        break
        return count

    return Run(run)


def expand_all(work: Work, *, forget_templates: bool = False, forget_words: bool = False) -> Run:
    lexicon = make_lexicon(work.values.entries, work.values.forms)
    orthography = load_orthography(work.language)
    expander = Expander(lexicon, orthography)

    def forget() -> None:
        nonlocal expander
        if forget_templates:
            parsing._parse.cache_clear()
            expander.forget()
        if forget_words:
            parsing.read_placeholder.cache_clear()
            expander = Expander(lexicon, orthography)

    def run() -> int:
        count = 0
        for template in work.templates:
            for _case in expander.expand(template.variants, template.defaults):
                count += 1
        return count

    run()
    return Run(run, forget)


def by_checklist(work: Work, python: str, repeat: int) -> tuple[float, int] | None:
    templates = []
    for template in work.templates:
        for variant in template.variants:
            if token := token_in(variant.text, work):
                text = variant.text.replace("{", "{{").replace("}", "}}").replace(token, "{word}")
                templates.append((text, [word for word, _ in work.words[token]]))
    answer = subprocess.run(
        [python, "-c", IN_CHECKLIST],
        input=json.dumps({"templates": templates, "repeat": repeat}),
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
    runs = {
        "replace, token known": replace_known(work),
        "replace, token found": replace_found(work),
        "ours, ready": expand_all(work),
        "ours, new templates": expand_all(work, forget_templates=True),
        "ours, all anew": expand_all(work, forget_templates=True, forget_words=True),
    }
    results = fastest(runs, arguments.repeat)
    peer = by_checklist(work, arguments.checklist, arguments.repeat)
    if peer is not None:
        results["CheckList"] = peer
    for name, (seconds, count) in results.items():
        print(f"  {name:22} {seconds * 1000:9.2f} ms  {count:6} cases  {count / seconds:12,.0f} cases/s")
    each = {name: seconds / count for name, (seconds, count) in results.items()}
    held = []
    for ours, loop in (("ours, ready", "replace, token known"), ("ours, new templates", "replace, token found")):
        ratio = each[ours] / each[loop]
        held.append(ratio <= WITHIN_REPLACE)
        print(f"  {ours}: {ratio:.2f} times the loop ({loop}); claim: within {WITHIN_REPLACE:g}: {verdict(held[-1])}")
        if "CheckList" in each:
            factor = each["CheckList"] / each[ours]
            held.append(factor >= FASTER_THAN_CHECKLIST)
            claim = f"claim: at least {FASTER_THAN_CHECKLIST:g}: {verdict(held[-1])}"
            print(f"  {ours}: {factor:.1f} times as fast as CheckList; {claim}")
    return all(held)


def verdict(holds: bool) -> str:
    return "ok" if holds else "MISSED"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--checklist", default=sys.executable, help="interpreter that can import checklist.editor")
    parser.add_argument("--repeat", type=int, default=60)
    arguments = parser.parse_args()
    if not (arguments.data / "hatecheck").is_dir():
        print(f"there is no hatecheck folder in {arguments.data}; name the published data with --data")
        return 2
    hatecheck = read_hatecheck(arguments.data / "hatecheck", templates_only=True)
    suites = [
        prepare("HateCheck", "en", hatecheck),
        prepare("HateCheck, 40 times the words", "en", enlarged(hatecheck, 40)),
        prepare("MHC French", "fr", read_mhc(arguments.data / "mhc" / "french", language="fr", templates_only=True)),
    ]
    held = [report(work, arguments) for work in suites]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
