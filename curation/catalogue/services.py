"""Functionalities and protected groups: add, change, merge and remove them."""

from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer, require_workshop
from core.text import _, catalogue_name, ngettext
from curation.catalogue.languages import find_languages
from curation.catalogue.options import FunctionalityOptions
from curation.models import Functionality, FunctionalityClass, Language, ProtectedGroup, Template, TestCase

# What may use a functionality, by the names of the models.
USES = {
    "check versions": _("checks"),
    "generation runs": _("generation runs"),
    "prompts": _("prompts"),
    "templates": _("templates"),
    "test cases": _("cases"),
}


def functionality_facts(chosen: FunctionalityOptions) -> dict[str, Any]:
    """Return chosen options as `add_functionality` and `change_functionality` take them."""
    language = find_languages([chosen.example_language])[0] if chosen.example_language else None
    return chosen.plain() | {"example_language": language}


def functionality_values(functionality: Functionality) -> dict[str, str]:
    """Return the options that a functionality has now."""
    values = {name: getattr(functionality, name) for name in ("title", "gold_label", "definition", "example")}
    language = functionality.example_language
    titles = {"functionality_class": functionality.functionality_class.title}
    return values | titles | {"example_language": language.code if language else ""}


def _class_called(title: str) -> FunctionalityClass:
    """Return the class of that title or key, made where it is new."""
    key = slugify(title, allow_unicode=True)[:60]
    known = FunctionalityClass.objects.filter(title=title.strip()).first()
    return known or FunctionalityClass.objects.get_or_create(key=key, defaults={"title": title, "position": 900})[0]


@transaction.atomic
def add_functionality(*, key: str = "", by: User, **facts: Any) -> Functionality:
    """Add a functionality, and its class where that is new.

    Refuses a key that is taken, and an example without its language: campaigns use examples of their own language only.
    """
    require_workshop(by)
    key = slugify((key or facts["title"]).replace("_", "-")).replace("-", "_")[:80]
    if not key or Functionality.objects.filter(key=key).exists():
        raise BadInput(
            _("The key '%(key)s' is already used by another functionality. Choose another key.", key=key)
            if key
            else _("A functionality needs a key in Latin letters, such as negated_hate."),
            field="key",
        )
    functionality = Functionality(key=key, position=Functionality.objects.count() + 1)
    _describe(functionality, **facts)
    audit.record(by, Action.CATALOGUE_CHANGED, functionality, added=functionality.title)
    return functionality


@transaction.atomic
def change_functionality(functionality: Functionality, *, by: User, **facts: Any) -> Functionality:
    """Change what is said about a functionality; its key stays.

    Refuses another gold label once there are templates or cases: they were written for the old one.
    """
    require_maintainer(by)
    if facts["gold_label"].strip() != functionality.gold_label:
        templates = Template.objects.filter(functionality=functionality).count()
        cases = TestCase.objects.filter(functionality=functionality).count()
        if templates or cases:
            problem = _(
                "'%(functionality)s' has %(templates)s and %(cases)s with the gold label '%(label)s'. "
                "Add another functionality for the other label.",
                functionality=catalogue_name(functionality.title),
                templates=ngettext("%(count)s template", "%(count)s templates", templates),
                cases=ngettext("%(count)s case", "%(count)s cases", cases),
                label=functionality.gold_label,
            )
            raise BadInput(problem, field="gold_label")
    _describe(functionality, **facts)
    audit.record(by, Action.CATALOGUE_CHANGED, functionality, changed=functionality.title)
    return functionality


def _describe(
    functionality: Functionality,
    *,
    title: str,
    functionality_class: str,
    gold_label: str,
    definition: str,
    example: str,
    example_language: Language | None = None,
) -> None:
    if example and example_language is None:
        raise BadInput(_("Choose the language of the example."), field="example_language")
    functionality.title, functionality.definition, functionality.example = title, definition, example
    functionality.gold_label = gold_label.strip()
    functionality.functionality_class = _class_called(functionality_class)
    functionality.example_language = example_language if example else None
    functionality.save()


@transaction.atomic
def remove_functionality(functionality: Functionality, *, by: User) -> None:
    """Remove a functionality that nothing uses. Refuses one with templates, cases or prompts."""
    require_maintainer(by)
    audit.record(by, Action.CATALOGUE_CHANGED, functionality, removed=functionality.title)
    try:
        functionality.delete()
    except ProtectedError as error:
        names = sorted({str(row._meta.verbose_name_plural) for row in error.protected_objects})
        problem = _(
            "'%(functionality)s' cannot be removed. It is used by: %(uses)s.",
            functionality=catalogue_name(functionality.title),
            uses=[USES.get(name, name) for name in names],
        )
        raise BadInput(problem) from error


@transaction.atomic
def add_group(*, name: str, characteristic: str = "", by: User) -> ProtectedGroup:
    """Add a protected group. Refuses a name that is taken."""
    require_workshop(by)
    key = slugify(name, allow_unicode=True)[:60]
    if not key:
        raise BadInput(_("A group needs a name with letters."), field="name")
    _require_free_name(name, key)
    group = ProtectedGroup.objects.create(key=key, name=name, characteristic=characteristic)
    audit.record(by, Action.CATALOGUE_CHANGED, group, added=name)
    return group


def _require_free_name(name: str, key: str, *, but: ProtectedGroup | None = None) -> None:
    others = ProtectedGroup.objects.exclude(pk=but.pk) if but else ProtectedGroup.objects.all()
    if others.filter(key=key).exists() or others.filter(name__iexact=name).exists():
        raise BadInput(_("The catalogue already has a group '%(name)s'.", name=name), field="name")


@transaction.atomic
def change_group(group: ProtectedGroup, *, name: str, characteristic: str = "", by: User) -> ProtectedGroup:
    """Rename a protected group or change its characteristic; its key and the releases that name it stay."""
    require_maintainer(by)
    _require_free_name(name, group.key, but=group)
    group.name, group.characteristic = name, characteristic
    group.save()
    audit.record(by, Action.CATALOGUE_CHANGED, group, changed=name)
    return group


@transaction.atomic
def merge_groups(group: ProtectedGroup, *, into: ProtectedGroup, by: User) -> ProtectedGroup:
    """Let all targets of a group belong to another one, and remove the first. Releases keep the names they have."""
    require_maintainer(by)
    if group == into:
        raise BadInput(
            _("'%(group)s' cannot be merged into itself. Choose another group.", group=catalogue_name(group.name))
        )
    for target in group.targets.all():
        target.groups.add(into)
    audit.record(by, Action.CATALOGUE_CHANGED, group, merged_into=into.key)
    group.delete()
    return into


@transaction.atomic
def remove_group(group: ProtectedGroup, *, by: User) -> None:
    """Remove a protected group that no target belongs to. Refuses one that is in use."""
    require_maintainer(by)
    if targets := group.targets.count():
        problem = ngettext(
            "'%(group)s' has %(count)s target group. Merge it into another group instead.",
            "'%(group)s' has %(count)s target groups. Merge it into another group instead.",
            targets,
            group=catalogue_name(group.name),
        )
        raise BadInput(problem)
    audit.record(by, Action.CATALOGUE_CHANGED, group, removed=group.name)
    group.delete()
