"""Grammatical features on pages: their names, with the notation as a tooltip."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from curation.morphology import feature_names

register = template.Library()


@register.simple_tag
def features(notation: str) -> SafeString:
    """Show features by name, such as "accusative plural"."""
    return format_html('<span title="{}">{}</span>', notation, feature_names.features_name(notation))


@register.filter
def features_name(notation: str) -> str:
    """Return the name of features for an attribute or inside a sentence."""
    return feature_names.features_name(notation)


@register.simple_tag
def feature_name(name: str) -> SafeString:
    """Show a feature by name, such as "case"."""
    return format_html('<span title="{}">{}</span>', name, feature_names.feature_name(name))


@register.simple_tag
def feature_value(name: str, value: str) -> SafeString:
    """Show a value of a feature by name, such as "accusative"."""
    return format_html('<span title="{}={}">{}</span>', name, value, feature_names.value_name(name, value))
