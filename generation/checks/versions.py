"""Hypotheses as data: those that come with Touchstone, those that experts write, and the published ones."""

from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.permissions import require_author, require_maintainer, require_workshop
from core.tables.reading import read_table
from core.text import _
from curation.models import Functionality, Language
from generation.checks.algorithm.rule_sets import (
    FunctionalityRule,
    HypothesisTest,
    RuleSet,
    build_rule_set,
    read_rule_set,
)
from generation.checks.algorithm.rule_tests import RULE_TESTS
from generation.checks.algorithm.rules import RuleError, asked_tests, describe, parse_rule, read_rule, rule_as_json
from generation.checks.models import RuleSetName, hash_of
from generation.checks.options import CheckOptions
from generation.models import CheckVersion
from generation.sentences import sentence_of

OWN = "own:"  # then the hash of a version
SHIPPED = _("Comes with Touchstone")
# Kept in English, shown in the reader's language.
PUBLISHED_NOTE = _("GPT-HateCheck, table 13 and released code.")


@cache
def shipped_rules(name: str) -> RuleSet:
    """Return the hypotheses and rules that come with Touchstone. Refuses an unknown name."""
    try:
        return read_rule_set(settings.FIXTURES / "nli" / "hypotheses.json", variant=name)
    except RuleError as error:
        raise BadInput(sentence_of(error)) from error


@lru_cache(maxsize=500)
def rule_set_named(name: str) -> RuleSet:
    """Return the rule set that scores were kept for: a version by its hash, or what comes with Touchstone."""
    if not name.startswith(OWN):
        return shipped_rules(name)
    version = CheckVersion.objects.select_related("functionality").filter(sha256=name.removeprefix(OWN)).first()
    if version is None:
        raise Missing(_("The hypotheses of these scores no longer exist. Check the candidates again."))
    return _rules_of(version)


def _rules_of(version: CheckVersion) -> RuleSet:
    rules = {version.functionality.key: {"rule": version.rule}}
    return build_rule_set({"tests": version.tests, "rules": rules}, name=f"{OWN}{version.sha256}", where=str(version))


def current_version(functionality: Functionality, language: Language, rule_set: str) -> CheckVersion | None:
    """Return the newest version for a language, or else for every language; None where there is none."""
    versions = CheckVersion.objects.filter(functionality=functionality).select_related("functionality", "language")
    if rule_set == RuleSetName.PUBLISHED:
        return versions.published().order_by("-number").first()
    written = versions.written().filter(Q(language=language) | Q(language=None))
    return max(written, key=lambda version: (version.language_id is not None, version.number), default=None)


def rules_for(functionality: Functionality, language: Language, rule_set: str) -> RuleSet:
    """Return the rule set that messages of a functionality and language are checked with.

    Refuses the published one before a person has loaded its wording.
    """
    if version := current_version(functionality, language, rule_set):
        return _rules_of(version)
    if rule_set == RuleSetName.PUBLISHED:
        raise BadInput(
            _(
                "The published hypotheses are not loaded. Load your copy on the page Hypotheses, "
                "or with load_hypotheses FILE."
            )
        )
    return shipped_rules(rule_set)


@dataclass(frozen=True, slots=True)
class Check:
    """The check of a functionality as people read and edit it."""

    functionality: Functionality
    hypotheses: tuple[str, ...]
    rule: str
    source: str
    note: str = ""
    version: CheckVersion | None = None


def check_of(functionality: Functionality, language: Language, rule_set: str = RuleSetName.TOUCHSTONE) -> Check | None:
    """Return the check that counts for a functionality and language; None where there is none."""
    version = current_version(functionality, language, rule_set)
    rules = _rules_of(version) if version else shipped_rules(rule_set)
    if functionality.key not in rules.rules or (rule_set == RuleSetName.PUBLISHED and not version):
        return None
    rule = rules.rules[functionality.key]
    lines = tuple(
        f"{test.key} | {test.premise} | {test.wording(language.code)}"
        for test in rules.hypotheses_for(functionality.key)
    )
    source = _("Version %(number)s", number=version.number) if version else SHIPPED
    return Check(functionality, lines, describe(rule.rule), source, note_of(version) if version else rule.note, version)


def note_of(version: CheckVersion) -> str:
    """Return the note of a version: ours in the reader's language, those of people as they wrote them."""
    return PUBLISHED_NOTE if version.note == PUBLISHED_NOTE else version.note


