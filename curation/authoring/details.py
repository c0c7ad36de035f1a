"""What is said about a template beside its wording: key, functionality, direction, focus, what it varies."""

import re
from collections import Counter
from collections.abc import Mapping
from types import EllipsisType
from typing import Any, Unpack

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.permissions import require_author
from core.text import _, catalogue_name
from curation.authoring.gold_labels import own_label, require_no_other_cases
from curation.authoring.models import Relation
from curation.catalogue.suites import require_known_label
from curation.fields import DETAILS, DetailTexts, details_of, without_blanks
from curation.finding import named
from curation.models import Functionality, Language, Suite, TargetGroup, Template, TestCase

KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
NUMBERED = re.compile(r"(.*?)(\d+)\Z")


def facts_of(template: Template, **more: Any) -> dict[str, Any]:
    """Return what the audit log keeps beside the key of a template, which is unique in a suite's language only."""
    return {"suite": template.suite.key, "language": template.language.code, **more}


def check_key(suite: Suite, language: Language, key: str) -> str:
    """Return the key if it is free and fit for addresses and files; refuse it otherwise."""
    if not KEY.fullmatch(key):
        raise BadInput(
            _(
                "'%(key)s' cannot be a key. Use at most 80 letters, digits, '.', '_' and '-', e.g. %(example)s.",
                key=key,
                example=f"{language.code}-012",
            )
        )
    if Template.objects.of(suite).filter(language=language, key=key).exists():
        raise BadInput(
            _(
                "There is already a template '%(key)s'. Choose another key, or leave it empty for the next free one.",
                key=key,
            )
        )
    return key


def next_key(suite: Suite, language: Language) -> str:
    """Return the next number in the style the suite uses most: `17`, `german-17`, `de-017`."""
    keys = Template.objects.of(suite).filter(language=language).values_list("key", flat=True)
    numbered = [match for key in keys if (match := NUMBERED.fullmatch(key))]
    if not numbered:
        return f"{language.code}-001"
    prefix = Counter(match[1] for match in numbered).most_common(1)[0][0]
    digits = [match[2] for match in numbered if match[1] == prefix]
    width = max((len(number) for number in digits if number.startswith("0")), default=0)
    return f"{prefix}{max(int(number) for number in digits) + 1:0{width}d}"


def check_details(
    suite: Suite, language: Language, key: str, *, refers_to: str, relation: str, target: TargetGroup | None
) -> tuple[str, str]:
    """Return reference and relation if they make sense.

    Refuses a reference to nothing, to itself or round in a circle, a reference without a relation, and a target of
    another language.
    """
    refers_to = refers_to.strip()
    if target is not None and target.language_id != language.pk:
        raise BadInput(_("'%(target)s' is a target group of another language.", target=target.name))
    if not refers_to:
        return "", ""
    if relation not in Relation.values:
        problem = _(
            "Choose the relation to '%(template)s': %(relations)s.", template=refers_to, relations=Relation.values
        )
        raise BadInput(problem)
    references = dict(Template.objects.of(suite).filter(language=language).values_list("key", "refers_to"))
    if refers_to not in references:
        problem = _(
            "There is no template '%(template)s' in %(language)s that this one could vary.",
            template=refers_to,
            language=catalogue_name(language.name),
        )
        raise BadInput(problem)
    following, seen = refers_to, {key}
    while following:
        if following in seen:
            problem = _(
                "'%(template)s' varies this template itself, directly or through others. Choose another template.",
                template=refers_to,
            )
            raise BadInput(problem)
        seen.add(following)
        following = references.get(following, "")
    return refers_to, relation


def template_values(template: Template) -> dict[str, Any]:
    """Return the facts that a template has now, by the names of its options."""
    target = template.target.name if template.target else None
    values = {name: getattr(template, name) for name in (*DETAILS, "refers_to", "relation")}
    about = {"functionality": template.functionality.key, "label_gold": template.gold_label}
    return values | about | {"target": target}


def resolved_facts(facts: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return facts with the functionality and the target group that they name. Refuses names that are unknown."""
    found = dict(facts)
    if "functionality" in found:
        found["functionality"] = named(Functionality.objects.all(), "functionality", key=found["functionality"])
    if name := found.get("target"):
        found["target"] = TargetGroup.objects.filter(language=language, name=name).first()
        if found["target"] is None:
            problem = _(
                "There is no target group '%(name)s' in %(language)s.",
                name=name,
                language=catalogue_name(language.name),
            )
            raise Missing(problem)
    elif "target" in found:
        found["target"] = None
    return found


@transaction.atomic
def edit_details(
    template: Template,
    *,
    by: User,
    functionality: Functionality | None = None,
    label_gold: str | None = None,
    refers_to: str | None = None,
    relation: str | None = None,
    target: TargetGroup | EllipsisType | None = ...,
    **details: Unpack[DetailTexts],
) -> Template:
    """Change what is given and leave the rest; cases made from the template follow. A target of None removes it.

    Refuses another functionality or gold label once there are cases of the present one.
    """
    require_author(by, template.language.code)
    before = _snapshot(template)
    if functionality is not None and functionality.pk != template.functionality_id:
        if TestCase.objects.filter(template=template).exists():
            raise BadInput(
                _(
                    "The functionality of %(template)s cannot change: its cases have the gold label of "
                    "'%(functionality)s'. Write a new template for the other functionality.",
                    template=template.key,
                    functionality=catalogue_name(template.functionality.title),
                )
            )
        require_known_label(template.suite, functionality)
        template.functionality = functionality
        if label_gold is None:  # the label of a mixed functionality means nothing in one that has its own
            label_gold = "" if functionality.gold_label else template.gold_label
    if label_gold is not None and own_label(template.suite, template.functionality, label_gold) != template.gold_label:
        template.gold_label = own_label(template.suite, template.functionality, label_gold)
        require_no_other_cases(template, template.label)
    for name, value in without_blanks(details).items():
        setattr(template, name, value)
    if not isinstance(target, EllipsisType):
        template.target = target
    if refers_to is not None:
        template.refers_to, template.relation = check_details(
            template.suite, template.language, template.key,
            refers_to=refers_to, relation=relation or "", target=template.target,
        )  # fmt: skip
    else:
        check_details(
            template.suite, template.language, template.key, refers_to="", relation="", target=template.target
        )
    after = _snapshot(template)
    if after == before:
        return template
    template.save()
    TestCase.objects.filter(template=template).update(**details_of(template))
    changed = {name: after[name] for name in after if after[name] != before[name]}
    audit.record(by, Action.TEMPLATE_CHANGED, template, **facts_of(template, details=changed))
    return template


def _snapshot(template: Template) -> dict[str, object]:
    names = ("functionality_id", "gold_label", *DETAILS, "refers_to", "relation", "target_id")
    return {name: getattr(template, name) for name in names}
