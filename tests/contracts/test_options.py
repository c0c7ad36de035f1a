"""Page, API and command of every verb have the same options, with the same defaults, limits, choices and help."""

import argparse
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from django import forms
from django.apps import apps
from django.core.management import get_commands, load_command_class
from django.utils.html import escape
from rest_framework import serializers

from core.commands import DomainCommand
from core.options import API, COMMAND, PAGE, Options, option
from core.options.arguments import add_arguments, destination
from core.options.declaring import SURFACES, VERBS, FileKind, declared
from core.options.forms import OptionsForm
from core.options.serializers import OptionsSerializer

APPS = ("accounts", "core", "curation", "generation", "annotation", "evaluation", "config")
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "api-schema.yaml"
OF_EVERY_COMMAND = {"help", "json", "version", "verbosity", "settings", "pythonpath", "traceback"} | {
    "no_color", "force_color", "skip_checks", "step",
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _everything_is_imported() -> None:
    for app in APPS:
        root = importlib.import_module(app)
        for module in pkgutil.walk_packages(root.__path__, f"{app}."):
            if {"forms", "serializers", "options", "views", "api"} & set(module.name.split(".")):
                importlib.import_module(module.name)
    importlib.import_module("config.urls")


def subclasses(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield from subclasses(one)
        if not one.__module__.startswith("tests."):
            yield one


def commands() -> Iterator[tuple[str, DomainCommand]]:
    for name, app in get_commands().items():
        if app in {config.name for config in apps.get_app_configs() if config.name in APPS}:
            command = load_command_class(app, name)
            if isinstance(command, DomainCommand):
                yield name, command


@dataclass(frozen=True)
class Facts:
    """What a surface says about one option."""

    default: Any
    least: Any
    most: Any
    choices: frozenset[str]
    help: str


def plain(value: Any) -> Any:
    """Empty answers are alike, lists are tuples."""
    if value in (None, "", [], (), {}) or value is argparse.SUPPRESS:
        return None
    return tuple(value) if isinstance(value, list | tuple) else value


def facts_of_form(form: forms.Form) -> dict[str, Facts]:
    return {
        name: Facts(
            plain(field.initial),
            getattr(field, "min_value", None),
            getattr(field, "max_value", None),
            frozenset(str(value) for value, _ in getattr(field, "choices", ()) if value != ""),
            str(field.help_text),
        )
        for name, field in form.fields.items()
    }


def facts_of_serializer(serializer: serializers.Serializer) -> dict[str, Facts]:
    found = {}
    for name, field in serializer.fields.items():
        single = field.child if isinstance(field, serializers.ListField) else field
        default = None if field.default is serializers.empty else field.default
        choices = frozenset(str(value) for value in getattr(single, "choices", {}) if value != "")
        limits = getattr(single, "min_value", None), getattr(single, "max_value", None)
        found[name] = Facts(plain(default), *limits, choices, str(field.help_text))
    return found


def parser_of(command: DomainCommand) -> argparse.ArgumentParser:
    return command.create_parser("manage.py", "command")


def actions_of(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    return {action.dest: action for action in parser._actions if action.dest not in OF_EVERY_COMMAND}


def parsers(command: DomainCommand) -> dict[type[Options], argparse.ArgumentParser]:
    """The options of a command, or of each of its steps, with the parser that reads them."""
    parser = parser_of(command)
    steps = getattr(command, "steps", None)
    if not steps:
        return {command.options: parser} if command.options else {}
    [sub] = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return {options: sub.choices[step] for step, options in steps.items()}


def surfaces() -> dict[type[Options], dict[str, Any]]:
    """Everything that is made from options, by the class of the options."""
    found: dict[type[Options], dict[str, Any]] = {options: {} for options in VERBS.values()}
    for kind, surface in ((OptionsForm, PAGE), (OptionsSerializer, API)):
        for one in subclasses(kind):
            if hasattr(one, "options"):
                found.setdefault(one.options, {}).setdefault(surface, []).append(one)
    for _, command in commands():
        for options, parser in parsers(command).items():
            found.setdefault(options, {}).setdefault(COMMAND, []).append(parser)
    return found


def differences(options: type[Options], made: dict[str, Any]) -> list[str]:
    """Where what a verb's surfaces show is not what its options declare; empty where all agree."""
    found = []
    for form in made.get(PAGE, ()):
        found += compare(options, PAGE, facts_of_form(form()))
    for serializer in made.get(API, ()):
        found += compare(options, API, facts_of_serializer(serializer()))
    for parser in made.get(COMMAND, ()):
        names = {destination(about): about.name for about in declared(options, COMMAND)}
        shown = {names.get(name, name): action for name, action in actions_of(parser).items()}
        found += names_differ(options, COMMAND, set(shown))
        for about in declared(options, COMMAND):
            action = shown.get(about.name)
            if action is None:
                continue
            if not (action.help or "").replace("%%", "%").startswith(about.full_help) or not about.help:
                found.append(f"command, {about.name}: help")
            if set(map(str, action.choices or ())) != {str(value) for value, _ in about.choices if value != ""}:
                found.append(f"command, {about.name}: choices")
            if action.default is not argparse.SUPPRESS:
                found.append(f"command, {about.name}: a default of its own")
    return found


def names_differ(options: type[Options], surface: str, shown: set[str]) -> list[str]:
    wanted = {about.name for about in declared(options, surface)}
    return [f"{surface}: {name} is on one side only" for name in sorted(wanted ^ shown)]


def compare(options: type[Options], surface: str, shown: dict[str, Facts]) -> list[str]:
    found = names_differ(options, surface, set(shown))
    for about in declared(options, surface):
        if about.name not in shown:
            continue
        has_choices = shown[about.name].choices and not about.choices  # only the page knows rows of the database
        is_number = about.kind in (int, float) and not about.choices and (surface == API or not about.is_many)
        wanted = Facts(
            plain(about.default) if about.kind is not FileKind else None,
            about.extras.least if is_number else None,
            about.extras.most if is_number else None,
            frozenset() if has_choices else frozenset(str(value) for value, _ in about.choices if value != ""),
            str(escape(about.full_help)) if surface == PAGE else about.full_help,
        )
        given = shown[about.name]
        for name in ("default", "least", "most", "choices", "help"):
            if name == "choices" and has_choices:
                continue
            mine, theirs = getattr(wanted, name), getattr(given, name)
            if (mine or None) != (theirs or None):
                found.append(f"{surface}, {about.name}: {name} is {theirs!r}, declared {mine!r}")
    return found


@pytest.mark.django_db
def test_every_surface_of_every_verb_has_the_declared_options():
    wrong = {options.__name__: said for options, made in surfaces().items() if (said := differences(options, made))}
    assert wrong == {}


def test_every_verb_has_every_surface_or_says_why_not():
    made = surfaces()
    for name, options in VERBS.items():
        missing = set(SURFACES) - set(made[options]) - set(options.without)
        assert not missing, f"the verb '{name}' has no {' and no '.join(sorted(missing))}, and no reason is declared"
        assert not set(options.without) & set(made[options]), f"'{name}' has a surface that is declared missing"


def test_every_options_class_in_use_is_a_registered_verb():
    """A verb without a name would be left out of this contract."""
    unnamed = {options.__name__ for options in surfaces() if options not in VERBS.values()}
    assert unnamed == set()


def test_options_have_labels_help_and_reasons_for_what_is_missing():
    for name, options in VERBS.items():
        for about in declared(options):
            assert about.help, f"{name}: {about.name} has no help"
            assert about.help[0].isupper() or about.help[0] in "“‘'`" or about.help.split()[0].islower()
            assert all(reason.strip() for reason in about.extras.without.values()), f"{name}: {about.name}"
            assert set(about.extras.without) < set(SURFACES), f"{name}: {about.name} is on no surface"
            assert set(about.extras.needed).isdisjoint(about.extras.without), f"{name}: {about.name}"


def test_nothing_is_added_to_a_surface_by_hand():
    for form in subclasses(OptionsForm):
        assert not form.base_fields, f"{form.__name__} has fields of its own: declare them in its options"
    for serializer in subclasses(OptionsSerializer):
        assert not serializer._declared_fields, f"{serializer.__name__} has fields of its own"


# Steps of the API whose page is a button or one text: nothing to choose that could differ.
STEPS = {
    "AccessDecision", "Cancel", "Cell", "Check", "Decide", "Decision", "End", "Exchange", "Filling",
    "Identifier", "ManyTemplates", "Message", "PausePerson", "People",
    "Reason", "Rejection", "ReviewComment", "Rule", "Share", "Submission", "TemplatePreview", "Thresholds", "Try",
}  # fmt: skip

# What has one surface only, so that nothing can differ. Filters of lists end in FilterForm and are found by that.
PAGE_ONLY = {
    "SearchPeopleForm": "a filter of a list",
    "JoinForm": "an invitation is accepted in a browser",
    "DeleteAccountForm": "an account is deleted by its owner in a browser",
    "CaseDetailsForm": "the fields of a case that templates and cases share on pages",
    "AboutYouForm": "participants of a campaign answer in a browser",
    "SettingsForm": "annotators choose keys and breaks of the labelling screen in a browser",
    "ReturnCodeForm": "participants of a campaign return in a browser",
    "GalleryForm": "shows the components of pages",
}
COMMAND_ONLY = {
    "bundle_schema": "prints a document and takes no options",
    "load_catalogue": "has no options",
    "rescore": "repairs stored results after an upgrade",
    "try_jobs": "tries the queue of the installation",
    "agreement": "prints what the pages show",
    "report": "prints what the pages show",
    "export_cases": "writes a file on the disk; pages and API download it",
    "export_suite": "writes files on the disk; pages and API download them",
}


def forms_by_hand() -> set[str]:
    return {
        kind.__name__
        for kind in subclasses(forms.BaseForm)
        if not issubclass(kind, OptionsForm) and kind.__module__.split(".")[0] in (*APPS, "ui")
        if not kind.__module__.startswith("accounts.sign_in") and not kind.__name__.endswith("FilterForm")
    }


def commands_by_hand() -> set[str]:
    return {name for name, command in commands() if not command.options and not command.steps}


@cache
def schema() -> dict[str, Any]:
    return dict(yaml.load(SCHEMA.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def requests_by_hand() -> set[str]:
    """Components that the API's schema names as the body of a request and that no options class makes."""
    made = {kind.__name__.removesuffix("Serializer") for kind in subclasses(OptionsSerializer)}
    bodies = [
        content["schema"].get("$ref", "").rpartition("/")[2]
        for methods in schema()["paths"].values()
        for operation in methods.values()
        for content in operation.get("requestBody", {}).get("content", {}).values()
    ]
    return {name for name in bodies if name and name.removeprefix("Patched") not in made}


def test_a_form_or_command_without_declared_options_is_a_known_exception():
    unknown = (forms_by_hand() | commands_by_hand()) - set(PAGE_ONLY) - set(COMMAND_ONLY)
    assert unknown == set(), "declare an Options class (core/options) for this verb"


def test_a_request_of_the_api_without_declared_options_is_a_known_exception():
    assert requests_by_hand() - STEPS == set(), "declare an Options class for this verb"


def test_a_verb_that_declares_its_options_leaves_the_list_of_exceptions():
    pages, requests, by_command = forms_by_hand(), requests_by_hand(), commands_by_hand()
    gone = sorted(STEPS - requests)
    gone += [name for name in PAGE_ONLY if name not in pages] + [
        name for name in COMMAND_ONLY if name not in by_command
    ]
    assert gone == [], "delete these from the tables of this file"


class OneOptions(Options):
    number: int = option(1, help="How many.", least=1)


class OneForm(OptionsForm[OneOptions]):
    options = OneOptions


class OneSerializer(OptionsSerializer[OneOptions]):
    options = OneOptions


def one_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    add_arguments(parser, OneOptions)
    return parser


def test_the_contract_notices_an_option_on_one_surface_only():
    class WiderForm(OneForm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.fields["colour"] = forms.CharField()

    class NarrowSerializer(OneSerializer):
        def get_fields(self) -> dict[str, Any]:
            return {}

    parser = one_parser()
    parser.add_argument("--colour")
    assert differences(OneOptions, {PAGE: [OneForm], API: [OneSerializer], COMMAND: [one_parser()]}) == []
    assert differences(OneOptions, {PAGE: [WiderForm]}) == ["page: colour is on one side only"]
    assert differences(OneOptions, {API: [NarrowSerializer]}) == ["api: number is on one side only"]
    assert differences(OneOptions, {COMMAND: [parser]}) == ["command: colour is on one side only"]


def test_the_contract_notices_another_default_limit_or_help():
    class OtherForm(OneForm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.fields["number"] = forms.IntegerField(initial=2, min_value=0, help_text="How many, perhaps.")

    assert [said.split(" is ")[0] for said in differences(OneOptions, {PAGE: [OtherForm]})] == [
        "page, number: default", "page, number: least", "page, number: help",
    ]  # fmt: skip