@transaction.atomic
def add_check(functionality: Functionality, options: CheckOptions, *, by: User) -> CheckVersion:
    """Keep a new version of a functionality's check; the old ones stay.

    Refuses people without the role in the language (for all languages: everyone but maintainers), a line that is no
    hypothesis, a part that is not known, a rule that cannot be read, and names that it does not explain.
    """
    require_workshop(by)
    language = None
    if options.language:
        language = Language.objects.filter(code=options.language).first()
        if language is None:
            raise Missing(_("There is no language '%(language)s'.", language=options.language))
        require_author(by, language.code)
    else:
        require_maintainer(by)
    try:
        rule = parse_rule(options.rule)
        tests = dict(_read_line(line) for line in options.hypotheses)
        known = frozenset(tests) | frozenset(RULE_TESTS)
        asked = list(asked_tests(read_rule(rule, known=known, where="rule")))
        tests |= {key: {"rule_test": key} for key in asked if key in RULE_TESTS and key not in tests}
        build_rule_set({"tests": tests, "rules": {functionality.key: {"rule": rule}}}, name="hypotheses")
    except RuleError as error:
        raise BadInput(sentence_of(error)) from error
    if unused := sorted(set(tests) - set(asked)):
        raise BadInput(_("The rule does not use '%(name)s'. Add it to the rule, or remove its line.", name=unused[0]))
    return _keep(functionality, language, tests, rule, note=options.note, by=by)


def _read_line(line: str) -> tuple[str, dict[str, Any]]:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) == 2:
        parts.insert(1, "message")
    if len(parts) != 3 or not all(parts) or not parts[0].replace("-", "_").isidentifier():
        raise RuleError(_("'%(line)s' is not a hypothesis. Write: name | part of the message | hypothesis.", line=line))
    name, premise, hypothesis = parts
    return name, {"premise": premise, "hypothesis": {"en": hypothesis}}


def _keep(
    functionality: Functionality,
    language: Language | None,
    tests: dict[str, Any],
    rule: Any,
    *,
    note: str,
    by: User | None,
    is_published: bool = False,
) -> CheckVersion:
    versions = CheckVersion.objects.about(functionality, language)
    sha256 = hash_of(functionality.key, tests, rule)
    newest = versions.filter(is_published=is_published).first()
    if newest is not None and newest.sha256 == sha256:
        return newest
    row = CheckVersion.objects.create(
        functionality=functionality,
        language=language,
        number=(versions.aggregate(last=Max("number"))["last"] or 0) + 1,
        tests=tests,
        rule=rule,
        sha256=sha256,
        is_published=is_published,
        note=note,
        author=by,
    )
    audit.record(by, Action.PROMPT_CHANGED, row, functionality=functionality.key, hypotheses=True)
    return row


@transaction.atomic
def load_published_wording(data: bytes, *, by: User | None) -> list[CheckVersion]:
    """Keep the published hypotheses of all functionalities from a person's own copy of them. Idempotent.

    Refuses everyone but maintainers, a table that cannot be read, and one that lacks a hypothesis. Without a person,
    it is the command line that loads them.
    """
    if by is not None:
        require_maintainer(by)
    table = read_table(data, required=("column", "hypothesis"), name="hypotheses")
    if errors := [problem for problem in table.problems if problem.severity == "error"]:
        problems = [asdict(problem) for problem in errors]
        raise BadInput(_("The table cannot be read: %(problem)s", problem=errors[0].sentences), problems=problems)
    wording = {row["column"]: row["hypothesis"] for _number, row in table.records()}
    rules = shipped_rules(RuleSetName.PUBLISHED)
    tests = {key: _published(test, wording) for key, test in rules.hypothesis_tests.items()}
    found = {item.key: item for item in Functionality.objects.filter(key__in=rules.rules)}
    return [_keep_published(found[key], rule, rules, tests, by=by) for key, rule in rules.rules.items() if key in found]


def _published(test: HypothesisTest, wording: dict[str, str]) -> HypothesisTest:
    text = wording.get(test.column, "").strip()
    if not text:
        raise BadInput(_("The table has no hypothesis for '%(column)s'. Add the row.", column=test.column))
    # In one test [X] stands for the masked quotation, not for the group.
    if not test.premise.startswith("mask_quotation"):
        text = text.replace("[X]", "{group}")
    return replace(test, hypothesis={"en": text})


def _keep_published(
    functionality: Functionality,
    rule: FunctionalityRule,
    rules: RuleSet,
    tests: dict[str, HypothesisTest],
    *,
    by: User | None,
) -> CheckVersion:
    asked = rules.hypotheses_for(functionality.key)
    kept = {test.key: {"premise": test.premise, "hypothesis": dict(tests[test.key].hypothesis)} for test in asked}
    rule_json = rule_as_json(rule.rule)
    return _keep(functionality, None, kept, rule_json, note=str.__str__(PUBLISHED_NOTE), by=by, is_published=True)
